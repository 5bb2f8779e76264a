"""How answers are sent: with a strong ETag, 304 where the asker has it already, and packed where that is understood."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from fastapi import Request
from pydantic import BaseModel
from starlette.responses import Response

from api.accepting import takes_gzip, whole
from api.problems import Declined

JSON = "application/json"
HTML = "text/html; charset=utf-8"
REVALIDATE = "no-cache"
"""Kept by whoever asks, and asked for again each time: with the ETag that costs no bytes."""
FOR_EVER = "public, max-age=31536000, immutable"
"""What is named by its own digest, or is of a frozen release."""
LEAST_PACKED = 1000
"""Bytes; less is not worth packing."""
GZIP_LEVEL = 1


@dataclass(frozen=True, slots=True)
class Fixed:
    """What stays as it is while this process runs: hashed and packed once, so that to send it costs nothing."""

    content: bytes
    media_type: str
    tag: str
    packed: bytes | None
    """None: it is not worth packing."""


def fixed(content: bytes, media_type: str) -> Fixed:
    """To be kept, and sent with `unchanged`."""
    return Fixed(content, media_type, _tag(content), _packed(content) if len(content) >= LEAST_PACKED else None)


def unchanged(request: Request, one: Fixed, *, cache: str = REVALIDATE) -> Response:
    """The content, or 304 where the request names its ETag. Raises as `known_already`."""
    packed = one.packed if one.packed and may_pack(request) else None
    own = f'"{one.tag}-gzip"' if packed else f'"{one.tag}"'
    sent = {"ETag": own, "Cache-Control": cache, "Vary": "Accept-Encoding"}
    if known_already(request, own):
        return Response(status_code=304, headers=sent)
    if packed:
        sent["Content-Encoding"] = "gzip"
    return Response(packed or one.content, 200, sent, one.media_type)


def buffered(
    request: Request,
    content: bytes,
    media_type: str = JSON,
    *,
    status: int = 200,
    cache: str = REVALIDATE,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The content, or 304 where the request names its ETag. What is not 200 has none. Raises as `known_already`."""
    packed = len(content) >= LEAST_PACKED and may_pack(request)
    sent = {"Cache-Control": cache, "Vary": "Accept-Encoding", **(headers or {})}
    if status == 200:  # noqa: PLR2004
        tag = _tag(content)
        sent["ETag"] = own = f'"{tag}-gzip"' if packed else f'"{tag}"'
        if known_already(request, own):
            return Response(status_code=304, headers=sent)
    if packed:
        content, sent["Content-Encoding"] = _packed(content), "gzip"
    return Response(content, status, sent, media_type)


def known_already(request: Request, tag: str | None) -> bool:
    """Whether `If-None-Match` names this ETag (with its quotes), by weak comparison (RFC 9110, 13.1.2), or is *.

    tag: None where the answer has none. Raises Declined (412) where there is an `If-Match` that does not name it, by strong
    comparison (13.1.1): whoever sends that wants what it had before or nothing.
    """
    headers = request.headers
    if "if-match" in headers and not _named(headers.getlist("if-match")) & {"*", tag}:
        told = "it has no ETag" if tag is None else f"its ETag is {tag}"
        raise Declined("precondition-failed", f"If-Match names another state than there is now: {told}. Ask without it.")
    if tag is None or "if-none-match" not in headers:
        return False
    known = {one.removeprefix("W/") for one in _named(headers.getlist("if-none-match"))}
    return bool(known & {"*", tag})


def _named(given: Sequence[str]) -> set[str]:
    return {one.strip() for header in given for one in header.split(",")}


def may_pack(request: Request) -> bool:
    """Whether whoever asks takes an answer packed with gzip."""
    return takes_gzip(whole(request.headers, "accept-encoding"))


def _tag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]  # which processors do by themselves: half the time of any other


def _packed(content: bytes) -> bytes:
    return gzip.compress(content, GZIP_LEVEL, mtime=0)


def head_only(request: Request) -> bool:
    """Whether only the head of the answer will be sent (HEAD): what streams need not begin."""
    return bool(request.scope.get("state", {}).get("head_only"))


def address_with(request: Request, **changed: object) -> str:
    """The path and question of this request with these parameters set; None takes one away.

    Made without `Host`, which anybody may write.
    """
    kept = [(name, value) for name, value in request.query_params.multi_items() if name not in changed]
    query = urlencode([*kept, *((name, value) for name, value in changed.items() if value is not None)])
    return quote(request.scope["path"]) + (f"?{query}" if query else "")


def record(
    request: Request, found: BaseModel, *, cache: str = REVALIDATE, headers: Mapping[str, str] | None = None
) -> Response:
    """One record as JSON."""
    return buffered(request, found.model_dump_json().encode(), cache=cache, headers=headers)


def page(request: Request, items: Sequence[bytes], after: str | None, *, cache: str = REVALIDATE) -> Response:
    """One page of a list. items: JSON texts. after: the cursor of the last item; None where this is the last page.

    {"items": [...], "after": cursor or null, "next": address of the page behind this one, or null}; `next` is in Link too.
    """
    address = None if after is None else address_with(request, after=after)
    tail = b'],"after":%s,"next":%s}' % (_text(after), _text(address))
    link = {"Vary": "Accept, Accept-Encoding"} | (_link(address) if address else {})
    content = b'{"items":[%s%s' % (b",".join(items), tail)  # copied once: it may be large
    return buffered(request, content, cache=cache, headers=link)


def link_to(request: Request, after: str) -> dict[str, str]:
    """The header that leads to what is behind this cursor."""
    return _link(address_with(request, after=after))


def _link(address: str) -> dict[str, str]:
    return {"Link": f'<{address}>; rel="next"'}


def _text(value: str | None) -> bytes:
    return b"null" if value is None else b'"' + value.encode().replace(b'"', b"%22") + b'"'
