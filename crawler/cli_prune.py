"""The command that makes room."""

from __future__ import annotations

from typing import Annotated

import typer

from crawler import commands_prune
from crawler.cli_options import Json, flag

app = typer.Typer()


@app.command()
def prune(
    *,
    older_than: Annotated[
        str | None, typer.Option(metavar="AGE", help="Artifacts of visits older than that: 90d, 12h.", show_default=False)
    ] = None,
    keep_bytes: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="The oldest, until all blobs together take no more: 50GB.", show_default=False),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="ARTIFACT", help="Only this sort, e.g. mhtml. May be given several times.")
    ] = None,
    visits: Annotated[
        bool,
        flag("--visits", help="Whole captures of that age too, divergences included; the visits stay, as history."),
    ] = False,
    orphans: Annotated[
        bool, flag("--orphans", help="Blobs that no row names, older than a day: left by what was killed.")
    ] = False,
    yes: Annotated[bool, flag("--yes", help="Do it. Without this, only say what would go.")] = False,
    json: Json = False,
) -> None:
    """Remove artifacts to make room: MHTML first, screenshots last, the oldest first. Says what would go; --yes removes it.

    Captures that a probe was seen in, or an audit or a release refers to, keep everything (docs/retention.md).
    """
    commands_prune.prune_artifacts(older_than, keep_bytes, only or [], visits=visits, orphans=orphans, yes=yes, as_json=json)
