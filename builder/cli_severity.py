"""builder severity: how severe made conflicts are beside those that were found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from builder.cli_options import flag
from builder.pair_sets import WHAT, PairSet, pair_set
from builder.printing import json_line, out, say, table, talk
from builder.severity import NATURAL_KINDS, Comparison, MeasureReport, SeverityReport, compare, values_of
from domain.errors import BadInput

app = typer.Typer()
FORMS: Mapping[str, Literal["png", "svg"]] = {".png": "png", ".svg": "svg"}
SMALLEST_P = 1e-4


@app.command()
def severity(
    made: Annotated[str, typer.Argument(metavar="A", help=f"The made conflicts: {WHAT}.")],
    found: Annotated[str | None, typer.Argument(metavar="[B]", help="The natural ones, likewise. Default: A's.")] = None,
    *,
    family: Annotated[
        str | None, typer.Option(help="Only this family of A. Default: web-text, where A holds several families.")
    ] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of B: aria, title, stale, state.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the distributions too: .png or .svg.")] = None,
    json: Annotated[bool, flag("--json", help="JSON, for other programs.")] = False,
) -> None:
    """Compare two sets of conflicts by five measures of how far their two texts are apart (docs/severity.md).

    Medians, the band from the 5th to the 95th percentile of B, the share of A inside it with its ends, and a
    Kolmogorov-Smirnov test; for all of B, and for each natural kind.
    """
    if plot is not None and plot.suffix not in FORMS:
        raise BadInput(f"{plot}: a plot is written as .png or .svg.")
    if kind is not None and kind not in NATURAL_KINDS:
        raise BadInput(f"No kind {kind!r}. Known: {', '.join(NATURAL_KINDS)}.")
    synthetic = pair_set(made, family=family, usual="web-text")
    natural = pair_set(made if found is None else found, family=None, usual="web-natural", kind=kind)
    if found is None and natural == synthetic:
        raise BadInput(f"{made} is one set and cannot be compared with itself. Give another: builder severity A B")
    report = compare(synthetic.pairs, natural.pairs, names=(synthetic.name, natural.name))
    if plot is not None:
        _draw(plot, synthetic, natural, report)
    if json:
        json_line(report)
    else:
        tell(report)


def tell(report: SeverityReport) -> None:
    """The report for a person."""
    shown = table(
        "B", "measure", "n A", "n B", "median A", "median B", "band B", "A inside", "KS", "p", "tied",
        right=("n A", "n B", "median A", "median B", "A inside", "KS", "p", "tied"),
    )  # fmt: skip
    for comparison in report.comparisons:
        for at, name in enumerate(comparison.measures):
            if at == 0 and comparison is not report.comparisons[0]:
                shown.add_row()
            shown.add_row(*cells(comparison, name, first=at == 0))
    say(f"A: {report.synthetic}   B: {report.natural}   measures: {report.definition}")
    out().print(shown)


def cells(comparison: Comparison, name: str, *, first: bool = True) -> list[str]:
    """One line of the table. What an empty set leaves open is n/a, with that set's n; never 0."""
    one = comparison.measures[name]
    a, b = (f"n/a (n={n})" if n == 0 else None for n in (comparison.synthetic_n, comparison.natural_n))
    band = b or f"{one.natural_low:.4f} to {one.natural_high:.4f}"
    return [
        (comparison.kind or "all") if first else "",
        name,
        str(comparison.synthetic_n),
        str(comparison.natural_n),
        a or f"{one.synthetic_median:.4f}",
        b or f"{one.natural_median:.4f}",
        band,
        *(a or b or text for text in _both(one)),
    ]


def _both(one: MeasureReport) -> tuple[str, str, str, str]:
    if one.coverage is None or one.ks is None or one.p is None or one.tied is None:
        return ("", "", "", "")
    p = f"{one.p:.4f}" if one.p >= SMALLEST_P else f"{one.p:.1e}"
    return f"{one.coverage:.4f}", f"{one.ks:.4f}", p if one.p_method == "exact" else f"{p} (asymptotic)", f"{one.tied:.0%}"


def _draw(place: Path, synthetic: PairSet, natural: PairSet, report: SeverityReport) -> None:
    """Writes the plot. Raises BadInput where that cannot be."""
    from channels.severity_plot import severity_plot  # noqa: PLC0415 - it takes a second, and is not always asked for

    bands = {name: _band(one) for name, one in report.comparisons[0].measures.items()}
    names = synthetic.name, natural.name
    drawn = severity_plot(values_of(synthetic.pairs), values_of(natural.pairs), bands, names, FORMS[place.suffix])
    try:
        place.write_bytes(drawn)
    except OSError as error:
        raise BadInput(f"{place} cannot be written: {error.strerror}.") from error
    talk(f"Plot: {place}")


def _band(one: MeasureReport) -> tuple[float, float] | None:
    return None if one.natural_low is None or one.natural_high is None else (one.natural_low, one.natural_high)
