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
SHOWN = ("Accept-Ranges", "Content-Disposition", "Content-Range", "ETag", "Link", "RateLimit", "Retry-After", "X-Request-ID")
NO_CONTENT = 204


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
