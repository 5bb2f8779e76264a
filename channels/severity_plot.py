"""A plot for people: how severe two sets of conflicts are, a panel a measure. Pure: values in, an encoded picture out."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from channels.plots import COLOURS, DOTS_PER_INCH, Form

SIZE_IN = (10.5, 6.0)
"""Inches."""
NAME_KEPT = 26
"""Characters of a set's name."""
BINS = 20
"""Of the range from 0 to 1. The last one holds 1 itself."""
TITLES: Mapping[str, str] = {
    "lev": "edit distance (lev)",
    "char": "character difference (char)",
    "jac": "words not shared (jac)",
    "tri": "trigram cosine distance (tri)",
    "len": "difference of lengths (len)",
}
NATURAL, SYNTHETIC, BAND = COLOURS[0], COLOURS[1], "#0072B2"
_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with the library: the same picture on every machine
    "font.size": 9,
    "text.parse_math": False,
    "svg.hashsalt": "parallax",
    "svg.fonttype": "path",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_METADATA: Mapping[str, dict[str, Any]] = {"svg": {"Date": None, "Title": "Severity"}, "png": {"Software": None}}

Values = Mapping[str, Sequence[float]]
Bands = Mapping[str, tuple[float, float] | None]


def severity_plot(synthetic: Values, natural: Values, bands: Bands, names: tuple[str, str], form: Form = "png") -> bytes:
    """Both distributions of every measure, with the band of the natural one shaded and both medians marked.

    synthetic, natural: measure -> values from 0 to 1. bands: measure -> both ends, None where the natural set is empty.
    The same values give the same bytes with the same version of the library.
    """
    with rc_context(_STYLE):
        figure = Figure(figsize=SIZE_IN, layout="constrained")
        panels: list[Axes] = list(figure.subplots(2, 3).flat)
        for axes, name in zip(panels, synthetic, strict=False):
            _panel(axes, TITLES.get(name, name), synthetic[name], natural[name], bands[name])
        _legend(panels[-1], names, [len(next(iter(values.values()))) for values in (synthetic, natural)])
        out = io.BytesIO()
        figure.savefig(out, format=form, dpi=DOTS_PER_INCH, metadata=_METADATA[form])
    return out.getvalue()


def _panel(
    axes: Axes, title: str, synthetic: Sequence[float], natural: Sequence[float], band: tuple[float, float] | None
) -> None:
    if band is not None:
        # A band of no width is a line.
        axes.axvspan(*band, color=BAND, alpha=0.12, linewidth=0)
        for end in band:
            axes.axvline(end, color=BAND, alpha=0.5, linewidth=0.8, linestyle=(0, (2, 2)))
    edges = [at / BINS for at in range(BINS + 1)]
    if natural:
        axes.stairs(_shares(natural), edges, fill=True, color=NATURAL, alpha=0.45)
        axes.plot([_middle(natural)], [0], marker="^", color=NATURAL, markersize=8, clip_on=False, linestyle="", zorder=5)
    if synthetic:
        axes.stairs(_shares(synthetic), edges, color=SYNTHETIC, linewidth=1.8)
        axes.plot([_middle(synthetic)], [0], marker="^", color=SYNTHETIC, markersize=5, clip_on=False, linestyle="", zorder=6)
    if not synthetic and not natural:
        axes.text(0.5, 0.5, "n/a (n=0)", ha="center", va="center", transform=axes.transAxes)
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_title(title, loc="left", fontsize=9.5)


def _shares(values: Sequence[float]) -> list[float]:
    """Share of the values in each bin."""
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, int(value * BINS))] += 1
    return [count / len(values) for count in counts]


def _middle(values: Sequence[float]) -> float:
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _legend(empty: Axes, names: tuple[str, str], counts: Sequence[int]) -> None:
    """In the panel that no measure needs."""
    empty.axis("off")
    told = [
        f"{name if len(name) <= NAME_KEPT else name[: NAME_KEPT - 1] + '…'} (n={n})"
        for name, n in zip(names, counts, strict=True)
    ]
    signs = {
        told[1]: Patch(color=NATURAL, alpha=0.45, linewidth=0),
        "its 5th to 95th percentile": Patch(color=BAND, alpha=0.12, linewidth=0),
        told[0]: Line2D([], [], color=SYNTHETIC, linewidth=1.8),
        "medians": Line2D([], [], color="#000000", marker="^", linestyle=""),
    }
    title = "Share of pairs, by severity.\n0: both texts are the same,\n1: they have nothing in common"
    legend = empty.legend(signs.values(), signs, loc="upper left", frameon=False, title=title, alignment="left")
    legend.set_in_layout(False)  # else it takes its room from the panels
