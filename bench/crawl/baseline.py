"""What every baseline shares: its options, its clock, and the lines it prints.

A baseline prints one JSON line a page,
    {"url", "ok", "why", "started", "ended", "steps": {"open": s, "goto": s, ...}, "bytes"}
and a last one {"total": {"pages", "ok", "failed", "wall_s"}}. Times are seconds since the baseline's start.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench.machine import browser_flags, find_browser

WIDTH, HEIGHT = 1280, 720
DELAY_SECONDS = 3.0
PAGE_LIMIT_SECONDS = 60.0
END_SECONDS = 5.0
WHY_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Options:
    urls: tuple[str, ...]
    out: Path
    delay_s: float
    page_limit_s: float
    concurrency: int
    browser: str | None
    flags: tuple[str, ...]


@dataclass(slots=True)
class PageLine:
    """One page's fate, filled while it is visited. `ok` is set last."""

    url: str
    origin: float  # monotonic time of the baseline's start
    started: float = field(init=False)
    ok: bool = False
    why: str | None = None
    size: int = 0
    steps: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.started = time.monotonic()

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.steps[name] = round(time.monotonic() - began, 4)

    def failed(self, error: BaseException) -> None:
        self.ok, self.why = False, f"{type(error).__name__}: {error}"[:WHY_LENGTH]

    def say(self) -> None:
        say(
            {
                "url": self.url,
                "ok": self.ok,
                "why": self.why,
                "started": round(self.started - self.origin, 3),
                "ended": round(time.monotonic() - self.origin, 3),
                "steps": self.steps,
                "bytes": self.size,
            }
        )


def say(record: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def say_total(lines: list[PageLine], origin: float) -> None:
    ok = sum(line.ok for line in lines)
    wall = round(time.monotonic() - origin, 3)
    say({"total": {"pages": len(lines), "ok": ok, "failed": len(lines) - ok, "wall_s": wall}})


def read_list(path: Path) -> tuple[str, ...]:
    """URLs, one a line; blank lines and lines that begin with # are passed over."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def parser(name: str, about: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog=f"python -m bench.crawl.{name}", description=about)
    made.add_argument("--list", type=Path, required=True, help="file with a URL a line")
    made.add_argument("--out", type=Path, required=True, help="folder for what is written a page")
    made.add_argument("--delay", type=float, default=DELAY_SECONDS, help="seconds (default %(default)s)")
    made.add_argument("--page-limit", type=float, default=PAGE_LIMIT_SECONDS, help="seconds for a whole page")
    made.add_argument("--concurrency", type=int, default=6, help="pages at a time (default %(default)s)")
    made.add_argument("--browser", default=find_browser(), help="path (default: the one found on this machine)")
    made.add_argument("--flag", action="append", default=[], help="one more browser flag; may be repeated")
    made.add_argument("--outside", action="store_true", help="let names outside loopback resolve")
    return made


def options(args: argparse.Namespace) -> Options:
    args.out.mkdir(parents=True, exist_ok=True)
    return Options(
        urls=read_list(args.list),
        out=args.out,
        delay_s=args.delay,
        page_limit_s=args.page_limit,
        concurrency=args.concurrency,
        browser=args.browser,
        flags=(*browser_flags(outside=args.outside), *args.flag),
    )


def end_descendants(of: int | None = None) -> None:
    """Ends every process below `of` (default: this one), by its id: asked first, then not asked."""
    with contextlib.suppress(psutil.Error):
        below = psutil.Process(of or os.getpid()).children(recursive=True)
        for process in below:
            with contextlib.suppress(psutil.Error):
                process.terminate()
        _, stubborn = psutil.wait_procs(below, timeout=END_SECONDS)
        for process in stubborn:
            with contextlib.suppress(psutil.Error):
                process.kill()
