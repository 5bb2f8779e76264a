"""Content by its digest, in a folder, in memory, or in an S3 bucket. Written once, never changed.

Key: `sha256/ab/cdef...`, the digest of the content before compression, with `.gz` at the end where it is stored
compressed. Whether it is depends on the content alone, so the same content has one key.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import re
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TypeVar

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError
from obstore.store import S3Store

from domain.errors import BadInput, NotFound, Unavailable
from store.blob_packing import pack, pack_file
from store.blob_places import open_place, reason
from store.durable import sync

_DIGEST = re.compile(r"[0-9a-f]{64}")
_BLOB_KEY = re.compile(r"sha256/([0-9a-f]{2})/([0-9a-f]{62})(?:\.gz)?")
_AT_ONCE = 500
"""Blobs listed or removed in one request; S3 takes 1000 keys, and a blob may have either of two."""
_LARGE = 8 << 20
"""Bytes. A file above this is not held in memory."""
PIECE = 1 << 18
"""Bytes that are read at a time, about, where a blob is read in pieces."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """A blob as it was put. `save` notes it in the table `blobs`."""

    digest: str
    media_type: str
    encoding: str
    """'gzip', or '' for stored as it is."""
    size: int
    """Bytes of the content."""
    stored_size: int
    """Bytes in the bucket."""


@dataclass(frozen=True, slots=True)
class BlobHead:
    """What the bucket knows of a blob without reading it."""

    encoding: str
    stored_size: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A blob as the bucket lists it."""

    digest: str
    stored_size: int
    written: datetime
    """When it was put first, UTC."""


