"""run: the sites of a list, each visited once, many at a time, none lost."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from crawler.beside import PixelChecks
from crawler.browsers import DRIVERS
from crawler.during import Settle
from crawler.evidence import Evidence
from crawler.filing import Archive, file
from crawler.pool import BrowserPool, Lanes
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.visit import Visited, visit
from domain.errors import BadInput
from domain.text import PolicyName
from domain.visit import Visit


@dataclass(frozen=True, slots=True)
class Wish:
    """How the visits of one run are to be made."""

    policy: PolicyName = "tokens"
    allow_private: bool = False
    delay_ms: int | None = None
    settle: Settle | None = None


@dataclass(slots=True)
class Progress:
    """What has become of a run so far."""

    total: int
    running: dict[str, str] = field(default_factory=dict)
    done: list[Visit] = field(default_factory=list)
    checking: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    stopped: bool = False


class Screens:
    """The pictures of a run, to tell when one is shown for two documents that say different things."""

    def __init__(self) -> None:
        self._said: dict[str, str] = {}

    def repeated(self, visited: Visited) -> bool:
        """Whether a picture of this visit was another page's already, though what they show by their texts differs."""
        return any(self._repeated(evidence) for evidence in visited.evidence)

    def _repeated(self, evidence: Evidence) -> bool:
        picture = hashlib.sha256(evidence.artifacts["screenshot"]).hexdigest()
        return self._said.setdefault(picture, evidence.said) != evidence.said


def without_evidence(visited: Visited) -> Visited:
    """The visit, its pictures being another page's: recorded, and nothing of it kept as evidence."""
    reason = "the screenshot is that of another page, in a fresh browser too"
    record = visited.visit.model_copy(update={"outcome": "repeated-screenshot", "reason": reason, "captures": ()})
    return Visited(record, (), browser_hurt=True)


async def run(
    sites: Sequence[Site],
    settings: CrawlerSettings,
    wish: Wish,
    archive: Callable[[], Archive] | None,
    *,
    on_visit: Callable[[Visited], None] = lambda _: None,
    progress: Progress | None = None,
) -> Progress:
    """Visits every site once. archive opens the store, which is closed at the end; None keeps nothing.

    Ctrl-C (or SIGTERM) ends it after the visits under way: those are kept.
    """
    if settings.driver not in DRIVERS:
        raise BadInput(f"No driver {settings.driver!r}. Known: {', '.join(DRIVERS)}.")
    progress = progress or Progress(len(sites))
    pool, lanes, stop = BrowserPool(settings), Lanes(settings.concurrency), asyncio.Event()
    filing = asyncio.Semaphore(2)
    screens, checks = Screens(), PixelChecks(stop) if settings.pixel_check else None
    opened: asyncio.Task[Archive] | None = None

    async def one(site: Site) -> None:
        visited = await _visit(site, settings, wish, pool=pool, lanes=lanes, stop=stop, progress=progress)
        if visited is not None and screens.repeated(visited):
            # Pictures of a browser that no longer draws look like this: once more, in a fresh one.
            await pool.renew()
            visited = await _visit(site, settings, wish, pool=pool, lanes=lanes, stop=asyncio.Event(), progress=progress)
            if visited is not None and screens.repeated(visited):
                visited = without_evidence(visited)
        if visited is None:
            return
        async with filing:
            stored = await asyncio.to_thread(file, await opened, visited) if opened else visited.visit
        progress.done.append(stored)
        visited = Visited(stored, visited.evidence, visited.browser_hurt)
        if checks is not None:
            progress.checking += 1
            visited = await checks.of(visited, opened.result() if opened else None)
            progress.checking -= 1
            progress.checks.update(check.verdict for e in visited.evidence for check in e.checks if check is not None)
        on_visit(visited)

    with _interruptible(stop):
        watcher = asyncio.create_task(lanes.adapt())
        try:
            async with asyncio.TaskGroup() as group:
                # The database starts beside the browser; where it cannot, the run ends at once.
                opened = group.create_task(asyncio.to_thread(archive)) if archive else None
                for site in sites:
                    group.create_task(one(site))
        finally:
            watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watcher
            await pool.close()
            if checks is not None:
                await checks.close()
            if opened is not None and opened.done() and not opened.cancelled() and opened.exception() is None:
                opened.result().close()
    progress.stopped = stop.is_set()
    return progress


async def _visit(
    site: Site,
    settings: CrawlerSettings,
    wish: Wish,
    *,
    pool: BrowserPool,
    lanes: Lanes,
    stop: asyncio.Event,
    progress: Progress,
) -> Visited | None:
    async with lanes.lane() as loaded:
        if stop.is_set():
            return None
        progress.running[site.name] = site.url
        browser = await pool.take()
        hurt = True
        try:
            visited = await visit(
                browser,
                site,
                settings,
                policy=wish.policy,
                allow_private=wish.allow_private,
                settle=wish.settle,
                delay_ms=wish.delay_ms,
                on_loaded=loaded,
            )
            hurt = visited.browser_hurt
        finally:
            progress.running.pop(site.name, None)
            await pool.give_back(browser, hurt=hurt)
    return visited


@contextlib.contextmanager
def _interruptible(stop: asyncio.Event) -> Iterator[None]:
    """The first Ctrl-C sets the event; the second one ends the program as usual."""
    loop = asyncio.get_running_loop()

    def first() -> None:
        stop.set()
        for sign in signs:
            loop.remove_signal_handler(sign)

    signs: list[signal.Signals] = []
    for sign in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(sign, first)
            signs.append(sign)
    try:
        yield
    finally:
        for sign in signs:
            loop.remove_signal_handler(sign)
