"""What the page script says is seen, beside what is read in the pixels, on random pages of composed CSS.

    python -m bench.fuzz [--seed 1000] [--pages 20] [--keep folder] [--json]

Pages of 24 cells are composed at random (`pages.py`, `leaves.py`, `wraps.py`) and looked at as the crawler does. A text that
is said to be seen must be read in its lines; a word that is said not to be seen must be read nowhere. Where the two disagree
the text is made transparent: if no pixel changes nobody saw it, whatever was read. Rules were mended on seeds below 1000.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.fuzz.compare import Row, compared, whole_reader
from bench.fuzz.leaves import LEAVES
from bench.fuzz.look import window
from bench.fuzz.pages import page
from bench.fuzz.wraps import WRAPS
from bench.machine import describe, find_browser
from channels.pixels import open_png
from channels.readers import open_reader

talk = Console(stderr=True, highlight=False, soft_wrap=True)


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(
        prog="python -m bench.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--seed", type=int, default=1000, help="of the first page; each has the next")
    asked.add_argument("--pages", type=int, default=20)
    asked.add_argument("--keep", type=Path, help="a folder for the pages and their pictures")
    asked.add_argument("--json", action="store_true")
    return asked.parse_args()


async def rows_of(seed: int, pages: int, folder: Path) -> list[tuple[Row, int]]:
    """Every question, with how many pixels the text's own paint changes where the two disagree, else -1."""
    reader, engine = open_reader(threads=os.cpu_count() or 1), whole_reader()
    found: list[tuple[Row, int]] = []
    for number in range(seed, seed + pages):
        made = page(number, LEAVES, WRAPS)
        file = folder / f"{number}.html"
        file.write_text(made.html, encoding="utf-8")
        # A stopped page does not come back: each has a tab of its own.
        async with window() as one:
            looked = await one.look(file)
            (folder / f"{number}.png").write_bytes(looked.png)
            whole = open_png(looked.png)
            for row in compared(looked, made, reader, engine):
                pixels = (await one.painted(row.made.name, whole))[0] if row.answer == "disagree" else -1
                found.append((row, pixels))
        talk.print(f"page {number}: {len(made.texts)} texts, read in {looked.took:.0f} ms")
    return found


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def table(found: list[tuple[Row, int]]) -> Table:
    made = Table(box=None, header_style="bold")
    for head in ("said to be", "texts", "agree", "disagree", "of these no pixel is the text's", "cannot tell"):
        made.add_column(head, justify="left" if head == "said to be" else "right")
    groups = {"seen": [f for f in found if f[0].seen], "not seen": [f for f in found if not f[0].seen]}
    for why, _ in Counter(row.said for row, _ in found if not row.seen).most_common():
        groups[f"  {why}"] = [f for f in found if not f[0].seen and f[0].said == why]
    for name, rows in groups.items():
        counted = Counter(row.answer for row, _ in rows)
        blank = sum(pixels == 0 for _, pixels in rows)
        told = [share(counted[a], len(rows)) + f" ({counted[a]})" for a in ("agree", "disagree", "cannot tell")]
        made.add_row(name, str(len(rows)), told[0], told[1], str(blank), told[2])
    return made


def main() -> int:
    args = arguments()
    machine = describe(find_browser())
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        found = asyncio.run(rows_of(args.seed, args.pages, folder))
    if args.json:
        json.dump(
            {"machine": machine.as_dict(), "rows": [{**asdict(row), "pixels": pixels} for row, pixels in found]}, sys.stdout
        )
        return 0
    out = Console(width=128, highlight=False, soft_wrap=True)
    out.print(f"{machine.sentence()}; seeds {args.seed} to {args.seed + args.pages - 1}", markup=False)
    out.print(table(found))
    for row, pixels in found:
        if row.answer == "disagree":
            around = " | ".join(row.made.features)
            out.print(
                f"{row.page} {row.made.name} {'seen' if row.seen else 'not seen'} {row.what!r}: {row.said}, read {row.read!r}, {pixels} px; {row.lines} {around}",  # noqa: E501
                markup=False,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
