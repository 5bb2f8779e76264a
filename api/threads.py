"""Threads in which handlers wait for the database, and the way there and back.

anyio's way costs as much processor time as to ask for a row by its key (docs/performance.md): it keeps scopes of cancelling for
each call, which nothing here asks for. Streams, files and writes still go that way.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
Call = tuple[Context, Callable[[], Any], "asyncio.Future[_Outcome]"]
_Outcome = tuple[Any, BaseException | None]
ENDED = "The threads of this application have ended: it was stopped, or started a second time and stopped once."


class Threads:
    """Of one event loop, which alone calls it. A thread begins when it is needed, and who ended last is taken first."""

    def __init__(self, most: int) -> None:
        """most: calls at once; those that are more wait, the first come first."""
        self._most = most
        self._begun = 0
        self._idle: list[_Worker] = []
        self._waiting: deque[Call] = deque()

    async def run(self, call: Callable[..., T], **given: Any) -> T:
        """What the call gives or raises, in a thread and in the asker's context. It goes on though nobody waits any more.

        Raises RuntimeError after `end`.
        """
        if not self._most:
            raise RuntimeError(ENDED)
        future: asyncio.Future[_Outcome] = asyncio.get_running_loop().create_future()
        todo: Call = (copy_context(), partial(call, **given), future)
        if self._idle:
            self._idle.pop().calls.put(todo)
        elif self._begun < self._most:
            self._begun += 1
            worker = _Worker(future.get_loop(), self._free)
            worker.calls.put(todo)
            worker.start()
        else:
            self._waiting.append(todo)
        found, error = await future
        if error is not None:
            try:
                raise error
            finally:
                del error  # which holds this frame, which would hold it
        return found  # type: ignore[no-any-return]

    def end(self) -> None:
        """Threads end when they have done what they are at. Nothing is begun any more: who waits for that is told."""
        self._most = 0
        while self._waiting:
            *_, future = self._waiting.popleft()
            if not future.done():  # cancelled
                future.set_result((None, RuntimeError(ENDED)))
        while self._idle:
            self._idle.pop().calls.put(None)

    def _free(self, worker: _Worker) -> None:
        if self._waiting:
            worker.calls.put(self._waiting.popleft())
        elif self._most:
            self._idle.append(worker)
        else:
            worker.calls.put(None)


class _Worker(Thread):
    """Does one call after the other until it is given None. It holds up nobody who ends the program."""

    def __init__(self, loop: asyncio.AbstractEventLoop, free: Callable[[_Worker], None]) -> None:
        super().__init__(name="handler", daemon=True)
        self.calls: SimpleQueue[Call | None] = SimpleQueue()
        self._loop, self._free = loop, free

    def run(self) -> None:
        while (todo := self.calls.get()) is not None:
            context, call, future = todo
            outcome: _Outcome
            try:
                outcome = context.run(call), None
            except BaseException as error:  # noqa: BLE001 - it is raised to whoever asked
                outcome = None, error
            with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
                self._loop.call_soon_threadsafe(self._tell, future, outcome)
            del todo, context, call, future, outcome  # nothing is kept until the next call comes

    def _tell(self, future: asyncio.Future[_Outcome], outcome: _Outcome) -> None:
        self._free(self)
        if not future.done():  # cancelled
            future.set_result(outcome)
