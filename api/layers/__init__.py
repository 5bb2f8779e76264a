"""What every request goes through, whatever it asks for: ASGI layers around the application, the outermost first.

One layer: one file here and one line in `_layered`. It is asked for requests over HTTP alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable

from fastapi import FastAPI
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from api.layers.bodies import Bodies
from api.layers.caught import Caught
from api.layers.cors import METHODS, SENT, SHOWN, Shared
from api.layers.counted import Counted
from api.layers.direct import Direct
from api.layers.dressed import Dressed
from api.layers.headless import Headless
from api.layers.identified import Identified
from api.layers.named import Named, names_of
from api.layers.rated import Rated
from api.layers.texts import Texts
from api.settings import ApiSettings


class Layers:
    """All layers as one. They have to do with requests over HTTP alone: all else, the server's start and stop, goes by them."""

    def __init__(self, app: ASGIApp, settings: ApiSettings, routes: Iterable[BaseRoute]) -> None:
        self.app = app
        self.http = _layered(Direct(app, routes), settings)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """What ASGI calls."""
        return (self.http if scope["type"] == "http" else self.app)(scope, receive, send)


def around(app: FastAPI, settings: ApiSettings, routes: Iterable[BaseRoute]) -> None:
    """Puts the layers on. routes: of all routers."""
    app.add_middleware(Layers, settings=settings, routes=tuple(routes))


def _layered(app: ASGIApp, settings: ApiSettings) -> ASGIApp:
    """The layers, the innermost first. Everything within `Caught` may raise: it is answered as a problem, with all headers."""
    app = Headless(app)
    app = Bodies(app, most=settings.max_body, wait_s=settings.body_s)
    app = Texts(app)
    if settings.rate:
        app = Rated(app, rate=settings.rate)
    if (names := names_of(settings.host, settings.known_hosts)) is not None:
        app = Named(app, names=names)
    app = Caught(app)
    if settings.cors:
        app = Shared(app, allow_origins=settings.origins, allow_methods=METHODS, allow_headers=SENT, expose_headers=SHOWN)
    app = Dressed(app, private=settings.reads == "token")
    app = Identified(app)
    return Counted(app)
