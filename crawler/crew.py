"""crew: everything one process needs to make visits, and the story of one: leave, guard, browser, pictures, store, pixels."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import structlog

from crawler import logs, orphans
from crawler.arrive import Ended
from crawler.beside import PixelChecks
from crawler.breaker import Breaker, alarm
from crawler.browsers import DRIVERS
from crawler.canonical import canonical
from crawler.filing import Archive, filed, room, unspool
from crawler.guard import Guard, Passage
from crawler.health import Health
from crawler.host_claims import Claims
from crawler.metrics import Metrics
from crawler.pool import BrowserPool, Lanes
from crawler.progress import Progress, Wish
from crawler.screens import Screens, without_evidence
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.turns import PASSING, MayPass, PutOff, Turn
from crawler.unopened import unopened
from crawler.visit import Visited, visit
from crawler.waiting import Stop, asked_to_end, ended
from domain.errors import BadInput, Tripped
from domain.visit import Try
from store.settings import store_settings

log = structlog.get_logger()
THREADS = 64
FULL_S = 15.0
"""How often it is looked whether a disk that was full has room again."""


class Crew:
    """Makes visits, many at a time. Open it before the first one, close it after the last.

    archive: opens the store; None keeps nothing. worker: the name of one that shares a queue with others.
    """

    def __init__(
        self,
        settings: CrawlerSettings,
        wish: Wish,
        archive: Callable[[], Archive] | None,
        *,
        stop: Stop,
        progress: Progress,
        on_visit: Callable[[Visited], None] = lambda _: None,
        worker: str = "",
    ) -> None:
        if settings.driver not in DRIVERS:
            raise BadInput(f"No driver {settings.driver!r}. Known: {', '.join(DRIVERS)}.")
        self.settings, self.wish, self.stop, self.progress = settings, wish, stop, progress
        self.worker = worker or f"{socket.gethostname()}-{uuid.uuid4().hex[:8]}"
        self.archive: Archive | None = None
        self.metrics, self.breaker = Metrics(), Breaker(settings.breaker)
        self.health = Health(settings, worker=self.worker)
        self.lanes, self.guard = Lanes(settings.concurrency), Guard(settings, allow_private=wish.allow_private)
        self.swept = orphans.Swept()
        self._run = orphans.Run(store_settings().data_dir)
        self.pool = BrowserPool(settings, self._run)
        self._open_archive, self._on_visit = archive, on_visit
        self._claims: Claims | None = None
        self._shared = bool(worker)
        self._filing, self._full = asyncio.Semaphore(2), asyncio.Lock()
        self._screens = Screens()
        self._checks = PixelChecks(stop, on_drawn=self.metrics.drawn) if settings.pixel_check else None
        self._open = contextlib.AsyncExitStack()

    async def open(self) -> None:
        """What a killed process left is removed, and what it could not store is stored. Raises Unavailable."""
        # Where the database is lost, every visit has a thread that waits for it; those of asyncio are a handful.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, thread_name_prefix="crew"))
        self.swept = swept = await asyncio.to_thread(orphans.sweep, store_settings().data_dir)
        if swept.processes or swept.folders:
            log.info("orphans.swept", processes=swept.processes, folders=swept.folders)
        self._open.enter_context(self._run)
        self._open.push_async_callback(self.pool.close)
        if self._checks is not None:
            self._open.push_async_callback(self._checks.close)
        if self._open_archive is not None:
            self.archive = await asyncio.to_thread(self._open_archive)
            self._open.callback(self.archive.close)
            await asyncio.to_thread(unspool, self.archive)
        database = self.archive.database if self.archive else None
        self._claims = Claims(self.settings, database, self.worker, self.stop, always=self._shared)
        await self.guard.start()
        self._open.push_async_callback(self.guard.close)
        watcher = asyncio.create_task(self.lanes.adapt())
        self._open.push_async_callback(ended, watcher)

    @property
    def folders(self) -> dict[str, Path]:
        """Folders that must not fill up, by a short name."""
        if self.archive is None:
            return {}
        places = {"data": self.archive.data_dir, "blobs": self.archive.blobs.folder}
        return {name: place for name, place in places.items() if place is not None}

    async def close(self) -> None:
        """Ends browsers, checks and store; what is not checked is left for `crawler check`."""
        await self._open.aclose()

    async def visit(self, site: Site, turn: Turn | None = None) -> Visited | None:
        """One visit, stored and checked; None where it was told to stop before.

        Raises PutOff where the host wants rest, MayPass where the try ended in what may pass and is not the last, and Tripped
        where visits to many hosts fail by our own doing: no more is to be visited then.
        """
        visit_id = turn.visit_id(site.name) if turn else uuid.uuid4().hex
        with logs.visiting(visit_id, site.name), _nothing_dropped():
            await self._room()
            visited = await self._made(site, visit_id, turn)
            if visited is not None and self._screens.repeated(visited):
                # Pictures of a browser that no longer draws look like this: once more, in a fresh one.
                await self.pool.renew()
                with contextlib.suppress(PutOff):
                    visited = await self._made(site, visit_id, turn, stopped=False) or visited
                if self._screens.repeated(visited):
                    visited = without_evidence(visited)
            if visited is None:
                return None
            came_to, tripped = visited.visit, alarm(self.breaker, visited.visit)
            if turn is not None and not turn.last and came_to.outcome in PASSING:
                self.metrics.retried(came_to.outcome)
                self.health.moved()
                self._trip(tripped)
                raise MayPass(Try(started=came_to.started.wall, outcome=came_to.outcome, reason=came_to.reason))
            visited = await self._kept(visited)
            self._trip(tripped)
            return visited

    async def give_up(self, site: Site, put_off: PutOff) -> Visited:
        """The host wants rest for longer than we wait: that is the visit's outcome, and stored."""
        visit_id = uuid.uuid4().hex
        with logs.visiting(visit_id, site.name):
            refusal = Ended("put-off", f"{put_off.reason}; until {put_off.until:%Y-%m-%d %H:%M:%S} UTC")
            return await self._kept(self._unopened(site, visit_id, None, refusal))

    async def make_up(self, visit_id: str) -> None:
        """Looks at the pixels of a stored visit, where whoever stored it was ended before doing so."""
        if self._checks is not None and self.archive is not None:
            await self._checks.made_up_for(self.archive, visit_id)

    def _trip(self, tripped: Tripped | None) -> None:
        if tripped is not None:
            self.stop.set()
            raise tripped

    async def _room(self) -> None:
        """Waits while a disk is nearly full. One look for all who wait."""
        if self.archive is None:
            return
        async with self._full:
            told = False
            while not self.stop.is_set() and (why := await asyncio.to_thread(room, self.archive, self.settings)):
                if not told:
                    log.error("store.full", why=why)
                    self.health.store_waits(why)
                    told = True
                await self.stop.rest(FULL_S)
            if told:
                self.health.store_waits(None)

    async def _made(self, site: Site, visit_id: str, turn: Turn | None, *, stopped: bool = True) -> Visited | None:
        """The visit itself: a lane, a way out through the guard, leave of the host, a browser."""
        assert self._claims is not None, "the crew is not open"  # noqa: S101 - a fault of the caller's
        async with self.lanes.lane() as loaded, self.guard.passage() as passage:
            if stopped and self.stop.is_set():
                return None
            self.progress.running[site.name] = site.url
            try:
                async with self._claims.host_of(site.url, passage) as claim:
                    claim.visit = (made := await self._seen(site, visit_id, turn, passage, loaded)).visit
                    return made
            except PutOff as error:
                self.metrics.put_off(error.reason)
                self.health.moved()
                raise
            except Ended as refusal:
                return self._unopened(site, visit_id, turn, refusal)
            finally:
                self.progress.running.pop(site.name, None)

    def _unopened(self, site: Site, visit_id: str, turn: Turn | None, refusal: Ended) -> Visited:
        return unopened(
            site, self.settings, refusal, visit_id=visit_id, turn=turn, worker=self.worker, delay_ms=self.wish.delay_ms
        )

    async def _seen(self, site: Site, visit_id: str, turn: Turn | None, passage: Passage, loaded: Callable[[], Any]) -> Visited:
        """The visit, in a browser of the pool."""
        browser = await self.pool.take()
        hurt = True
        try:
            visited = await visit(
                browser,
                site,
                self.settings,
                policy=self.wish.policy,
                allow_private=self.wish.allow_private,
                settle=self.wish.settle,
                delay_ms=self.wish.delay_ms,
                on_loaded=loaded,
                passage=passage,
                visit_id=visit_id,
                due=turn.due if turn else None,
                tries=turn.tries if turn else (),
                worker=self.worker,
            )
            hurt = visited.browser_hurt
        finally:
            await self.pool.give_back(browser, hurt=hurt)
        return visited

    async def _kept(self, visited: Visited) -> Visited:
        """The visit as it is stored, with what the pixels say of what is flagged; counted and told."""
        if self.archive is not None:
            async with self._filing:
                stored = await filed(self.archive, visited, self.stop)
            visited = replace(visited, visit=stored)
        self.progress.done.append(visited.visit)
        if self._checks is not None:
            self.progress.checking += 1
            visited = await self._checks.of(visited, self.archive)
            self.progress.checking -= 1
            found = Counter(check.verdict for e in visited.evidence for check in e.checks if check is not None)
            self.progress.checks.update(found)
            if self.archive is not None:
                flagged = sum(finding.verdict == "flagged" for e in visited.evidence for finding in e.findings)
                self.progress.unchecked += flagged - found.total()
        self.metrics.visited(visited)
        self.health.finished(visited.visit)
        if not sys.stderr.isatty() or self.settings.log == "json":
            log.info("visit.finished", **canonical(visited))
        self._on_visit(visited)
        return visited


@contextlib.contextmanager
def _nothing_dropped() -> Iterator[None]:
    """A cancellation that nobody asked for is an error: a group of tasks takes it for an end, and the visit would be lost."""
    try:
        yield
    except asyncio.CancelledError as error:
        if asked_to_end():
            raise
        raise RuntimeError("What a visit waited for was cancelled by somebody else.") from error
