"""Does the crawler grow? Visits its own pages on loopback many times and watches the memory of every process.

    python -m bench.memory [--visits 200] [--delay 0.5] [--json]

Resident size (or, with --shared-once, proportional size) of all processes, by group: python (the crawler), driver
(Playwright's node, chromedriver), browser, database. Told are the median of the first and the last fifth of the run,
and the slope per 100 visits. How many visits had begun at a moment is what the page server counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import urllib.request
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import linear_regression, median
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

from bench import ours, pages
from bench.machine import describe, find_browser
from bench.meter import GROUPS, Sample, Usage, measure

MIB = 1024 * 1024
SAMPLE_SECONDS = 1.0
SECONDS_A_VISIT = 12.0  # time limit of the whole run, a visit
START_SECONDS = 120.0
SHARE = 0.2  # of the samples, at each end
FEWEST_SAMPLES = 10
LOG_TAIL = 2000
OPEN_FOLDER = 0o755  # as root, the embedded Postgres runs as another user, who must get there

talk = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Growth:
    """MiB of one group of processes."""

    group: str
    first: float
    last: float
    per_100_visits: float
    peak: float


class Counter:
    """Asks the page server once a second how many pages it has served."""

    def __init__(self, base: str) -> None:
        self.base, self.counts, self.stop = base, [0], threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def watch(self) -> None:
        while not self.stop.wait(SAMPLE_SECONDS):
            try:
                with urllib.request.urlopen(f"{self.base}/count", timeout=SAMPLE_SECONDS) as answer:  # noqa: S310 - loopback
                    self.counts.append(int(answer.read()))
            except OSError:
                self.counts.append(self.counts[-1])

    def at(self, seconds: float) -> int:
        return self.counts[min(round(seconds / SAMPLE_SECONDS), len(self.counts) - 1)]


def growths(samples: list[Sample], counter: Counter) -> list[Growth]:
    """The middle of the run: before the first page nothing has grown yet, after the last one everything goes away."""
    last_page = max(counter.counts)
    middle = [sample for sample in samples if 0 < counter.at(sample.at) < last_page]
    if len(middle) < FEWEST_SAMPLES:
        return []
    end = max(1, round(len(middle) * SHARE))
    visits = [counter.at(sample.at) for sample in middle]
    found = []
    for group in (*GROUPS, "all"):
        sizes = [(sample.total if group == "all" else sample.by_group[group]) / MIB for sample in middle]
        if not any(sizes):
            continue
        slope = linear_regression(visits[end:], sizes[end:]).slope  # without the warming up
        growth = Growth(group, median(sizes[:end]), median(sizes[-end:]), 100 * slope, max(sizes))
        found.append(growth)
    return found


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(
        prog="python -m bench.memory", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--visits", type=int, default=200)
    asked.add_argument("--delay", type=float, default=0.5, help="seconds on a page (default %(default)s)")
    asked.add_argument("--browser", default=find_browser(), help="path of the browser")
    asked.add_argument("--ours", default=ours.RUN, help="command line of this crawler (default: %(default)s)")
    asked.add_argument("--shared-once", action="store_true", help="proportional instead of resident size")
    asked.add_argument("--json", action="store_true")
    return asked.parse_args()


def crawl(args: argparse.Namespace, urls: list[str], folder: Path) -> Usage:
    """Every URL gets a query of its own, so that no visit is a duplicate in the list."""
    listed = folder / "urls.txt"
    many = (f"{url}?visit={number}" for number, url in enumerate(islice(cycle(urls), args.visits)))
    listed.write_text("\n".join(many) + "\n", encoding="utf-8")
    return measure(
        ours.command(args.ours, list=listed, delay=args.delay),
        limit_s=START_SECONDS + SECONDS_A_VISIT * args.visits,
        log=folder / "log",
        env=ours.environment(folder / "data", outside=False, delay_s=args.delay, browser=args.browser),
        memory_every_s=SAMPLE_SECONDS,
        shared_once=args.shared_once,
    )


def show(found: list[Growth], captured: int, usage: Usage) -> None:
    table = Table(title=f"{captured} visits captured in {usage.wall_s:.0f} s; MiB")
    table.add_column("")
    for head in ("first 20 %", "last 20 %", "per 100 visits", "peak"):
        table.add_column(head, justify="right")
    for growth in found:
        numbers = (growth.first, growth.last, growth.per_100_visits, growth.peak)
        table.add_row(growth.group, *(f"{number:.1f}" for number in numbers))
    Console().print(table)


def main() -> int:
    args = arguments()
    machine = describe(args.browser)
    talk.print(machine.sentence(), highlight=False)
    with pages.served() as urls, tempfile.TemporaryDirectory(
        prefix="bench-memory-", ignore_cleanup_errors=True
    ) as made:  # fmt: skip
        Path(made).chmod(OPEN_FOLDER)
        parts = urlsplit(urls[0])
        counter = Counter(f"{parts.scheme}://{parts.netloc}")
        counter.thread.start()
        usage = crawl(args, urls, Path(made))
        counter.stop.set()
        log = (Path(made) / "log").read_text(errors="replace")
    captured = sum(visit.outcome == ours.CAPTURED for visit in ours.said(usage.lines))
    found = growths(list(usage.samples), counter)
    if not found:
        talk.print(f"The crawler ended with {usage.exit_code} before there was enough to see. Its last words:")
        talk.print(log[-LOG_TAIL:], markup=False, highlight=False)
        return 1
    if args.json:
        rows = [{name: getattr(growth, name) for name in Growth.__slots__} for growth in found]
        document = {"machine": machine.as_dict(), "visits": args.visits, "captured": captured, "growth": rows}
        sys.stdout.write(json.dumps(document) + "\n")
    else:
        show(found, captured, usage)
    return 0


if __name__ == "__main__":
    sys.exit(main())
