"""Who may: writes need API_TOKEN; reads are open, or need it too."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from fastapi import Request
from starlette.datastructures import Headers

from api.problems import Declined
from api.settings import ApiSettings
from domain.errors import Refused

SAFE = ("GET", "HEAD", "OPTIONS")
OPEN = ("/health", "/openapi.json")
"""Asked by what should know no token, or does not yet: what watches over the service, and what reads how to ask it."""
PRIVATE = "/takedowns"
"""Read with the token only: it says who asked for what."""
DESK = "/audits"
"""For annotators, who have tokens of their own (api/annotating.py) and not this one."""
DESK_PAGES = ("/audit", "/static/")
"""What an annotator's browser loads before it can send a token. The same for everybody, and tells nothing."""
_BEARER, _BASIC = 'Bearer realm="parallax"', 'Basic realm="parallax", charset="UTF-8"'


async def authorised(request: Request) -> None:  # async: it looks at the request only, and needs no thread
    """Raises Declined (401) where the token is missing or wrong, Refused (403) for a write where there is none to be right.

    A dependency of every route, so that a new one cannot forget it.
    """
    settings: ApiSettings = request.app.state.settings
    path = request.scope["path"]
    if is_of_desk(path):
        return
    writes = request.method not in SAFE or is_private(path)
    if not writes and (settings.reads == "open" or path in OPEN or path == DESK_PAGES[0] or path.startswith(DESK_PAGES[1])):
        return
    if settings.token is None:
        reads = request.method in SAFE
        what = "The take-down list is read with the token only, and" if reads else "Nothing can be written here:"
        raise Refused(f"{what} API_TOKEN is not set. Set it (openssl rand -hex 32) and start the API again.")
    scheme, given = _given(request.headers)
    # Basic is what a browser sends by itself, whoever made it ask: good enough for reading, not for writing.
    if scheme == "bearer" or (scheme == "basic" and not writes):
        if _same(given, settings.token.get_secret_value().encode()):
            return
        raise _unauthorized("The token is wrong.", writes=writes, error=', error="invalid_token"')
    raise _unauthorized("A token is needed.", writes=writes)


def holds_token(request: Request) -> bool:
    """Whether the request has the token, as whoever reads may send it: Bearer, or the password of Basic."""
    settings: ApiSettings = request.app.state.settings
    scheme, given = _given(request.headers)
    known = settings.token.get_secret_value().encode() if settings.token is not None else None
    return known is not None and scheme in {"bearer", "basic"} and _same(given, known)


def is_private(path: str) -> bool:
    """Whether reading it is for the token too, whatever API_READS says."""
    return path == PRIVATE or path.startswith(f"{PRIVATE}/")


def is_of_desk(path: str) -> bool:
    """Whether it asks for an annotator's token instead of this one. A test walks all routes of the desk."""
    return path == DESK or path.startswith(f"{DESK}/")


def _given(headers: Headers) -> tuple[str, bytes]:
    """The scheme in lower case, and the token; of Basic, the password."""
    scheme, _, rest = headers.get("authorization", "").partition(" ")
    given = rest.strip().encode("latin-1")
    if scheme.lower() == "basic":
        try:
            given = base64.b64decode(given, validate=True).partition(b":")[2]
        except (binascii.Error, ValueError):
            given = b""
    return scheme.lower(), given


def _same(given: bytes, token: bytes) -> bool:
    """Compared by their hashes, in a time that tells neither content nor length."""
    return hmac.compare_digest(hashlib.sha256(given).digest(), hashlib.sha256(token).digest())


def _unauthorized(wrong: str, *, writes: bool, error: str = "") -> Declined:
    """Each scheme in a header of its own: of one that names two, Chromium reads the first, and asks nobody for a password."""
    asked = _BEARER + error
    if writes:
        return Declined("unauthorized", f"{wrong} Send Authorization: Bearer <API_TOKEN>.", challenges=(asked,))
    what_now = (
        "In a browser load the page again, and give any name as user and the token (API_TOKEN) as password. "
        "A program sends Authorization: Bearer <API_TOKEN>."
    )
    return Declined("unauthorized", f"{wrong} {what_now}", challenges=(asked, _BASIC))
