"""Pages of other origins may ask where API_CORS names them; never with a person's own credentials."""

from __future__ import annotations

from fastapi import Request
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from api import problems
from api.problems import Declined

METHODS = ("GET", "HEAD", "POST", "DELETE")
SENT = ("Authorization", "Content-Type", "If-Match", "If-None-Match", "If-Range", "Range", "X-Request-ID")
SHOWN = (
    *("Accept-Ranges", "Content-Disposition", "Content-Range", "ETag", "Link", "Location"),
    *("RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-ID"),
)
"""What a page of another origin may see besides what browsers show it anyway."""
ANY = "*"
NO_CONTENT = 204


def leave_of(origin: str | None, origins: tuple[str, ...]) -> list[tuple[bytes, bytes]]:
    """What tells a browser that this origin's page may read an answer; nothing where it may not.

    origin: None where it is not known: no more of the request came. Then it is the one that may ask, if it is one alone.
    """
    if origin is None and len(origins) == 1:
        [origin] = origins
    if ANY not in origins and origin not in origins:
        return []
    named = ANY if ANY in origins else str(origin)
    return [
        (b"access-control-allow-origin", named.encode()),
        (b"access-control-expose-headers", ", ".join(SHOWN).encode()),
        *([] if named == ANY else [(b"vary", b"Origin")]),
    ]


class Forbidden(Declined):
    """A page of this origin may not ask so."""


class Shared(CORSMiddleware):
    """Starlette's, but a refusal is a problem as every other, and a question beforehand is answered without content."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except Forbidden as error:
            await problems.answer(Request(scope), error)(scope, receive, send)

    def preflight_response(self, request_headers: Headers) -> Response:
        answer = super().preflight_response(request_headers)
        if answer.status_code >= 400:  # noqa: PLR2004
            raise Forbidden(
                "refused", f"{bytes(answer.body).decode()}. What is allowed is told by the API_CORS of this server."
            )
        kept = {name: value for name, value in answer.headers.items() if name not in {"content-length", "content-type"}}
        return Response(status_code=NO_CONTENT, headers=kept)
