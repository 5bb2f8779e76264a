"""host_claims: a host is one visit's at a time, and is free again whatever becomes of the visit or of the database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from crawler.addresses import private_reason
from crawler.guard import Passage
from crawler.manners import Manners, key_of
from crawler.settings import CrawlerSettings
from crawler.waiting import Stop, keep_trying
from domain.errors import Unavailable
from domain.visit import Visit
from store.database import Database

T = TypeVar("T")


def one_at_a_time(url: str, settings: CrawlerSettings) -> bool:
    """Whether this host's pages are visited one after another whatever it says. One's own are not, unless a floor is set."""
    return settings.floor_ms is not None or private_reason(key_of(url)) is None


@dataclass(slots=True)
class Claim:
    """What is known of the visit when the host is left; None where it came to nothing."""

    visit: Visit | None = None


class Claims:
    """The manners of one process, with the patience to wait for a database that is lost.

    always: one visit a host at a time whosever host it is, as a queue shared by workers wants it. Else one's own hosts, on this
    machine and on private networks, are visited many pages at a time until they ask for something else.
    """

    def __init__(self, settings: CrawlerSettings, database: Database | None, worker: str, stop: Stop, *, always: bool) -> None:
        self._settings, self._database, self._worker, self._stop = settings, database, worker, stop
        self._always = always
        self._asked_for: set[str] = set()
        """Hosts of one's own that have asked for rest themselves."""
        self._manners = Manners(settings, database)

    @contextlib.asynccontextmanager
    async def host_of(self, url: str, passage: Passage) -> AsyncIterator[Claim]:
        """The host is ours inside. Raises what Manners.enter raises: PutOff, Ended; and Unavailable after `stop`."""
        manners, worker, claim = self._manners, self._worker, Claim()
        if not (self._always or one_at_a_time(url, self._settings) or key_of(url) in self._asked_for):
            delay_s = await self._patiently(lambda: manners.may(url, proxy=passage.proxy, why=passage.why), f"leave for {url}")
            if not delay_s:
                yield claim
                if claim.visit is not None and claim.visit.outcome == "rate-limited":
                    self._asked_for.add(key_of(url))
                    await self._leave(claim, url)
                return
            self._asked_for.add(key_of(url))
        await self._patiently(
            lambda: manners.enter(url, proxy=passage.proxy, holder=worker, why=passage.why), f"the host of {url}"
        )
        try:
            yield claim
        finally:
            await self._leave(claim, url)

    async def _leave(self, claim: Claim, url: str) -> None:
        """Also where the visit is cancelled: a host that nobody leaves is closed to all for minutes."""
        manners, worker = self._manners, self._worker
        leaving = self._patiently(lambda: manners.left(claim.visit, url, holder=worker), f"leaving the host of {url}")
        with contextlib.suppress(Unavailable):
            await asyncio.shield(asyncio.ensure_future(leaving))

    async def _patiently(self, what: Callable[[], Awaitable[T]], why: str) -> T:
        if self._database is None:
            return await what()
        return await keep_trying(what, stop=self._stop, why=why, mend=self._database.revive)
