"""The commands on releases that are there: verify, diff, show, card, rebuild."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli_options import Json, flag
from builder.later import Later

if TYPE_CHECKING:
    from builder import commands_check
else:
    commands_check = Later("builder.commands_check")

app = typer.Typer(no_args_is_help=True)
Release = Annotated[Path, typer.Argument(metavar="PATH", help="A release's folder, or the name of one in the data folder.")]


@app.command()
def verify(path: Release, *, json: Json = False) -> None:
    """Check a release to the last byte: files, rows, blobs, channels, counts, tables, documents. Needs no database.

    Every problem is named at once: file, what, expected, found. Exit code 1 where there is one.
    """
    commands_check.verify_release(path, as_json=json)


@app.command()
def diff(
    first: Annotated[Path, typer.Argument(metavar="A", help="A release's folder, or a file of rows.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another.")],
    *,
    json: Json = False,
) -> None:
    """Tell what is different between two releases: probes added, removed, changed, and why. Exit code 1 where anything is."""
    commands_check.diff_releases(first, second, as_json=json)


@app.command()
def show(
    probe: Annotated[str, typer.Argument(metavar="PROBE", help="A probe's id; the beginning is enough.")],
    *,
    release: Annotated[
        Path | None, typer.Option(help="Look in this release: its folder, or its name. Default: in the store.")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Write picture, region, structures and their difference here.")] = None,
    json: Json = False,
) -> None:
    """Show one probe: what is asked, both values, channels, edit, where it comes from, on what terms."""
    commands_check.show_probe(probe, release=release, save=save, as_json=json)


@app.command()
def card(
    path: Release,
    *,
    write: Annotated[bool, flag("--write", help="Write it into the release, with its checksum.")] = False,
    json: Json = False,
) -> None:
    """Print the card of a release, made anew from its manifest."""
    commands_check.print_card(path, write=write, as_json=json)


@app.command()
def rebuild(
    path: Release,
    *,
    source: Annotated[
        list[str], typer.Option("--source", metavar="NAME=PATH", help="Your copy of a source. Again for each source.")
    ],
    to: Annotated[Path | None, typer.Option(help="The folder to write. Default: PATH-rebuilt.")] = None,
    json: Json = False,
) -> None:
    """Fill in what a release may not ship, pictures and structures, from your own copies of its sources.

    Everything is checked by its hash. What does not match is listed with both hashes, and stays out.
    """
    commands_check.rebuild_release(path, source, to, as_json=json)
