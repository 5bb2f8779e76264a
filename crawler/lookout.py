"""lookout: what watches one worker: its metrics, its health, its breaker and the line in the log. All of it in one hand."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

from crawler.breaker import Breaker, alarm
from crawler.canonical import tell
from crawler.health import Health
from crawler.health_check import mind
from crawler.metrics import Metrics
from crawler.metrics_live import Kept, Sources
from crawler.pool import BrowserPool, Lanes
from crawler.serving import serve
from crawler.settings import CrawlerSettings
from crawler.visit import Visited
from domain.errors import Tripped
from domain.visit import Visit


class Lookout:
    """Is told of every visit, and serves what it knows.

    depth: visits by state, as store.queue_depth; it is asked at most every 15 s, from other threads. None: there is no queue,
    and so nothing is ever due. folders: what must not fill up, by a short name.
    """

    def __init__(
        self,
        settings: CrawlerSettings,
        *,
        worker: str = "",
        depth: Callable[[], Mapping[str, int]] | None = None,
        folders: Mapping[str, Path] | None = None,
    ) -> None:
        self._settings, self._folders = settings, folders or {}
        self._depth = Kept(depth) if depth is not None else None
        self.metrics = Metrics()
        self.health = Health(settings, worker=worker, due=self._due)
        self.breaker = Breaker(settings.breaker)

    def _due(self) -> int | None:
        if self._depth is None:
            return 0
        depth = self._depth()
        return None if depth is None else depth.get("due", 0) + depth.get("waiting", 0)

    def visited(self, visited: Visited) -> Tripped | None:
        """A visit is finished and stored. Gives an error to end the crawler with, where this one trips the breaker."""
        self.metrics.visited(visited)
        self.health.finished(visited.visit)
        tell(visited)
        return alarm(self.breaker, visited.visit)

    def tried(self, visit: Visit) -> Tripped | None:
        """A try ended in what may pass; nothing was stored. The same as above: a broken browser shows in tries first."""
        self.metrics.retried(visit.outcome)
        self.health.moved()
        return alarm(self.breaker, visit)

    def put_off(self, reason: str) -> None:
        """A turn has to wait; nothing was opened."""
        self.metrics.put_off(reason)
        self.health.moved()

    @contextlib.asynccontextmanager
    async def watching(self, pool: BrowserPool, lanes: Lanes, stop: asyncio.Event) -> AsyncIterator[str | None]:
        """Serves /metrics and /health, and loads a page of its own now and then, while the block lasts.

        Gives the base URL; None, and none of this, where CRAWLER_METRICS_PORT is 0. Once a Lookout.
        Raises Unavailable where the port cannot be opened.
        """
        depth = self._depth
        self.metrics.watch(
            Sources(
                lanes=lambda: lanes.pages,
                started=lambda: pool.started,
                ended=lambda: {str(reason): number for reason, number in pool.ended.items()},
                queue=(lambda: depth() or {}) if depth is not None else dict,
                breaker=self.breaker,
                folders=self._folders,
            )
        )
        with serve(self._settings, self.metrics, self.health) as url:
            if url is None:
                yield None
                return
            minding = asyncio.create_task(mind(self.health, pool, stop))
            try:
                yield url
            finally:
                minding.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await minding
