"""Curves: shares, intervals and denominators worked out by hand, or taken from a published table."""

from __future__ import annotations

import pytest

from domain.drift import Tally
from domain.drift_curve import Counted, clustered, curve, moment
from domain.share import Share, wilson


def counted(site: str, visit: str, *tallies: tuple[float, int, int]) -> Counted:
    """A capture with (after_ms, watched, stale) at each of its readings."""
    return Counted(site, visit, tuple(Tally(ms, n, x, x, 0, 0) for ms, n, x in tallies))


def same(one: Share, other: Share) -> bool:
    """Equal but for the last digits of a float."""
    return one.model_dump() == pytest.approx(other.model_dump())


@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    # R. G. Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(x: int, n: int, low: float, high: float) -> None:
    """The intervals are those of the published table."""
    found = wilson(x / n, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_nothing_watched() -> None:
    """Of nothing, nothing is known."""
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    assert clustered([]).high == 1
    assert curve([counted("a", "1", (502, 0, 0)), counted("b", "2", (502, 0, 0))]) == ()


def test_a_moment_at_which_nothing_was_watched_has_no_point() -> None:
    """Two captures without texts after 1 s: no share, rather than 0 %. Beside one that has some they only count as captures."""
    points = curve([counted("a", "1", (502, 4, 1), (1004, 0, 0)), counted("b", "2", (502, 0, 0), (1004, 0, 0))])
    assert [(p.captures, p.watched, p.stale.share, p.by_site) for p in points] == [(2, 4, 0.25, 0.25)]


def test_clusters_widen_the_interval() -> None:
    """10 and 30 of 100: the mean is 0.2, its variance 2 (100 + 100) / 200^2 = 0.01, so 200 elements are worth 16."""
    assert same(clustered([(10, 100), (30, 100)]), wilson(0.2, 16))
    # Clusters that agree are worth what they hold, and no more.
    assert same(clustered([(20, 100), (20, 100)]), wilson(0.2, 200))
    assert same(clustered([(20, 100)]), wilson(0.2, 100))


def test_a_moment_counts_the_captures_that_have_it() -> None:
    """Delays of 1 and 3 s: at 3 s only the elements of the longer capture are in the denominator."""
    points = curve(
        [counted("a", "1", (502, 10, 1), (1004, 10, 2)), counted("b", "2", (510, 30, 3), (1010, 30, 6), (3001, 30, 9))]
    )
    assert [(p.after_ms, p.captures, p.watched) for p in points] == [(506, 2, 40), (1007, 2, 40), (3001, 1, 30)]
    assert [p.stale.share for p in points] == [pytest.approx(4 / 40), pytest.approx(8 / 40), pytest.approx(9 / 30)]


def test_sites_of_equal_weight() -> None:
    """1 of 10 on one site and 45 of 90 on the other: 0.46 of all elements, 0.3 of the mean site."""
    [point] = curve([counted("a", "1", (500, 10, 1)), counted("b", "2", (500, 60, 30)), counted("b", "3", (500, 30, 15))])
    assert point.stale.share == pytest.approx(0.46)
    assert point.by_site == pytest.approx(0.3)
    assert (point.sites, point.captures) == (2, 3)


def test_one_site_is_clustered_by_visit() -> None:
    """Two captures of one visit are one cluster, two visits are two."""
    [together] = curve([counted("a", "1", (500, 100, 10)), counted("a", "1", (500, 100, 30))])
    [apart] = curve([counted("a", "1", (500, 100, 10)), counted("a", "2", (500, 100, 30))])
    assert same(together.stale, wilson(0.2, 200))
    assert same(apart.stale, wilson(0.2, 16))


def test_readings_of_one_moment() -> None:
    """Readings come late: at 0.5, 0.7 and 0.59 s they are of the moment 0.5. Of two of one capture, the later counts."""
    points = curve([counted("a", "1", (500, 10, 1), (700, 10, 5), (1100, 10, 6)), counted("a", "2", (590, 10, 2))])
    assert [(p.after_ms, p.captures, p.stale.share) for p in points] == [(645, 2, 7 / 20), (1100, 1, 0.6)]


def test_moments() -> None:
    """1, 2, 3 and 5 times a power of ten; what comes before the next belongs to the last."""
    given = (0, 0.7, 99, 100, 499, 500, 999.9, 1000, 1999, 2000, 4999, 5000, 9999, 10_000, 25_000)
    assert [moment(ms) for ms in given] == [0, 0.5, 50, 100, 300, 500, 500, 1000, 1000, 2000, 3000, 5000, 5000, 10_000, 20_000]


def test_no_captures() -> None:
    """No curve."""
    assert curve([]) == ()
