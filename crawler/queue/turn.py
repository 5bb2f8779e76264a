"""One turn of a site, as a worker does it: begin, visit, and say how it ended; or when to try again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

import structlog
from pydantic import ValidationError

from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.turns import MayPass, PutOff, Turn, again_in
from crawler.visit import Visited
from crawler.waiting import Stop, keep
from domain.errors import Tripped, Unavailable
from domain.visit import Outcome, Try
from store import site_turns
from store.database import Database
from store.site_turns import Begun

log = structlog.get_logger()
T = TypeVar("T")

WITHOUT_MEANS = timedelta(minutes=1)
"""How long a turn waits when this machine lacks what a visit needs."""


class Later(Exception):
    """Not an error: the job is to be done again at that time."""

    def __init__(self, until: datetime, why: str) -> None:
        super().__init__(why)
        self.until = until


class Visiting(Protocol):
    """What makes the visits: crawler.crew.Crew."""

    async def visit(self, site: Site, turn: Turn | None = None) -> Visited | None:
        """Stored and checked. Raises PutOff, MayPass, Tripped, Unavailable; None where it was told to stop before."""
        ...

    async def make_up(self, visit_id: str) -> None:
        """Checks what is stored and was not checked."""
        ...


@dataclass
class Turns:
    """What the turns of one worker have in common."""

    database: Database
    settings: CrawlerSettings
    crew: Visiting
    stop: Stop
    chance: random.Random = field(default_factory=random.Random)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    tripped: Tripped | None = None
    """Why the worker has to end, where the crew has had enough."""

    async def take(self, name: str, due: datetime) -> None:
        """Does one turn. Raises Later where there is to be another try; any other error is a bug, and its tries are used up."""
        visit_id = Turn(due).visit_id(name)
        begun = await self._keep(
            lambda: site_turns.begin(self.database, name, due, visit_id, now=self.now()), f"turn of {name}"
        )
        if begun is None:
            log.info(
                "turn.dropped", site=name, due=due, why="paused, no longer listed, taken down, or overtaken by a newer turn"
            )
            return
        if begun.stored is not None:
            # Its worker was killed between storing it and saying so, or was only taken for dead.
            await self.crew.make_up(visit_id)
            await self._end(name, due, begun.stored, visit_id)
            return
        try:
            site = Site.model_validate(begun.record)
        except ValidationError:
            log.exception("turn.unreadable", site=name)
            await self._end(name, due, "failed", visit_id)
            return
        await self._end(name, due, await self._visited(site, due, begun), visit_id)

    async def _visited(self, site: Site, due: datetime, begun: Begun) -> Outcome:
        """How the visit ended. Raises Later."""
        tries = tuple(Try.model_validate(ended) for ended in begun.tries)
        # A try that was stopped from outside says nothing of the site.
        last = sum(ended.outcome != "interrupted" for ended in tries) + 1 >= self.settings.tries
        started = self.now()
        try:
            visited = await self.crew.visit(site, Turn(due, tries, last))
        except PutOff as error:
            raise Later(error.until, error.reason) from error
        except MayPass as error:
            await self._try_again(site, due, (*tries, error.ended))
        except Tripped as error:
            self.tripped = self.tripped or error
            self.stop.set()
            raise Later(self.now(), str(error)) from error
        except Unavailable as error:
            log.warning("turn.waited", site=site.name, reason=str(error))
            raise Later(self.now() + WITHOUT_MEANS, str(error)) from error
        except Exception as error:
            if last:
                await self._end(site.name, due, "failed", Turn(due).visit_id(site.name))
                raise
            log.exception("turn.failed", site=site.name)
            await self._try_again(site, due, (*tries, Try(started=started, outcome="failed", reason=repr(error)[:500])))
        if visited is None:
            raise Later(self.now(), "told to stop")
        return visited.visit.outcome

    async def _try_again(self, site: Site, due: datetime, tries: tuple[Try, ...]) -> None:
        """Notes the last of these tries. Always raises Later."""
        ended = tries[-1]
        record = ended.model_dump(mode="json")
        await self._keep(lambda: site_turns.tried(self.database, site.name, due, record), f"try at {site.name}")
        until = self.now() + again_in(ended.outcome, len(tries), self.chance)
        log.info("turn.retried", site=site.name, due=due, outcome=ended.outcome, reason=ended.reason, until=until)
        raise Later(until, f"{ended.outcome}: {ended.reason}")

    async def _end(self, name: str, due: datetime, outcome: str, visit_id: str) -> None:
        await self._keep(
            lambda: site_turns.end(self.database, name, due, outcome, visit_id, now=self.now()), f"end of the turn of {name}"
        )

    async def _keep(self, what: Callable[[], T], why: str) -> T:
        return await keep(what, stop=self.stop, why=why, mend=self.database.revive)
