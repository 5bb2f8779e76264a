"""Captures a second of `crawler detect`: the rules over what is stored, no browser.

    python -m bench.detect [--data FOLDER] [--repeat 3] [--json]

Without --data the local pages are crawled into a temporary folder first. The time is of the whole command: start of
Python, start of the embedded database, reading, rules, writing. The start alone is measured too (`crawler --help`), so
that one can see what a larger store would give.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console

from bench import ours, pages
from bench.machine import describe, find_browser
from bench.meter import measure

LIMIT_SECONDS = 1800.0
LOG_TAIL = 2000
OPEN_FOLDER = 0o755  # as root, the embedded Postgres runs as another user, who must get there
COUNT_KEYS = ("captures", "visits", "checked")  # where `detect --json` may tell how many it looked at

talk = Console(stderr=True)


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(
        prog="python -m bench.detect", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--data", type=Path, help="a data folder of the crawler (default: crawls the local pages)")
    asked.add_argument("--captures", type=int, help="how many captures --data holds, where detect does not tell")
    asked.add_argument("--repeat", type=int, default=3)
    asked.add_argument("--delay", type=float, default=0.5, help="seconds on a page of the crawl before")
    asked.add_argument("--browser", default=find_browser(), help="path of the browser")
    asked.add_argument("--ours", default=ours.RUN, help="command line of the crawl (default: %(default)s)")
    asked.add_argument("--detect", default=ours.DETECT, help="command line of detect (default: %(default)s)")
    asked.add_argument("--json", action="store_true")
    return asked.parse_args()


@contextlib.contextmanager
def stored(args: argparse.Namespace, folder: Path) -> Iterator[tuple[Path, int | None]]:
    """The data folder and how many captures it holds, if known."""
    if args.data:
        yield args.data, args.captures
        return
    with pages.served() as urls:
        listed = folder / "urls.txt"
        listed.write_text("\n".join(urls) + "\n", encoding="utf-8")
        talk.print(f"Crawling {len(urls)} local pages first ...")
        usage = measure(
            ours.command(args.ours, list=listed, delay=args.delay),
            limit_s=LIMIT_SECONDS,
            log=folder / "log",
            env=ours.environment(folder / "data", outside=False, delay_s=args.delay, browser=args.browser),
        )
    yield folder / "data", sum(visit.outcome == ours.CAPTURED for visit in ours.said(usage.lines))


def told_count(lines: tuple[str, ...]) -> int | None:
    """How many captures detect says it looked at: a number or a list under one of COUNT_KEYS."""
    for document in ours.documents(lines):
        for key in COUNT_KEYS:
            value: Any = document.get(key) if isinstance(document, dict) else None
            if isinstance(value, list):
                return len(value)
            if isinstance(value, int):
                return value
    return None


def main() -> int:
    args = arguments()
    machine = describe(args.browser)
    talk.print(machine.sentence(), highlight=False)
    with tempfile.TemporaryDirectory(prefix="bench-detect-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        folder.chmod(OPEN_FOLDER)
        with stored(args, folder) as (data, known):
            env = ours.environment(data, outside=False)
            start = measure(ours.command("{crawler} --help"), limit_s=LIMIT_SECONDS, log=folder / "log", env=env)
            runs = [
                measure(ours.command(args.detect), limit_s=LIMIT_SECONDS, log=folder / "log", env=env)
                for _ in range(args.repeat)
            ]
        log = (folder / "log").read_text(errors="replace")
    captures = told_count(runs[-1].lines) or known
    if not captures or any(run.exit_code for run in runs):
        talk.print(f"detect ended with {runs[-1].exit_code} and {captures} captures. Its last words:")
        talk.print(log[-LOG_TAIL:], markup=False, highlight=False)
        return 1
    walls = [run.wall_s for run in runs]
    result: dict[str, Any] = {
        "captures": captures,
        "captures_per_second": captures / median(walls),
        "wall_s": walls,
        "start_s": start.wall_s,
        "cpu_s_per_capture": median(run.cpu_s for run in runs) / captures,
        "peak_mib": max(run.peak_bytes for run in runs) / 2**20,
    }
    if args.json:
        sys.stdout.write(json.dumps({"machine": machine.as_dict(), **result}) + "\n")
    else:
        Console().print(
            f"{captures} captures: {result['captures_per_second']:.1f} a second, median of {len(walls)} "
            f"({min(walls):.2f} to {max(walls):.2f} s; {start.wall_s:.2f} s of it to start), "
            f"CPU {result['cpu_s_per_capture']:.3f} s a capture, peak {result['peak_mib']:.0f} MiB",
            highlight=False,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
