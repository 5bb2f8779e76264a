"""The instants of a capture on a line: where each dot goes, and what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from api.artifacts import TimelineMoment

SAID = {
    "served": ("structure", "Structure read"),
    "during": ("during", "Looked again during the delay"),
    "frozen": ("world", "Page frozen"),
    "before": ("structure", "Elements read before the pixels"),
    "screenshot_sent": ("screen", "Screenshot asked for"),
    "screenshot_received": ("screen", "Screenshot received"),
    "after": ("structure", "Elements read after the pixels"),
}
"""Of each instant its channel and its name for people."""
WIDTH, EDGE = 720.0, 16.0
"""Units of the drawing; EDGE is free at both ends."""
APART, STEP = 30.0, 30.0
"""Two dots nearer than this stand above one another, this far. On a narrow screen a dot is 24 wide: static/probe.css."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One instant in the drawing."""

    number: int | None
    """As in the table; None for looks during the delay, which are ticks."""
    channel: str
    said: str
    at: TimelineMoment
    x: float
    y: float
    """Above the line: 0 is on it, larger is higher."""


@dataclass(frozen=True, slots=True)
class Line:
    """All of them."""

    dots: tuple[Dot, ...]
    height: float
    """What the dots take above the line."""
    span_ms: float

    @property
    def numbered(self) -> tuple[Dot, ...]:
        """Those of the table."""
        return tuple(dot for dot in self.dots if dot.number is not None)

    @property
    def ticks(self) -> tuple[Dot, ...]:
        """The looks during the delay."""
        return tuple(dot for dot in self.dots if dot.number is None)


def line_of(moments: Sequence[TimelineMoment]) -> Line | None:
    """The line from the first instant to the last; None where there are less than two."""
    if len(moments) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    first, last = moments[0].ms, moments[-1].ms
    span = max(last - first, 0.001)
    dots: list[Dot] = []
    levels: list[float] = []  # by height above the line: where its last dot is
    number = 0
    for moment in moments:
        channel, said = SAID.get(moment.name, ("world", moment.name))
        x = round(EDGE + (moment.ms - first) / span * (WIDTH - 2 * EDGE), 1)
        if moment.name == "during":
            dots.append(Dot(None, channel, said, moment, x, 0))
            continue
        number += 1
        level = next((n for n, taken in enumerate(levels) if x - taken >= APART), len(levels))
        levels[level : level + 1] = [x]
        dots.append(Dot(number, channel, said, moment, x, level * STEP))
    return Line(tuple(dots), max(dot.y for dot in dots), span)
