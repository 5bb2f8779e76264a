"""pool: one browser for many pages, replaced when it is hurt; and how many pages the machine carries at a time."""

from __future__ import annotations

import asyncio
import os

import psutil

from crawler.browsers import Browser, launch
from crawler.settings import CrawlerSettings

VISITS_A_BROWSER = 200
"""Memory of a browser grows until it is ended; a new one costs a second."""
MAX_A_CORE = 8
START_A_CORE = 4
STEP_S = 2.0
BUSY, IDLE = 98.0, 85.0
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
    """How many pages are open at a time: fixed, or found by watching the machine."""

    def __init__(self, fixed: int) -> None:
        cores = os.cpu_count() or 1
        self.width = fixed or START_A_CORE * cores
        self._most = fixed or MAX_A_CORE * cores
        self._least = fixed or min(2, self.width)
        self._fixed = bool(fixed)
        self._busy = 0
        self._changed = asyncio.Condition()

    async def __aenter__(self) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._busy < self.width)
            self._busy += 1

    async def __aexit__(self, *_: object) -> None:
        async with self._changed:
            self._busy -= 1
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
                if free < LEAST_FREE_BYTES or load > BUSY:
                    self.width = max(self._least, self.width - 1)
                elif load < IDLE and self._busy >= self.width:
                    self.width = min(self._most, self.width + 1)
                self._changed.notify_all()
