"""What a release's page draws: shares as bars, and how severe its conflicts are, a panel a measure. Numbers in, places out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from domain.severity import MEASURES
from domain.severity_report import MeasureReport, Pair, values_of

BINS = 20
"""Of the range from 0 to 1. The last one holds 1 itself."""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 300.0, 150.0, 34.0, 10.0, 22.0
"""Of a panel's picture, in its own px, and what is around the plot."""
MOST_PAIRS = 20_000
"""Of one family; of more, the first so many in the order of ids, which is one of chance."""
TITLES: Mapping[str, tuple[str, str]] = {
    "lev": ("Edit distance", "letters put in, taken out or changed"),
    "char": ("Characters", "letters that both do not share, in order"),
    "jac": ("Words", "words that both do not share"),
    "tri": ("Trigrams", "runs of three letters"),
    "len": ("Length", "difference of the lengths"),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A line of a table with a bar. share: of the longest, 0 to 1. link: to the probes that are counted."""

    name: str
    count: int
    share: float
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark at an axis: where, in the picture's px, and what it says."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The picture of one measure. Places are in px of the picture; None: there is nothing to draw."""

    name: str
    title: str
    said: str
    natural: str | None
    """Outline of the area, as an SVG path."""
    synthetic: str | None
    """The line, as an SVG path."""
    band: tuple[float, float] | None
    """Its left end and its width."""
    natural_median: float | None
    synthetic_median: float | None
    report: MeasureReport
    ticks: tuple[Tick, ...]
    levels: tuple[Tick, ...]


Spread = Mapping[str, tuple[float, ...]]
"""Measure -> share of the pairs in each bin; empty where there are no pairs."""


def bars(counts: Mapping[str, int], links: Mapping[str, str] | None = None) -> list[Bar]:
    """The counts, the largest first, as shares of it."""
    most = max(counts.values(), default=0) or 1
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [Bar(name, count, count / most, (links or {}).get(name)) for name, count in ordered]


def spread(pairs: Iterable[Pair]) -> Spread:
    """How the values of these pairs lie, by measure."""
    return {name: _shares(values) for name, values in values_of(pairs).items()}


def panels(natural: Spread, synthetic: Spread, reports: Mapping[str, MeasureReport]) -> list[Panel]:
    """One picture a measure, all to the same height of 100 per cent of what is the highest of its own."""
    return [_panel(name, natural.get(name, ()), synthetic.get(name, ()), reports[name]) for name in MEASURES if name in reports]


def _panel(name: str, natural: Sequence[float], synthetic: Sequence[float], report: MeasureReport) -> Panel:
    top = max((*natural, *synthetic), default=0.0) or 1.0
    step = next(step for step in (0.05, 0.1, 0.2, 0.5) if top / step <= 4 or step == 0.5)  # noqa: PLR2004 - few lines
    levels = tuple(Tick(_y(level, top), f"{level:.0%}") for level in (n * step for n in range(int(top / step) + 1)))
    low, high = report.natural_low, report.natural_high
    title, said = TITLES.get(name, (name, ""))
    return Panel(
        name=name,
        title=title,
        said=said,
        natural=_outline(natural, top, closed=True),
        synthetic=_outline(synthetic, top, closed=False),
        band=None if low is None or high is None else (_x(low), round(max(1.0, _x(high) - _x(low)), 1)),
        natural_median=None if report.natural_median is None else _x(report.natural_median),
        synthetic_median=None if report.synthetic_median is None else _x(report.synthetic_median),
        report=report,
        ticks=tuple(Tick(_x(at), label) for at, label in ((0, "0 same"), (0.5, "0.5"), (1, "1"))),
        levels=levels,
    )


def _shares(values: Sequence[float]) -> tuple[float, ...]:
    if not values:
        return ()
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, int(value * BINS))] += 1
    return tuple(count / len(values) for count in counts)


def _outline(shares: Sequence[float], top: float, *, closed: bool) -> str | None:
    """Steps from the left to the right; closed: down to the axis at both ends."""
    if not shares:
        return None
    steps = "".join(f"V{_y(share, top)}H{_x((at + 1) / BINS)}" for at, share in enumerate(shares))
    return f"M{_x(0)} {_y(0, top)}{steps}V{_y(0, top)}{'Z' if closed else ''}"


def _x(value: float) -> float:
    return round(LEFT + value * (WIDTH - LEFT - 8), 1)


def _y(share: float, top: float) -> float:
    return round(TOP + (1 - share / top) * (HEIGHT - TOP - BOTTOM), 1)
