"""One fault run: due visits, workers, and hands that kill; then the books are checked."""

from __future__ import annotations

import itertools
import os
import random
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench.faults.hands import KINDS, WEIGHTS, Workers, browsers, drivers, flags_of, kill
from bench.faults.pages import serve
from crawler.filing import open_archive
from domain.errors import NotFound, Unavailable
from domain.visit import Visit
from store.captures import recent_visits
from store.settings import StoreSettings

MIB = 1024 * 1024
POLL_S = 0.5
STOP_S = 60.0
LOOK_S = 3.0
"""Between two looks at the memory."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done and to be killed."""

    visits: int
    hosts: int
    workers: int
    seed: int
    between_kills_s: float
    limit_s: float
    driver: str = "playwright"
    kills: Sequence[str] | None = None
    """These, in this order, and no more; None: at random until all is done."""


@dataclass(slots=True)
class Books:
    """What was found at the end."""

    plan: Plan
    wall_s: float = 0
    killed: Counter[str] = field(default_factory=Counter)
    due: int = 0
    records: int = 0
    missing: int = 0
    doubled: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    several_tries: int = 0
    dangling: int = 0
    blobs_named: int = 0
    overlaps: int = 0
    orphans: int = 0
    restarts: int = 0
    exit_codes: tuple[int, ...] = ()
    asked: int = 0
    memory_mib: list[int] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether every promise was kept."""
        kept = self.records == self.due and not (self.missing or self.doubled or self.dangling or self.overlaps or self.orphans)
        return kept and all(code in {0, -signal.SIGTERM} for code in self.exit_codes)


def run(plan: Plan, folder: Path, say: Callable[[str], None] = lambda _: None) -> Books:
    """Raises nothing for what the crawler does: that is in the books."""
    books, chance = Books(plan), random.Random(plan.seed)  # noqa: S311 - the same moments again is the point
    data_dir, began = folder / "data", time.monotonic()
    flags: set[str] = set()
    with serve(plan.hosts) as (bases, counts):
        listing = folder / "sites.toml"
        listing.write_text(_sites(bases, plan.visits))
        workers = Workers(_commands(plan, listing), _environment(plan, data_dir), folder)
        workers.start()
        try:
            flags |= _until_done(books, workers, chance, data_dir, say)
        finally:
            flags |= flags_of(workers)
            ours = drivers(workers)
            books.exit_codes = tuple(workers.stop(STOP_S))
        books.restarts, books.asked = workers.started - len(workers.commands), counts.asked
    books.wall_s = time.monotonic() - began
    left = {process.pid for process in browsers(flags)} | {process.pid for process in ours if process.is_running()}
    books.orphans = len(left)
    _check(books, data_dir)
    return books


def _sites(bases: Sequence[str], visits: int) -> str:
    """A list of so many pages, spread over the hosts."""
    lines = ['[defaults]\nevery = "1d"\ntopic = "docs"']
    for number in range(visits):
        url = f"{bases[number % len(bases)]}/page/{number}"
        lines.append(f'[[site]]\nname = "page-{number:04}"\nwhy = "to be visited whatever happens"\nurl = "{url}"')
    return "\n".join(lines) + "\n"


def _commands(plan: Plan, listing: Path) -> list[list[str]]:
    first = ["run", "--list", str(listing), "--allow-private"]
    return [first, *(["work", "--allow-private"] for _ in range(plan.workers - 1))]


def _environment(plan: Plan, data_dir: Path) -> dict[str, str]:
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("CRAWLER_", "PG", "DATABASE_URL", "BLOB_URL"))
    }
    return kept | {
        "PARALLAX_DATA": str(data_dir),
        "CRAWLER_DRIVER": plan.driver,
        "CRAWLER_DELAY_MS": "300",
        "CRAWLER_READINGS": "0",
        "CRAWLER_FLOOR_MS": "0",
        "CRAWLER_TICK_S": "1",
        "CRAWLER_BREAKER": "0",  # we are the failure, and it is to be outlived
        "CRAWLER_HOST_BREAKER": "0",
        "CRAWLER_TRIES": "10",
    }


def _until_done(books: Books, workers: Workers, chance: random.Random, data_dir: Path, say: Callable[[str], None]) -> set[str]:
    """Kills until all is recorded. Gives the marks of the browsers that were seen."""
    flags: set[str] = set()
    plan, began = books.plan, time.monotonic()
    waiting = list(plan.kills) if plan.kills is not None else None
    next_kill, next_look, told, all_done = began + _pause(plan, chance) + 3, began, -1, False
    while time.monotonic() - began < plan.limit_s:
        flags |= flags_of(workers)
        workers.mend()
        now = time.monotonic()
        if now >= next_kill and (waiting is None or waiting):
            kind = waiting[0] if waiting else chance.choices(KINDS, WEIGHTS)[0]
            if kill(kind, chance, workers, data_dir):
                books.killed[kind] += 1
                say(f"{now - began:6.1f} s  killed: {kind}")
                if waiting:
                    waiting.pop(0)
            elif waiting and all_done:
                waiting.pop(0)  # with every visit made, an idle worker has no browser left to kill: not waited for
            next_kill = now + _pause(plan, chance)
        if now >= next_look:
            books.memory_mib.append(_memory(workers) // MIB)
            done = _finished(data_dir)
            if done is not None and done != told:
                say(f"{now - began:6.1f} s  {done} of {plan.visits} visits are recorded")
                told = done
            # While kills are still to come, finished visits alone do not end the run.
            all_done = done is not None and done >= plan.visits
            if all_done and not waiting:
                return flags
            next_look = now + LOOK_S
        time.sleep(POLL_S)
    return flags


def _pause(plan: Plan, chance: random.Random) -> float:
    return min(chance.expovariate(1 / plan.between_kills_s), plan.between_kills_s * 4)


def _memory(workers: Workers) -> int:
    """Bytes of the workers and what descends from them: shared pages divided among their users, where the system tells."""
    total = 0
    for process in workers.tree():
        try:
            total += process.memory_full_info().pss
        except (psutil.Error, AttributeError):
            continue
    return total


def _finished(data_dir: Path) -> int | None:
    """Visits recorded so far; None while the database cannot say."""
    try:
        return len(_visits(data_dir))
    except Unavailable:
        return None


def _visits(data_dir: Path) -> list[Visit]:
    archive = open_archive(StoreSettings(data_dir=data_dir, database_url=None, blob_url=None))
    try:
        return list(recent_visits(archive.database, limit=1_000_000))
    finally:
        archive.close()


def _check(books: Books, data_dir: Path) -> None:
    archive = open_archive(StoreSettings(data_dir=data_dir, database_url=None, blob_url=None))
    try:
        visits = list(recent_visits(archive.database, limit=1_000_000))
        by_turn = Counter((visit.site, visit.due) for visit in visits)
        by_site = Counter(visit.site for visit in visits)
        books.due, books.records = books.plan.visits, len(visits)
        books.missing = books.plan.visits - len(by_site)
        books.doubled = sum(n - 1 for n in by_turn.values()) + sum(n - 1 for n in by_site.values() if n > 1)
        books.outcomes = Counter(visit.outcome for visit in visits)
        books.several_tries = sum(bool(visit.tries) for visit in visits)
        digests = {digest for visit in visits for capture in visit.captures for digest in capture.artifacts.values()}
        books.blobs_named = len(digests)
        for digest in digests:
            try:
                archive.blobs.get(digest)
            except NotFound:
                books.dangling += 1
        books.overlaps = _overlaps(visits)
    finally:
        archive.close()


def _overlaps(visits: Sequence[Visit]) -> int:
    """Pairs of recorded visits that had a page of one host open at the same time."""
    by_host: dict[str, list[Visit]] = defaultdict(list)
    for visit in visits:
        by_host[visit.url.split("/page/")[0]].append(visit)
    count = 0
    for of_host in by_host.values():
        of_host.sort(key=lambda visit: visit.started.wall)
        count += sum(later.started.wall < earlier.finished.wall for earlier, later in itertools.pairwise(of_host))
    return count
