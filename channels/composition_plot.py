"""A plot for people: how many probes a release has of each family, by source. Pure: counts in, an encoded picture out."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from channels.plots import COLOURS, DOTS_PER_INCH, GREY, Form

WIDTH_IN, BAR_IN, AROUND_IN = 8.0, 0.42, 1.5
"""Inches: of the picture, of the height that each bar takes, and of what is above and below the bars."""
HATCH = "////"
_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with the library: the same picture on every machine
    "font.size": 9.5,
    "text.parse_math": False,
    "svg.hashsalt": "parallax",
    "svg.fonttype": "path",
    "hatch.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_METADATA: Mapping[str, dict[str, Any]] = {"svg": {"Date": None, "Title": "Composition"}, "png": {"Software": None}}


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of the plot. parts: source -> probes. made: source -> how many of them are of screens rendered for tests.

    wanted: how many there should be.
    """

    label: str
    parts: Mapping[str, int]
    made: Mapping[str, int] = field(default_factory=dict)
    wanted: int | None = None

    @property
    def total(self) -> int:
        """All probes of it."""
        return sum(self.parts.values())


def composition_plot(bars: Sequence[Bar], form: Form = "png") -> bytes:
    """The bars from top to bottom. Made probes are hatched; a line marks how many there should be where there are fewer.

    The same bars give the same bytes with the same version of the library.
    """
    sources = sorted({source for bar in bars for source in bar.parts})
    colours = {source: COLOURS[i % len(COLOURS)] for i, source in enumerate(sources)}
    with rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH_IN, AROUND_IN + BAR_IN * max(1, len(bars))), layout="constrained")
        axes = figure.add_subplot()
        for i, bar in enumerate(bars):
            _draw(axes, i, bar, colours)
        axes.set_yticks(range(len(bars)), [bar.label for bar in bars])
        axes.invert_yaxis()
        axes.set_xlim(left=0)
        axes.margins(x=0.08)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("probes")
        axes.set_title(f"{sum(bar.total for bar in bars)} probes by family and source", loc="left", fontsize=10.5)
        _legend(figure, bars, colours)
        out = io.BytesIO()
        figure.savefig(out, format=form, dpi=DOTS_PER_INCH, metadata=_METADATA[form])
    return out.getvalue()


def _draw(axes: Axes, at: int, bar: Bar, colours: Mapping[str, str]) -> None:
    left = 0
    for source, count in sorted(bar.parts.items()):
        made = bar.made.get(source, 0)
        for part, hatch in ((count - made, None), (made, HATCH)):
            if part:
                axes.barh(
                    at, part, left=left, height=0.66, color=colours[source], edgecolor="white", linewidth=0.6, hatch=hatch
                )
                left += part
    short = bar.wanted if bar.wanted is not None and bar.total < bar.wanted else None
    axes.text(left, at, f" {bar.total}" + (f" of {short}" if short else ""), va="center", ha="left")
    if short:
        axes.plot([short, short], [at - 0.4, at + 0.4], color="#000000", linewidth=1.6, solid_capstyle="butt")


def _legend(figure: Figure, bars: Sequence[Bar], colours: Mapping[str, str]) -> None:
    signs: list[tuple[Any, str]] = [(Patch(color=colour), source) for source, colour in colours.items()]
    if any(sum(bar.made.values()) for bar in bars):
        signs.append((Patch(facecolor=GREY, edgecolor="white", hatch=HATCH), "made: rendered for tests"))
    if any(bar.wanted is not None and bar.total < bar.wanted for bar in bars):
        signs.append((Line2D([], [], color="#000000", linewidth=1.6), "specified"))
    figure.legend(
        [sign for sign, _ in signs], [told for _, told in signs], loc="outside right upper", frameon=False, fontsize=9
    )
