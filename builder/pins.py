"""Pins: the files that an item was read from have the content they had when it was first read; any other is told."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from domain.probe import FileRef
from domain.record import Record
from store.corpora import USABLE, Known

TOLD = 5
"""Items that are named with a changed file; of more it is said how many."""
_KEPT = 4096


class Change(Record):
    """A file of a corpus that is not what it was. Empty hashes: it was not there, or is there no more."""

    file: str
    before: str = Field(description="SHA-256 as pinned")
    now: str = Field(description="SHA-256 as read")
    items: int = Field(description="how many items were read from it")
    examples: tuple[str, ...] = Field(description="the first of these")


class Clock:
    """When files were last written. A file whose time is the same is not read again to see that its content is, too.

    roots: the corpus's path, and that of the corpus it annotates. A file in an archive has the archive's time.
    """

    def __init__(self, *roots: Path | None) -> None:
        self._roots = tuple(root for root in roots if root is not None)
        self._time = functools.lru_cache(_KEPT)(self._look)

    def times(self, files: Iterable[FileRef]) -> dict[str, int | None]:
        """By file name, ns; None for one that is not there."""
        return {file.name: self._time(file.name) for file in files}

    def same(self, known: Known) -> bool:
        """Whether none of the item's files was written since it was read. False for one that was read from no file."""
        return bool(known.files) and all(
            (now := self._time(file.name)) is not None and now == known.times.get(file.name) for file in known.files
        )

    def _look(self, name: str) -> int | None:
        for root in self._roots:
            # What was given may be the corpus's own folder, or one inside it: RICO's `combined`.
            inside = root.parent if name.partition("/")[0] == root.name else root
            for place in (root / name, inside / name):
                try:
                    return place.stat().st_mtime_ns
                except (OSError, ValueError):  # ValueError: a name with NUL
                    continue
        archives = [root for root in self._roots if root.is_file()]
        return archives[0].stat().st_mtime_ns if archives else None


class Changes:
    """Collects the changes of many items, by file."""

    def __init__(self) -> None:
        self._items: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)

    def note(self, item: str, before: Sequence[FileRef], now: Sequence[FileRef]) -> None:
        """The item's files are others than they were."""
        was, has = _hashes(before), _hashes(now)
        for name in sorted(was.keys() | has.keys()):
            if was.get(name, "") != has.get(name, ""):
                self._items[name, was.get(name, ""), has.get(name, "")].append(item)

    def all(self) -> tuple[Change, ...]:
        """In the order of file names."""
        return tuple(
            Change(file=file, before=before, now=now, items=len(items), examples=tuple(items[:TOLD]))
            for (file, before, now), items in sorted(self._items.items())
        )


def differ(before: Known, now: Sequence[FileRef]) -> bool:
    """Whether an item is read from other content than it was. The same content under another name is no change, and no
    more is a file that an item was rejected for the want of."""
    was, has = Counter(_hashes(before.files).values()), Counter(_hashes(now).values())
    return was != has if before.outcome == USABLE else not was <= has


def _hashes(files: Sequence[FileRef]) -> Mapping[str, str]:
    return {file.name: file.sha256 for file in files}
