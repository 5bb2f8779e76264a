"""What still comes of a request that is answered already. Nobody wants it, and it must be taken in all the same: where a
connection is closed with something unread, the other end is told that it broke, and may lose the answer (RFC 9112, 9.6).
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from asyncio.events import TimerHandle
from collections.abc import Callable

MOST = 10_000_000
"""Bytes; whoever sends more is not listened to for an answer."""


class Unread:
    """Taken in and thrown away for so long and so much, then `close` is called."""

    def __init__(self, loop: AbstractEventLoop, wait_s: float, close: Callable[[], None]) -> None:
        self._loop, self._wait_s, self._close = loop, wait_s, close
        self._timer: TimerHandle | None = None
        self._bytes = 0

    def begin(self) -> None:
        """From now on; what came before does not count."""
        self.end()
        self._bytes = 0
        self._timer = self._loop.call_later(self._wait_s, self._close)

    def end(self) -> bool:
        """All has come. Whether anything was waited for."""
        begun, self._timer = self._timer, None
        if begun is not None:
            begun.cancel()
        return begun is not None

    def count(self, data: bytes) -> None:
        """So much more has come."""
        if self._timer is not None:
            self._bytes += len(data)
            if self._bytes > MOST:
                self._close()
