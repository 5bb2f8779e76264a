"""HEAD wherever there is GET: the same head, no content."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OF_GET_ALONE = (b"range", b"if-range")
"""RFC 9110, 14.2: a range of nothing is not asked for."""


class Headless:
    """Asks for the GET and leaves the content out. `answers.head_only` tells routes that there is nobody to stream to."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def headless(message: Message) -> None:
            if message["type"] == "http.response.body":
                if message.get("more_body", False):
                    return
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        headers = [one for one in scope["headers"] if one[0] not in _OF_GET_ALONE]
        # A copy: the server knows by its own that no content follows.
        inner = {**scope, "method": "GET", "headers": headers, "state": {**scope.get("state", {}), "head_only": True}}
        try:
            await self.app(inner, receive, headless)
        finally:
            if "route" in inner:
                scope["route"] = inner["route"]  # /metrics counts by it
