"""The crawl at one moment, for whoever watches it: the queue, who works, which hosts rest and why, what came in lately.

No time of asking is in it: while nothing happens it stays the same, so that whoever has it need not be sent it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Row, text

from domain.record import Record
from store.database import Database
from store.lookup import utc
from store.status import HostLine, status

MINUTES = 60
NEWEST = 20
"""Visits and resting hosts that are told."""
SHOWN_HOSTS = 30
MOST_RESTING = 10_000


class WorkerLine(Record):
    """A worker as the queue knows it."""

    name: str
    begun: datetime
    beat: datetime | None = Field(description="when it last said that it lives; null: the queue no longer knows it")
    doing: int = Field(description="visits")


class Queue(Record):
    """How much there is to do, in sites and in turns."""

    sites: int = Field(description="scheduled ones; 0: nothing is scheduled")
    active: int = Field(description="of the list, and not paused")
    paused: int
    due: int = Field(description="sites whose turn has come and is not queued yet")
    waiting: int = Field(description="turns that may begin as soon as worker and host are free")
    resting: int = Field(description="turns put off to a later time")
    doing: int
    failing: int = Field(description="active sites whose last turn ended without a capture")
    next_due: datetime | None = Field(description="the next turn that is not due yet")


class RestingHost(Record):
    """A host that no visit begins at for now."""

    host: str
    until: datetime
    why: str
    failures: int = Field(description="visits in a row that failed by its doing")


class Minute(Record):
    """The visits that finished within one minute."""

    begin: datetime = Field(description="UTC, a whole minute")
    visits: int
    captured: int
    outcomes: dict[str, int] = Field(description="outcome -> visits, most frequent first")
    received_bytes: int = Field(description="over the wire, as far as it was counted")


class Lately(Record):
    """The newest visits, in short."""

    id: str
    site: str
    host: str
    outcome: str
    reason: str
    started: datetime
    finished: datetime
    captures: int
    flagged: int = Field(description="divergences that the rules flagged")


class Crawl(Record):
    """Everything that the dashboard shows."""

    queue: Queue
    workers: tuple[WorkerLine, ...]
    hosts: tuple[HostLine, ...] = Field(description=f"the busiest, at most {SHOWN_HOSTS}")
    resting: tuple[RestingHost, ...] = Field(description=f"hosts that rest, those free first, at most {NEWEST}")
    resting_hosts: int = Field(description=f"all that rest; {MOST_RESTING} and more are {MOST_RESTING}")
    minutes: tuple[Minute, ...] = Field(description=f"the last {MINUTES}, oldest first, the one under way included")
    hour: dict[str, int] = Field(description="outcome -> visits that finished in these minutes, most frequent first")
    received_bytes: int = Field(description="over the wire, in these minutes")
    day: dict[str, int] = Field(description="outcome -> visits that began in the last 24 hours, most frequent first")
    newest: tuple[Lately, ...] = Field(description="the visits that began last, newest first")


# No visit takes an hour: its time limit is minutes.
_MINUTES = """
select date_trunc('minute', finished, 'UTC') as begin, outcome, count(*) as visits,
coalesce(sum((record -> 'traffic' ->> 'received_bytes')::bigint), 0) as received
from visits where started > :begin - interval '1 hour' and finished >= :begin and hidden is null group by 1, 2
"""
_DAY = """
select outcome, count(*) as visits from visits where started > now() - interval '1 day' and hidden is null group by outcome
"""
_RESTING = """
select host, not_before as until, why, failures from hosts where not_before > now()
and not exists (select from takedowns t where t.lifted is null and t.path = '' and t.port is null
and (hosts.host = t.host or right(hosts.host, length(t.host) + 1) = '.' || t.host))
"""
_NEWEST = """
select id, site, host, outcome, reason, started, finished,
(select count(*) from captures c where c.visit_id = visits.id) as captures,
(select count(*) from divergences d where d.visit_id = visits.id and d.verdict = 'flagged') as flagged
from visits where hidden is null order by started desc, id desc limit :newest
"""


def crawl(database: Database) -> Crawl:
    """The crawl now. Works where nothing is scheduled too: then there are visits and nothing else."""
    now = status(database, hosts=SHOWN_HOSTS)
    with database.transaction() as connection:
        minutes = _minutes(connection, now.at)
        day = _by_frequency((row.outcome, row.visits) for row in connection.execute(text(_DAY)))
        resting = connection.execute(text(f"{_RESTING} order by not_before limit {NEWEST}")).all()
        many = f"select count(*) from ({_RESTING} limit {MOST_RESTING}) as part"  # noqa: S608 - ours
        resting_hosts = connection.scalar(text(many)) or 0
        newest = connection.execute(text(_NEWEST), {"newest": NEWEST}).all()
    return Crawl(
        queue=Queue.model_validate({name: getattr(now, name) for name in Queue.model_fields}),
        workers=tuple(WorkerLine(name=w.name, begun=w.begun, beat=w.beat, doing=w.doing) for w in now.workers),
        hosts=now.hosts,
        resting=tuple(RestingHost.model_validate(_plain(row)) for row in resting),
        resting_hosts=resting_hosts,
        minutes=minutes,
        hour=_by_frequency((outcome, count) for minute in minutes for outcome, count in minute.outcomes.items()),
        received_bytes=sum(minute.received_bytes for minute in minutes),
        day=day,
        newest=tuple(Lately.model_validate(_plain(row)) for row in newest),
    )


def _minutes(connection: Connection, now: datetime) -> tuple[Minute, ...]:
    """All minutes up to now, those without a visit too."""
    last = now.astimezone(UTC).replace(second=0, microsecond=0)
    begins = [last - timedelta(minutes=n) for n in reversed(range(MINUTES))]
    found: dict[datetime, list[Row[Any]]] = {begin: [] for begin in begins}
    for row in connection.execute(text(_MINUTES), {"begin": begins[0]}):
        found.setdefault(utc(row.begin), []).append(row)  # a clock that is ahead makes a minute to come: not told
    told = []
    for begin in begins:
        outcomes = _by_frequency((row.outcome, row.visits) for row in found[begin])
        told.append(
            Minute(
                begin=begin,
                visits=sum(outcomes.values()),
                captured=outcomes.get("captured", 0),
                outcomes=outcomes,
                received_bytes=sum(int(row.received) for row in found[begin]),
            )
        )
    return tuple(told)


def _by_frequency(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, count in counts:
        found[name] = found.get(name, 0) + count
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _plain(row: Row[Any]) -> dict[str, Any]:
    return {name: utc(value) if isinstance(value, datetime) else value for name, value in row._mapping.items()}
