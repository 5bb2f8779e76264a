"""The commands on sources: read a corpus, see what became of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli_options import MOST, Json, flag
from builder.later import Later
from builder.settings import LARGEST_SEED

if TYPE_CHECKING:
    from builder import commands_ingest
else:
    commands_ingest = Later("builder.commands_ingest")

Source = Annotated[str, typer.Argument(metavar="SOURCE", help="rico, clay, mind2web, screenspot_pro or live.")]


def ingest(
    source: Source,
    path: Annotated[Path | None, typer.Argument(help="Where the corpus is; none for live.")] = None,
    *,
    base: Annotated[Path | None, typer.Option(help="The corpus that this one annotates: RICO's, for clay.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=LARGEST_SEED, help="Of the draw. Default: BUILDER_SEED, 735.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, max=256, help="Processes that draw; 0: one a core. Default: BUILDER_WORKERS.")
    ] = None,
    accept_changes: Annotated[
        bool, flag("--accept-changes", help="Take files that are not what was pinned as they are now.")
    ] = False,
    again: Annotated[bool, flag("--again", help="Read and check everything, what is done too.")] = False,
    fresh: Annotated[bool, flag("--fresh", help="Forget first what is stored of this source.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, max=MOST, help="Read at most so many items.")] = None,
    json: Json = False,
) -> None:
    """Read a corpus as its publisher ships it, draw probes, and say what became of every item.

    Files are pinned by hash when they are read first; one that has changed is reported and refused. Ctrl-C keeps what is
    done: the same command goes on. Of the crawl (live) nothing is read: its captures are stored, and this shows its funnel.
    """
    commands_ingest.ingest(
        source, path, base=base, seed=seed, workers=workers, accept=accept_changes, again=again, fresh=fresh, limit=limit,
        as_json=json,
    )  # fmt: skip


def funnel(
    source: Annotated[str | None, typer.Argument(metavar="[SOURCE]", help="Only this source.")] = None,
    *,
    rejected: Annotated[bool, flag("--rejected", help="List every item that could not be used, and why.")] = False,
    json: Json = False,
) -> None:
    """Show what was read of each source, what was rejected and why, and what each family drew."""
    commands_ingest.funnel(source, rejected=rejected, as_json=json)


def sources(*, json: Json = False) -> None:
    """List all sources: on what terms, and what is there of each."""
    commands_ingest.sources(as_json=json)
