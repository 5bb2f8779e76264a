"""crew: everything one process needs to make visits, and the story of one: leave, guard, browser, pictures, store, pixels."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from crawler.beside import PixelChecks
from crawler.browsers import DRIVERS
from crawler.during import Settle
from crawler.filing import Archive, file
from crawler.pool import BrowserPool, Lanes
from crawler.screens import Screens, without_evidence
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.turns import PASSING, MayPass, Turn
from crawler.visit import Visited, visit
from domain.errors import BadInput
from domain.text import PolicyName
from domain.visit import Try, Visit


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
    done: deque[Visit] = field(default_factory=deque)
    """All of a list; of a run without end, the last ones (give one with a length)."""
    checking: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    stopped: bool = False
    waiting: dict[str, datetime] = field(default_factory=dict)
    """Sites whose host wants rest, and until when."""


class Crew:
    """Makes visits, many at a time. Open it before the first one, close it after the last."""

    def __init__(
        self,
        settings: CrawlerSettings,
        wish: Wish,
        archive: Callable[[], Archive] | None,
        *,
        stop: asyncio.Event,
        progress: Progress,
        on_visit: Callable[[Visited], None] = lambda _: None,
        worker: str = "",
    ) -> None:
        if settings.driver not in DRIVERS:
            raise BadInput(f"No driver {settings.driver!r}. Known: {', '.join(DRIVERS)}.")
        self.settings, self.wish, self.stop, self.progress, self.worker = settings, wish, stop, progress, worker
        self.pool, self.lanes = BrowserPool(settings), Lanes(settings.concurrency)
        self.archive: Archive | None = None
        self._open_archive, self._on_visit = archive, on_visit
        self._filing = asyncio.Semaphore(2)
        self._screens = Screens()
        self._checks = PixelChecks(stop) if settings.pixel_check else None
        self._watcher: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Raises Unavailable where the store cannot be had."""
        self._watcher = asyncio.create_task(self.lanes.adapt())
        if self._open_archive is not None:
            self.archive = await asyncio.to_thread(self._open_archive)

    async def close(self) -> None:
        """Ends browsers, checks and store; what is not checked is left for `crawler check`."""
        if self._watcher is not None:
            self._watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watcher
        await self.pool.close()
        if self._checks is not None:
            await self._checks.close()
        if self.archive is not None:
            self.archive.close()

    async def visit(self, site: Site, turn: Turn | None = None) -> Visited | None:
        """One visit, stored and checked; None where it was told to stop before.

        Raises PutOff where the host wants rest, and MayPass where the try ended in what may pass and is not the last.
        """
        visit_id = turn.visit_id(site.name) if turn else uuid.uuid4().hex
        visited = await self._made(site, visit_id, turn)
        if visited is not None and self._screens.repeated(visited):
            # Pictures of a browser that no longer draws look like this: once more, in a fresh one.
            await self.pool.renew()
            visited = await self._made(site, visit_id, turn, stopped=False)
            if visited is not None and self._screens.repeated(visited):
                visited = without_evidence(visited)
        if visited is None:
            return None
        if turn is not None and not turn.last and visited.visit.outcome in PASSING:
            ended = visited.visit
            raise MayPass(Try(started=ended.started.wall, outcome=ended.outcome, reason=ended.reason))
        visited = await self._kept(visited)
        self._on_visit(visited)
        return visited

    async def _made(self, site: Site, visit_id: str, turn: Turn | None, *, stopped: bool = True) -> Visited | None:
        """The visit itself, in a lane and a browser of the pool."""
        async with self.lanes.lane() as loaded:
            if stopped and self.stop.is_set():
                return None
            self.progress.running[site.name] = site.url
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
                )
                hurt = visited.browser_hurt
            finally:
                self.progress.running.pop(site.name, None)
                await self.pool.give_back(browser, hurt=hurt)
        return visited

    async def _kept(self, visited: Visited) -> Visited:
        """The visit as it is stored, with what the pixels say of what is flagged."""
        if self.archive is not None:
            async with self._filing:
                stored = await asyncio.to_thread(file, self.archive, visited)
            visited = replace(visited, visit=stored)
        self.progress.done.append(visited.visit)
        if self._checks is not None:
            self.progress.checking += 1
            visited = await self._checks.of(visited, self.archive)
            self.progress.checking -= 1
            found = (check.verdict for e in visited.evidence for check in e.checks if check is not None)
            self.progress.checks.update(found)
        return visited
