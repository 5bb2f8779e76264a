"""Two sets of conflicts beside one another, by how severe they are: a release's severity.json. docs/severity.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from domain.divergences import KINDS
from domain.probe import Probe
from domain.record import Record
from domain.severity import DEFINITION, MEASURES, band, coverage, median, severity

DIGITS = 12
"""Significant digits that are written: what comes behind differs between processors."""
NATURAL_KINDS = tuple(KINDS)
SYNTHETIC, NATURAL = "web-text", "web-natural"
"""The families of a release that are compared."""
Values = Mapping[str, Sequence[float]]
"""Measure -> the value of every pair, 0 to 1."""
PMethod = Literal["exact", "asymptotic"]


class Pair(NamedTuple):
    """What the pixels show and what the structure says. kind: of a natural conflict."""

    pixel: str
    structure: str
    kind: str | None = None


class MeasureReport(Record):
    """One measure of both sets. null: the set that it would be of is empty."""

    synthetic_median: float | None
    natural_median: float | None
    natural_low: float | None = Field(description="5th percentile of the natural pairs, linear interpolation")
    natural_high: float | None = Field(description="95th")
    coverage: float | None = Field(description="share of the synthetic pairs from low to high, both ends included")
    ks: float | None = Field(description="two-sample Kolmogorov-Smirnov statistic, 0 to 1")
    p: float | None = Field(description="two-sided; with ties it is an upper bound")
    p_method: PMethod | None
    tied: float | None = Field(description="share of all values that another value of either set equals")


class Comparison(Record):
    """The synthetic pairs beside the natural ones, or beside those of one kind."""

    kind: str | None = Field(description="null: all natural pairs")
    synthetic_n: int = Field(ge=0)
    natural_n: int = Field(ge=0)
    measures: Mapping[str, MeasureReport] = Field(description="lev, char, jac, tri, len")


class SeverityReport(Record):
    """What `builder severity` says, and a release's severity.json."""

    definition: str = Field(description="of the five measures")
    synthetic: str = Field(description="where the synthetic pairs are from")
    natural: str
    comparisons: tuple[Comparison, ...] = Field(description="first all natural pairs, then each kind that the natural set has")


class KsTest(NamedTuple):
    """A two-sample Kolmogorov-Smirnov test."""

    statistic: float
    p: float
    method: PMethod


Tested = Callable[[Sequence[float], Sequence[float]], KsTest | None]
"""Tests two sets, neither of them empty; None: it is not tested here."""


def pair_of(probe: Probe) -> Pair:
    """Of a probe: gold is what the pixels show."""
    return Pair(probe.gold, probe.structural, probe.kind)


def values_of(pairs: Iterable[Pair]) -> dict[str, list[float]]:
    """Every measure of every pair, in the order given."""
    found: dict[str, list[float]] = {name: [] for name in MEASURES}
    for pair in pairs:
        for name, value in severity(pair.pixel, pair.structure).items():
            found[name].append(value)
    return found


def report(
    synthetic: Iterable[Pair],
    natural: Iterable[Pair],
    *,
    names: tuple[str, str] = (SYNTHETIC, NATURAL),
    tested: Tested = lambda *_: None,
) -> SeverityReport:
    """The report of both sets. Their order changes nothing. An empty set gives nulls where a number would need it."""
    made, found = values_of(synthetic), list(natural)
    kinds = {pair.kind for pair in found if pair.kind}
    ordered = [*(kind for kind in NATURAL_KINDS if kind in kinds), *sorted(kinds.difference(NATURAL_KINDS))]
    return SeverityReport(
        definition=DEFINITION,
        synthetic=names[0],
        natural=names[1],
        comparisons=(
            _comparison(None, made, values_of(found), tested),
            *(_comparison(kind, made, values_of(pair for pair in found if pair.kind == kind), tested) for kind in ordered),
        ),
    )


def rounded(value: float) -> float:
    """With so many digits as are written."""
    return float(f"{value:.{DIGITS}g}")


def _comparison(kind: str | None, synthetic: Values, natural: Values, tested: Tested) -> Comparison:
    first = next(iter(MEASURES))
    return Comparison(
        kind=kind,
        synthetic_n=len(synthetic[first]),
        natural_n=len(natural[first]),
        measures={name: _measure(synthetic[name], natural[name], tested) for name in MEASURES},
    )


def _measure(synthetic: Sequence[float], natural: Sequence[float], tested: Tested) -> MeasureReport:
    both = bool(synthetic and natural)
    inside = band(natural) if natural else None
    test = tested(synthetic, natural) if both else None
    return MeasureReport(
        synthetic_median=rounded(median(synthetic)) if synthetic else None,
        natural_median=rounded(median(natural)) if natural else None,
        natural_low=rounded(inside.low) if inside else None,
        natural_high=rounded(inside.high) if inside else None,
        coverage=rounded(coverage(synthetic, inside)) if inside and synthetic else None,
        ks=rounded(test.statistic) if test else None,
        p=rounded(test.p) if test else None,
        p_method=test.method if test else None,
        tied=rounded(_tied([*synthetic, *natural])) if both else None,
    )


def _tied(values: Sequence[float]) -> float:
    counts = Counter(values)
    return sum(n for n in counts.values() if n > 1) / len(values)
