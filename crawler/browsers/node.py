"""node: the process behind Playwright. It grows with what it serves, so each browser has its own and both end together."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Iterator
from functools import partial
from typing import Any

import psutil
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Playwright, async_playwright

from crawler.browsers.program import kill
from crawler.browsers.scratch import Scratch
from domain.errors import Unavailable

START_S, STOP_S = 30, 3
_known: set[int] = set()


@contextlib.contextmanager
def _temporary(folder: str) -> Iterator[None]:
    """Playwright hands on this process's environment and knows no other way to say where profiles go."""
    tempfile.gettempdir()  # ... and this process's own temporary files do not move with it.
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = folder
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = before


@contextlib.contextmanager
def _apart() -> Iterator[None]:
    """Processes that this loop starts meanwhile are in a session of their own, which a terminal's Ctrl-C does not reach.

    The driver shuts its ears to Ctrl-C, but only once it has loaded, and Playwright knows no way to say how it is started.
    """
    loop: Any = asyncio.get_running_loop()
    loop.subprocess_exec = partial(loop.subprocess_exec, start_new_session=True)
    try:
        yield
    finally:
        del loop.subprocess_exec


def _started() -> psutil.Process | None:
    """The child of this process that is a driver of Playwright and was not seen before."""
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if child.pid not in _known and "run-driver" in child.cmdline():
                return child
    return None


class Node:
    """A running driver."""

    def __init__(self, playwright: Playwright, process: psutil.Process | None) -> None:
        self.playwright, self.process = playwright, process

    @property
    def running(self) -> bool:
        """False only where it is known to have ended."""
        try:
            return self.process is None or (self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE)
        except psutil.Error:
            return False

    async def stop(self) -> None:
        """Ends the process, by force where it does not go; never raises, never hangs."""
        if self.running:
            with contextlib.suppress(TimeoutError, PlaywrightError, OSError):
                await asyncio.wait_for(self.playwright.stop(), STOP_S)
        await _end(self.process)


async def _end(process: psutil.Process | None) -> None:
    if process is not None:
        if process.is_running():
            await asyncio.to_thread(kill, [process])
        _known.discard(process.pid)


async def start(scratch: Scratch) -> Node:
    """A driver whose browsers keep their profiles in the scratch folder. One at a time. Raises Unavailable."""
    _known.intersection_update(psutil.pids())
    starting = asyncio.ensure_future(async_playwright().start())
    try:
        with _temporary(str(scratch.folder)), _apart():
            async with asyncio.timeout(START_S):
                playwright = await asyncio.shield(starting)
    except BaseException as error:
        starting.cancel()
        await _end(_started())
        if isinstance(error, (TimeoutError, PlaywrightError, OSError)):
            raise Unavailable(f"Playwright does not start ({type(error).__name__}). Run: make setup.") from error
        raise
    process = _started()
    if process is not None:
        _known.add(process.pid)
        scratch.process(process.pid)
    return Node(playwright, process)
