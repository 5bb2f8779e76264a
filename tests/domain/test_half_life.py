"""Half-lives: intervals and rates worked out by hand, and found again in elements whose half-life is known."""

from __future__ import annotations

import math
import random

import pytest

from domain.half_life import HalfLife, Watch, half_life, rate, unchanged, watch
from tests.domain.test_drift import MOMENTS, one


def told(*watches: Watch) -> HalfLife:
    found = half_life(watches)
    assert found is not None
    return found


def first(after_ms: float, by_ms: float) -> Watch:
    """A visit that saw one change, after and not later than these."""
    return Watch(after_ms, by_ms, 0, None, again=False)


def test_one_visit_gives_the_interval_alone() -> None:
    """Same at 1 s, another at 2 s, and so it stays: between 1 and 2 s, and no number is made of it."""
    it = told(watch(one(None, None, "b", "b", "b", "b")))
    assert (it.low_ms, it.high_ms, it.estimate_ms, it.how) == (1000, 2000, None, "first change")


def test_no_change_no_half_life() -> None:
    """An element that never changed has none."""
    assert half_life([unchanged(10_000), unchanged(3000)]) is None
    assert half_life([]) is None


def test_half_of_the_visits() -> None:
    """First changes in (0, 0.5], (0.5, 1], (1, 2] and none until 10 s: the second of four lies in (0.5, 1]."""
    it = told(first(0, 500), unchanged(10_000), first(1000, 2000), first(500, 1000))
    assert (it.low_ms, it.high_ms, it.visits, it.changed) == (500, 1000, 4, 3)


def test_fewer_than_half() -> None:
    """It changed in one visit of three: longer than the others waited, no upper end."""
    it = told(first(0, 500), unchanged(3000), unchanged(10_000))
    assert (it.low_ms, it.high_ms) == (3000, None)


def test_a_clock_of_one_second() -> None:
    """Ticks at 0.7, 1.7, ... s. Nothing in 0.5 s: longer than that. Three changes in (0.5, 3]: two periods fit into 2.5 s.

    So the period lies between 0.5 and 1.25 s, the half-life between 0.25 and 0.625 s; the true one is 0.5 s.
    """
    it = told(watch(one(None, "1", "2", "3", "5", "10")))
    assert (it.low_ms, it.high_ms, it.estimate_ms, it.how) == (250, 625, 437.5, "ticks")


def test_another_text_at_every_reading() -> None:
    """Three changes in 2 s: a period below 1 s, a half-life below 0.5 s; nothing says how short, and no number is made up."""
    it = told(watch(one("1", "2", "3", "4", "6", "11")))
    assert (it.low_ms, it.high_ms, it.estimate_ms, it.how) == (0, 500, None, "ticks")


def test_visits_of_a_ticker() -> None:
    """One that ticks at 0.7, 1.7, ... as above, twice, and once at 0.2, 1.2, ..., which allows 0.5 to 1.5 s: so 0.5 to 1.25 s.

    The second of the three first changes lies in (0.5, 1] s, which a half-life of 0.25 to 0.625 s does not contradict.
    """
    above = watch(one(None, "1", "2", "3", "5", "10"))
    it = told(above, watch(one("1", "1", "2", "3", "5", "10")), above)
    assert (it.low_ms, it.high_ms, it.how) == (250, 625, "ticks")


def test_a_ticker_that_starts_late() -> None:
    """Two visits in which the first tick came after 1 s, then one a second: whoever looks at S0 has more than half a second."""
    late = watch(one(None, None, "1", "2", "4", "9"))
    it = told(late, late)
    assert (it.low_ms, it.high_ms, it.how) == (1000, 2000, "first change")


def test_a_burst_is_no_ticker() -> None:
    """Changes by 0.5, 1 and 2 s, then eight seconds of nothing: no period allows that, so the first change counts."""
    it = told(watch(one("a", "b", "c", "c", "c", "c")))
    assert (it.low_ms, it.high_ms, it.how) == (0, 500, "first change")


def test_a_blinking_text_is_no_clock() -> None:
    """On, off, on, off: a text seen again may have changed any number of times between."""
    assert told(watch(one("off", None, "off", None, "off", None))).how == "first change"


@pytest.mark.parametrize(
    ("intervals", "right"),
    [
        # One change in (1, 2]: d / (exp(r d) - 1) = a gives exp(r) = 2.
        ([(1, 2)], math.log(2)),
        # One in (0, 1], one not until 1: exp(-r) (1 - exp(-r)) is largest at exp(-r) = 1/2.
        ([(0, 1), (1, None)], math.log(2)),
        # Three of four within 1: 1 - exp(-r) = 3/4.
        ([(0, 1), (0, 1), (0, 1), (1, None)], math.log(4)),
    ],
)
def test_rates(intervals: list[tuple[float, float | None]], right: float) -> None:
    """The most likely rates, by hand."""
    assert rate(intervals) == pytest.approx(right, rel=1e-9)


def test_no_rate() -> None:
    """Nothing changed, or all changed before the first reading: no rate is the most likely one."""
    assert rate([(10, None)]) is None
    assert rate([(0, 1), (0, 1)]) is None


def test_the_rate_is_the_most_likely_one() -> None:
    """No rate near it explains the intervals better."""
    intervals: list[tuple[float, float | None]] = [(0, 0.5), (0.5, 1), (2, 3), (5, 10), (10, None), (3, None)]

    def likelihood(r: float) -> float:
        return sum(math.log(math.exp(-r * a) - (math.exp(-r * b) if b is not None else 0)) for a, b in intervals)

    best = rate(intervals)
    assert best is not None
    assert all(likelihood(best) > likelihood(best * factor) for factor in (0.5, 0.9, 0.999, 1.001, 1.1, 2))


def between(first_ms: float) -> Watch:
    """What readings at the moments see of an element that changes once, after so many ms."""
    return watch(one(*(None if ms < first_ms else "b" for ms in MOMENTS)))


def test_a_known_half_life_is_found() -> None:
    """2,000 visits to elements that change at one rate, half-life 1.5 s: in (1, 2] s, and the number is right to 5 %."""
    dice = random.Random(7)  # noqa: S311 - the same draws every time
    it = told(*(between(dice.expovariate(math.log(2) / 1500)) for _ in range(2000)))
    assert (it.low_ms, it.high_ms) == (1000, 2000)
    assert it.estimate_ms == pytest.approx(1500, rel=0.05)


def test_a_slow_ticker_over_many_visits() -> None:
    """Period 5 s, S0 at any time of it: the first changes alone give (2, 3] s, around the 2.5 s of half a period."""
    dice = random.Random(7)  # noqa: S311 - the same draws every time
    it = told(*(between(dice.uniform(0, 5000)) for _ in range(500)))
    assert (it.low_ms, it.high_ms) == (2000, 3000)


def test_a_number_that_contradicts_the_interval_is_not_told() -> None:
    """Every visit changed between 2 and 3 s: one rate would give 1.7 s, which nobody has seen."""
    it = told(*(first(2000, 3000) for _ in range(10)))
    assert (it.low_ms, it.high_ms, it.estimate_ms) == (2000, 3000, None)
    assert math.log(2) / (rate([(2000, 3000)] * 10) or 1) == pytest.approx(1000 * math.log(2) / math.log(1.5))
