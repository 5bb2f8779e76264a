"""Errors of the pixel check on text that is known, by script, size and contrast; and its speed beside RapidOCR alone.

    python -m bench.ocr [--seed 2] [--texts 1020] [--reader rapidocr] [--no-speed] [--json]

Texts of many kinds are drawn by a real Chromium in the fonts of this machine; each is asked truly (the rendered value is what
is shown) and falsely (it differs by one digit, letter or word), with a structural value that is near and with one that is far.
The rules were tuned on seed 1: report another.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from importlib import metadata

from rich.console import Console
from rich.table import Table

from bench.machine import describe, find_browser
from bench.ocr.sheets import sheets
from bench.ocr.speed import Speed, speed
from bench.ocr.texts import texts
from bench.ocr.trials import Row, rows, tried, wrong
from channels.readers import READERS, open_reader

talk = Console(stderr=True, highlight=False)
WIDTH = 128


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(
        prog="python -m bench.ocr", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--seed", type=int, default=2)
    asked.add_argument("--texts", type=int, default=1020)
    asked.add_argument("--reader", default=READERS[0], choices=READERS)
    asked.add_argument("--no-speed", action="store_true")
    asked.add_argument("--json", action="store_true")
    return asked.parse_args()


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def table(found: list[Row]) -> Table:
    made = Table(box=None, header_style="bold")
    made.add_column("texts that are")
    for head in ("questions", "confirmed", "false contradiction", "unreadable", "false confirm"):
        made.add_column(head, justify="right")
    for r in found:
        made.add_row(
            r.name,
            str(r.true + r.false),
            share(r.confirmed, r.true),
            share(r.contradicted, r.true),
            share(r.unreadable, r.true),
            f"{share(r.false_confirmed, r.false)} ({r.false_confirmed})",
        )
    return made


def measured(seed: int) -> list[Speed]:
    """On 120 texts, twenty a sheet, with one thread and with one for each core."""
    drawn = list(sheets(texts(120, seed), seed, a_sheet=20))
    return [speed(drawn, n) for n in sorted({1, os.cpu_count() or 1})]


def said(s: Speed) -> str:
    return (
        f"{s.threads} thread{'s' * (s.threads > 1)}: {s.ours:.1f} checks a second, RapidOCR alone {s.alone:.1f} "
        f"(ratio {s.ours / s.alone:.2f}); a processor second {s.ours_a_cpu_s:.1f} and {s.alone_a_cpu_s:.1f} "
        f"(ratio {s.ours_a_cpu_s / s.alone_a_cpu_s:.2f})"
    )


def main() -> int:
    args = arguments()
    machine = describe(find_browser())
    reader = open_reader(args.reader, threads=os.cpu_count() or 1)
    talk.print(f"Drawing {args.texts} texts, seed {args.seed} ...")
    drawn = list(sheets(texts(args.texts, args.seed), args.seed))
    talk.print(f"Reading them with {reader.version} ...")
    trials = tried(reader, drawn)
    found, errors = rows(trials), wrong(trials)
    speeds = [] if args.no_speed or args.reader != READERS[0] else measured(args.seed)
    if args.json:
        json.dump(
            {
                "machine": machine.as_dict(), "reader": reader.version, "seed": args.seed, "wrong": errors,
                "rows": [dataclasses.asdict(r) for r in found], "speed": [dataclasses.asdict(s) for s in speeds],
            },
            sys.stdout,
        )  # fmt: skip
        return 0
    out = Console(width=WIDTH, highlight=False, soft_wrap=True)
    onnx = metadata.version("onnxruntime")
    out.print(f"{machine.sentence()}; {reader.version}, onnxruntime {onnx}; seed {args.seed}, {args.texts} texts", markup=False)
    out.print(table(found))
    for line in errors:
        out.print(line, markup=False)
    for one in speeds:
        out.print(said(one), markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
