"""manners: may a visit begin now, and what rest follows from it. Shared by all workers on one database; docs/conduct.md."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import structlog

from crawler.addresses import literal_address, plain_host, private_reason
from crawler.arrive import Ended
from crawler.guestbook import Guestbook, InMemory, InStore
from crawler.robots import Rules, origin_of, rules_of, token_of
from crawler.robots_fetch import Asking, Why, fetch
from crawler.settings import LATEST_READING_S, CrawlerSettings
from crawler.turns import PutOff
from domain.hosts import FAILING, USUAL_PORTS, Ending, Standing, ending_of, host_of, rested
from domain.robots import Copy, known_after
from domain.visit import Visit
from store.database import Database

MARGIN = timedelta(minutes=2)
"""What a claim lasts beyond the longest visit: storing it, and looking at its pixels."""
SHORTLY = timedelta(seconds=2)
"""When to ask again for a host that another visit holds."""

log = structlog.get_logger()


class Manners:
    """How a good guest behaves. One for a process; safe with any number of others, in other processes and machines too.

    database: None keeps everything in memory, for dry runs. clock: for tests; without it the database's clock counts for
    hosts, and this machine's for robots.txt.
    """

    def __init__(
        self,
        settings: CrawlerSettings,
        database: Database | None,
        *,
        clock: Callable[[], datetime] | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.settings = settings
        self._book: Guestbook = InMemory(clock) if database is None else InStore(database, clock)
        self._now = clock or partial(datetime.now, UTC)
        self._chance = chance
        # The longest visit, opened twice (a picture that was another page's), each with the longest delay there is.
        longest = timedelta(milliseconds=settings.visit_timeout_ms, seconds=LATEST_READING_S)
        self._hold = 2 * longest + MARGIN

    async def enter(self, url: str, *, proxy: str | None = None, holder: str, why: Why | None = None) -> None:
        """Returns when the visit may begin: then the host is this holder's until `left`, for all workers.

        proxy, why: the guard's (Passage.proxy, Passage.why). Without a guard, see first that the address is not private.
        Raises PutOff where the host wants rest, another visit to it is under way, or its robots.txt cannot be had; Ended
        ("taken-down", "refused-robots") where it is not to be visited, and Ended with a connection's outcome ("dns-failed",
        "connection-refused", ...) where its host cannot be reached. Raises Unavailable with the database.
        """
        host = await self._guest_of(url)
        if not host:
            return
        busy = await asyncio.to_thread(self._book.claim, host, holder, self._hold)
        if busy is not None and busy.why:
            raise PutOff(busy.until, f"{host} wants rest: {busy.why}")
        if busy is not None:
            soon = busy.now + SHORTLY * (1 + self._chance())
            raise PutOff(min(soon, max(busy.until, busy.now)), f"another visit to {host} is under way")
        try:
            await self._obey(url, host, holder, proxy, why)
        except Ended as ended:
            if ended.outcome in FAILING:
                await self._leave(host, holder, Ending(ended.outcome))
            else:
                await asyncio.to_thread(self._book.release, host, holder)
            raise
        except BaseException:
            await asyncio.shield(asyncio.to_thread(self._book.release, host, holder))
            raise

    async def may(self, url: str, *, proxy: str | None = None, why: Why | None = None) -> float:
        """As `enter`, for a host of one's own: only take-downs and robots.txt are asked; nobody else has to wait for it.

        Returns the seconds between two visits that its robots.txt asks for: where there are any, `enter` it all the same.
        """
        rules = await self._rules(url, proxy, why) if await self._guest_of(url) else None
        return rules.delay_s if rules is not None else 0

    async def left(self, visit: Visit | None, url: str, *, holder: str) -> None:
        """The visit is over: the host is free again, and rests as long as its answer, its robots.txt and the floor ask for.

        visit: None where it came to nothing; the floor counts all the same. Raises Unavailable with the database.
        """
        host = key_of(url)
        if not host:
            return
        await self._leave(host, holder, ending_of(visit))
        answered = key_of(visit.response.url) if visit is not None and visit.response is not None else host
        if answered and answered != host:
            # It led to another host, which was visited just as well.
            await self._leave(answered, holder, Ending())

    async def release_holder(self, holder: str) -> int:
        """Frees the hosts of a worker that is dead; how many. They rest for the floor, since nobody knows when it left them."""
        return await asyncio.to_thread(self._book.release_holder, holder, timedelta(seconds=self.settings.floor_s(public=True)))

    async def _guest_of(self, url: str) -> str:
        """The host whose guest a visit would be; empty for an address that has none, of which the visit says what is wrong.

        Raises Ended where it is taken down.
        """
        if entry := await asyncio.to_thread(self._book.taken_down, url):
            raise Ended("taken-down", f"{entry.covered} is taken down since {entry.since:%Y-%m-%d}: {entry.why}")
        return key_of(url) if url.partition(":")[0].lower() in USUAL_PORTS else ""

    async def _leave(self, host: str, holder: str, ending: Ending) -> None:
        settings, chance = self.settings, self._chance()

        def after(before: Standing, now: datetime) -> Standing:
            return rested(
                before,
                ending,
                ended=now,
                floor_s=settings.floor_s(public=private_reason(host) is None),
                breaker=settings.host_breaker,
                chance=chance,
            )

        standing = await asyncio.to_thread(self._book.leave, host, holder, after)
        if standing.limited or (settings.host_breaker and standing.failures >= settings.host_breaker):
            log.warning("host.rested", host=host, until=standing.not_before, why=standing.why)

    async def _obey(self, url: str, host: str, holder: str, proxy: str | None, why: Why | None) -> None:
        """Raises where robots.txt refuses the address, or is not to be had; notes how long it wants us to wait."""
        rules = await self._rules(url, proxy, why)
        if rules is not None:
            await asyncio.to_thread(self._book.note_delay, host, holder, rules.delay_s)

    async def _rules(self, url: str, proxy: str | None, why: Why | None) -> Rules | None:
        """What robots.txt says; None where it is not asked. Raises as above."""
        if self.settings.robots == "ignore":
            return None
        known = await self._known(origin_of(url), proxy, why)
        text = known.rules(self._now())
        if text is None:
            raise PutOff(known.expires, f"{known.why}; without a robots.txt nothing is visited")
        rules = await asyncio.to_thread(rules_of, text, token_of(self.settings))
        if not rules.allows(url):
            raise Ended("refused-robots", f"robots.txt of {key_of(url)} does not want {rules.token} at this address")
        return rules

    async def _known(self, origin: str, proxy: str | None, why: Why | None) -> Copy:
        """The copy that is kept, or a fresh one where its time is over."""
        before = await asyncio.to_thread(self._book.robots, origin)
        if before is not None and self._now() < before.expires:
            return before
        limit_s = self.settings.navigation_timeout_ms / 1000
        answer = await fetch(origin, Asking(self.settings.agent, limit_s, proxy, why))
        known = known_after(before, answer, self._now())
        await asyncio.to_thread(self._book.keep_robots, origin, known)
        return known


def key_of(url: str) -> str:
    """The host of a URL as all workers call it: 127.1 is 127.0.0.1. Empty where it has none."""
    host = host_of(url)
    try:
        literal = literal_address(host) if host else None
    except ValueError:
        return host
    return str(literal) if literal is not None else plain_host(host) if host else ""


def anonymous(settings: CrawlerSettings, urls: list[str]) -> str | None:
    """What to say once, before public sites are visited by a crawler that does not say whose it is; None: nothing.

    urls: those that are about to be visited.
    """
    public = next((host for url in urls if (host := key_of(url)) and private_reason(host) is None), None)
    if settings.contact or public is None:
        return None
    return (
        f"Nobody can tell whose crawler this is: CRAWLER_CONTACT is empty, and {public} is a public site. "
        "Set it to a URL or an e-mail address, so that whoever runs a site can reach you (docs/conduct.md)."
    )
