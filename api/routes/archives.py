"""Archives: documents, pictures and readings as they were stored, by the SHA-256 of their content.

What a page was is a stranger's: it is given as a file to keep, and never as a page of ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request
from starlette.responses import Response, StreamingResponse

from api.answers import head_only, known_already, may_pack
from api.attached import attachment
from api.dependencies import Archive, Stored
from api.problems import Problem
from api.ranges import range_of
from api.terms import PRIVATE, SHOWN, is_private
from domain.errors import NotFound
from store.blob_contents import Damaged, content, packed
from store.blobs import Blobs, StoredBlob
from store.captures import find_blob

router = APIRouter()
SMALL = 1 << 20
"""Bytes: so much is read and checked before anything is sent, so that damage is told; more is sent as it is read."""
ENDINGS = {
    "text/html": "html", "multipart/related": "mhtml", "application/json": "json", "image/png": "png", "image/jpeg": "jpg",
    "text/markdown": "md", "text/csv": "csv", "text/plain": "txt", "application/x-ndjson": "jsonl", "image/svg+xml": "svg",
    "application/ld+json": "json", "application/vnd.apache.parquet": "parquet",
}  # fmt: skip
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
    "Vary": "Accept-Encoding",
}
Wanted = Annotated[str | None, Header(alias="Range", description="bytes=0-99, bytes=100- or bytes=-100")]
IfRange = Annotated[str | None, Header(alias="If-Range", description="the ETag that the range must be of")]
_BINARY: dict[str, Any] = {"content": {"*/*": {}}}  # of any type: JSON too
RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": "All of it, with the media type that it was stored with", **_BINARY},
    206: {"description": "The one range that was asked for, of the content unpacked", **_BINARY},
    304: {"description": "The ETag is known already"},
    403: {"description": "The terms of its corpus forbid handing it out", "model": Problem},
    404: {"description": "No such blob is stored, or it is hidden or damaged", "model": Problem},
    416: {"description": "The range begins behind the end", "model": Problem},
}


@router.get("/archives/{sha256}", response_class=Response, responses=RESPONSES)
def archive(
    request: Request,
    database: Stored,
    blobs: Archive,
    *,
    sha256: Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="of the content, 64 hex digits in lower case")],
    wanted: Wanted = None,
    if_range: IfRange = None,
) -> Response:
    """The content, to be kept as a file. It never changes: ETag is its digest, and caches ask again once a day at most.

    What the terms of a corpus forbid to hand out is shown to its keeper alone: with API_TOKEN, or on the API's own machine.
    Packed with gzip where that is accepted and it is stored so; a range is always of the unpacked content.
    """
    known = find_blob(database, sha256)
    cache = PRIVATE if is_private(request, database, sha256) else SHOWN
    return given(request, blobs, known, _name(known), wanted, if_range, cache=cache)


def given(  # noqa: PLR0917 - the two headers as they came
    request: Request,
    blobs: Blobs,
    known: StoredBlob,
    name: str,
    wanted: str | None,
    if_range: str | None,
    *,
    cache: str = SHOWN,
) -> Response:
    """This blob as a file of this name, or the range of it that is wanted: what /archives says, and the files of releases."""
    plain, zipped = f'"{known.digest}"', f'"{known.digest}-gzip"'
    span = range_of(wanted, known.size) if not head_only(request) and if_range in {None, plain} else None
    as_stored = span is None and known.encoding == "gzip" and may_pack(request)
    headers = {
        **HEADERS,
        "Cache-Control": cache,
        "ETag": zipped if as_stored else plain,
        "Content-Disposition": attachment(name),
    }
    if known_already(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    if as_stored:
        headers |= {"Content-Encoding": "gzip", "Content-Length": str(known.stored_size)}
        return _sent(request, known, headers, lambda: packed(blobs, known))
    start, end = span or (0, known.size)
    headers["Content-Length"] = str(end - start)
    if span is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{known.size}"
    return _sent(request, known, headers, lambda: content(blobs, known, span))


def _sent(request: Request, known: StoredBlob, headers: dict[str, str], read: Callable[[], Iterator[bytes]]) -> Response:
    """What is small is read before the first byte is sent; what goes wrong later breaks the connection off."""
    status = 206 if "Content-Range" in headers else 200
    if head_only(request):
        return StreamingResponse(iter(()), status, headers, _sent_as(known.media_type))
    try:
        pieces = read()
        if int(headers["Content-Length"]) <= SMALL:
            return Response(b"".join(pieces), status, headers, _sent_as(known.media_type))
        begun = chain([next(pieces, b"")], pieces)
    except Damaged:
        raise
    except NotFound as error:
        # The store's own words name a place on this machine.
        raise NotFound(f"Blob {known.digest} is missing from the store.") from error
    return StreamingResponse(begun, status, headers, _sent_as(known.media_type))


def _sent_as(media_type: str) -> str:
    """What a page of ours could be made to run or to dress with is sent as nothing in particular."""
    return "application/octet-stream" if re.search(r"script|css", media_type, re.IGNORECASE) else media_type


def _name(known: StoredBlob) -> str:
    return f"{known.digest[:12]}.{ENDINGS.get(known.media_type.partition(';')[0].strip().lower(), 'bin')}"
