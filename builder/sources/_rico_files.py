"""RICO's files, two and two: <id>.json and <id>.jpg of a folder or of the archive, whatever the order of its members."""

from __future__ import annotations

import os
import re
import tarfile
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from builder.sources import MADE_MARK
from domain.errors import BadInput

COMBINED = "combined"
"""The one folder that the archive unpacks to."""
IN_HAND = 64 * 1024**2
"""Bytes of files without their other half that are kept in memory; older ones wait on the disk."""
LARGEST = 32 * 1024**2
"""Bytes that are read of one file, so that none fills the memory. The largest seen are below 1 MB."""
_NAME = re.compile(r"([0-9]{1,9})\.(json|jpg)")


@dataclass(frozen=True, slots=True)
class Pair:
    """The two files of one screen, or the one of them that is there."""

    item: str
    hierarchy: bytes | None
    picture: bytes | None


@dataclass(frozen=True, slots=True)
class Stray:
    """A file that is no half of a screen. reason: odd-name or same-name."""

    name: str
    reason: str
    detail: str


def ids_in(folder: Path) -> tuple[list[str], list[str]]:
    """(ids, names of other files), both in order: ids by number. Hidden files and folders are no matter."""
    ids: set[str] = set()
    other: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            match = _NAME.fullmatch(entry.name)
            if match:
                ids.add(match[1])
            elif not entry.name.startswith(".") and entry.is_file():
                other.append(entry.name)
    return sorted(ids, key=by_number), sorted(other)


def by_number(item: str) -> tuple[int, str]:
    """The order of ids: 9 before 10, and 9 before 09."""
    return int(item), item


def of_folder(folder: Path, *, skip: Collection[str] = (), only: Collection[str] | None = None) -> Iterator[Pair | Stray]:
    """Every screen of the folder, by number, then what is no screen."""
    ids, other = ids_in(folder)
    for item in ids:
        if item not in skip and (only is None or item in only):
            yield Pair(item, _content(f"{folder}/{item}.json"), _content(f"{folder}/{item}.jpg"))
    for name in other:
        if name not in skip and (only is None or name in only) and name != MADE_MARK:
            yield _odd(name)


def _content(path: str) -> bytes | None:
    """Of the file, LARGEST bytes at most; None where there is none. By its descriptor: half the time of a file object."""
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        return os.read(file, min(LARGEST, os.fstat(file).st_size))
    finally:
        os.close(file)


def _odd(name: str) -> Stray:
    return Stray(name, "odd-name", f"{name} is not <number>.json or <number>.jpg")


def of_archive(path: Path, *, skip: Collection[str] = (), only: Collection[str] | None = None) -> Iterator[Pair | Stray]:
    """Every screen of the archive, each when its second file has come by, then those that have one file only, by number.

    One pass; it ends early once all of `only` were seen. Memory is bounded: what waits for its other half goes to a temporary
    file on the disk when there is much of it. Raises BadInput where the archive is broken: after which file.
    """
    done: set[str] = set()
    with Waiting(IN_HAND) as waiting:
        for name, member in members(path):
            match = _NAME.fullmatch(name)
            item, kind = (match[1], match[2]) if match else (name, "")
            again = item in done or waiting.kind(item) == kind
            if name == MADE_MARK or (f"{name}#2" if again else item) in skip or (only is not None and item not in only):
                continue
            if not kind:
                yield _odd(name)
            elif again:
                yield Stray(f"{name}#2", "same-name", f"the archive holds {name} again; the first one counts")
            elif waiting.kind(item) is None:
                waiting.put(item, kind, member.read(LARGEST))
            else:
                done.add(item)
                other, content = waiting.take(item), member.read(LARGEST)
                yield Pair(item, content, other) if kind == "json" else Pair(item, other, content)
                if only is not None and done.issuperset(only):
                    return
        for item in sorted(waiting, key=by_number):
            alone = waiting.kind(item)
            content = waiting.take(item)
            yield Pair(item, content, None) if alone == "json" else Pair(item, None, content)


def members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """(name without folders, content to be read at once) of the archive's files, as it has them. Hidden ones are no matter.

    Raises BadInput where it is no archive, or broken.
    """
    last = ""
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                archive.members = []  # type: ignore[attr-defined]  # it would keep them all
                name = member.name.rpartition("/")[2]
                content = archive.extractfile(member) if member.isfile() and not name.startswith(".") else None
                if content is not None:
                    yield name, content
                    last = member.name
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        where = f"breaks off after {last}" if last else "is no tar archive that can be read"
        raise BadInput(f"{path} {where}: {error}. Get it again; what was read stays read.") from error


class Waiting:
    """Files whose other half has not come by. The newest are in memory, `most` bytes of them; the others on the disk.

    held: bytes in memory.
    """

    def __init__(self, most: int) -> None:
        self._most, self.held = most, 0
        self._here: OrderedDict[str, bytes] = OrderedDict()
        self._there: dict[str, tuple[int, int]] = {}
        self._kinds: dict[str, str] = {}
        self._disk = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._disk.close()

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def kind(self, item: str) -> str | None:
        """json or jpg: which half waits; None: neither does."""
        return self._kinds.get(item)

    def put(self, item: str, kind: str, content: bytes) -> None:
        self._kinds[item] = kind
        self._here[item] = content
        self.held += len(content)
        while self.held > self._most:
            oldest, moved = self._here.popitem(last=False)
            self._there[oldest] = (self._disk.seek(0, os.SEEK_END), len(moved))
            self._disk.write(moved)
            self.held -= len(moved)

    def take(self, item: str) -> bytes:
        """The half that waits, which waits no longer. Raises KeyError where none does."""
        del self._kinds[item]
        if item in self._here:
            content = self._here.pop(item)
            self.held -= len(content)
            return content
        start, size = self._there.pop(item)
        self._disk.seek(start)
        return self._disk.read(size)
