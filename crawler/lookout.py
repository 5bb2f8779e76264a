"""lookout: serves what a worker knows of itself, and loads a page of its own now and then, for as long as it works."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Protocol

from crawler.breaker import Breaker
from crawler.health import Health
from crawler.health_check import mind
from crawler.metrics import Metrics
from crawler.metrics_live import Kept, Sources
from crawler.pool import BrowserPool, Lanes
from crawler.serving import serve
from crawler.settings import CrawlerSettings
from crawler.waiting import Stop, ended


class Watched(Protocol):
    """What there is to see of a worker: crawler.crew.Crew."""

    settings: CrawlerSettings
    metrics: Metrics
    health: Health
    breaker: Breaker
    pool: BrowserPool
    lanes: Lanes
    stop: Stop


@contextlib.asynccontextmanager
async def watching(
    worker: Watched, *, depth: Callable[[], Mapping[str, int]] | None = None, folders: Mapping[str, Path] | None = None
) -> AsyncIterator[str | None]:
    """Serves /metrics and /health while the block lasts, and minds the health. Once a worker.

    depth: visits by state, as store.queue_depth; asked at most every 15 s, from other threads. None: there is no queue, so
    nothing is ever due. folders: what must not fill up, by a short name. Gives the base URL; None, and nothing of all this,
    where CRAWLER_METRICS_PORT is 0. Raises Unavailable where the port cannot be opened.
    """
    pool, lanes = worker.pool, worker.lanes
    queue = Kept(depth) if depth is not None else None
    if queue is not None:
        worker.health.due = lambda: _due(queue())
    worker.metrics.watch(
        Sources(
            lanes=lambda: lanes.pages,
            started=lambda: pool.started,
            ended=lambda: {str(reason): number for reason, number in pool.ended.items()},
            queue=(lambda: queue() or {}) if queue is not None else dict,
            breaker=worker.breaker,
            folders=folders or {},
        )
    )
    with serve(worker.settings, worker.metrics, worker.health) as url:
        if url is None:
            yield None
            return
        minding = asyncio.create_task(mind(worker.health, pool, worker.stop))
        try:
            yield url
        finally:
            await ended(minding)


def _due(depth: Mapping[str, int] | None) -> int | None:
    return None if depth is None else depth.get("due", 0) + depth.get("waiting", 0)
