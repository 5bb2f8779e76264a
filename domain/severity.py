"""Severity of a conflict: how far apart its two texts are, by five measures from 0 (the same) to 1. Definition id severity/1.

Source: paper, "Severity of the edits", and its appendix; docs/severity.md has what is made of them. All are total
and symmetric: texts that are equal in their normal form have exactly 0, an empty one beside one that is not has 1.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import regex
from rapidfuzz.distance import Indel, Levenshtein

DEFINITION = "severity/1"
GRAM = 3
"""Code points."""
LOW, HIGH = 5.0, 95.0
"""Percentiles between which nearly all natural conflicts lie."""

# Zero-width characters, the soft hyphen, and what turns the direction of writing: nobody sees them.
_UNSEEN = regex.compile(r"[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]")


class Band(NamedTuple):
    """Two percentiles; both ends belong to it."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


def normal(text: str | None) -> str:
    """The form that is compared: NFKC, nothing unseen, blanks of every kind as one space, ends cut, casefold. None is empty."""
    return " ".join(_UNSEEN.sub("", unicodedata.normalize("NFKC", text or "")).split()).casefold()


def levenshtein(a: str, b: str) -> float:
    """Insertions, deletions and replacements, as a share of the longer text's length."""
    return Levenshtein.normalized_distance(a, b)


def characters(a: str, b: str) -> float:
    """1 - 2 LCS / (length of both): the share of all characters that are in no common subsequence."""
    return Indel.normalized_distance(a, b)


def jaccard(a: str, b: str) -> float:
    """1 - common words / all words. A word is what stands between blanks, so that a number is one."""
    left, right = set(a.split()), set(b.split())
    return 1 - len(left & right) / len(left | right) if left or right else 0.0


def trigrams(a: str, b: str) -> float:
    """1 - cosine of how often each run of three characters is there. A shorter text is its own single run."""
    left, right = _grams(a), _grams(b)
    if not left or not right:
        return float(bool(left) != bool(right))
    if left == right:
        return 0.0
    dot = sum(n * right[gram] for gram, n in left.items())
    size = math.sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return min(1.0, max(0.0, 1 - dot / size))


def length(a: str, b: str) -> float:
    """Difference of the lengths as a share of the longer one."""
    longer = max(len(a), len(b))
    return abs(len(a) - len(b)) / longer if longer else 0.0


MEASURES: Mapping[str, Callable[[str, str], float]] = {
    "lev": levenshtein,
    "char": characters,
    "jac": jaccard,
    "tri": trigrams,
    "len": length,
}
"""Each takes two texts in normal form."""


def severity(pixel: str | None, structure: str | None) -> dict[str, float]:
    """All five measures of the pair, by name."""
    a, b = normal(pixel), normal(structure)
    return {name: 0.0 if a == b else measure(a, b) for name, measure in MEASURES.items()}


def percentile(values: Sequence[float], per_cent: float) -> float:
    """With linear interpolation between the two nearest of the sorted values, as numpy has it. Raises ValueError of none."""
    if not values:
        raise ValueError("no values have no percentile")
    if not 0 <= per_cent <= 100:  # noqa: PLR2004 - per cent
        raise ValueError(f"{per_cent} is no percentage")
    ordered = sorted(values)
    at = (len(ordered) - 1) * (per_cent / 100)
    below = math.floor(at)
    low, high, part = ordered[below], ordered[min(below + 1, len(ordered) - 1)], at - below
    # From the nearer end, so that equal ends give exactly themselves.
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)  # noqa: PLR2004 - the middle


def median(values: Sequence[float]) -> float:
    """Raises ValueError of none."""
    return percentile(values, 50)


def band(values: Sequence[float]) -> Band:
    """Where the middle nine tenths of the values lie. Raises ValueError of none."""
    return Band(percentile(values, LOW), percentile(values, HIGH))


def coverage(values: Sequence[float], inside: Band) -> float:
    """Share of the values inside the band, its ends included: many pairs are at 1 exactly. Raises ValueError of none."""
    if not values:
        raise ValueError("no values have no coverage")
    return sum(value in inside for value in values) / len(values)


def _grams(text: str) -> Counter[str]:
    if len(text) < GRAM:
        return Counter([text] if text else [])
    return Counter(text[at : at + GRAM] for at in range(len(text) - GRAM + 1))
