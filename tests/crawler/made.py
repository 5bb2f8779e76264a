"""Visits made by hand, for what looks at visits and at nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from crawler.evidence import Evidence
from crawler.visit import Visited
from domain.divergence import Finding
from domain.pixel_check import Check
from domain.visit import BrowserInfo, CaptureRecord, Counts, Moment, Outcome, Readiness, Timeline, Viewport, Visit

BEGAN = datetime(2026, 11, 30, 12, tzinfo=UTC)
BROWSER = BrowserInfo(driver="playwright", name="Chromium", version="140.0.1", user_agent="Mozilla/5.0")


def made_visit(outcome: Outcome = "captured", host: str = "example.test", *, took_s: float = 5, **more: Any) -> Visit:
    """A visit to that host that began at noon and ended so."""
    fields: dict[str, Any] = {
        "id": "0" * 32,
        "url": f"https://{host}/",
        "site": host,
        "outcome": outcome,
        "browser": BROWSER,
        "started": Moment(wall=BEGAN, monotonic_ns=0),
        "finished": Moment(wall=BEGAN + timedelta(seconds=took_s), monotonic_ns=round(took_s * 1e9)),
        "viewport": Viewport(width=1280, height=720),
        "delay_ms": 3000,
    }
    return Visit(**{**fields, **more})


def made_finding(kind: str, verdict: str, text: str = "one") -> Finding:
    """A finding of that kind and verdict about an element that shows that text."""
    fields: dict[str, Any] = {"path": "p", "kind": kind, "verdict": verdict, "reason": "disagree"}
    return Finding(**fields, structural=text, rendered=text)


def made_check(verdict: str, text: str = "one") -> Check:
    """What a reader said that read that text."""
    fields: dict[str, Any] = {"reader": "eye", "read": text, "confidence": 1, "verdict": verdict, "reason": "same"}
    return Check(**fields)


def made_visited(visit: Visit, findings: tuple[Finding, ...] = (), checks: tuple[Check | None, ...] = ()) -> Visited:
    """The visit with one capture of ten elements and these findings."""
    record = CaptureRecord(
        id=f"{visit.id}-0",
        loader_served="A",
        loader_shown="A",
        readiness=Readiness(load_event=True),
        timeline=Timeline(),
        counts=Counts(elements=10, settled=9, unsettled=1),
    )
    evidence = Evidence(record, findings, {"screenshot": b""}, seen=10, checks=checks)
    return Visited(visit.model_copy(update={"captures": (record,)}), (evidence,), browser_hurt=False)
