"""A picture that is shown for two documents that say different things is no picture of the second."""

from __future__ import annotations

from datetime import UTC, datetime

from crawler.evidence import Evidence
from crawler.screens import Screens, without_evidence
from crawler.visit import Visited
from domain.visit import CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit

MOMENT = Moment(wall=datetime(2026, 11, 30, tzinfo=UTC), monotonic_ns=1)


def visited(number: int, picture: bytes, said: str) -> Visited:
    """A visit with one capture: this picture, and texts with this digest."""
    record = CaptureRecord(
        id=f"{number:032x}-0", loader_served="A", loader_shown="A", readiness=Readiness(load_event=True), timeline=Timeline(),
        counts=Counts(),
    )  # fmt: skip
    visit = Visit(
        id=f"{number:032x}", url="https://example.test/", site=f"site-{number}", outcome="captured", started=MOMENT,
        finished=MOMENT, viewport=Viewport(width=1280, height=720), delay_ms=0, captures=(record,),
    )  # fmt: skip
    return Visited(visit, (Evidence(record, (), {"screenshot": picture}, seen=1, said=said),), browser_hurt=False)


def test_the_first_picture_twice() -> None:
    """A red page, then a green one whose screenshot is the red page's again, to the byte: told, the first one not."""
    screens = Screens()
    assert not screens.repeated(visited(1, b"red", "the red page"))
    assert screens.repeated(visited(2, b"red", "the green page"))
    assert not screens.repeated(visited(2, b"green", "the green page"))


def test_the_same_page_twice_looks_the_same() -> None:
    """Two visits to a page that stands still give one picture and one text: nothing is wrong with that."""
    screens = Screens()
    assert not screens.repeated(visited(1, b"red", "the red page"))
    assert not screens.repeated(visited(2, b"red", "the red page"))


def test_nothing_of_it_is_evidence() -> None:
    """Where a fresh browser shows the old picture too, the visit says so and keeps no capture."""
    kept = without_evidence(visited(2, b"red", "the green page"))
    assert (kept.visit.outcome, kept.visit.captures, kept.evidence) == ("repeated-screenshot", (), ())
    assert kept.browser_hurt
