"""What costs the database or the blobs something and is asked for again and again: the crawl now, and a site's drift.

Who waits for either holds no thread: however many watch while the database is slow, one thread asks it, and all other
questions have theirs.
"""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import Depends, Request

from api.kept import Kept
from api.rounds import Rounds
from store.database import Database
from store.progress import Crawl, crawl
from store.site_drift import WindowDrift, window, worked_out

CRAWL_S = 1.0
"""However many watch the crawl, the database is asked once in so many seconds by each process."""
MOST_ELEMENTS = 10_000
"""Live elements kept in memory, of all sites together; one has about 1 kB."""


class Watched:
    """The crawl as it was a moment ago at most. Of one event loop: one thread asks, and all who wait get the same."""

    def __init__(self, database: Database) -> None:
        self._database, self._rounds = database, Rounds[Crawl]()
        self._until = float("-inf")
        self._value: Crawl | None = None

    async def now(self) -> Crawl:
        """Raises Unavailable."""
        return self._known() or await self._rounds.get("crawl", self._asked)

    def _known(self) -> Crawl | None:
        return self._value if time.monotonic() < self._until else None

    def _asked(self) -> Crawl:
        """One at a time. Who came while the last one was asking is content with what that one found."""
        found = self._known()
        if found is None:
            found = self._value = crawl(self._database)
            self._until = time.monotonic() + CRAWL_S
        return found


class Drifts:
    """The drift of the newest visits of sites, kept by what it was worked out of. Of one event loop, as `Watched`."""

    def __init__(self) -> None:
        self._kept: Kept[WindowDrift] = Kept(MOST_ELEMENTS, lambda found: 10 + len(found.elements))
        self._rounds = Rounds[WindowDrift]()

    async def of(self, request: Request) -> WindowDrift:
        """Of the site that the path names; empty where there is none. Raises Unavailable."""
        state, name = request.app.state, request.path_params["name"]

        def found() -> WindowDrift:
            key, known = window(state.database, name)
            return self._kept.get(key, lambda: worked_out(state.database, state.blobs, known))

        return await self._rounds.get(name, found)


async def _crawl(request: Request) -> Crawl:
    state = request.app.state
    if not hasattr(state, "watched"):
        state.watched = Watched(state.database)
    watched: Watched = state.watched
    return await watched.now()


async def _drift(request: Request) -> WindowDrift:
    state = request.app.state
    if not hasattr(state, "drifts"):
        state.drifts = Drifts()
    drifts: Drifts = state.drifts
    return await drifts.of(request)


CrawlNow = Annotated[Crawl, Depends(_crawl)]
Drift = Annotated[WindowDrift, Depends(_drift)]
"""The drift of the newest visits of the site that the path names, worked out where it is not known yet."""
