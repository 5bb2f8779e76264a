"""turns: a site's turn is one visit that is due. It may take several tries; it ends in one record, whatever happens.

The visit's id follows from site and due time. So a turn that is worked twice, e.g. because a worker was taken for dead,
is stored once: the store keeps the first record of an id and leaves it as it is.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from domain.errors import ParallaxError
from domain.visit import Outcome, Try

LONGEST = timedelta(hours=6)
"""Between two tries at most: a turn should be over before the site's next one."""
# What may pass, by how long to wait before the second try; each further wait is twice as long. What is not here is final.
PASSING: dict[Outcome, timedelta] = {
    "browser-crashed": timedelta(seconds=5),
    "failed": timedelta(seconds=10),
    "interrupted": timedelta(0),
    "repeated-screenshot": timedelta(seconds=5),
    "navigated": timedelta(seconds=30),
    "timeout": timedelta(minutes=2),
    "connection-failed": timedelta(minutes=2),
    "connection-refused": timedelta(minutes=5),
    "dns-failed": timedelta(minutes=10),
    "still-loading": timedelta(minutes=10),
    # The host itself rests for as long as it asks, or longer (domain/hosts.py), and the next try waits for that.
    "rate-limited": timedelta(seconds=5),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One due visit to a site."""

    due: datetime
    tries: tuple[Try, ...] = ()
    last: bool = False
    """Whether what may pass is to be recorded now all the same."""

    def visit_id(self, site: str) -> str:
        """32 hex digits, the same for the same turn on every machine."""
        named = f"{site}\n{self.due.astimezone(UTC).isoformat()}"
        return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class PutOff(ParallaxError):
    """The host wants rest: not now. Nothing was opened."""

    def __init__(self, until: datetime, reason: str) -> None:
        super().__init__(reason)
        self.until, self.reason = until, reason


class MayPass(ParallaxError):
    """The try ended in something that may pass. Nothing was stored; the turn goes on with another try."""

    def __init__(self, ended: Try) -> None:
        super().__init__(f"{ended.outcome}: {ended.reason}")
        self.ended = ended


def again_in(outcome: Outcome, tries: int, chance: random.Random) -> timedelta:
    """How long to wait after the given number of tries (1: the first has just ended): doubled each time, half of it by chance.

    Raises KeyError for an outcome that is final.
    """
    wait = min(PASSING[outcome] * float(2 ** (tries - 1)), LONGEST)
    return wait * (0.5 + chance.random())
