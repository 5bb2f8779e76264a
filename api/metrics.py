"""What /metrics tells: requests by route and status, and how long they took.

With several processes prometheus_client keeps their numbers in files of PROMETHEUS_MULTIPROC_DIR, which `api serve` sets
before any of them starts; whoever is asked adds them up.
"""

from __future__ import annotations

import os
import time

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REGISTRY = CollectorRegistry()
REQUESTS = Counter("parallax_api_requests", "Requests answered.", ("method", "route", "status"), registry=REGISTRY)
DURATION = Histogram("parallax_api_request_seconds", "Until the answer was sent.", ("method", "route"), registry=REGISTRY)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER = "other"
"""Stands for what has no route or no known method: whoever asks must not make up new rows."""


class Counted:
    """Counts every request that goes through to the application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), "500"  # nothing is sent where the application breaks

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, noting)
        finally:
            method = scope["method"] if scope["method"] in METHODS else OTHER
            route = getattr(scope.get("route"), "path", OTHER)
            REQUESTS.labels(method, route, status).inc()
            DURATION.labels(method, route).observe(time.perf_counter() - began)


def exposition() -> tuple[bytes, str]:
    """All of it as Prometheus reads it, and its content type."""
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST
