"""What there is to tell of a site: its state, its turns, what came of its visits. Asked for one page of sites at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Row, text

from domain.errors import NotFound
from domain.record import Record
from domain.visit import Try
from store import site_search
from store.clean import clean
from store.database import Database
from store.lookup import utc
from store.site_search import Asked, Sort, State
from store.sites import NOT_TAKEN_DOWN
from store.slices import Slice, cut
from store.turns import TASK

MOST_PROBES = 10_000


class NewestVisit(Record):
    """The newest visit of a site."""

    id: str
    started: datetime = Field(description="UTC")
    outcome: str


class SiteCounts(Record):
    """What came of a site's newest visits."""

    visits: int = Field(ge=0, description="that are counted here: the newest ones")
    complete: bool = Field(description="whether these are all; of a site with more the newest are counted")
    captured: int = Field(ge=0, description="visits that ended with evidence")
    captures: int = Field(ge=0)
    flagged: int = Field(ge=0, description="divergences that the rules flagged")
    review: int = Field(ge=0, description="divergences that the rules could not decide")


class SiteLine(Record):
    """A site as a list shows it."""

    name: str
    url: str | None = Field(description="null: in no list; each visit has its own")
    host: str
    state: State
    paused: datetime | None = Field(description="since when")
    paused_why: str | None
    every_s: float | None = Field(description="seconds from one turn to the next; null: in no list")
    next_due: datetime | None = Field(description="the next turn; null: none, or to be worked out")
    failures: int = Field(ge=0, description="turns in a row without a capture")
    last: NewestVisit | None
    counts: SiteCounts
    probes: int = Field(ge=0, description=f"drawn from its captures; {MOST_PROBES} and more are {MOST_PROBES}")


class Rest(Record):
    """How the host of a site stands: why it rests, or who visits it."""

    until: datetime | None = Field(description="when the next visit may begin; null: whenever")
    why: str = Field(description="why not before")
    failures: int = Field(description="visits in a row that failed by its doing")
    limited: int = Field(description="answers in a row of 429 or 503")
    delay_s: float = Field(description="seconds that its robots.txt asks for between two visits")
    holder: str | None = Field(description="the worker that visits it now")


class Queued(Record):
    """The site's turn in the queue."""

    state: str = Field(description="waiting, later or doing")
    at: datetime | None = Field(description="later: when it begins")
    tries: tuple[Try, ...] = Field(description="tries at this turn so far, which ended in something that may pass")


class SiteRecord(Record):
    """Everything that is known of one site."""

    site: SiteLine
    outcomes: dict[str, int] = Field(description="outcome -> visits of those counted, most frequent first")
    listed: dict[str, Any] | None = Field(description="the site as its list has it: why it is there, how it is looked at")
    origin: str | None = Field(description="'list', or 'added' by hand; null: in no list")
    last_due: datetime | None = Field(description="the turn that was queued last")
    queued: Queued | None = Field(description="null: no turn of it is in the queue")
    rest: Rest | None = Field(description="null: its host was never visited")


_LINES = f"""
select given.name, sites.url, coalesce(sites.host, v.host) as host, sites.name is not null as scheduled, sites.listed,
sites.paused, sites.paused_why, sites.every, sites.next_due, coalesce(sites.failures, 0) as failures,
v.visit_id, v.started, v.outcome, coalesce(v.outcomes, '{{}}') as outcomes, coalesce(v.captures, 0) as captures,
coalesce(v.flagged, 0) as flagged, coalesce(v.review, 0) as review, (select count(*) from (select from probes
where site = given.name collate "default" and hidden is null limit {MOST_PROBES}) as part) as probes
from unnest(cast(:names as text[]) collate "C") as given (name)
left join sites on sites.name = given.name left join visited v on v.site = given.name
"""  # noqa: S608 - ours
_ONE = f"""
select name, record, origin, last_due, host, tries from sites where name = :name and {NOT_TAKEN_DOWN}
"""  # noqa: S608 - ours
_TURN = """
select status, scheduled_at > now() as later, scheduled_at from queue.procrastinate_jobs
where queueing_lock = :name and status in ('todo', 'doing') and task_name = :task order by status limit 1
"""


def lines(database: Database, asked: Asked, sort: Sort, *, after: Sequence[str] | None = None, limit: int) -> Slice[SiteLine]:
    """At most `limit` sites behind that place that match. Raises ValueError where `after` is no place."""
    with database.transaction() as connection:
        found = cut(site_search.names(connection, asked, sort, after=after, limit=limit + 1), limit, lambda one: one[1])
        names = [name for name, _ in found.items]
        told = _lines(connection, names)
    return Slice([told[name][0] for name in names if name in told], found.place)


def site(database: Database, name: str) -> SiteRecord:
    """One site, scheduled or visited. Raises NotFound, also where it is taken down."""
    name = clean(name)
    with database.transaction() as connection:
        row = connection.execute(text(_ONE), {"name": name}).one_or_none()
        line, outcomes = _lines(connection, [name]).get(name, (None, {}))
        if line is None or (row is None and line.state != "visited"):
            raise NotFound(f"No site {name!r}: it is in no list and no visit to it is stored, or it is taken down. See /sites")
        values = {"name": name, "task": TASK, "host": line.host}
        turn = connection.execute(text(_TURN), values).one_or_none()
        rest = connection.execute(text("select * from hosts where host = :host"), values).one_or_none()
    tries = tuple(Try.model_validate(one) for one in row.tries) if row else ()
    return SiteRecord(
        site=line,
        outcomes=outcomes,
        listed=row.record if row else None,
        origin=row.origin if row else None,
        last_due=utc(row.last_due) if row and row.last_due else None,
        queued=turn and _queued(turn, tries),
        rest=rest and _rest(rest),
    )


def _lines(connection: Connection, names: Sequence[str]) -> dict[str, tuple[SiteLine, dict[str, int]]]:
    """By name: the line, and visits by outcome, most frequent first."""
    rows = connection.execute(text(_LINES), {"names": list(names)}) if names else ()
    return {row.name: (_line(row), _by_count(row.outcomes)) for row in rows if row.host is not None}


def _by_count(outcomes: dict[str, int]) -> dict[str, int]:
    return dict(sorted(outcomes.items(), key=lambda one: (-one[1], one[0])))


def _line(row: Row[Any]) -> SiteLine:
    state: State = "visited"
    if row.scheduled:
        state = "gone" if not row.listed else "paused" if row.paused is not None else "listed"
    return SiteLine(
        name=row.name,
        url=row.url,
        host=row.host,
        state=state,
        paused=_moment(row.paused),
        paused_why=row.paused_why,
        every_s=row.every,
        next_due=_moment(row.next_due) if state == "listed" else None,
        failures=row.failures,
        last=row.visit_id and NewestVisit(id=row.visit_id, started=utc(row.started), outcome=row.outcome),
        counts=SiteCounts(
            visits=sum(row.outcomes.values()), complete=True, captured=row.outcomes.get("captured", 0), captures=row.captures,
            flagged=row.flagged, review=row.review,
        ),
        probes=row.probes,
    )  # fmt: skip


def _queued(row: Row[Any], tries: tuple[Try, ...]) -> Queued:
    state = "doing" if row.status == "doing" else "later" if row.later else "waiting"
    return Queued(state=state, at=_moment(row.scheduled_at) if state == "later" else None, tries=tries)


def _rest(row: Row[Any]) -> Rest:
    return Rest(
        until=_moment(row.not_before), why=row.why, failures=row.failures, limited=row.limited, delay_s=row.delay_s,
        holder=row.holder,
    )  # fmt: skip


def _moment(when: datetime | None) -> datetime | None:
    return None if when is None else utc(when)
