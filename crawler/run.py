"""run: the sites of a list, each visited once, many at a time, none lost."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator, Sequence

from crawler.crew import Crew, Progress, Wish
from crawler.filing import Archive
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.visit import Visited

__all__ = ["Progress", "Wish", "interruptible", "run"]


async def run(
    sites: Sequence[Site],
    settings: CrawlerSettings,
    wish: Wish,
    archive: Callable[[], Archive] | None,
    *,
    on_visit: Callable[[Visited], None] = lambda _: None,
    progress: Progress | None = None,
) -> Progress:
    """Visits every site once. archive opens the store, which is closed at the end; None keeps nothing.

    Ctrl-C (or SIGTERM) ends it after the visits under way: those are kept.
    """
    progress, stop = progress or Progress(len(sites)), asyncio.Event()
    crew = Crew(settings, wish, archive, stop=stop, progress=progress, on_visit=on_visit)
    with interruptible(stop):
        try:
            await crew.open()
            async with asyncio.TaskGroup() as group:
                for site in sites:
                    group.create_task(crew.visit(site))
        finally:
            await crew.close()
    progress.stopped = stop.is_set()
    return progress


@contextlib.contextmanager
def interruptible(stop: asyncio.Event) -> Iterator[None]:
    """The first Ctrl-C sets the event; the second one ends the program as usual."""
    loop = asyncio.get_running_loop()

    def first() -> None:
        stop.set()
        for sign in signs:
            loop.remove_signal_handler(sign)

    signs: list[signal.Signals] = []
    for sign in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(sign, first)
            signs.append(sign)
    try:
        yield
    finally:
        for sign in signs:
            loop.remove_signal_handler(sign)
