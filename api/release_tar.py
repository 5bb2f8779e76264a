"""A release as one tar: the same bytes each time, its length known beforehand, nothing of it gathered."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from domain.errors import NotFound
from store.blobs import StoredBlob
from store.release_files import ReleaseFile

_BLOCK = tarfile.BLOCKSIZE
_END = bytes(2 * _BLOCK)
_LARGEST = 8**11 - 1
"""Bytes that a plain header can tell."""
Span = tuple[int, int] | None
Read = Callable[[StoredBlob, Span], Iterable[bytes]]
"""The content of a blob, in pieces: from the first to before the second place, or all of it."""
Give = Callable[[int, int], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a tar will be. size: bytes. tag: changes with any byte of it."""

    size: int
    tag: str


def plan(name: str, files: Iterable[ReleaseFile]) -> Plan:
    """Of these files in this order, in a folder of this name."""
    size, total = len(_END), hashlib.sha256()
    for file in files:
        head = _head(name, file)
        size += len(head) + file.blob.size + _padding(file.blob.size)
        total.update(head + file.blob.digest.encode())
    return Plan(size, total.hexdigest())


def tar(name: str, files: Iterable[ReleaseFile], read: Read, span: tuple[int, int]) -> Iterator[bytes]:
    """The bytes from the first to before the second place, of the same files in the same order; before them nothing is read.

    Where a file is no longer what was put, `read` raises, and the tar breaks off: shorter than was said, so it can be seen. So
    it does before a file that is hidden.
    """
    start, end = span
    at = 0
    for length, give in _parts(name, files, read):
        first, last = max(0, start - at), min(length, end - at)
        if first < last:
            yield from give(first, last)
        at += length
        if at >= end:
            return


def _parts(name: str, files: Iterable[ReleaseFile], read: Read) -> Iterator[tuple[int, Give]]:
    """Length of each part of a tar, and what gives some of it."""
    for file in files:
        head, size = _head(name, file), file.blob.size
        yield len(head), partial(_some_of, head)
        yield size, partial(_some_read, read, file)
        yield _padding(size), partial(_some_of, bytes(_padding(size)))
    yield len(_END), partial(_some_of, _END)


def _some_of(content: bytes, first: int, last: int) -> Iterator[bytes]:
    yield content[first:last]


def _some_read(read: Read, file: ReleaseFile, first: int, last: int) -> Iterable[bytes]:
    if file.hidden:
        raise NotFound(f"{file.path} was taken down while the tar was sent.")
    return read(file.blob, None if (first, last) == (0, file.blob.size) else (first, last))


def _head(name: str, file: ReleaseFile) -> bytes:
    """Neither time nor owner: the same for whoever makes it."""
    entry = tarfile.TarInfo(f"{name}/{file.path}")
    entry.size = file.blob.size
    return entry.tobuf(tarfile.USTAR_FORMAT if file.blob.size <= _LARGEST else tarfile.PAX_FORMAT)


def _padding(size: int) -> int:
    return -size % _BLOCK
