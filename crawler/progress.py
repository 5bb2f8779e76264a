"""progress: how the visits of one run are wished for, and what has become of them so far."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from datetime import datetime

from crawler.during import Settle
from domain.text import PolicyName
from domain.visit import Visit


@dataclass(frozen=True, slots=True)
class Wish:
    """How the visits of one run are to be made."""

    policy: PolicyName = "tokens"
    allow_private: bool = False
    delay_ms: int | None = None
    settle: Settle | None = None


@dataclass(slots=True)
class Progress:
    """What has become of a run so far."""

    total: int
    running: dict[str, str] = field(default_factory=dict)
    done: deque[Visit] = field(default_factory=deque)
    """All of a list; of a run without end, the last ones (give one with a length)."""
    checking: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    unchecked: int = 0
    """Flagged findings of stored visits whose pixels were to be read and were not: stopped before, or the reader failed."""
    stopped: bool = False
    waiting: dict[str, datetime] = field(default_factory=dict)
    """Sites whose host wants rest, and until when."""
