"""Draft: a visit that is being made."""

from __future__ import annotations

from dataclasses import dataclass, field

from crawler.capture import Stopwatch
from crawler.evidence import Evidence
from crawler.reading import now
from domain.visit import Incident, Moment, Outcome, Response


@dataclass(slots=True)
class Draft:
    """What is known of it so far; it becomes the record."""

    url: str
    started: Moment = field(default_factory=now)
    navigated: Moment | None = None
    response: Response | None = None
    title: str | None = None
    incidents: list[Incident] = field(default_factory=list)
    attempts: int = 1
    outcome: Outcome = "failed"
    reason: str = ""
    evidence: list[Evidence] = field(default_factory=list)
    browser_hurt: bool = False
    clock: Stopwatch = field(default_factory=Stopwatch)
