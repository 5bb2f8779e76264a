"""A measurement of several parts: those that are wanted are run one after another, each told as soon as it is known."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.machine import describe

OPEN_FOLDER = 0o755  # as root, the embedded Postgres runs as another user, who must get there
Row = dict[str, Any]
Part = Callable[[argparse.Namespace, Path], list[Row]]


def run(name: str, args: argparse.Namespace, parts: Mapping[str, Part], *, digits: int) -> int:
    """0, or 2 where a part is wanted that there is not. name: of the measurement, for its temporary folder.

    args: with `only`, names of parts with commas between, and `json`, for a document a line on stdout in place of tables.
    digits: behind the point, in tables.
    """
    talk, machine = Console(stderr=True, highlight=False), describe(None)
    talk.print(machine.sentence())
    wanted = args.only.split(",")
    if strangers := set(wanted) - set(parts):
        talk.print(f"--only: no {', '.join(sorted(strangers))}. Parts: {', '.join(parts)}")
        return 2
    with tempfile.TemporaryDirectory(prefix=f"bench-{name}-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        folder.chmod(OPEN_FOLDER)
        for part in wanted:
            talk.print(f"{part} ...")
            found = parts[part](args, folder)
            if args.json:
                sys.stdout.write(json.dumps({"part": part, "machine": machine.as_dict(), "rows": found}) + "\n")
                sys.stdout.flush()
            else:
                _tell(part, found, digits)
    return 0


def _tell(part: str, found: list[Row], digits: int) -> None:
    columns = list(dict.fromkeys(name for row in found for name in row))
    table = Table(*columns, title=part, title_justify="left", box=None, header_style="bold")
    for row in found:
        cells = [row.get(name, "") for name in columns]
        table.add_row(*(f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell) for cell in cells))
    Console(highlight=False, width=150).print(table)