class Blobs:
    """The blobs at a folder, file://, memory:// or s3://bucket/prefix (credentials and endpoint: AWS_* variables).

    Safe to share between threads and processes. Raises Unavailable where the place cannot be read or written.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._store, self._folder = open_place(url)

    @property
    def folder(self) -> Path | None:
        """The folder that holds the blobs; None where they are not in one."""
        return self._folder

    def check(self) -> None:
        """The place can be read. Raises Unavailable with the remedy, e.g. for a bucket that is not there or a wrong key."""
        if isinstance(self._store, S3Store):
            self._do("listed", lambda: next(iter(obstore.list(self._store, chunk_size=1)), None))

    def delete(self, digests: Iterable[str]) -> None:
        """The blobs are gone, or were already. Call it under the lock of store.shelf only, for what no row names."""
        remaining = iter(digests)
        while some := list(islice(remaining, _AT_ONCE)):
            if isinstance(self._store, S3Store):
                keys = [_key(digest, encoding) for digest in some for encoding in ("gzip", "")]
                self._do("removed", lambda keys=keys: obstore.delete(self._store, keys))  # type: ignore[misc]
                continue
            for key in (_key(digest, encoding) for digest in some for encoding in ("gzip", "")):
                with contextlib.suppress(NotFoundError, FileNotFoundError):
                    self._do("removed", lambda key=key: obstore.delete(self._store, key))  # type: ignore[misc]

    def list(self) -> Iterator[Listed]:
        """Every blob in the place, in no order, read as it is asked for. What is no blob is left out."""
        pages = iter(obstore.list(self._store, prefix="sha256", chunk_size=_AT_ONCE))
        while page := self._do("listed", lambda: next(pages, None)):
            for entry in page:
                if match := _BLOB_KEY.fullmatch(entry["path"]):
                    yield Listed(match[1] + match[2], entry["size"], entry["last_modified"])

    def sweep_halves(self, before: datetime) -> tuple[int, int]:
        """Removes what writers that were killed left half written in a folder before then. Returns how many, and bytes."""
        count = size = 0
        for path in self._folder.glob("sha256/??/*#*") if self._folder is not None else ():
            with contextlib.suppress(FileNotFoundError):
                state = path.stat()
                if state.st_mtime < before.timestamp():
                    path.unlink()
                    count, size = count + 1, size + state.st_size
        return count, size

    def put(self, content: bytes, media_type: str) -> StoredBlob:
        """The content is stored, durably in a folder, and once however often it is put."""
        digest = hashlib.sha256(content).hexdigest()
        stored, encoding = pack(content)
        key = _key(digest, encoding)
        try:
            self._do("written", lambda: obstore.put(self._store, key, stored, mode="create"))
        except AlreadyExistsError:
            # A machine that lost power may have kept the name and lost the bytes.
            if self._do("read", lambda: obstore.head(self._store, key))["size"] != len(stored):
                self._do("written", lambda: obstore.put(self._store, key, stored, mode="overwrite"))
        if self._folder is not None:
            _make_durable(self._folder, key)
        return StoredBlob(digest, media_type, encoding, len(content), len(stored))

    def put_file(self, path: Path, media_type: str) -> StoredBlob:
        """As `put`, of what is in a file; in pieces where it is large."""
        if path.stat().st_size <= _LARGE:
            return self.put(path.read_bytes(), media_type)
        with path.open("rb") as file, tempfile.TemporaryFile() as packed:
            digest, size = hashlib.file_digest(file, "sha256").hexdigest(), file.tell()
            stored, stored_size, encoding = pack_file(file, size, packed)
            key = _key(digest, encoding)
            try:
                there = self._do("read", lambda: obstore.head(self._store, key))["size"]
            except (NotFoundError, FileNotFoundError):
                there = None
            if there != stored_size:  # in parts, so it cannot be refused where it is there: the same content again
                self._do("written", lambda: obstore.put(self._store, key, stored))
        if self._folder is not None:
            _make_durable(self._folder, key)
        return StoredBlob(digest, media_type, encoding, size, stored_size)

    def get(self, digest: str) -> bytes:
        """The content. Raises NotFound, and BadInput where the bytes are no longer those that were put."""
        stored, encoding = self.stored(digest)
        try:
            content = gzip.decompress(stored) if encoding else stored
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(f"Blob {digest} is damaged: it cannot be unpacked.") from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise BadInput(f"Blob {digest} is damaged: its content has another digest.")
        return content

    def stored(self, digest: str) -> tuple[bytes, str]:
        """The bytes as they are stored, unchecked, and their encoding: fit for an HTTP answer. Raises NotFound."""
        return self._either(digest, lambda key: bytes(obstore.get(self._store, key).bytes()))

    def pieces(self, digest: str, encoding: str, span: tuple[int, int] | None = None) -> tuple[int, Iterator[bytes]]:
        """How long the blob is in the bucket, and its bytes as they are stored, unchecked, read as they are asked for.

        encoding: as `put` said. span: only the bytes from the first to before the second place; both on the blob, and not the
        same. Raises NotFound at once, Unavailable on the way too.
        """
        key = _key(digest, encoding)
        try:
            got = self._do("read", lambda: obstore.get(self._store, key, options={"range": span} if span else None))
        except (NotFoundError, FileNotFoundError) as error:
            raise NotFound(_gone(digest)) from error
        return got.meta["size"], self._read(iter(got.stream(min_chunk_size=PIECE)))

    def _read(self, stream: Iterator[object]) -> Iterator[bytes]:
        while (piece := self._do("read", lambda: next(stream, None))) is not None:
            whole = memoryview(piece)  # type: ignore[arg-type] # the library's own buffer
            # What is in memory comes in one piece, however long.
            yield from (bytes(whole[at : at + PIECE]) for at in range(0, len(whole), PIECE))

    def head(self, digest: str) -> BlobHead:
        """Encoding and size in the bucket. Raises NotFound."""
        size, encoding = self._either(digest, lambda key: obstore.head(self._store, key)["size"])
        return BlobHead(encoding, size)

    def exists(self, digest: str) -> bool:
        """Whether there is such a blob."""
        try:
            self.head(digest)
        except NotFound:
            return False
        return True

    def _either(self, digest: str, read: Callable[[str], T]) -> tuple[T, str]:
        """What `read` gives for the key that exists, and the encoding that key stands for."""
        for encoding in ("gzip", ""):
            key = _key(digest, encoding)
            try:
                return self._do("read", lambda key=key: read(key)), encoding  # type: ignore[misc]
            except (NotFoundError, FileNotFoundError):
                continue
        raise NotFound(_gone(digest))

    def _do(self, what: str, action: Callable[[], T]) -> T:
        try:
            return action()
        except AlreadyExistsError:
            raise
        except (BaseError, OSError) as error:
            # Nothing there is an answer to whoever reads or removes; to whoever writes, it is a place that is gone.
            if isinstance(error, NotFoundError | FileNotFoundError) and what != "written":
                raise
            raise Unavailable(f"Blobs in {self.url} cannot be {what}: {reason(error)}") from error


def _gone(digest: str) -> str:
    """Where it was looked for is in the settings, and nobody's who asks over the network."""
    return f"No blob {digest} where BLOB_URL says that blobs are."


def _key(digest: str, encoding: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise BadInput(f"{digest[:80]!r} is not a digest; it has 64 hex digits in lower case.")
    return f"sha256/{digest[:2]}/{digest[2:]}{'.gz' if encoding else ''}"


def _make_durable(folder: Path, key: str) -> None:
    """The file and the names on the way to it survive a loss of power, as the row that will name it does."""
    path = folder / key
    for place in (path, *path.parents[: key.count("/") + 1]):
        sync(place)
