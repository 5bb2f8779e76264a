"""What waits in the queue and who works on it, read with SQL from the queue's own tables (schema `queue`).

Jobs are put and taken by the library (crawler/queue); here is what it has no question for. Its triggers name tables without
a schema, so whatever writes sets the search path first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

import orjson
import psycopg
import psycopg_pool
from sqlalchemy import Connection, text

from store.database import Database

TASK, QUEUE = "visit_site", "visits"
LOWERED = 1_000_000
"""Taken from the priority of a job that waits for a later time, so that it neither blocks its host nor is looked at first."""
_SLOW_WAYS = ("sort", "bitmapscan", "seqscan")
"""The next job is the first one of an index. A planner that has last counted an empty queue would rather read it all and sort:
500 ms instead of 1 for each job, with 2,000 waiting."""
_MANY = 100
# Any number, the same for ever: one tick of the schedule at a time, in all processes.
_TICK_LOCK = 7_025_110_721


_PUT = """
select procrastinate_defer_jobs_v1(array(select row(:queue, :task, priority, host, name,
jsonb_build_object('site', name, 'due', due), null)::procrastinate_job_to_defer_v1
from rows from (jsonb_to_recordset(cast(:rows as jsonb)) as (name text, host text, due text, priority integer))
with ordinality as t (name, host, due, priority, place)
where not exists (select from procrastinate_jobs waiting where waiting.queueing_lock = name and waiting.status = 'todo')
order by place))
"""


@dataclass(frozen=True, slots=True)
class Queued:
    """What is in the queue at one moment, visits only."""

    names: frozenset[str]
    """Sites with a job that waits, rests or is under way."""
    hosts: dict[str, int] = field(default_factory=dict)
    """Jobs by host."""
    waiting: int = 0
    """Jobs that could be begun now, but for their hosts."""


def conninfo(database: Database) -> tuple[str, dict[str, str]]:
    """How the library reaches this database: a URL for libpq (it may hold a password), and more parameters.

    Commits of the queue need not be on the disk at once: should the server crash, at most the last half second of them is
    undone, so a visit is made again under the same id. Order is kept: a mark that is on the disk had its job before it.
    """
    url = database.engine.url.set(drivername="postgresql")
    given = url.query.get("options")
    options = f"{given} " if isinstance(given, str) else ""
    options += "-c search_path=queue -c synchronous_commit=off" + "".join(f" -c enable_{way}=off" for way in _SLOW_WAYS)
    url = url.difference_update_query(["options"])
    return url.render_as_string(hide_password=False), {"options": options, "application_name": "parallax-queue"}


def pool(**given: Any) -> psycopg_pool.AsyncConnectionPool[Any]:
    """The library's pool, with a quarter of its round trips: no transaction around single statements, no question before each.

    A connection that is dead says so when it is used; whoever uses it must then try again.
    """
    return psycopg_pool.AsyncConnectionPool(**(given | {"check": None, "configure": _each_for_itself}))


async def _each_for_itself(connection: psycopg.AsyncConnection[Any]) -> None:
    await connection.set_autocommit(True)


def is_lost(error: BaseException | None) -> bool:
    """Whether the server could not be had, or could not go on: what time may mend. Looks at the causes too."""
    while error is not None:
        if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
            return True
        error = error.__cause__
    return False


def enter(connection: Connection, *, wait: bool = False) -> bool:
    """Holds the tick's lock until the transaction ends; False where another process has it. Sees the queue's tables.

    wait: for that other process, however long.
    """
    if wait:
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _TICK_LOCK})
    held = wait or bool(connection.scalar(text("select pg_try_advisory_xact_lock(:lock)"), {"lock": _TICK_LOCK}))
    if held:
        connection.execute(text("set local search_path = queue, public"))
    return held


class Due(Protocol):
    """A turn to queue."""

    @property
    def name(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def due(self) -> datetime: ...
    @property
    def priority(self) -> int: ...


def put(connection: Connection, visits: Sequence[Due]) -> None:
    """Queues them by the library's own function, in the transaction of whoever writes down that they are. See `enter`.

    A site that waits already is left as it is. As one document: the library's way to hand over many is ten times as slow.
    """
    rows = [{"name": v.name, "host": v.host, "due": v.due.isoformat(), "priority": v.priority} for v in visits]
    connection.execute(text(_PUT), {"rows": orjson.dumps(rows).decode(), "task": TASK, "queue": QUEUE})


def lift(connection: Connection) -> int:
    """Gives jobs whose later time has come their priority back, so that they come before what was queued after them."""
    return connection.execute(
        text(
            "update queue.procrastinate_jobs set priority = priority + :lowered "
            "where status = 'todo' and priority < :half and scheduled_at <= now()"
        ),
        {"lowered": LOWERED, "half": -LOWERED // 2},
    ).rowcount


def count_anew(connection: Connection, put: int) -> None:
    """The planner is told how long the queue has become, where much was put in."""
    if put >= _MANY:
        connection.execute(text("analyze queue.procrastinate_jobs"))


def queued(connection: Connection) -> Queued:
    """What is in the queue now."""
    rows = connection.execute(
        text(
            "select queueing_lock, lock, status = 'todo' and (scheduled_at is null or scheduled_at <= now()) "
            "from queue.procrastinate_jobs where status in ('todo', 'doing') and task_name = :task"
        ),
        {"task": TASK},
    ).all()
    hosts: dict[str, int] = {}
    for _, host, _waits in rows:
        hosts[host] = hosts.get(host, 0) + 1
    return Queued(frozenset(name for name, _, _ in rows), hosts, sum(waits for _, _, waits in rows))


def began(database: Database, name: str, number: int) -> None:
    """A worker of this name beats under this number from now on."""
    with database.transaction() as connection:
        connection.execute(
            text(
                "insert into workers (name, number, begun) values (:name, :number, now()) "
                "on conflict (name) do update set number = excluded.number"
            ),
            {"name": name, "number": number},
        )


def ended(database: Database, name: str) -> None:
    with database.transaction() as connection:
        connection.execute(text("delete from workers where name = :name"), {"name": name})


def server_age_s(database: Database) -> float:
    """Seconds since the database server started: right after that, live workers have had no chance to beat."""
    with database.transaction() as connection:
        return float(connection.scalar(text("select extract(epoch from clock_timestamp() - pg_postmaster_start_time())")) or 0)


def bury(database: Database, *, silent_s: float) -> list[str]:
    """Takes workers that have not beaten for so long off the list; their names."""
    with database.transaction() as connection:
        return list(
            connection.scalars(
                text(
                    "delete from workers where not exists (select from queue.procrastinate_workers beating "
                    "where beating.id = workers.number and beating.last_heartbeat > now() - make_interval(secs => :silent)) "
                    "and begun < now() - make_interval(secs => :silent) returning name"
                ),
                {"silent": silent_s},
            )
        )


def bury_named(database: Database, names: Collection[str]) -> dict[str, int]:
    """Takes workers that are known to be dead off the list: name -> the number they had, of those that were on it."""
    with database.transaction() as connection:
        gone = connection.execute(
            text("delete from workers where name = any(:names) returning name, number"), {"names": sorted(names)}
        )
        return {row.name: row.number for row in gone}
