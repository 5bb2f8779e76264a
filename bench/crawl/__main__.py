"""Compares ways to crawl the same pages with the same delay, in one run, in turns.

    python -m bench.crawl [--list urls.txt] [--delay 3] [--pages N] [--only ours,paper,...] [--repeat R] [--json]

Without --list it makes its own pages on loopback (bench/pages.py). How to read the table: bench/README.md.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from bench import ours, pages
from bench.crawl import table
from bench.crawl.baseline import DELAY_SECONDS, PAGE_LIMIT_SECONDS, read_list
from bench.crawl.contestants import NAMES, Run, Setting, run
from bench.machine import describe, find_browser

START_SECONDS = 60.0  # what a run may take beside its pages
BAD_USAGE = 2
OPEN_FOLDER = 0o755  # as root, the embedded Postgres runs as another user, who must get there
LOG_TAIL = 2000  # characters shown of a run that got nothing

talk = Console(stderr=True)


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(
        prog="python -m bench.crawl", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--list", type=Path, help="file with a URL a line (default: own pages on loopback)")
    asked.add_argument("--delay", type=float, default=DELAY_SECONDS, help="seconds on a page (default %(default)s)")
    asked.add_argument("--pages", type=int, help="only the first N")
    asked.add_argument("--only", default=",".join(NAMES), help="who takes part (default %(default)s)")
    asked.add_argument("--repeat", type=int, default=1, help="rounds; the order turns by one in each")
    asked.add_argument("--concurrency", type=int, default=6, help="pages at a time of bare and lean")
    asked.add_argument("--ours-concurrency", type=int, default=0, help="pages at a time of ours; 0: it finds out itself")
    asked.add_argument("--crawlee-concurrency", type=int, default=6, help="0: crawlee's own autoscaling")
    asked.add_argument("--page-limit", type=float, default=PAGE_LIMIT_SECONDS, help="seconds a page may take")
    asked.add_argument("--limit", type=float, help="seconds a run may take (default: from pages, delay and page limit)")
    asked.add_argument("--browser", default=find_browser(), help="path of the browser")
    asked.add_argument("--flag", action="append", default=[], help="one more browser flag for the baselines")
    asked.add_argument("--outside", action="store_true", help="let names outside loopback resolve: live sites")
    asked.add_argument("--ours", default=ours.RUN, help="command line of this crawler (default: %(default)s)")
    asked.add_argument("--python", default=sys.executable, help="the Python that has the baselines' packages")
    asked.add_argument("--keep", type=Path, help="folder for what the runs write and log (default: a temporary one)")
    asked.add_argument("--json", action="store_true", help="print one JSON document instead of the table")
    return asked.parse_args()


@contextlib.contextmanager
def urls_of(args: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    if args.list:
        yield read_list(args.list)[: args.pages]
    else:
        with pages.served() as urls:
            yield tuple(urls[: args.pages])


@contextlib.contextmanager
def folder_of(args: argparse.Namespace) -> Iterator[Path]:
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
        yield args.keep
    else:
        with tempfile.TemporaryDirectory(prefix="bench-crawl-", ignore_cleanup_errors=True) as made:
            Path(made).chmod(OPEN_FOLDER)
            yield Path(made)


def has_crawlee(python: str) -> bool:
    if python == sys.executable:
        return importlib.util.find_spec("crawlee") is not None
    asked = [python, "-c", "import crawlee"]
    return subprocess.run(asked, check=False, capture_output=True).returncode == 0  # noqa: S603 - --python


def names_of(args: argparse.Namespace) -> list[str]:
    names = [name.strip() for name in args.only.split(",") if name.strip()]
    if unknown := [name for name in names if name not in NAMES]:
        talk.print(f"--only: no contestant {', '.join(unknown)}. Known: {', '.join(NAMES)}.")
        raise SystemExit(BAD_USAGE)
    if "crawlee" in names and not has_crawlee(args.python):
        talk.print("crawlee is not installed and is left out. To have it: pip install -r bench/requirements.txt")
        names.remove("crawlee")
    return names


def limit_of(args: argparse.Namespace, count: int) -> float:
    """One page at a time with as much again for loading, and a few pages that run into their limit."""
    return float(args.limit) if args.limit else START_SECONDS + count * (args.delay * 2 + 4) + 3 * args.page_limit


def main() -> None:
    args = arguments()
    names = names_of(args)
    machine = describe(args.browser)
    talk.print(machine.sentence(), highlight=False)
    runs: list[Run] = []
    with urls_of(args) as urls, folder_of(args) as folder:
        setting = Setting(
            urls=urls,
            delay_s=args.delay,
            page_limit_s=args.page_limit,
            limit_s=limit_of(args, len(urls)),
            browser=args.browser,
            outside=args.outside,
            concurrency=args.concurrency,
            crawlee_concurrency=args.crawlee_concurrency,
            ours_concurrency=args.ours_concurrency,
            python=args.python,
            ours=args.ours,
            flags=tuple(args.flag),
        )
        for turn, place in itertools.product(range(args.repeat), range(len(names))):
            name = names[(turn + place) % len(names)]
            done = run(name, setting, folder / f"{len(runs):02}-{name}")
            runs.append(done)
            talk.print(table.line(done), highlight=False)
            if not done.ok:
                log = folder / f"{len(runs) - 1:02}-{name}" / "log"
                talk.print(log.read_text(errors="replace")[-LOG_TAIL:], markup=False, highlight=False)
    if args.json:
        rows = [{**asdict(done), "per_minute": done.per_minute, "cpu_per_page": done.cpu_per_page} for done in runs]
        document = {"machine": machine.as_dict(), "delay_s": args.delay, "pages": len(urls), "runs": rows}
        sys.stdout.write(json.dumps(document) + "\n")
    else:
        table.show(runs, delay_s=args.delay, machine=machine)


if __name__ == "__main__":
    main()
