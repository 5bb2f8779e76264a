"""The commands that make releases and list them: export, releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from builder.cli_options import Json, flag
from builder.later import Later

if TYPE_CHECKING:
    from builder import commands_release
else:
    commands_release = Later("builder.commands_release")

app = typer.Typer(no_args_is_help=True)


@app.command()
def export(
    *,
    release: Annotated[
        str,
        typer.Option("--release", "-r", metavar="NAME|FILE", help="v1, the paper's benchmark, or a .toml file of your own."),
    ],
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where it goes. Default: releases/NAME in the data folder.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Another name than the file has: a name is given once.")] = None,
    allow_partial: Annotated[
        bool, flag("--allow-partial", help="Cut it even if there is less than asked for; it will say so everywhere.")
    ] = False,
    dry_run: Annotated[bool, flag("--dry-run", help="Choose, say what there is and what is lacking, write nothing.")] = False,
    audit: Annotated[
        str | None,
        typer.Option(metavar="AUDIT", help="Rows that it confirmed are in the split clean, its numbers in the manifest."),
    ] = None,
    annotators: Annotated[
        Literal["human", "model"] | None,
        typer.Option(
            help="Whose labels of the audit count. Default: human where two people have answered any item, else model."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, max=64, help="Threads; 0: one a core. Default: BUILDER_WORKERS.")
    ] = None,
    json: Json = False,
) -> None:
    """Cut a release: choose probes by the quotas of a file, check them against their sources, write them, freeze them.

    All quotas are checked at once, and where one is not met nothing is written: exit code 1, with a table. A release that is
    there is never changed: the same again changes nothing, another one is refused. Ctrl-C leaves nothing half-written.
    """
    asked = commands_release.Asked(
        release,
        to,
        name,
        allow_partial=allow_partial,
        dry_run=dry_run,
        workers=workers,
        audit=audit,
        annotators=annotators,
    )
    commands_release.export_release(asked, as_json=json)


@app.command()
def releases(*, json: Json = False) -> None:
    """List the frozen releases, the oldest first."""
    commands_release.list_releases(as_json=json)
