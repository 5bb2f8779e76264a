"""Agreement of two raters: published tables, other programs, and what has no answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from domain.agreement import agreement, kappa, mcnemar, rate

Pairs = list[tuple[int, int]]
STALE = [[114, 18], [4, 114]]
"""The paper's 250 mobile-stale candidates: absent and visible, by the first annotator and by the second."""


def spread(table: Sequence[Sequence[int]]) -> Pairs:
    """The pairs that a table of counts is of: rows by the first rater, columns by the second."""
    return [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]


def seven() -> Pairs:
    """735 items, 105 in each of seven categories by either rater: 93 or 92 on the diagonal, the rest spread around it."""
    table = np.full((7, 7), 2) - 2 * np.eye(7, dtype=int) + np.diag([93, 93, 93, 92, 92, 92, 92])
    for i, j in ((3, 4), (4, 5), (5, 6), (6, 3)):
        table[i, j] += 1
    return spread(table.tolist())


@pytest.mark.parametrize(
    ("count", "n", "share", "low", "high"),
    [(182, 225, 0.809, 0.752, 0.855), (114, 250, 0.456, 0.395, 0.518), (16, 42, 0.381, 0.250, 0.532),
     (37, 42, 0.881, 0.750, 0.948), (113, 114, 0.991, 0.952, 0.998), (107, 114, 0.939, 0.879, 0.970),
     (85, 114, 0.746, 0.659, 0.817), (228, 250, 0.912, 0.870, 0.941), (0, 30, 0.0, 0.0, 0.114), (30, 30, 1.0, 0.886, 1.0)],
)  # fmt: skip
def test_shares(count: int, n: int, share: float, low: float, high: float) -> None:
    """Shares of the paper's audits and their Wilson bounds; another program gives the same to nine digits."""
    found = rate(count, n)
    assert (found.share, found.low, found.high) == tuple(pytest.approx(x, abs=6e-4) for x in (share, low, high))
    other = binomtest(count, n).proportion_ci(method="wilson")
    assert (found.low, found.high) == (pytest.approx(other.low, abs=1e-7), pytest.approx(other.high, abs=1e-7))


def test_of_nothing() -> None:
    """Without items nothing is known, and that is not 0."""
    assert rate(0, 0).model_dump() == {"count": 0, "n": 0, "share": None, "low": None, "high": None}
    none = kappa([])
    assert (none.n, none.value, none.low, none.undefined) == (0, None, None, "n=0")
    assert (none.error, none.no_interval) == (None, "undefined")
    assert mcnemar([]).model_dump() == {"n": 0, "first_only": 0, "second_only": 0, "p": None, "mid_p": None}


def test_stale_audit() -> None:
    """The paper's stale audit: raw agreement .912, kappa .825. By hand: chance is (132 118 + 118 132) / 250^2 = .498432."""
    found = kappa(spread(STALE))
    assert agreement(spread(STALE)).share == pytest.approx(0.912)
    assert found.value == pytest.approx((0.912 - 0.498432) / (1 - 0.498432))
    assert round(found.value or 0, 3) == 0.825


def test_whole_audit() -> None:
    """647 of 735 in seven even categories: raw .880, kappa (647/735 - 1/7) / (6/7) = .8603."""
    pairs = seven()
    assert (agreement(pairs).count, len(pairs)) == (647, 735)
    assert round(kappa(pairs).value or 0, 4) == 0.8603


@pytest.mark.parametrize(
    ("table", "value", "error", "low", "high"),
    [
        ([[0, 4, 1], [0, 8, 0], [0, 1, 5]], 0.4842, 0.1380, 0.2137, 0.7547),  # as SAS, proc freq, prints them
        ([[0, 0, 0], [5, 16, 3], [8, 12, 28]], 0.3333, 0.0814, 0.1738, 0.4929),
    ],
)
def test_interval(table: list[list[int]], value: float, error: float, low: float, high: float) -> None:
    """Kappa, its standard error and its interval are those of another program."""
    found = kappa(spread(table))
    assert (found.value, found.error, found.low, found.high) == tuple(
        pytest.approx(x, abs=5e-5) for x in (value, error, low, high)
    )


@pytest.mark.parametrize("pairs", [spread(STALE), seven()], ids=["stale", "all"])
def test_interval_beside_a_bootstrap(pairs: Pairs) -> None:
    """Items drawn again 4,000 times spread kappa as its standard error says, to a twentieth; the bounds lie within .01."""
    size = 1 + max(max(pair) for pair in pairs)
    shares = np.bincount([a * size + b for a, b in pairs], minlength=size * size) / len(pairs)
    drawn = np.random.default_rng(7).multinomial(len(pairs), shares, size=4_000).reshape(-1, size, size) / len(pairs)
    seen, chance = np.einsum("kii->k", drawn), np.einsum("ki,ki->k", drawn.sum(2), drawn.sum(1))
    again = (seen - chance) / (1 - chance)
    found = kappa(pairs)
    assert found.error == pytest.approx(again.std(), rel=0.05)
    assert [found.low, found.high] == pytest.approx(np.percentile(again, [2.5, 97.5]), abs=0.01)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=60))
