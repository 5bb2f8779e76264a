"""Any part of a release's tar is that part of the whole, and no file is read that has no byte in it."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterable
from dataclasses import replace

import pytest

from api.release_tar import plan, tar
from domain.errors import NotFound
from store.blobs import StoredBlob
from store.release_files import ReleaseFile

CONTENT = {"empty": b"", "block": b"b" * 512, "longer": bytes(range(256)) * 3, "short": b"s"}


def files() -> Iterable[ReleaseFile]:
    for path, content in CONTENT.items():
        digest = hashlib.sha256(content).hexdigest()
        yield ReleaseFile(path, StoredBlob(digest, "text/plain", None, len(content), len(content)))


def test_parts_of_a_tar() -> None:
    """Wherever they begin and end: in a file, in its head, in what fills its last block, behind the last of them."""
    read: list[int] = []

    def reading(blob: StoredBlob, span: tuple[int, int] | None) -> Iterable[bytes]:
        [content] = [one for one in CONTENT.values() if hashlib.sha256(one).hexdigest() == blob.digest]
        read.append(blob.size)
        start, end = span or (0, blob.size)
        return [content[start:end]]

    size = plan("v1", files()).size
    whole = b"".join(tar("v1", files(), reading, (0, size)))
    assert len(whole) == size
    with tarfile.open(fileobj=io.BytesIO(whole)) as opened:
        held = {one.name: opened.extractfile(one) for one in opened}
        assert {name: one and one.read() for name, one in held.items()} == {f"v1/{path}": c for path, c in CONTENT.items()}
    edges = sorted({at + off for at in range(0, size + 1, 256) for off in (-1, 0, 1) if 0 <= at + off <= size})
    for start in edges:
        for end in edges:
            if start < end:
                assert b"".join(tar("v1", files(), reading, (start, end))) == whole[start:end], (start, end)
    read.clear()
    last = whole.index(b"v1/short") + 512
    assert b"".join(tar("v1", files(), reading, (last, last + 1))) == b"s"
    assert read == [1]  # what stands before it is not read


def test_what_is_taken_down_while_a_tar_is_sent() -> None:
    """It breaks off before the first byte of that file; a part without any byte of it is that part still."""

    def reading(blob: StoredBlob, span: tuple[int, int] | None) -> Iterable[bytes]:
        start, end = span or (0, blob.size)
        return [next(one for one in CONTENT.values() if hashlib.sha256(one).hexdigest() == blob.digest)[start:end]]

    size = plan("v1", files()).size
    whole = b"".join(tar("v1", files(), reading, (0, size)))
    now = [replace(one, hidden=one.path == "longer") for one in files()]
    begun = whole.index(CONTENT["longer"])
    got: list[bytes] = []
    with pytest.raises(NotFound, match="longer was taken down"):
        got.extend(tar("v1", now, reading, (0, size)))
    assert b"".join(got) == whole[:begun]
    behind = begun + len(CONTENT["longer"])
    for part in ((0, begun), (behind, size)):
        assert b"".join(tar("v1", now, reading, part)) == whole[slice(*part)]
    with pytest.raises(NotFound):
        b"".join(tar("v1", now, reading, (behind - 1, behind)))
