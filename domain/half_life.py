"""half-life: the delay after which a live element's text differs from that of S0 in one of two visits (docs/drift.md).

A first change is known only to lie between two readings, so a half-life is an interval first. No shape is supposed for it;
where one can be, a single number stands beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from pydantic import Field

from domain.drift import Course
from domain.record import Record

LEAST_TICKS = 3
"""Changes seen within one visit before an element is taken for a ticker."""
LEAST_VISITS = 2
"""Visits before a single number is told of first changes: one interval has no shape."""
_HALVINGS = 200


class HalfLife(Record):
    """Where the half-life of one element lies."""

    low_ms: float = Field(description="it is longer than this")
    high_ms: float | None = Field(description="and not longer than this; null: it had not changed in half of the visits")
    estimate_ms: float | None = Field(description="one number, where a shape can be supposed")
    how: Literal["ticks", "first change"] = Field(description="what it was told from")
    visits: int = Field(description="visits that watched it")
    changed: int = Field(description="visits in which it changed")


@dataclass(frozen=True, slots=True)
class Watch:
    """What one visit says of an element. The first change lies in (after_ms, by_ms]; by_ms None: none until after_ms.

    steady_ms: the longest time for which no reading saw a change. period_ms: a ticker's period is below this; None where too
    few changes were seen. again: a text came back, so it is no clock.
    """

    after_ms: float
    by_ms: float | None
    steady_ms: float
    period_ms: float | None
    again: bool


def watch(course: Course) -> Watch:
    """What there is to know of a course."""
    steps = course.steps
    changed = [(a, b) for a, b, other in steps if other]
    # Between the first and the last of n changes there are at least n - 1 whole periods.
    spans = [
        (changed[j][1] - changed[i][0]) / (j - i) for i in range(len(changed)) for j in range(i + LEAST_TICKS - 1, len(changed))
    ]
    steady = accumulate((0.0 if other else b - a for a, b, other in steps), lambda run, gap: run + gap if gap else 0.0)
    return Watch(
        after_ms=course.last_same_ms,
        by_ms=course.first_differ_ms,
        steady_ms=max(steady, default=0.0),
        period_ms=min(spans, default=None),
        again=len(course.values) < len(changed),
    )


def unchanged(last_ms: float) -> Watch:
    """A visit in which the element held its text until its last reading."""
    return Watch(last_ms, None, last_ms, None, again=False)


def half_life(watches: Sequence[Watch]) -> HalfLife | None:
    """Where the half-life lies; None for an element that never changed.

    With n visits it is the k-th first change, k = n / 2 rounded up: the delay by which half of the visits have changed. It
    lies between the k-th smallest of the lower ends and the k-th smallest of the upper ends, whatever the order of the changes
    was. The number beside it supposes one rate of change (`rate`), and is told only where it does not contradict the interval.
    A ticker (`_ticker`) has half its period, where the first changes do not contradict that.
    """
    changed = sum(w.by_ms is not None for w in watches)
    if not changed:
        return None
    k = (len(watches) + 1) // 2 - 1
    low = sorted(w.after_ms for w in watches)[k]
    upper = sorted(math.inf if w.by_ms is None else w.by_ms for w in watches)[k]
    if (period := _ticker(watches)) is not None:
        shortest, longest = period[0] / 2, period[1] / 2
        # One first change may fall anywhere in a period; of several, half come within half of it, if S0 is at a random time.
        if len(watches) < LEAST_VISITS or (shortest < upper and low < longest):
            return HalfLife(
                low_ms=shortest,
                high_ms=longest,
                # Where every reading saw another text, it may tick as fast as it likes.
                estimate_ms=(shortest + longest) / 2 if shortest else None,
                how="ticks",
                visits=len(watches),
                changed=changed,
            )
    fitted = rate([(w.after_ms, w.by_ms) for w in watches]) if len(watches) >= LEAST_VISITS else None
    estimate = math.log(2) / fitted if fitted else None
    return HalfLife(
        low_ms=low,
        high_ms=None if upper == math.inf else upper,
        estimate_ms=estimate if estimate is not None and low <= estimate <= upper else None,
        how="first change",
        visits=len(watches),
        changed=changed,
    )


def _ticker(watches: Sequence[Watch]) -> tuple[float, float] | None:
    """(low, high) of the period that all visits allow; None where they allow none, or where none saw it tick.

    A strict ticker changes within every stretch as long as its period, and n changes take more than n - 1 periods.
    """
    periods = [w.period_ms for w in watches if w.period_ms is not None]
    if not periods or any(w.again for w in watches):
        return None
    low, high = max(w.steady_ms for w in watches), min(periods)
    return (low, high) if low < high else None


def rate(intervals: Sequence[tuple[float, float | None]]) -> float | None:
    """Changes per ms of an exponential time to the first change, the most likely one; None where none is.

    intervals: (a, b], or (a, None) for no change until a. The logarithm of the likelihood is the sum of
    log(exp(-r a) - exp(-r b)) and of -r a for those without a change; it is concave, so its slope has one root, found by
    halving. There is none where nothing changed, and none where every visit changed before its first reading: then any rate
    is too slow.
    """
    widths = [b - a for a, b in intervals if b is not None]
    waited = sum(a for a, _ in intervals)
    if not widths or waited <= 0:
        return None

    def slope(r: float) -> float:
        return sum(d / math.expm1(min(r * d, 700.0)) for d in widths) - waited

    low, high = 0.0, 1.0 / max(widths)
    while slope(high) > 0:
        low, high = high, high * 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return high
