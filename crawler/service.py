"""service: a worker that goes on until it is told to stop, and queues what is due meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import structlog

from crawler.crew import Crew
from crawler.filing import Archive
from crawler.lookout import watching
from crawler.manners import key_of
from crawler.progress import Progress, Wish
from crawler.queue.turn import Turns
from crawler.queue.worker import work, worker_name
from crawler.run import interruptible
from crawler.schedule import Clock
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.visit import Visited
from crawler.waiting import Stop
from store import sites as site_store
from store.queue_depth import queue_depth
from store.sites import Listed, Synced

log = structlog.get_logger()

REMEMBERED = 1000
"""Finished visits that stay in memory."""


def listing(site: Site, *, priority: int = 0) -> Listed:
    """A site as the store wants it."""
    return Listed(site.name, site.url, key_of(site.url) or site.name, site.model_dump(mode="json"), site.every, priority)


async def serve(
    settings: CrawlerSettings,
    wish: Wish,
    archive: Callable[[], Archive],
    *,
    sites: Sequence[Site] | None,
    on_visit: Callable[[Visited], None] = lambda _: None,
    on_sync: Callable[[Synced], None] = lambda _: None,
    on_stop: Callable[[], None] = lambda: None,
) -> Progress:
    """Takes turns out of the queue until Ctrl-C or SIGTERM, then finishes those under way. A second one ends it at once.
    on_stop: is called at the first.

    sites: the list to take over first; None: the sites stay those that are stored. Each worker ticks, so what is due is queued
    as long as one lives, whichever.
    Raises Unavailable at the start; Tripped where everything fails.
    """
    stop, progress = Stop(), Progress(0, done=deque(maxlen=REMEMBERED))
    name = worker_name()
    crew = Crew(settings, wish, archive, stop=stop, progress=progress, on_visit=on_visit, worker=name)
    with interruptible(stop, on_stop):
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(crew.close)
            await crew.open()
            assert crew.archive is not None  # noqa: S101 - one was given
            database = crew.archive.database
            await stack.enter_async_context(watching(crew, depth=lambda: queue_depth(database), folders=crew.folders))
            if sites is not None:
                rows = [listing(site) for site in sites]
                synced = await asyncio.to_thread(site_store.sync, database, rows, now=datetime.now(UTC))
                log.info("sites.synced", added=synced.added, changed=synced.changed, gone=synced.gone, total=synced.total)
                on_sync(synced)
            clock = Clock(database, settings)
            clock.open()
            stack.callback(clock.close)
            await work(Turns(database, settings, crew, stop), name=name, dead=crew.swept.workers)
    progress.stopped = True
    return progress
