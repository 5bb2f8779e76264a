"""pool: one browser for many pages, replaced when it is hurt; and how many pages the machine carries at a time."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable

import psutil

from crawler.browsers import Browser, launch
from crawler.settings import CrawlerSettings

VISITS_A_BROWSER = 200
"""Memory of a browser grows until it is ended; a new one costs a second."""
LEAST_A_CORE, START_A_CORE, MOST_A_CORE = 2, 3, 6
"""Pages that load at a time: fewer than the least leave cores idle, more than the most only queue for them."""
OPEN_A_CORE = 12
"""Pages open at all, those that wait for their pixels included: a bound on memory."""
STEP_S = 1.0
BUSY, IDLE = 99.0, 90.0
"""Per cent of all cores: above the one pages only wait for each other, below the other there is room."""
LEAST_FREE_BYTES = 800_000_000


class BrowserPool:
    """Lends the current browser. A hurt one is retired: it takes no more visits and ends when its last one has."""

    def __init__(self, settings: CrawlerSettings) -> None:
        self._settings = settings
        self._current: Browser | None = None
        self._visits = 0
        self._open: dict[int, int] = {}
        self._retired: dict[int, Browser] = {}
        self._lock = asyncio.Lock()
        self.started = 0

    async def take(self) -> Browser:
        """A browser that answers. Raises Unavailable where none starts."""
        async with self._lock:
            if self._current is not None and (self._visits >= VISITS_A_BROWSER or not await self._current.alive()):
                await self._retire(self._current)
            if self._current is None:
                self._current = await launch(self._settings)
                self._visits = 0
                self.started += 1
            self._visits += 1
            self._open[id(self._current)] = self._open.get(id(self._current), 0) + 1
            return self._current

    async def give_back(self, browser: Browser, *, hurt: bool) -> None:
        async with self._lock:
            self._open[id(browser)] -= 1
            if hurt and browser is self._current:
                await self._retire(browser)
            elif id(browser) in self._retired and self._open[id(browser)] == 0:
                await self._retired.pop(id(browser)).close()

    async def renew(self) -> None:
        """The next visit gets a fresh browser."""
        async with self._lock:
            if self._current is not None:
                await self._retire(self._current)

    async def _retire(self, browser: Browser) -> None:
        self._current = None
        if self._open.get(id(browser), 0) == 0:
            await browser.close()
        else:
            self._retired[id(browser)] = browser

    async def close(self) -> None:
        """Ends every browser, whatever it is doing."""
        for browser in [*self._retired.values(), *([self._current] if self._current else [])]:
            await browser.close()
        self._retired.clear()
        self._current = None


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
