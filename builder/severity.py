"""Compares two sets of conflicts by how severe they are, with the test that tells them apart. docs/severity.md."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

from domain.severity_report import (
    NATURAL_KINDS,
    Comparison,
    KsTest,
    MeasureReport,
    Pair,
    PMethod,
    SeverityReport,
    pair_of,
    report,
    values_of,
)

__all__ = ["NATURAL_KINDS", "Comparison", "MeasureReport", "Pair", "SeverityReport", "compare", "pair_of", "values_of"]

EXACT_UP_TO = 2_000
"""Pairs in the larger set: beyond, the exact p costs seconds and is that of the limit to many digits."""


def compare(
    synthetic: Iterable[Pair], natural: Iterable[Pair], *, names: tuple[str, str] = ("web-text", "web-natural")
) -> SeverityReport:
    """The report of both sets. Their order changes nothing. An empty set gives nulls where a number would need it."""
    return report(synthetic, natural, names=names, tested=_kolmogorov_smirnov)


def _kolmogorov_smirnov(a: Sequence[float], b: Sequence[float]) -> KsTest:
    """Statistic, two-sided p, and how p was found. Source: scipy.stats.ks_2samp."""
    from scipy.stats import ks_2samp  # noqa: PLC0415 - it takes a second, and most commands need none of it

    method: PMethod = "exact" if max(len(a), len(b)) <= EXACT_UP_TO else "asymptotic"
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        if method == "exact":
            try:
                found = ks_2samp(a, b, method="exact")
            except RuntimeWarning:  # the sizes have no small common multiple, and counting the paths overflows
                method = "asymptotic"
        if method == "asymptotic":
            found = ks_2samp(a, b, method="asymp")
    return KsTest(float(found.statistic), float(found.pvalue), method)
