"""Visits, captures and findings to store, every part of them given; for tests, which cannot import one another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.divergence import Finding
from domain.pixel_check import Check
from domain.visit import (
    BrowserInfo,
    CaptureRecord,
    Counts,
    Frame,
    Moment,
    Readiness,
    Response,
    Timeline,
    Viewport,
    Visit,
)

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)


def moment(seconds: float = 0) -> Moment:
    """That long after noon."""
    return Moment(wall=NOON + timedelta(seconds=seconds), monotonic_ns=int(seconds * 1e9), page_ms=seconds * 1e3)


def visit_of(number: int, *, captures: int = 1, **changes: Any) -> Visit:
    """The visit with this number in its id, that many seconds after noon."""
    visit_id = f"{number:032x}"
    records = tuple(capture_of(visit_id, index, taken=number + 4.1 + index) for index in range(captures))
    return Visit(
        id=visit_id,
        url="https://Shop.Example/cart?x=1",
        site="shop",
        outcome="captured",
        started=moment(number),
        navigated=moment(number + 0.25),
        finished=moment(number + 5),
        browser=BrowserInfo(driver="recorded", name="Chromium", version="1", user_agent="test", flags=("--a",)),
        viewport=Viewport(width=1280, height=800),
        delay_ms=3000,
        response=Response(url="https://shop.example/cart", status=200, headers={"content-type": "text/html"}),
        title="Cart",
        captures=records,
        durations_ms={"open": 12.5},
    ).model_copy(update=changes)


def capture_of(visit_id: str, index: int = 0, *, taken: float = 4.1) -> CaptureRecord:
    """The capture with this index, its screenshot asked for that many seconds after noon."""
    return CaptureRecord(
        id=f"{visit_id}-{index}",
        index=index,
        scroll_y=index * 800,
        loader_served="L1",
        loader_shown="L1",
        readiness=Readiness(load_event=True, load_ms=812.3, quiet_ms=0.1),
        timeline=Timeline(served=moment(1), before=moment(4), screenshot_sent=moment(taken), after=moment(taken + 0.1)),
        counts=Counts(elements=10, settled=9, unsettled=1),
        frames=(Frame(url="https://ads.example/", read=False, reason="other process"),),
        artifacts={"dom": "d" * 64, "served": "a" * 64, "screenshot": f"{index:064x}"},
        tallies={"aria": {"flagged: disjoint": 1, "clean": 8}},
        rules="1",
    )


def finding_of(path: str = "#pay", **changes: Any) -> Finding:
    """A flagged finding on the element at `path`."""
    given: dict[str, Any] = {
        "path": path,
        "element_id": "pay",
        "kind": "aria",
        "verdict": "flagged",
        "reason": "disjoint",
        "structural": "Pay 10",
        "rendered": "Pay 12",
        "grade": "numeric",
        "box": (1.5, 2.0, 30.25, 4.0),
        "lines": ((1.5, 2.0, 20.0, 2.0), (1.5, 4.0, 12.25, 2.0)),
        "sub_kind": "aria-label",
        "role": "button",
        "name": "Pay 10",
        "name_source": "aria-label",
        "row": "pay now",
    }
    return Finding(**(given | changes))


def check_of(verdict: str = "confirmed", **changes: Any) -> Check:
    """What a reader made of a divergence."""
    given = {"reader": "reader-1", "read": "Pay 12", "confidence": 0.75, "verdict": verdict, "reason": "equal"}
    return Check.model_validate(given | changes)


@pytest.fixture(name="check_of")
def check_of_fixture() -> Callable[..., Check]:
    """`check_of(verdict="confirmed", **changes)`: what a reader made of a divergence."""
    return check_of


@pytest.fixture(name="visit_of")
def visit_of_fixture() -> Callable[..., Visit]:
    """`visit_of(number, captures=1, **changes)`: the visit with this number in its id, that many seconds after noon."""
    return visit_of


@pytest.fixture(name="finding_of")
def finding_of_fixture() -> Callable[..., Finding]:
    """`finding_of(path="#pay", **changes)`: a flagged finding on the element at `path`."""
    return finding_of
