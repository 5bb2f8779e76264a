"""What `crawler drift` does: the tables, the picture, and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from rich.table import Table
from rich.text import Text

from crawler import printing
from crawler.opened import kept_archive
from domain.drift_curve import Point
from domain.errors import BadInput, Unavailable
from domain.half_life import HalfLife
from store.captures import known_site
from store.drift import Drift, LiveElement
from store.drift import drift as drift_of

FORMS: dict[str, Literal["png", "svg"]] = {".png": "png", ".svg": "svg"}
EXAMPLES = 3
"""Example values of an element in the table, beside that of S0."""
CELL = 40
"""Characters of one of them."""


def drift(*, site: str | None, since: datetime | None, output: Path | None, limit: int, as_json: bool) -> None:
    """crawler drift. output: where to draw the curves, .png or .svg."""
    form = _form(output) if output else "png"
    archive = kept_archive()
    try:
        if site is not None:
            known_site(archive.database, site)
        with printing.counting("readings of captures", quiet=as_json) as tick:
            begin = since.astimezone(UTC) if since else None
            told = drift_of(archive.database, archive.blobs, site=site, since=begin, limit=limit, on_capture=tick)
    finally:
        archive.close()
    if as_json:
        printing.json_line(told)
    else:
        show(told)
    if output:
        draw(told, output, form)
        printing.talk(f"Drawn: {output.resolve()}")


def _form(output: Path) -> Literal["png", "svg"]:
    """The form that a file's name asks for. Raises BadInput before anything is read."""
    if (form := FORMS.get(output.suffix.lower())) is None:
        raise BadInput(f"{output} is neither .png nor .svg. Name the picture so: --plot drift.svg")
    if output.is_dir():
        raise BadInput(f"{output} is a folder. Name a file in it: --plot {output / 'drift.svg'}")
    return form


def draw(told: Drift, output: Path, form: Literal["png", "svg"]) -> None:
    """The curves as a picture. Raises Unavailable where it cannot be written, BadInput where there is no curve."""
    from channels.plots import drift_plot  # noqa: PLC0415 - half a second that no other command should wait for

    if not told.points:
        raise BadInput("No reading of texts was made within these captures: there is nothing to draw.")
    picture = drift_plot(told.points, {s.site: s.points for s in told.sites}, form)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(picture)
    except OSError as error:
        raise Unavailable(f"The plot cannot be written to {output}: {error.strerror or error}.") from error


def show(told: Drift) -> None:
    """The tables for a person."""
    console = printing.out()
    console.print(_overall(told.points))
    if len(told.sites) > 1:
        console.print()
        console.print(_sites(told))
    if told.elements:
        console.print()
        console.print(_elements(told.elements))
    unreadable = f"; {told.unreadable} could not be read" if told.unreadable else ""
    unreadable += f"; those of {told.pruned} were pruned" if told.pruned else ""
    shown = f", of which {len(told.elements)} are shown" if told.live > len(told.elements) else ""
    console.print()
    console.print(
        f"{told.captures} captures with readings of texts{unreadable}; {told.live} live elements{shown}.", soft_wrap=True
    )


def _plain(*names: str, numbers: Sequence[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold")
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _overall(points: Sequence[Point]) -> Table:
    names = ("delay", "stale", "95 %", "differed\nso far", "mean of\nsites", "moved\nin lists", "gone", "elements", "captures")
    table = _plain(numbers=names)
    for p in points:
        table.add_row(
            seconds(p.after_ms),
            percent(p.stale.share),
            f"{percent(p.stale.low)} to {percent(p.stale.high)}",
            percent(p.ever.share),
            percent(p.by_site),
            percent(p.moved),
            percent(p.gone),
            str(p.watched),
            str(p.captures),
        )
    return table


def _sites(told: Drift) -> Table:
    """A row a site: the stale share at each moment of the overall curve that the site was read at."""
    moments = [p.after_ms for p in told.points]
    table = _plain("site", numbers=("visits", "live", *(seconds(ms) for ms in moments)))
    for one in told.sites:
        cells = dict.fromkeys(range(len(moments)), "-")
        for p in one.points:
            nearest = min(range(len(moments)), key=lambda i, ms=p.after_ms: abs(moments[i] - ms))  # type: ignore[misc]
            cells[nearest] = percent(p.stale.share)
        table.add_row(Text(one.site), str(one.visits), str(one.live), *cells.values())
    return table


def _elements(live: Sequence[LiveElement]) -> Table:
    table = _plain("half-life", "told from", "changed", "site", "element", "at S0", "later")
    for one in live:
        where = f"#{one.element_id}" if one.element_id else one.path.rsplit(" > ", 2)[-1]
        later = " | ".join(_cut(v) for v in one.values[:EXAMPLES]) + (" and back" if one.returned else "")
        if one.other_courses:
            later += f" ({one.other_courses} other course{'s' * (one.other_courses != 1)} in other visits)"
        table.add_row(
            span(one.half_life),
            one.half_life.how,
            f"{one.half_life.changed} of {one.half_life.visits}",
            Text(one.site),
            Text(where),
            Text(_cut(one.served)),
            Text(later),
        )
    return table


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= CELL else text[: CELL - 1] + "…"


def seconds(ms: float) -> str:
    """A delay with as many digits as it deserves: "0.50 s", "3.0 s", "10 s"."""
    return f"{ms / 1000:.2f} s" if ms < 1000 else f"{ms / 1000:.1f} s" if ms < 9950 else f"{ms / 1000:.0f} s"  # noqa: PLR2004


def percent(share: float) -> str:
    """A share in per cent; "0" only for nothing."""
    return f"{100 * share:.1f}%" if share >= 0.0005 or not share else "<0.1%"  # noqa: PLR2004


def span(lives: HalfLife) -> str:
    """Where a half-life lies: "0.5 to 1.0 s", "up to 0.50 s", "over 10 s", with "about" where one number can be told."""
    about = f", about {seconds(lives.estimate_ms)}" if lives.estimate_ms is not None else ""
    if lives.high_ms is None:
        return f"over {seconds(lives.low_ms)}{about}"
    if not lives.low_ms:
        return f"up to {seconds(lives.high_ms)}{about}"
    return f"{seconds(lives.low_ms).removesuffix(' s')} to {seconds(lives.high_ms)}{about}"
