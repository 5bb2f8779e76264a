"""Slices of a list: some of it, and the place behind which it goes on. Every list that is read so has the same type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
BATCH = 1000
"""Items of one question where all of a list is read: a MB or two."""


@dataclass(frozen=True, slots=True)
class Slice(Generic[T]):
    """Some of a list."""

    items: list[T]
    place: tuple[str, ...] | None
    """What the last one is sorted by, as texts: the next slice goes on behind it. None: there is no more."""


def cut(found: Sequence[T], limit: int, place: Callable[[T], tuple[str, ...]]) -> Slice[T]:
    """The first `limit` of what was asked for with one more: that one tells whether the list goes on."""
    return Slice([*found[:limit]], place(found[limit - 1]) if len(found) > limit else None)


def slices(read: Callable[[tuple[str, ...] | None], Slice[T]], after: tuple[str, ...] | None = None) -> Iterator[list[T]]:
    """All of a list from `after` on, each part a question of its own: nothing is open between two."""
    more = True
    while more:
        found = read(after)
        after = found.place
        more = after is not None
        yield found.items
