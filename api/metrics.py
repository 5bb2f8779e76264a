"""What /metrics tells: requests by route and status, and how long they took.

With several processes prometheus_client keeps their numbers in files of PROMETHEUS_MULTIPROC_DIR, which `api serve` sets
before any of them starts; whoever is asked adds them up.
"""

from __future__ import annotations

import os

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

REGISTRY = CollectorRegistry()
REQUESTS = Counter("parallax_api_requests", "Requests answered.", ("method", "route", "status"), registry=REGISTRY)
DURATION = Histogram("parallax_api_request_seconds", "Until the answer was sent.", ("method", "route"), registry=REGISTRY)


def exposition() -> tuple[bytes, str]:
    """All of it as Prometheus reads it, and its content type."""
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST
