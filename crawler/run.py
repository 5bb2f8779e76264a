"""run: the sites of a list, each visited once, many at a time, none lost."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from crawler.crew import Crew
from crawler.filing import Archive
from crawler.host_claims import one_at_a_time
from crawler.manners import key_of
from crawler.progress import Progress, Wish
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.turns import PutOff
from crawler.visit import Visited
from crawler.waiting import Stop
from domain.errors import Tripped

__all__ = ["Progress", "Wish", "interruptible", "run"]

ONE_SIGNAL_S = 1.0
PATIENCE = timedelta(minutes=2)
"""How long a visit of a single run waits for its host; a crawl-delay is shorter, a host that asks us to stay away is not."""


async def run(
    sites: Sequence[Site],
    settings: CrawlerSettings,
    wish: Wish,
    archive: Callable[[], Archive] | None,
    *,
    on_visit: Callable[[Visited], None] = lambda _: None,
    on_stop: Callable[[], None] = lambda: None,
    progress: Progress | None = None,
) -> Progress:
    """Visits every site once. archive opens the store, which is closed at the end; None keeps nothing.

    Ctrl-C (or SIGTERM) ends it after the visits under way: those are kept. on_stop: is called at the first one.
    Raises Tripped, after the visits under way, where many hosts in a row fail by our own doing.
    """
    progress, stop = progress or Progress(len(sites)), Stop()
    crew = Crew(settings, wish, archive, stop=stop, progress=progress, on_visit=on_visit)
    # Only one of a host's visits asks whether it may begin: the others would ask in vain.
    hosts: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
    tripped: list[Tripped] = []

    async def one(site: Site) -> None:
        try:
            await _once(crew, site, hosts[key_of(site.url)] if one_at_a_time(site.url, settings) else contextlib.nullcontext())
        except Tripped as error:
            tripped.append(error)

    with interruptible(stop, on_stop):
        try:
            await crew.open()
            async with asyncio.TaskGroup() as group:
                for site in sites:
                    group.create_task(one(site))
        finally:
            await crew.close()
    progress.stopped = stop.is_set()
    if tripped:
        raise tripped[0]
    return progress


async def _once(crew: Crew, site: Site, turn: contextlib.AbstractAsyncContextManager[None]) -> None:
    """One visit, when its host may be visited; an outcome where that is too long from now."""
    async with turn:
        while not crew.stop.is_set():
            try:
                await crew.visit(site)
            except PutOff as error:
                wait = error.until - datetime.now(UTC)
                if wait > PATIENCE:
                    await crew.give_up(site, error)
                    return
                crew.progress.waiting[site.name] = error.until
                await crew.stop.rest(max(0.0, wait.total_seconds()))
                crew.progress.waiting.pop(site.name, None)
            else:
                return


@contextlib.contextmanager
def interruptible(stop: Stop, on_stop: Callable[[], None] = lambda: None) -> Iterator[None]:
    """The first Ctrl-C sets the event and is acknowledged; the second one ends the program as usual.

    What comes within a second is one: some send a signal to a process and to its group as well.
    """
    loop = asyncio.get_running_loop()

    def first() -> None:
        if not stop.is_set():
            stop.set()
            on_stop()
            loop.call_later(ONE_SIGNAL_S, leave)

    def leave() -> None:
        for sign in signs:
            loop.remove_signal_handler(sign)
        signs.clear()

    signs: list[signal.Signals] = []
    for sign in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(sign, first)
            signs.append(sign)
    try:
        yield
    finally:
        leave()
