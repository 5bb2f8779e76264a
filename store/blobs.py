"""Content by its digest, in a folder, in memory, or in an S3 bucket. Written once, never changed.

Key: `sha256/ab/cdef...`, the digest of the content before compression, with `.gz` at the end where it is stored
compressed. Whether it is depends on the content alone, so the same content has one key.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError
from obstore.store import LocalStore, MemoryStore, ObjectStore, S3Store

from domain.errors import BadInput, NotFound, Unavailable
from store.durable import sync

# zlib level. Of 4.4 MB of pages, 1 leaves 8.1 % in 0.03 s, 6 leaves 5.9 % in 0.06 s, 9 leaves 5.3 % in 0.3 s.
GZIP_LEVEL = 6
# Share of its size that compression must save to be worth unpacking at every reading.
WORTHWHILE = 0.05
_COMPRESSED_ALREADY = re.compile(rb"\x89PNG\r\n|\xff\xd8\xff|RIFF....WEBP|GIF8|\x1f\x8b|PK\x03\x04|wOF[F2]", re.DOTALL)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_BLOB_KEY = re.compile(r"sha256/([0-9a-f]{2})/([0-9a-f]{62})(?:\.gz)?")
_AT_ONCE = 500
"""Blobs listed or removed in one request; S3 takes 1000 keys, and a blob may have either of two."""
_RETRY_S = 30  # in all, for one request; the library's own limit is three minutes

# Any of these says where credentials come from; the last two: none are needed, and from the machine's own role.
_CREDENTIALS = (
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_SKIP_SIGNATURE",
    "AWS_METADATA_ENDPOINT",
)
# S3's own names of errors, as they stand in what it answers.
_REMEDIES = {
    "NoSuchBucket": "Make the bucket, or mend its name in BLOB_URL.",
    "InvalidAccessKeyId": "Mend AWS_ACCESS_KEY_ID.",
    "SignatureDoesNotMatch": "Mend AWS_SECRET_ACCESS_KEY.",
    "AccessDenied": "Let these credentials list, get, put and delete in the bucket.",
    "ExpiredToken": "Renew the credentials (AWS_SESSION_TOKEN).",
    "PermanentRedirect": "Set AWS_REGION to the bucket's region.",
    "AuthorizationHeaderMalformed": "Set AWS_REGION to the bucket's region.",
    "No space left on device": "The disk is full; make room there (crawler prune).",
    "Read-only file system": "The disk cannot be written.",
}

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
        self._store, self._folder = _open(url)

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
        except AlreadyExistsError:
            raise
        except (BaseError, OSError) as error:
            # Nothing there is an answer to whoever reads or removes; to whoever writes, it is a place that is gone.
            if isinstance(error, NotFoundError | FileNotFoundError) and what != "written":
                raise
            raise Unavailable(f"Blobs in {self.url} cannot be {what}: {_reason(error)}") from error


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
            _check_credentials(url)
            retry = {"max_retries": 5, "retry_timeout": timedelta(seconds=_RETRY_S)}
            options = {"timeout": "60s", "connect_timeout": "10s", "allow_http": True}
            prefix = parts.path.strip("/") or None
            return S3Store(parts.netloc, prefix=prefix, client_options=options, retry_config=retry), None  # type: ignore[arg-type]
    except (BaseError, OSError) as error:
        raise Unavailable(f"Blobs in {url} cannot be had: {str(error).split(chr(10), 1)[0]}") from error
    raise BadInput(f"BLOB_URL: {url!r} is not supported; give a folder, file://, memory:// or s3://bucket/prefix.")


def _check_credentials(url: str) -> None:
    """Without credentials the library would ask the cloud's metadata address, for minutes where there is no cloud."""
    given = any(os.environ.get(name) for name in _CREDENTIALS)
    if not given and not (os.environ.get("AWS_ACCESS_KEY_ID") and os.environ.get("AWS_SECRET_ACCESS_KEY")):
        raise Unavailable(
            f"Blobs in {url} need credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY "
            "(or how else to get them: docs/store.md)."
        )


def _reason(error: Exception) -> str:
    """The library's words, and what to do where the kind of error tells."""
    said = str(error)
    for sign, remedy in _REMEDIES.items():
        if sign in said:
            return f"{sign}. {remedy}"
    return said.split("\n", 1)[0]


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
        sync(place)
