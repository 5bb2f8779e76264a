"""pool: one browser for many pages, replaced when hurt, used up or too big; and how many pages the machine carries."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

import psutil
import structlog

from crawler.browsers import Browser, Register, launch
from crawler.settings import CrawlerSettings

log = structlog.get_logger()

Reason = Literal["visits", "memory", "hurt", "gone"]
MB = 1_000_000
MEMORY_EVERY_S, WEIGHING_S = 5.0, 5.0
"""Memory of a browser grows until it is ended; a new one costs a second."""
LEAST_A_CORE, START_A_CORE, MOST_A_CORE = 2, 3, 6
"""Pages that load at a time: fewer than the least leave cores idle, more than the most only queue for them."""
OPEN_A_CORE = 12
"""Pages open at all, those that wait for their pixels included: a bound on memory."""
STEP_S = 1.0
BUSY, IDLE = 99.0, 90.0
"""Per cent of all cores: above the one pages only wait for each other, below the other there is room."""
LEAST_FREE_BYTES = 800_000_000


@dataclass(eq=False, slots=True)
class Lent:
    """A browser of the pool: how many visits it has had, and how many are open in it."""

    browser: Browser
    since: float
    visits: int = 0
    open: int = 0


class BrowserPool:
    """Lends the current browser. One that is to be replaced takes no more visits and ends when its last one has.

    started: how many there were. ended: how many were replaced, by reason. run: where it is written down what starts.
    """

    def __init__(self, settings: CrawlerSettings, run: Register | None = None) -> None:
        self._settings, self._run = settings, run
        self._current: Lent | None = None
        self._lent: dict[int, Lent] = {}
        self._endings: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        self._weighed = -MEMORY_EVERY_S
        self.started = 0
        self.ended: Counter[Reason] = Counter()
        self.memory: int | None = None
        """Bytes that the current browser held when it was last weighed."""

    async def take(self) -> Browser:
        """A browser that answers. Raises Unavailable where none starts."""
        await self._weigh()
        async with self._lock:
            lent = self._current
            if lent is not None and lent.visits >= self._settings.browser_visits:
                self._replace("visits")
            elif lent is not None and not await lent.browser.alive():
                self._replace("gone")
            lent = self._current or await self._start()
            lent.visits += 1
            lent.open += 1
            return lent.browser

    async def give_back(self, browser: Browser, *, hurt: bool) -> None:
        """hurt: the browser, or a page of it, did not answer. It is replaced, and killed where it does not end."""
        lent = self._lent[id(browser)]
        lent.open -= 1
        if lent is not self._current:
            self._end_unused(lent)
        elif hurt:
            self._replace("hurt" if await browser.alive() else "gone", lent)
        await self._weigh()

    async def renew(self) -> None:
        """The next visit gets a fresh browser."""
        self._replace("hurt")

    async def close(self) -> None:
        """Ends every browser, whatever it is doing."""
        self._current = None
        for lent in list(self._lent.values()):
            lent.open = 0
            self._end_unused(lent)
        await self.settled()

    async def settled(self) -> None:
        """Waits until every browser that was to end has ended."""
        if self._endings:
            await asyncio.wait(self._endings)

    async def _start(self) -> Lent:
        began = time.monotonic()
        browser = await launch(self._settings, register=self._run)
        now = time.monotonic()
        lent = self._current = self._lent[id(browser)] = Lent(browser, now)
        self.started += 1
        self.memory = None
        log.info(
            "browser.started",
            driver=browser.driver, name=browser.name, version=browser.version, ours=browser.ours, seconds=round(now - began, 2),
        )  # fmt: skip
        return lent

    def _replace(self, reason: Reason, which: Lent | None = None) -> None:
        """Which: only where that is still the current one."""
        lent = self._current
        if lent is None or which not in {None, lent}:
            return
        self._current = None
        self.ended[reason] += 1
        log.info(
            "browser.replaced",
            reason=reason, visits=lent.visits, open=lent.open, seconds=round(time.monotonic() - lent.since, 1),
            memory_mb=self.memory and round(self.memory / MB),
        )  # fmt: skip
        self._end_unused(lent)

    def _end_unused(self, lent: Lent) -> None:
        """Beside the visits: nobody waits for a browser that takes its time to end."""
        if lent.open == 0 and self._lent.pop(id(lent.browser), None) is not None:
            ending = asyncio.create_task(lent.browser.close())
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)

    async def _weigh(self) -> None:
        """Replaces the browser where its processes hold too much. Not at every visit: looking takes 30 ms and more."""
        lent, now = self._current, time.monotonic()
        if lent is None or now - self._weighed < MEMORY_EVERY_S:
            return
        self._weighed = now
        held = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WEIGHING_S):
                held = await lent.browser.memory()
        if lent is self._current:
            self.memory = held
            if held is not None and held > self._settings.browser_memory_mb * MB:
                self._replace("memory", lent)


class Lanes:
    """How many pages load at a time, and how many are open at all: fixed, or found by watching the machine.

    A page keeps the processor busy while it loads and does nothing while it waits for its pixels. So a lane is held only
    until the wait begins: the processors stay full, and no more pages fight for them than they carry.
    """

    def __init__(self, fixed: int) -> None:
        cores = os.cpu_count() or 1
        self.width = fixed or START_A_CORE * cores
        self._least, self._most = (fixed, fixed) if fixed else (LEAST_A_CORE * cores, MOST_A_CORE * cores)
        self._open_most = fixed or OPEN_A_CORE * cores
        self._fixed = bool(fixed)
        self._loading = self._open = 0
        self._changed = asyncio.Condition()

    @property
    def pages(self) -> dict[str, int]:
        """width: how many may load at a time. loading, open: how many do, and how many are open at all."""
        return {"width": self.width, "loading": self._loading, "open": self._open}

    @contextlib.asynccontextmanager
    async def lane(self) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """Holds a place; what it gives is to be awaited when the page has loaded. A fixed number counts open pages."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._loading < self.width and self._open < self._open_most)
            self._loading += 1
            self._open += 1
        held = True

        async def loaded() -> None:
            nonlocal held
            if held and not self._fixed:
                held = False
                async with self._changed:
                    self._loading -= 1
                    self._changed.notify_all()

        try:
            yield loaded
        finally:
            async with self._changed:
                self._loading -= held
                self._open -= 1
                self._changed.notify_all()

    async def adapt(self) -> None:
        """Watches until cancelled; widens while cores idle, narrows when they are full or memory runs out."""
        if self._fixed:
            return
        psutil.cpu_percent(None)
        while True:
            await asyncio.sleep(STEP_S)
            load, free = psutil.cpu_percent(None), psutil.virtual_memory().available
            async with self._changed:
                if free < LEAST_FREE_BYTES:
                    self.width = max(1, self.width - 1)
                elif load > BUSY:
                    self.width = max(min(self._least, self.width), self.width - 1)
                elif load < IDLE and self._loading >= self.width:
                    self.width = min(self._most, self.width + 1)
                self._changed.notify_all()
