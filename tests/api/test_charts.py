"""Where bars and points lie, worked out by hand: of 190 px, 20 are left above and 24 below, so a chart is 146 px high."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from api.pages.charts import curve, rate
from domain.drift_curve import Point
from domain.share import Share
from store.progress import Minute

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def minute(number: int, captured: int, other: int) -> Minute:
    counts = {"captured": captured, "timeout": other}
    begin = NOON + timedelta(minutes=number)
    return Minute(begin=begin, visits=captured + other, captured=captured, outcomes=counts, received_bytes=0)


def point(after_ms: float, share: float, low: float, high: float) -> Point:
    stale = Share(share=share, low=low, high=high)
    return Point(after_ms=after_ms, captures=1, sites=1, watched=9, stale=stale, ever=stale, by_site=share, moved=0, gone=0)


def test_rate() -> None:
    """A minute's captured visits stand on the axis, the others upon them; the fullest minute reaches the top."""
    found = rate([minute(0, 3, 1), minute(1, 0, 0), minute(2, 1, 0), minute(3, 0, 2)])
    assert [(bar.x, bar.width) for bar in found.bars] == [(3.75, 17.5), (53.75, 17.5), (78.75, 17.5)]
    # Of 4 visits, 146 px: each is 36.5.
    assert [(bar.captured_height, bar.other_height) for bar in found.bars] == [(109.5, 36.5), (36.5, 0), (0, 73)]
    assert (found.bars[0].captured_y, found.bars[0].other_y) == (56.5, 20)
    assert [(line.at, line.label) for line in found.lines] == [(93, "2"), (20, "4")]
    assert [(mark.at, mark.label) for mark in found.moments] == [(0, "12:00")]
    assert found.bars[0].said == "12:00: 4, 3 captured"


def test_nothing() -> None:
    """No visits and no points are charts without bars, not errors."""
    assert rate([minute(0, 0, 0)]).bars == ()
    assert curve([]).stale == ()


def test_curve() -> None:
    """Ten times the delay is as far each time; heights are per cent of the highest end of an interval."""
    found = curve([point(100, 0.1, 0.0, 0.2), point(1000, 0.2, 0.1, 0.3), point(10_000, 0.3, 0.2, 0.4)])
    assert [dot.x for dot in found.stale] == [7, 50, 93]
    assert [(dot.y, dot.low_y, dot.high_y) for dot in found.stale] == [(129.5, 166, 93), (93, 129.5, 56.5), (56.5, 93, 20)]
    assert [(line.at, line.label) for line in found.lines] == [(93, "20 %"), (20, "40 %")]
    assert [mark.label for mark in found.moments] == ["0.1 s", "1 s", "10 s"]
    [alone] = curve([point(3000, 0, 0, 0.1)]).stale
    assert alone.x == 50
