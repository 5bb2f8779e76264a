"""store/blob_contents.py: contents in pieces, never more than was put, and not whole where they are not what was put."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.errors import NotFound
from store.blob_contents import Damaged, content, packed, whole
from store.blobs import PIECE, Blobs, StoredBlob

TEXT = b"".join(b"line %06d\n" % n for n in range(60_000))
"""720,000 bytes: more than two pieces, and packed well under one."""
NOISE = b"\x89PNG\r\n\x1a\n" + os.urandom(3 * PIECE)
"""Stored as it is."""


@pytest.fixture(params=["folder", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    return Blobs(str(tmp_path / "b") if request.param == "folder" else "memory://")


def path_of(blobs: Blobs, known: StoredBlob) -> Path:
    folder = blobs.folder
    assert folder is not None
    return folder / "sha256" / known.digest[:2] / (known.digest[2:] + (".gz" if known.encoding else ""))


@pytest.mark.parametrize("given", [TEXT, NOISE, b"", b"x"])
def test_all_and_parts(place: Blobs, given: bytes) -> None:
    """All of it is what was put, in pieces; any part is that part; packed, it is what gzip undoes."""
    known = place.put(given, "text/plain")
    assert whole(place, known) == given
    assert max((len(piece) for piece in content(place, known)), default=0) <= PIECE
    assert (gzip.decompress(b"".join(packed(place, known))) if known.encoding else b"".join(packed(place, known))) == given
    spans = [(0, 1), (len(given) - 1, len(given)), (PIECE - 1, PIECE + 1), (0, len(given)), (5, PIECE * 2)]
    for start, end in spans:
        if 0 <= start < end <= len(given):
            assert b"".join(content(place, known, (start, end))) == given[start:end]


def taken(pieces: Iterator[bytes]) -> tuple[int, str]:
    """How many bytes came before it was over, and what was said then."""
    size = 0
    try:
        for piece in pieces:
            size += len(piece)
    except Damaged as error:
        return size, str(error).rpartition(": ")[2]
    return size, ""


def test_a_bomb(tmp_path: Path) -> None:
    """A file in the bucket that unpacks to a thousand times what was put ends where the content should have ended."""
    blobs = Blobs(str(tmp_path))
    known = blobs.put(TEXT, "text/plain")
    bomb = gzip.compress(b"\0" * 20_000_000, 9)
    path_of(blobs, known).write_bytes(bomb)
    with pytest.raises(Damaged, match=rf"it has {len(bomb)} bytes in place of {known.stored_size}\.$"):
        content(blobs, known)
    as_long = StoredBlob(known.digest, "text/plain", "gzip", len(TEXT), len(bomb))
    size, said = taken(content(blobs, as_long))
    assert size <= len(TEXT)
    assert said == "it holds more than was put."


def test_damage(tmp_path: Path) -> None:
    """One byte changed, cut off, not gzip at all: the last piece is never given, and what is wrong is said."""
    blobs = Blobs(str(tmp_path))
    noise = blobs.put(NOISE, "image/png")
    path_of(blobs, noise).write_bytes(NOISE[:-1] + bytes([NOISE[-1] ^ 1]))
    size, said = taken(content(blobs, noise))
    assert size < len(NOISE)
    assert said == "its content has another digest."
    text = blobs.put(TEXT, "text/plain")
    stored = path_of(blobs, text).read_bytes()
    path_of(blobs, text).write_bytes(b"?" * len(stored))
    assert taken(content(blobs, text)) == (0, "it cannot be unpacked.")
    path_of(blobs, text).unlink()
    with pytest.raises(NotFound):
        content(blobs, text)
