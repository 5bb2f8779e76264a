"""Every request has an id: the asker's, where it is a sane one. It is in the answer, in a problem, and in the log."""

from __future__ import annotations

import re
from secrets import token_hex

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars, unbind_contextvars

HEADER = b"x-request-id"
_SANE = re.compile(rb"[0-9A-Za-z._:/+=-]{1,100}")


class Identified:
    """Sets scope["state"]["request_id"]."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = next((value for name, value in scope["headers"] if name == HEADER), b"")
        own = given if _SANE.fullmatch(given) else token_hex(16).encode()
        name = own.decode()
        scope.setdefault("state", {})["request_id"] = name

        async def naming(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (HEADER, own)]
            await send(message)

        bind_contextvars(request_id=name)
        try:
            await self.app(scope, receive, naming)
        finally:
            unbind_contextvars("request_id")
