"""Where blobs may lie: a folder, memory, an S3 bucket. How each is opened, with which credentials, and what mends a failure."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

from obstore.exceptions import BaseError
from obstore.store import LocalStore, MemoryStore, ObjectStore, S3Store

from domain.errors import BadInput, Unavailable

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


def open_place(url: str) -> tuple[ObjectStore, Path | None]:
    """The store at a place, and its folder, made where it is none yet, if it is one. Raises BadInput, Unavailable."""
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


def reason(error: Exception) -> str:
    """The library's words, and what to do where the kind of error tells."""
    said = str(error)
    for sign, remedy in _REMEDIES.items():
        if sign in said:
            return f"{sign}. {remedy}"
    return said.split("\n", 1)[0]
