"""The crawler at one moment: what is due, what waits, who works, and why a host rests. For `crawler status` and for the API."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from pydantic import Field
from sqlalchemy import Connection, text

from domain.record import Record
from store.database import Database
from store.lookup import utc
from store.sites import ACTIVE, NOT_TAKEN_DOWN
from store.turns import TASK

R = TypeVar("R", bound=Record)


class Worker(Record):
    """A worker as the queue knows it."""

    name: str
    begun: datetime
    beat: datetime | None = Field(description="when it last said that it lives; null: the queue no longer knows it")
    beat_s: float | None = Field(description="seconds since then")
    doing: int = Field(description="visits")


class HostLine(Record):
    """What there is of one host: turns in the queue, and sites."""

    host: str
    waiting: int = Field(description="turns that may begin, one after the other")
    resting: int = Field(description="turns put off to a later time")
    doing: int
    failing: int = Field(description="active sites whose last turn ended without a capture")
    until: datetime | None = Field(
        default=None, description="when its rest is over, or else when the first turn that was put off is tried again"
    )
    why: str = Field(default="", description="why not before; empty: nothing holds it back")


class Status(Record):
    """The crawler at one moment, in sites and in turns."""

    at: datetime
    sites: int
    active: int
    paused: int
    due: int
    """Sites whose turn has come and is not queued yet."""
    taken_down: int
    """Sites that a take-down covers, listed and not paused: none of these is due, failing or next."""
    waiting: int
    resting: int
    """Turns put off to a later time: their host wants rest, or a try failed in what may pass."""
    doing: int
    failing: int
    """Active sites whose last turn ended without a capture."""
    done_hour: int
    captured_hour: int
    done_day: int
    captured_day: int
    next_due: datetime | None
    hosts: tuple[HostLine, ...]
    workers: tuple[Worker, ...]


_SEEN = f"{ACTIVE} and not down"
_COUNTS = f"""
select now() as at, count(*) as sites, count(*) filter (where {ACTIVE}) as active,
count(*) filter (where {ACTIVE} and down) as taken_down, count(*) filter (where paused is not null)
as paused, count(*) filter (where {_SEEN} and next_due <= now() and not exists (select from queue.procrastinate_jobs j
where j.queueing_lock = sites.name and j.status in ('todo', 'doing'))) as due,
count(*) filter (where {_SEEN} and failures > 0) as failing,
min(next_due) filter (where {_SEEN} and next_due > now()) as next_due
from (select *, not {NOT_TAKEN_DOWN} as down from sites) as sites
"""  # noqa: S608 - ours
_JOBS = """
select count(*) filter (where status = 'todo' and (scheduled_at is null or scheduled_at <= now())) as waiting,
count(*) filter (where status = 'todo' and scheduled_at > now()) as resting, count(*) filter (where status = 'doing') as doing
"""
_QUEUE = " from queue.procrastinate_jobs where task_name = :task and status in ('todo', 'doing')"
_DONE = """
select count(*) filter (where finished > now() - interval '1 hour') as done_hour,
count(*) filter (where finished > now() - interval '1 hour' and outcome = 'captured') as captured_hour, count(*) as done_day,
count(*) filter (where outcome = 'captured') as captured_day from visits where started > now() - interval '1 day'
"""
_LATER = "status = 'todo' and scheduled_at > now()"
_HOSTS = f"""
with jobs as ({_JOBS}, lock as host, min(scheduled_at) filter (where {_LATER}) as again,
(array_agg(queueing_lock order by scheduled_at) filter (where {_LATER}))[1] as put_off
{_QUEUE} group by lock),
bad as (select host, count(*) as failing from sites where {ACTIVE} and failures > 0 and {NOT_TAKEN_DOWN} group by host),
busiest as (select host, coalesce(waiting, 0) as waiting, coalesce(resting, 0) as resting, coalesce(doing, 0) as doing,
coalesce(failing, 0) as failing, again, put_off from jobs full join bad using (host)
order by doing desc, waiting desc, failing desc, host limit :hosts)
select busiest.host, waiting, resting, doing, failing, case when not_before > now() then not_before else again end as until,
case when not_before > now() then why when again is not null then
coalesce('tried again after ' || (sites.tries -> -1 ->> 'outcome')
|| coalesce(': ' || nullif(sites.tries -> -1 ->> 'reason', ''), ''), 'put off') else '' end as why
from busiest left join hosts on hosts.host = busiest.host left join sites on sites.name = put_off
order by doing desc, waiting desc, failing desc, busiest.host
"""  # noqa: S608 - ours
_WORKERS = """
select name, begun, beating.last_heartbeat as beat, extract(epoch from now() - beating.last_heartbeat) as beat_s,
(select count(*) from queue.procrastinate_jobs j where j.worker_id = workers.number and j.status = 'doing') as doing
from workers left join queue.procrastinate_workers beating on beating.id = workers.number order by name
"""


def status(database: Database, *, hosts: int = 15) -> Status:
    """The crawler now, with the busiest hosts."""
    with database.transaction() as connection:
        task = {"task": TASK}
        counts = connection.execute(text(_COUNTS)).one()._asdict()
        jobs = connection.execute(text(f"{_JOBS}{_QUEUE}"), task).one()._asdict()
        done = connection.execute(text(_DONE)).one()._asdict()
        lines = _records(connection, _HOSTS, task | {"hosts": hosts}, HostLine)
        workers = _records(connection, _WORKERS, {}, Worker)
    moments = {key: utc(counts[key]) for key in ("at", "next_due") if counts[key] is not None}
    return Status(**(counts | moments | jobs | done), hosts=tuple(lines), workers=tuple(workers))


def _records(connection: Connection, question: str, values: dict[str, object], kind: type[R]) -> list[R]:
    """The rows of a question as records, times in UTC."""
    rows = connection.execute(text(question), values)
    return [
        kind.model_validate({name: utc(v) if isinstance(v, datetime) else v for name, v in row._mapping.items()})
        for row in rows
    ]
