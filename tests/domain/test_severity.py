"""Severity: the five measures, medians, bands and coverage, beside worked values and independent programs."""

from __future__ import annotations

import math
from collections import Counter

import Levenshtein
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial.distance import cosine, jaccard

from domain.severity import MEASURES, Band, band, coverage, median, normal, percentile, severity

WORKED = [
    # pixel, structure, lev, char, jac, tri, len: two implementations that agree to 1e-12, told to four digits
    ("Reservations", "Budget Truck", 0.9167, 0.8333, 1, 1, 0),
    ("14:03:27", "14:03:31", 0.25, 0.25, 1, 0.3333, 0),
    ("$67,412.08", "$67,398.55", 0.5, 0.5, 1, 0.75, 0),
    ("+0.42%", "-1.07%", 0.6667, 0.6667, 1, 1, 0),
    ("1,024 watching now", "987 watching now", 0.2778, 0.2353, 0.5, 0.2650, 0.1111),
    ("Add to cart", "Add Acme anvil to your shopping cart", 0.6944, 0.5319, 0.5714, 0.5998, 0.6944),
    ("Sign in", "Log In", 0.4286, 0.3846, 0.6667, 0.7764, 0.1429),
    ("Menu", "Open navigation menu", 0.8, 0.6667, 0.6667, 0.6667, 0.8),
    ("Café  Zürich", "CAFÉ ZÜRICH", 0, 0, 0, 0, 0),
    ("", "Loading", 1, 1, 1, 1, 1),
    ("\uff30\uff52\uff49\uff43\uff45\uff1a\uff11\uff12", "Price:13", 0.125, 0.125, 1, 0.1667, 0),
    ("7", "8", 1, 1, 1, 1, 0),
]
# Few letters, so that pairs have something in common; blanks, unseen characters, and letters that folding changes.
TEXTS = st.text(st.sampled_from("abAB 1\u00a0\u00ad\u200b\u202e\ufb01\u0130\u00df\U0001f600e\u0301"), max_size=12)


def test_worked_values() -> None:
    """Every measure of every worked pair, either way round."""
    for pixel, structure, *wanted in WORKED:
        for pair in ((pixel, structure), (structure, pixel)):
            assert [*severity(*pair).values()] == pytest.approx(wanted, abs=5e-5), pair


def test_worked_exactly() -> None:
    """Counted by hand: 'sign in' and 'log in' have 'g in' in common of 13 characters, and one word of three."""
    found = severity("Sign in", "Log In")
    assert found["lev"] == 3 / 7
    assert found["char"] == pytest.approx(1 - 2 * 4 / 13, abs=1e-15)
    assert found["jac"] == 1 - 1 / 3
    assert found["tri"] == pytest.approx(1 - 1 / math.sqrt(5 * 4), abs=1e-15)
    assert found["len"] == 1 / 7


@given(TEXTS | st.text(max_size=8), TEXTS | st.text(max_size=8))
@example("", "")
@example("\u200b", "a")
def test_bounds(one: str, other: str) -> None:
    """Symmetric; 0 to 1; 0 exactly for texts that are the same in normal form; 1 beside an empty text."""
    found = severity(one, other)
    assert found == severity(other, one)
    assert all(0 <= value <= 1 for value in found.values())
    if normal(one) == normal(other):
        assert set(found.values()) == {0.0}
    elif not normal(one) or not normal(other):
        assert set(found.values()) == {1.0}


@given(TEXTS, TEXTS)
def test_beside_others(one: str, other: str) -> None:
    """The Levenshtein package says the same of lev and char, scipy the same of jac and tri."""
    a, b = normal(one), normal(other)
    found = severity(one, other)
    if a or b:
        assert found["lev"] == pytest.approx(Levenshtein.distance(a, b) / max(len(a), len(b)), abs=1e-12)
        assert found["char"] == pytest.approx(1 - Levenshtein.ratio(a, b), abs=1e-12)
    if a and b and a != b:
        words = sorted({*a.split(), *b.split()})
        assert found["jac"] == pytest.approx(jaccard(*([word in set(t.split()) for word in words] for t in (a, b))), abs=1e-12)
        counts = [Counter(t if len(t) < 3 else (t[i : i + 3] for i in range(len(t) - 2))) for t in (a, b)]
        if min(len(a), len(b)) < 3:
            counts = [Counter([t]) if len(t) < 3 else count for t, count in zip((a, b), counts, strict=True)]
        grams = sorted({*counts[0], *counts[1]})
        assert found["tri"] == pytest.approx(cosine(*([count[gram] for gram in grams] for count in counts)), abs=1e-12)


def test_normal_form() -> None:
    """Forms of a character, case, blanks of every kind and what nobody sees make no difference; None is empty."""
    assert normal("\u2003A\u00a0\u00adB\u200b\u2067\n c\ufeff ") == "a b c"
    assert normal("\uff21\ufb01") == "afi"
    assert normal(None) == ""
    assert set(severity(None, "").values()) == {0.0}


def test_not_difflib() -> None:
    """char is the longest common subsequence, not difflib's ratio, which says .9167 here and depends on the order."""
    assert severity("Reservations", "Budget Truck")["char"] == pytest.approx(10 / 12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.floats(0, 100))
@example([0.3, 0.3, 0.3], 5)
def test_percentile(values: list[float], per_cent: float) -> None:
    """As numpy has it with linear interpolation."""
    assert percentile(values, per_cent) == pytest.approx(float(np.percentile(values, per_cent)), abs=1e-12)
    assert percentile(values, 0) == min(values)
    assert percentile(values, 100) == max(values)


def test_band() -> None:
    """Of 0, 1, ..., 20: 1 and 19, the median 10. Of one value: that value."""
    values = [float(n) for n in range(21)]
    assert band(values[::-1]) == (1.0, 19.0)
    assert median(values) == 10
    assert band([0.7]) == (0.7, 0.7)


def test_coverage_has_its_ends() -> None:
    """The toy case: a natural band from 0.4 to 1 and made pairs at 1. With the ends all are inside, without them one in six."""
    inside = Band(0.4, 1.0)
    made = [1.0, 1.0, 1.0, 1.0, 1.0, 0.8]
    assert coverage(made, inside) == 1.0
    assert sum(inside.low < value < inside.high for value in made) / len(made) == pytest.approx(0.17, abs=0.005)
    assert coverage([0.39, 0.4, 0.5, 1.0], inside) == 0.75


def test_nothing() -> None:
    """Of no values there is no median, no band and no coverage: whoever asks says n/a."""
    for ask in (median, band, lambda values: coverage(values, Band(0, 1))):
        with pytest.raises(ValueError, match="no values"):
            ask([])
    with pytest.raises(ValueError, match="no percentage"):
        percentile([1.0], 101)


def test_names() -> None:
    """The measures' names, in the order in which they are told."""
    assert [*MEASURES] == ["lev", "char", "jac", "tri", "len"]
