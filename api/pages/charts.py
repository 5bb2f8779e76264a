"""Where the bars and points of a chart lie: across in per cent, so that text keeps its size on any screen; down in px."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from domain.drift_curve import Point
from domain.share import Share
from store.progress import Minute

HEIGHT, TOP, FOOT = 190, 20, 24
"""px: of a chart, above its highest line, and below its axis, where the moments are written."""
_STEPS = (1, 2, 5, 10)
_LINES = 3
_EDGE = 7.0
"""Per cent left free at both sides of a curve, for what is written below its first and last point."""
_LEAST_GAP = 9.0
"""Per cent between two things written below the axis."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something written at an axis: `at` in px from the top, or in per cent from the left."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A minute: what was captured stands on the axis, what was not upon it. x and width in per cent, the rest in px."""

    x: float
    width: float
    captured_y: float
    captured_height: float
    other_y: float
    other_height: float
    said: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a curve and its interval: x in per cent, the rest in px."""

    x: float
    y: float
    low_y: float
    high_y: float


@dataclass(frozen=True, slots=True)
class Rate:
    """Visits a minute."""

    bars: tuple[Bar, ...]
    lines: tuple[Mark, ...]
    moments: tuple[Mark, ...]
    height: int = HEIGHT
    axis: int = HEIGHT - FOOT


@dataclass(frozen=True, slots=True)
class Curve:
    """A share against the delay, logarithmic. ever: the share that differed at this moment or before."""

    stale: tuple[Dot, ...]
    ever: tuple[Dot, ...]
    lines: tuple[Mark, ...]
    moments: tuple[Mark, ...]
    height: int = HEIGHT
    axis: int = HEIGHT - FOOT


def rate(minutes: Sequence[Minute]) -> Rate:
    """Bars for the minutes, each as wide as the other."""
    top, lines = _scale(max((minute.visits for minute in minutes), default=0))
    width = 100 / max(len(minutes), 1)
    bars = []
    for i, minute in enumerate(minutes):
        if not minute.visits:
            continue
        captured, whole = _down(minute.captured, top), _down(minute.visits, top)
        bars.append(
            Bar(
                x=round(i * width + 0.15 * width, 3),
                width=round(0.7 * width, 3),
                captured_y=captured,
                captured_height=round(HEIGHT - FOOT - captured, 2),
                other_y=whole,
                other_height=round(captured - whole, 2),
                said=f"{minute.begin:%H:%M}: {minute.visits:,}, {minute.captured:,} captured",
            )
        )
    moments = [Mark(round(i * width, 3), f"{m.begin:%H:%M}") for i, m in enumerate(minutes) if m.begin.minute % 15 == 0]
    return Rate(tuple(bars), lines, tuple(moment for moment in moments if moment.at < 100 - _LEAST_GAP))


def curve(points: Sequence[Point]) -> Curve:
    """The points of a drift curve, in their order."""
    highest = max((100 * share.high for point in points for share in (point.stale, point.ever)), default=0.0)
    top, lines = _scale(min(100.0, highest), unit=" %")
    first, last = (math.log(max(points[i].after_ms, 1)) for i in (0, -1)) if points else (0.0, 0.0)

    def across(point: Point) -> float:
        share = (math.log(max(point.after_ms, 1)) - first) / (last - first) if last > first else 0.5
        return round(_EDGE + (100 - 2 * _EDGE) * share, 3)

    def dot(point: Point, share: Share) -> Dot:
        return Dot(across(point), *(_down(100 * value, top) for value in (share.share, share.low, share.high)))

    moments: list[Mark] = []
    for point in points:
        if not moments or across(point) - moments[-1].at >= _LEAST_GAP:
            moments.append(Mark(across(point), f"{point.after_ms / 1000:.2g} s"))
    stale, ever = (tuple(dot(point, getattr(point, name)) for point in points) for name in ("stale", "ever"))
    return Curve(stale, ever, lines, tuple(moments))


def _scale(highest: float, unit: str = "") -> tuple[float, tuple[Mark, ...]]:
    """The value at the top, and lines at round values, at most _LINES of them: 1, 2 or 5 times a power of ten apart."""
    wanted = max(highest, 1.0) / _LINES
    power = 10.0 ** math.floor(math.log10(wanted))
    step = max(1.0, next(n * power for n in _STEPS if n * power >= wanted * 0.999))
    top = max(highest, step)
    return top, tuple(
        Mark(_down(n * step, top), f"{n * step:,.0f}{unit}") for n in range(1, math.floor(top / step + 0.001) + 1)
    )


def _down(value: float, top: float) -> float:
    """px from the top of the chart."""
    return round(HEIGHT - FOOT - (HEIGHT - FOOT - TOP) * min(value, top) / top, 2)
