"""Contents of blobs read piece by piece: unpacked on the way, never more of it than there should be, and checked at the end."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator

from domain.errors import NotFound
from store.blobs import PIECE, Blobs, StoredBlob

_GZIP = 31
"""zlib's name for gzip's frame."""


class Damaged(NotFound):
    """A blob is no longer what was put: what is asked for is not there any more."""


def content(blobs: Blobs, known: StoredBlob, span: tuple[int, int] | None = None) -> Iterator[bytes]:
    """The content, or the bytes of it from the first to before the second place, which lie on it.

    At most as much as the content is known to have is unpacked, whatever the bucket holds. All of it is checked against the
    digest before its last piece is given; a part cannot be. Raises NotFound, Damaged and Unavailable, at once or on the way.
    """
    start, end = span or (0, known.size)
    length, stored = blobs.pieces(known.digest, known.encoding, span if span and not known.encoding and start < end else None)
    if length != known.stored_size:
        raise _damaged(known, f"it has {length} bytes in place of {known.stored_size}")
    if not known.encoding:
        return _checked(stored, known) if span is None else _exactly(stored, known, end - start)
    unpacked = _unpacked(stored, known)
    return _checked(unpacked, known) if span is None else _exactly(_cut(unpacked, start, end), known, end - start)


def whole(blobs: Blobs, known: StoredBlob) -> bytes:
    """All of the content, checked. Raises as `content` does."""
    return b"".join(content(blobs, known))


def packed(blobs: Blobs, known: StoredBlob) -> Iterator[bytes]:
    """The bytes as they are stored. That they are as many as were put is all that is checked. Raises as `content` does."""
    length, stored = blobs.pieces(known.digest, known.encoding)
    if length != known.stored_size:
        raise _damaged(known, f"it has {length} bytes in place of {known.stored_size}")
    return stored


def _unpacked(stored: Iterator[bytes], known: StoredBlob) -> Iterator[bytes]:
    unpacker, size = zlib.decompressobj(_GZIP), 0
    for piece in stored:
        left = piece
        while left:
            try:
                some = unpacker.decompress(left, PIECE)
            except zlib.error as error:
                raise _damaged(known, "it cannot be unpacked") from error
            size, left = size + len(some), unpacker.unconsumed_tail
            if size > known.size:
                raise _damaged(known, "it holds more than was put")
            if some:
                yield some
            if unpacker.eof:
                return


def _cut(pieces: Iterator[bytes], start: int, end: int) -> Iterator[bytes]:
    at = 0
    for piece in pieces:
        if at >= end:
            return
        if some := piece[max(0, start - at) : end - at]:
            yield some
        at += len(piece)


def _exactly(pieces: Iterator[bytes], known: StoredBlob, wanted: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        yield piece
    if size != wanted:
        raise _damaged(known, "it ends before its end")


def _checked(pieces: Iterator[bytes], known: StoredBlob) -> Iterator[bytes]:
    """One piece behind: so the last one is given only where all of it was right."""
    summed, held = hashlib.sha256(), b""
    for piece in pieces:
        summed.update(piece)
        if held:
            yield held
        held = piece
    if summed.hexdigest() != known.digest:
        raise _damaged(known, "its content has another digest")
    if held:
        yield held


def _damaged(known: StoredBlob, why: str) -> Damaged:
    return Damaged(f"Blob {known.digest} is damaged in the store: {why}.")
