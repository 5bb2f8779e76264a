"""Routes that need nothing of FastAPI to be answered are found and called here, before it looks for them.

FastAPI asks its routers twice which of them has a route, and each layer and stack of its own stands between that and a handler:
together half of what the event loop does for a request (docs/performance.md). What is documented, taken and refused stays the
same: a route tells by itself what it takes (api/reading.py), and what is raised is answered by `Caught`.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

from api.reading import Read


class Direct:
    """routes: of all routers, in their order; of these those that can be called so."""

    def __init__(self, app: ASGIApp, routes: Iterable[BaseRoute]) -> None:
        self.app = app
        self.routes = tuple(one for one in routes if isinstance(one, Read) and one.reading)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        for route in self.routes:
            match, found = route.matches(scope)
            if match is Match.FULL:
                scope.update(found)
                await route.read(scope, receive, send)
                return
        await self.app(scope, receive, send)
