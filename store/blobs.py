"""Content by its digest, in a folder, in memory, or in an S3 bucket. Written once, never changed.

Key: `sha256/ab/cdef...`, the digest of the content before compression, with `.gz` at the end where it is stored
compressed. Whether it is depends on the content alone, so the same content has one key.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError
from obstore.store import LocalStore, MemoryStore, ObjectStore, S3Store

from domain.errors import BadInput, NotFound, Unavailable

# zlib level. Of 4.4 MB of pages, 1 leaves 8.1 % in 0.03 s, 6 leaves 5.9 % in 0.06 s, 9 leaves 5.3 % in 0.3 s.
GZIP_LEVEL = 6
# Share of its size that compression must save to be worth unpacking at every reading.
WORTHWHILE = 0.05
_COMPRESSED_ALREADY = re.compile(rb"\x89PNG\r\n|\xff\xd8\xff|RIFF....WEBP|GIF8|\x1f\x8b|PK\x03\x04|wOF[F2]", re.DOTALL)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_RETRY_S = 30  # in all, for one request; the library's own limit is three minutes

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


class Blobs:
    """The blobs at a folder, file://, memory:// or s3://bucket/prefix (credentials and endpoint: AWS_* variables).

    Safe to share between threads and processes. Raises Unavailable where the place cannot be read or written.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._store, self._folder = _open(url)

    def put(self, content: bytes, media_type: str) -> StoredBlob:
        """The content is stored, durably in a folder, and once however often it is put."""
        digest = hashlib.sha256(content).hexdigest()
        stored, encoding = _pack(content)
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

    def get(self, digest: str) -> bytes:
        """The content. Raises NotFound, and BadInput where the bytes are no longer those that were put."""
        stored, encoding = self.stored(digest)
        try:
            content = gzip.decompress(stored) if encoding else stored
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(f"Blob {digest} in {self.url} is damaged: it cannot be unpacked.") from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise BadInput(f"Blob {digest} in {self.url} is damaged: its content has another digest.")
        return content

    def stored(self, digest: str) -> tuple[bytes, str]:
        """The bytes as they are stored, unchecked, and their encoding: fit for an HTTP answer. Raises NotFound."""
        return self._either(digest, lambda key: bytes(obstore.get(self._store, key).bytes()))

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
        raise NotFound(f"No blob {digest} in {self.url}.")

    def _do(self, what: str, action: Callable[[], T]) -> T:
        try:
            return action()
        except (AlreadyExistsError, NotFoundError, FileNotFoundError):
            raise
        except (BaseError, OSError) as error:
            reason = str(error).split("\n", 1)[0]
            raise Unavailable(f"Blobs in {self.url} cannot be {what}: {reason}") from error


def _open(url: str) -> tuple[ObjectStore, Path | None]:
    """The store at a place, and its folder if it is one."""
    parts = urlsplit(url) if "://" in url else None
    try:
        if parts is None or parts.scheme == "file":
            folder = Path(unquote(parts.path) if parts else url).absolute()
            folder.mkdir(parents=True, exist_ok=True)
            return LocalStore(str(folder)), folder
        if parts.scheme == "memory":
            return MemoryStore(), None
        if parts.scheme == "s3" and parts.netloc:
            retry = {"max_retries": 5, "retry_timeout": timedelta(seconds=_RETRY_S)}
            options = {"timeout": "60s", "connect_timeout": "10s", "allow_http": True}
            prefix = parts.path.strip("/") or None
            return S3Store(parts.netloc, prefix=prefix, client_options=options, retry_config=retry), None  # type: ignore[arg-type]
    except (BaseError, OSError) as error:
        raise Unavailable(f"Blobs in {url} cannot be had: {str(error).split(chr(10), 1)[0]}") from error
    raise BadInput(f"BLOB_URL: {url!r} is not supported; give a folder, file://, memory:// or s3://bucket/prefix.")


def _pack(content: bytes) -> tuple[bytes, str]:
    """The bytes to store and their encoding. The same content gives the same bytes."""
    if not content or _COMPRESSED_ALREADY.match(content):
        return content, ""
    packed = gzip.compress(content, GZIP_LEVEL, mtime=0)
    packed = packed[:9] + b"\xff" + packed[10:]  # "unknown system": Python versions differ in what they write there
    return (packed, "gzip") if len(packed) <= len(content) * (1 - WORTHWHILE) else (content, "")


def _key(digest: str, encoding: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise BadInput(f"{digest[:80]!r} is not a digest; it has 64 hex digits in lower case.")
    return f"sha256/{digest[:2]}/{digest[2:]}{'.gz' if encoding else ''}"


def _make_durable(folder: Path, key: str) -> None:
    """The file and the names on the way to it survive a loss of power, as the row that will name it does."""
    path = folder / key
    for place in (path, *path.parents[: key.count("/") + 1]):
        handle = os.open(place, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
