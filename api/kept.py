"""Kept: what was made lately and may be asked for again, up to a weight; each is made once, however many ask at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")
_LOCKS = 64


class Kept(Generic[T]):
    """Values by key, those asked for longest ago forgotten first. Safe between threads."""

    def __init__(self, most: int, weight: Callable[[T], int]) -> None:
        """most: of all together, in the unit of weight. What is heavier alone is made anew each time."""
        self._most, self._weight = most, weight
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._total = 0
        self._lock = threading.Lock()
        self._making = tuple(threading.Lock() for _ in range(_LOCKS))

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value, made if it is not kept. What `make` raises is raised, and nothing is kept."""
        found = self._find(key)
        if found is not None:
            return found
        with self._making[hash(key) % _LOCKS]:
            found = self._find(key)
            if found is None:
                found = make()
                self._keep(key, found)
        return found

    def _find(self, key: Hashable) -> T | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def _keep(self, key: Hashable, value: T) -> None:
        weight = self._weight(value)
        if weight > self._most:
            return
        with self._lock:
            self._values[key] = value
            self._total += weight
            while self._total > self._most:
                _, gone = self._values.popitem(last=False)
                self._total -= self._weight(gone)
