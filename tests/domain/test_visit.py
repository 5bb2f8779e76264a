"""Visits as they are stored and printed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from domain.visit import CaptureRecord, Moment, Readiness, Timeline, Viewport, Visit

MOMENT = Moment(wall=datetime(2026, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC), monotonic_ns=123_456_789_012_345_678, page_ms=1.25)


def made(**other: Any) -> Visit:
    """A visit that captured one page."""
    record = CaptureRecord(
        id="0" * 32 + "-0",
        loader_served="A",
        loader_shown="A",
        readiness=Readiness(load_event=True),
        timeline=Timeline(served=MOMENT, screenshot_sent=MOMENT),
        counts={"elements": 3, "settled": 2, "unsettled": 1},  # type: ignore[arg-type]
        tallies={"stale": {"flagged": 1, "skipped: unsettled": 2}},
    )
    fields: dict[str, Any] = {
        "id": "0" * 32,
        "url": "https://example.org/",
        "site": "example.org",
        "outcome": "captured",
        "started": MOMENT,
        "finished": MOMENT,
        "viewport": Viewport(width=1280, height=720),
        "delay_ms": 3000,
        "captures": (record,),
    }
    return Visit(**(fields | other))


def test_round_trip() -> None:
    """A visit written as JSON reads back as the same visit, to the microsecond and the nanosecond."""
    visit = made()
    assert Visit.model_validate_json(visit.model_dump_json()) == visit


@given(st.text(max_size=30))
def test_any_reason_survives(reason: str) -> None:
    """Whatever a site says of itself (NUL, any script) is written and read back."""
    visit = made(reason=reason, title=reason)
    assert Visit.model_validate_json(visit.model_dump_json()) == visit


@pytest.mark.parametrize(
    "wrong",
    [
        {"outcome": "fine"},
        {"incidents": ("rain",)},
        {"attempts": 0},
        {"delay_ms": -1},
        {"mood": "good"},
    ],
)
def test_nothing_unknown_is_stored(wrong: dict[str, Any]) -> None:
    """An outcome, incident or field that the documentation does not know cannot be recorded."""
    with pytest.raises(ValidationError):
        made(**wrong)


@pytest.mark.parametrize("size", [(99, 720, 1.0), (1280, 10_001, 1.0), (1280, 720, 0.1), (1280, 720, 9.0)])
def test_viewports_that_no_browser_shows(size: tuple[int, int, float]) -> None:
    """A viewport too small, too large or of an absurd scale is refused before a browser is asked for it."""
    with pytest.raises(ValidationError):
        Viewport(width=size[0], height=size[1], scale=size[2])
