"""guard: a proxy in front of every browser tab. No request of a page, of whatever kind, reaches a private address.

    guard = Guard(settings)
    await guard.start()
    async with guard.passage() as passage:
        tab = await browser.open_tab(proxy=passage.proxy)
        ...
    passage.traffic(), passage.why(url)
    await guard.close()

The browser resolves no name and connects to nothing but the guard (crawler/browsers/program.py). The guard resolves, looks at
every address, and connects to exactly what it looked at. It runs in a thread with a loop of its own, so that pages do not
wait while the crawler's loop is busy. docs/safe-host.md says what is closed and what is not.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from crawler.guard.allowed import Allowed
from crawler.guard.find import Lookup, own_addresses
from crawler.guard.passage import Passage as _Open
from crawler.guard.passage import Rules
from crawler.guard.tally import Tally
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable
from domain.visit import Incident, Outcome, Traffic

__all__ = ["Allowed", "Guard", "Passage"]

Made = TypeVar("Made")
LOOKUPS = 16
"""Names that are looked up at a time."""


class Passage(Protocol):
    """The way out of one visit."""

    @property
    def proxy(self) -> str | None:
        """http://host:port, or None where there is no guard."""
        ...

    def why(self, url: str, /) -> tuple[Outcome, str] | None:
        """Why there is no connection to the host of this URL, or None where nothing is known of it."""
        ...

    def traffic(self) -> Traffic | None:
        """What went through so far; None where nobody counted."""
        ...

    def incidents(self) -> list[Incident]: ...

    async def admit(self, host: str, port: int, /) -> tuple[Outcome, str] | None:
        """Why this host may not be visited or cannot be found, or None."""
        ...


class _Nothing:
    """CRAWLER_GUARD=off: the browser goes its own ways, and nobody counts."""

    proxy: str | None = None

    def why(self, _url: str, /) -> tuple[Outcome, str] | None:
        return None

    def traffic(self) -> Traffic | None:
        return None

    def incidents(self) -> list[Incident]:
        return []

    async def admit(self, _host: str, _port: int, /) -> tuple[Outcome, str] | None:
        return None


async def _there(loop: asyncio.AbstractEventLoop, what: Coroutine[Any, Any, Made]) -> Made:
    """Runs it in that loop. Shielded: a visit that is stopped still closes its port."""
    return await asyncio.shield(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(what, loop)))


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


class Guard:
    """One for a process; a passage for each visit.

    lookup: answers as socket.getaddrinfo does; tests give one that changes its mind. Raises BadInput where
    CRAWLER_ALLOW_PRIVATE cannot be read.
    """

    def __init__(self, settings: CrawlerSettings, *, allow_private: bool = False, lookup: Lookup = socket.getaddrinfo) -> None:
        self._settings = settings
        self._executor = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="guard-lookup")
        allowed = Allowed.of(settings.allow_private, everything=allow_private)
        self._rules = Rules(allowed, own_addresses(), set(), lookup, self._executor)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._passages: set[_Open] = set()
        """Those that are not closed; only the guard's loop touches them."""

    async def start(self) -> None:
        """Starts the guard's thread; nothing listens before the first passage."""
        if self._settings.guard == "off" or self._loop is not None:
            return
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_run, args=(self._loop,), name="guard", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Ends what is open, of visits that were stopped while they closed their own too, and the thread."""
        if self._loop is None or self._thread is None:
            return
        loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        asyncio.run_coroutine_threadsafe(self._ended(loop), loop)
        await asyncio.to_thread(thread.join, 5)
        self._executor.shutdown(wait=False, cancel_futures=True)

    @contextlib.asynccontextmanager
    async def passage(self) -> AsyncIterator[Passage]:
        """A port of its own for one visit, closed with all its connections at the end. Raises Unavailable."""
        await self.start()
        loop = self._loop
        if loop is None:
            yield _Nothing()
            return
        passage = await _there(loop, self._open())
        try:
            yield passage
        finally:
            if self._loop is loop:  # else the guard closes it, or has
                await _there(loop, self._shut(passage))

    async def _shut(self, passage: _Open) -> None:
        await passage.close()
        self._passages.discard(passage)

    async def _ended(self, loop: asyncio.AbstractEventLoop) -> None:
        """Whatever runs in the loop is over before it stops: who closes a passage may have been told not to wait for it."""
        try:
            await asyncio.gather(*(passage.close() for passage in self._passages), return_exceptions=True)
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
        finally:
            loop.stop()

    async def _open(self) -> _Open:
        settings = self._settings
        passage = _Open(self._rules, Tally(settings.max_visit_bytes, settings.max_visit_requests), settings.guard_host)
        try:
            passage.listen()
        except OSError as error:
            raise Unavailable(
                f"The guard cannot listen at {settings.guard_host!r} ({error.strerror or error}). "
                "CRAWLER_GUARD_HOST must be an address of this machine."
            ) from error
        self._passages.add(passage)
        return passage
