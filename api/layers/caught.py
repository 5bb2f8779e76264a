"""Whatever is raised further in is answered as a problem, as long as nothing was sent."""

from __future__ import annotations

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import told


class Caught:
    """Once an answer has begun, what is raised ends the connection: half an answer must not look like a whole one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, noting)
        except Exception as error:
            if begun:
                raise
            await told.answer(Request(scope), error)(scope, receive, send)
