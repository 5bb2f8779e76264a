"""Plots for people: the share of stale elements against the delay. Pure: curves in, an encoded picture out."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from domain.drift_curve import Point

Form = Literal["png", "svg"]

SIZE_IN = (8.0, 5.0)
"""Inches."""
DOTS_PER_INCH = 150
"""Of a PNG."""
NAMED = 6
"""Sites with a colour and a name of their own, those that drift most; the others are thin and grey."""
NAME_KEPT = 28
"""Characters of a site's name in the legend."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Can be told apart with any colour vision. Source: Okabe and Ito, Color Universal Design, 2008."""
MARKS = ("o", "s", "^", "D", "v", "P")
"""A second sign beside the colour, for a print without colours."""
GREY, BLACK = "#B0B0B0", "#000000"
_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with the library: the same picture on every machine
    "font.size": 10,
    "text.parse_math": False,  # a dollar in a site's name is a dollar
    "svg.hashsalt": "parallax",  # the same curves give the same bytes
    "svg.fonttype": "path",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_METADATA: Mapping[str, dict[str, Any]] = {"svg": {"Date": None, "Title": "Drift"}, "png": {"Software": None}}


def drift_plot(overall: Sequence[Point], sites: Mapping[str, Sequence[Point]], form: Form) -> bytes:
    """The curve over all sites with its 95 % band, and a thin line for each site, as PNG or SVG.

    The same curves give the same bytes with the same version of the library. overall must have a point.
    """
    with rc_context(_STYLE):
        figure = Figure(figsize=SIZE_IN, layout="constrained")
        axes = figure.add_subplot()
        more = _draw_sites(axes, sites if len(sites) > 1 else {})
        _draw_overall(axes, overall)
        _label(figure, axes, overall, len(sites), more)
        out = io.BytesIO()
        figure.savefig(out, format=form, dpi=DOTS_PER_INCH, metadata=_METADATA[form])
    return out.getvalue()


def _draw_sites(axes: Axes, sites: Mapping[str, Sequence[Point]]) -> int:
    """Draws them, those that drift most on top; how many have no name of their own."""
    ranked = sorted((name for name in sites if sites[name]), key=lambda name: (-max(p.stale.share for p in sites[name]), name))
    for i, name in reversed([*enumerate(ranked)]):
        points = sites[name]
        x, y = [p.after_ms / 1000 for p in points], [100 * p.stale.share for p in points]
        if i < NAMED:
            label = name if len(name) <= NAME_KEPT else name[: NAME_KEPT - 1] + "…"
            axes.plot(x, y, color=COLOURS[i], marker=MARKS[i], markersize=3.5, linewidth=1.1, label=f"{label} ", zorder=3)
        else:
            axes.plot(x, y, color=GREY, linewidth=0.7, label="_", zorder=2)
    return max(0, len(ranked) - NAMED)


def _draw_overall(axes: Axes, points: Sequence[Point]) -> None:
    x = [p.after_ms / 1000 for p in points]
    low, high = [100 * p.stale.low for p in points], [100 * p.stale.high for p in points]
    if len(points) == 1:
        axes.vlines(x, low, high, color=BLACK, alpha=0.4, linewidth=2, zorder=4)  # a band of no width is not seen
    axes.fill_between(x, low, high, color=BLACK, alpha=0.13, linewidth=0, label="its 95 % interval", zorder=1)
    axes.plot(
        x,
        [100 * p.ever.share for p in points],
        color=BLACK,
        linewidth=1.4,
        linestyle=(0, (4, 2)),
        label="all: differed so far",
        zorder=5,
    )
    axes.plot(
        x,
        [100 * p.stale.share for p in points],
        color=BLACK,
        linewidth=2.8,
        marker="o",
        markersize=5,
        label="all: stale then",
        zorder=6,
    )


def _label(figure: Figure, axes: Axes, points: Sequence[Point], sites: int, more: int) -> None:
    axes.set_xscale("log")
    # The moments of the curve itself are the ticks, but those too near to the one before to be read.
    ticks: list[float] = []
    for p in points:
        if not ticks or p.after_ms / 1000 >= ticks[-1] * 1.25:
            ticks.append(p.after_ms / 1000)
    axes.set_xticks(ticks)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.2g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    if len(points) == 1:
        axes.set_xlim(ticks[0] / 2, ticks[0] * 2)
    axes.set_ylim(bottom=0)
    if axes.get_ylim()[1] < 1:
        axes.set_ylim(top=1)  # noise of a fraction of a per cent is not to fill the picture
    axes.grid(visible=True, color="#E6E6E6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel("delay after the structure was read (s, logarithmic)")
    axes.set_ylabel("elements whose text differs\n(% of those seen with a text of their own)")
    captures, watched = max(p.captures for p in points), max(p.watched for p in points)
    of = f"{captures} captures of {sites} site{'s' * (sites != 1)}, {watched} texts"
    axes.set_title(f"Stale elements against the delay: {of}", loc="left", fontsize=10.5)
    handles, labels = axes.get_legend_handles_labels()
    order = [*reversed(range(len(handles)))]
    shown = [(handles[i], labels[i].rstrip()) for i in order]
    if more:
        shown.append((Line2D([], [], color=GREY, linewidth=0.7), f"{more} more site{'s' * (more != 1)}"))
    figure.legend(
        [handle for handle, _ in shown],
        [label for _, label in shown],
        loc="outside right upper",
        frameon=False,
        fontsize=9,
        borderaxespad=0.8,
    )