def test_error_by_the_delta_method(pairs: Pairs) -> None:
    """The standard error is that of kappa's slope in each cell's share, under a multinomial: another way to the same number."""
    found = kappa(pairs)
    if found.value is None:
        return
    shares = np.zeros((4, 4))
    for a, b in pairs:
        shares[a, b] += 1 / len(pairs)
    rows, columns = shares.sum(1), shares.sum(0)
    seen, chance = np.trace(shares), rows @ columns
    slope = (np.eye(4) * (1 - chance) - (1 - seen) * (columns[:, None] + rows[None, :])) / (1 - chance) ** 2
    variance = ((shares * slope**2).sum() - (shares * slope).sum() ** 2) / len(pairs)
    assert (found.error or 0) ** 2 == pytest.approx(variance, abs=1e-12)
    assert (found.low is None, found.high is None) == (found.error is None, found.no_interval is not None)


def test_one_category() -> None:
    """Where both raters only ever say one thing, chance explains all of it: kappa is undefined, not 1."""
    found = kappa([("visible", "visible")] * 30)
    assert (found.n, found.value, found.undefined) == (30, None, "one-category")


def test_full_agreement_has_no_interval() -> None:
    """Raters who never differ: kappa is 1, and an interval from 1 to 1 would say that nothing is left to know."""
    found = kappa([("a", "a"), ("b", "b")] * 3)
    assert (found.value, found.error, found.low, found.high) == (1, None, None, None)
    assert found.no_interval == "never-differ"


@pytest.mark.parametrize(
    ("pairs", "value", "why"),
    [
        ([("a", "b")], 0, "one-rater-one-category"),
        ([("a", "b")] * 5, 0, "one-rater-one-category"),
        ([("match", "match")] * 118 + [("match", "other")] * 2, 0, "one-rater-one-category"),
        ([("match", "match")] * 118 + [("other", "match")] * 2, 0, "one-rater-one-category"),
        ([("a", "b"), ("b", "a")] * 5, -1, "degenerate"),
        ([("a", "b"), ("b", "c"), ("c", "a")], -0.5, "degenerate"),
        ([("a", "a"), ("b", "a"), ("b", "b")], 0.4, None),
    ],
)
def test_why_there_is_no_interval(pairs: list[tuple[str, str]], value: float, why: str | None) -> None:
    """A standard error of 0 is nothing known. One rater with one category: agreement is what chance has, 118 of 120 or not."""
    found = kappa(pairs)
    assert found.value == pytest.approx(value)
    assert (found.no_interval, found.error is None, found.low is None) == (why, why is not None, why is not None)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_kappa_is_of_the_items(pairs: Pairs, random: object) -> None:
    """Order, names of categories and which rater comes first change no digit; an independent sum gives the same value."""
    mixed = [(f"c{b}", f"c{a}") for a, b in pairs]
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert kappa(mixed).model_dump() == kappa(pairs).model_dump()
    table = np.zeros((5, 5))
    for a, b in pairs:
        table[a, b] += 1
    expected = np.outer(table.sum(1), table.sum(0)) / len(pairs)
    apart = ~np.eye(5, dtype=bool)
    value = kappa(pairs).value
    if expected[apart].sum() == 0:
        assert value is None
    else:
        assert value == pytest.approx(1 - table[apart].sum() / expected[apart].sum())


@pytest.mark.parametrize(("b", "c", "p"), [(0, 0, 1), (5, 5, 1), (0, 5, 0.0625), (3, 10, 0.09228515625), (4, 18, 0.00434351)])
def test_mcnemar(b: int, c: int, p: float) -> None:
    """By hand: 0 of 5 is 2 / 2^5; 3 of 13 is 2 (1 + 13 + 78 + 286) / 2^13. Another program's binomial test gives the same."""
    marks = [(True, False)] * b + [(False, True)] * c + [(True, True)] * 7 + [(False, False)] * 2
    found = mcnemar(marks)
    assert (found.n, found.first_only, found.second_only) == (b + c + 9, b, c)
    assert found.p == pytest.approx(p, rel=1e-5)
    assert found.p == pytest.approx(binomtest(b, b + c).pvalue if b + c else 1)
    assert (found.mid_p or 0) <= (found.p or 0)


def test_mid_p() -> None:
    """3 of 13: the exact p less the chance of just 3, 286 / 2^13."""
    assert mcnemar([(True, False)] * 3 + [(False, True)] * 10).mid_p == pytest.approx(0.09228515625 - 286 / 8192)
