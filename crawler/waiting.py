"""waiting: a store that cannot be had now is waited for. What is to be stored stays in memory meanwhile, and nothing is lost.

A full disk, a database that restarts or was killed, an S3 that does not answer: all of them raise Unavailable, and all of
them are mended by time or by a person. So the call is made again and again, and the log says so once a minute.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import structlog

from domain.errors import Unavailable

T = TypeVar("T")
log = structlog.get_logger()

SAID_EVERY_S = 60.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds."""

    first_s: float = 0.5
    """Before the second try; each further wait is twice as long, and up to half of it is left to chance."""
    longest_s: float = 15.0
    after_stop_s: float = 20.0
    """How long it is still tried when the program is to end: counted from then on, for all that waits together."""
    answer_s: float = 5.0
    """How long a try may take then at least: the last one too is to have its chance."""


PATIENCE = Patience()


class Stop(asyncio.Event):
    """The wish that the program ends, and since when there is one: what waits one after another ends at one time."""

    def __init__(self) -> None:
        super().__init__()
        self.since: float | None = None
        """By the monotonic clock, s."""

    def set(self) -> None:
        self.since = self.since or time.monotonic()
        super().set()

    def left_s(self, after_s: float) -> float:
        """How much is left of so many seconds that begin with the wish; without end while there is none."""
        return math.inf if self.since is None else self.since + after_s - time.monotonic()

    async def rest(self, seconds: float) -> None:
        """Waits so long, or until there is the wish."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wait(), seconds)


def asked_to_end() -> bool:
    """Whether somebody cancels the running task. If nobody does, a CancelledError is that of something it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def ended(task: asyncio.Task[None]) -> None:
    """Ends a task that runs beside others for as long as they do."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def keep(
    what: Callable[[], T],
    *,
    stop: Stop,
    why: str,
    mend: Callable[[], None] | None = None,
    patience: Patience = PATIENCE,
) -> T:
    """What the call gives, made in a thread, and again while it raises Unavailable: as `keep_trying`."""
    return await keep_trying(lambda: asyncio.to_thread(what), stop=stop, why=why, mend=mend, patience=patience)


async def keep_trying(
    what: Callable[[], Awaitable[T]],
    *,
    stop: Stop,
    why: str,
    mend: Callable[[], None] | None = None,
    patience: Patience = PATIENCE,
) -> T:
    """What it comes to, begun again while it raises Unavailable.

    It must be something that may be done twice. why: what waits, for the log ("visit 12ab to shop"). mend: is called, in a
    thread, before each further try; what it raises as Unavailable counts as another failure.
    Raises Unavailable when stop has been set for `after_stop_s` and it still cannot be done, or does not come back at all;
    any other error at once. What does not come back is left to itself.
    """
    began = said = time.monotonic()
    failures = 0
    while True:
        try:
            if failures and mend is not None:
                await _answered(asyncio.to_thread(mend), stop, patience)
            done = await _answered(what(), stop, patience)
        except Unavailable as error:
            failures += 1
            now = time.monotonic()
            if stop.left_s(patience.after_stop_s) <= 0:
                raise
            if failures == 1 or now - said >= SAID_EVERY_S:
                said = now
                log.warning("store.waited", why=why, reason=str(error), seconds=round(now - began, 1), failures=failures)
            await _pause(failures, stop, patience)
        else:
            if failures:
                log.info("store.resumed", why=why, seconds=round(time.monotonic() - began, 1), failures=failures)
            return done


async def _answered(what: Awaitable[T], stop: Stop, patience: Patience) -> T:
    """What it comes to. A server that hangs answers nobody, not even with an error: after `stop` that has an end too."""
    asked = asyncio.ensure_future(what)
    wished = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({asked, wished}, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            await asyncio.wait({asked}, timeout=max(patience.answer_s, stop.left_s(patience.after_stop_s)))
        if asked.done():
            return asked.result()
    except asyncio.CancelledError:
        asked.cancel()
        raise
    finally:
        wished.cancel()
    # Its error, should there be one, is nobody's any more.
    asked.add_done_callback(lambda late: late.cancelled() or late.exception())
    raise Unavailable("No answer, though the program is to end: what was asked hangs.")


async def _pause(failures: int, stop: Stop, patience: Patience) -> None:
    """Waits its turn. Being told to stop ends the wait: the next try may be one of the last."""
    wait: float = min(patience.first_s * 2.0 ** min(failures - 1, 30), patience.longest_s)
    wait *= 0.5 + random.random() / 2  # noqa: S311 - many workers should not come back all at once
    if stop.is_set():
        await asyncio.sleep(min(wait, max(0.0, stop.left_s(patience.after_stop_s))))
    else:
        await stop.rest(wait)


def free_bytes(path: Path) -> int:
    """What an ordinary user may still write to the disk that holds this path, or will hold it.

    Raises Unavailable where the disk cannot be asked.
    """
    place = path.absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        return shutil.disk_usage(place).free
    except OSError as error:
        raise Unavailable(f"The disk of {path} cannot be asked: {error.strerror or error}.") from error


def full(places: tuple[Path, ...], least_mb: int) -> str | None:
    """Why nothing new should be begun, in a sentence; None while each disk has that many MB (10^6 bytes) left."""
    for place in places:
        try:
            free = free_bytes(place)
        except Unavailable as error:
            return str(error)
        if free < least_mb * 1_000_000:
            return (
                f"The disk of {place} has {free / 1e6:.0f} MB left, less than CRAWLER_LEAST_FREE_MB={least_mb}. "
                "Make room: crawler prune."
            )
    return None
