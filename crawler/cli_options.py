"""Options that several commands share, each said once."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from domain.text import PolicyName

flag = partial(typer.Option, metavar="")
"""An option that is there or not: help would show it as if it wanted a value."""

MOST = 1_000_000_000
"""Of any --limit: more than a store holds, and a number that the database can count to."""

Policy = Annotated[PolicyName | None, typer.Option(help="When a name and a label agree. Default: CRAWLER_POLICY, tokens.")]
Delay = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help='Between structure and pixels: "3s", "500ms"; a bare number is seconds. Default: CRAWLER_DELAY_MS, 3s.',
    ),
]
Driver = Annotated[
    Literal["playwright", "selenium", "recorded"] | None,
    typer.Option(help="Who drives the browser; recorded replays stored captures. Default: CRAWLER_DRIVER, playwright."),
]
ViewportOption = Annotated[
    str | None, typer.Option("--viewport", metavar="WxH[@SCALE]", help="CSS px, and image px per CSS px. Default: 1280x720.")
]
Concurrency = Annotated[
    int | None, typer.Option(min=0, max=64, help="Pages at a time; 0 finds out. Default: CRAWLER_CONCURRENCY.")
]
Private = Annotated[bool, flag("--allow-private", help="Open loopback and private addresses too.")]
DryRun = Annotated[bool, flag("--dry-run", help="Visit and judge, store nothing.")]
Json = Annotated[bool, flag("--json", help="JSON, a document a line, for other programs.")]
ListFile = Annotated[
    Path | None, typer.Option("--list", help="TOML, text (a URL a line) or rank,domain CSV. Default: the shipped list.")
]
OnlySite = Annotated[str | None, typer.Option("--site", help="Only this site.")]
OnlyKind = Annotated[str | None, typer.Option("--kind", help="Only this kind: aria, title, stale, state.")]
Since = Annotated[datetime | None, typer.Option("--since", help="Only visits since then.")]
