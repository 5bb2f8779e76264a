"""Every request that goes through to the application is counted, with the time it took: /metrics tells (api.metrics)."""

from __future__ import annotations

import time
from functools import cache

from prometheus_client import Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.metrics import DURATION, REQUESTS

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER = "other"
"""Stands for what has no route or no known method: whoever asks must not make up new rows."""


class Counted:
    """Counts every request that goes through to the application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 500  # nothing is sent where the application breaks

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noting)
        finally:
            method = scope["method"] if scope["method"] in METHODS else OTHER
            requests, duration = _rows(method, getattr(scope.get("route"), "path", OTHER), status)
            requests.inc()
            duration.observe(time.perf_counter() - began)


@cache
def _rows(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Those of the two metrics. Kept: to find them takes longer than to count."""
    return REQUESTS.labels(method, route, str(status)), DURATION.labels(method, route)
