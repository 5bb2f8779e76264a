"""The command that writes captures for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder import printing
from builder.cli_options import MOST, Json
from builder.later import Later
from store.blobs import Blobs
from store.captures import known_site
from store.database import open_database
from store.settings import store_settings

if TYPE_CHECKING:
    from builder import captures_out
else:
    captures_out = Later("builder.captures_out")


def export_captures(
    folder: Annotated[Path, typer.Argument(help="Where data/test_live-*.parquet go; made where it is not there.")],
    *,
    format: Annotated[str, typer.Option(help="mind2web: the layout of Multimodal-Mind2Web.")] = "mind2web",  # noqa: A002
    site: Annotated[str | None, typer.Option(help="Only captures of this site.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=MOST, help="Write at most so many captures.")] = None,
    json: Json = False,
) -> None:
    """Write the crawl's own captures in a layout that other tools read: docs/captures-out.md says what stands where."""
    settings = store_settings()
    with open_database(settings) as database, printing.counting("captures", quiet=json) as tick:
        if site is not None:
            known_site(database, site)
        done = captures_out.export_captures(
            database, Blobs(settings.blobs), folder, format=format, site=site, limit=limit, on_row=tick
        )
    if json:
        printing.json_line(done)
        return
    for name in done.files:
        printing.say(str(folder / name))
    printing.talk(f"{done.captures} captures; {done.flagged} elements with a flagged divergence.")
    for reason, n in done.left_out.items():
        printing.talk(f"{n} left out: {reason}")
