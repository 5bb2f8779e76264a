"""Who asks the same at once is answered together: by one round, which began after each of them had asked.

So an answer is never older than its question, and a count that takes half a second is made twice for fifty askers, not fifty
times; nor does who waits for it hold one of the threads that others need.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from anyio.to_thread import run_sync as to_thread

T = TypeVar("T")


class Rounds(Generic[T]):
    """Of one event loop. Nothing is kept once nobody waits for it."""

    def __init__(self) -> None:
        self._next: dict[Hashable, asyncio.Task[T]] = {}
        self._under_way: dict[Hashable, asyncio.Task[T]] = {}

    async def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value as it is made, in a thread, after this was called. What `make` raises is raised to all it was made for."""
        if key not in self._next:
            self._next[key] = asyncio.create_task(self._round(key, self._under_way.get(key), make))
        # One who goes away takes nothing from the others.
        return await asyncio.shield(self._next[key])

    async def _round(self, key: Hashable, before: asyncio.Task[T] | None, make: Callable[[], T]) -> T:
        if before is not None:
            await asyncio.wait([before])
        # From here on this round is too old for whoever comes.
        self._under_way[key] = self._next.pop(key)
        try:
            return await to_thread(make)
        finally:
            del self._under_way[key]
