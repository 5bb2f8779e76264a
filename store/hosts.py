"""Hosts, as all workers on one database see them: who visits which now, and which want rest. Clock: the database's.

`at` is for tests: another time than the database's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from domain.hosts import Standing
from store import tables
from store.database import Database

_hosts = tables.hosts
LOST = "the worker that visited it is gone"


@dataclass(frozen=True, slots=True)
class Busy:
    """Why a host cannot be visited now."""

    now: datetime
    until: datetime
    """When it may be asked for again: the end of its rest, or of the claim should its holder be dead."""
    why: str
    """Why it rests. Empty: another visit is under way."""


def claim(database: Database, host: str, holder: str, *, hold: timedelta, at: datetime | None = None) -> Busy | None:
    """The host is this holder's for that long, or until it leaves; or else why not.

    One at a time: of two who ask together one gets it. A holder that holds it already is no exception: it has two visits
    to make. A claim whose time is over is void, so a worker that died blocks nobody for ever.
    """
    with database.transaction() as connection:
        now = _now(connection, at)
        given = {"holder": holder, "held_until": now + hold}
        free = or_(_hosts.c.holder.is_(None), _hosts.c.held_until <= now)
        rested = or_(_hosts.c.not_before.is_(None), _hosts.c.not_before <= now)
        taken = (
            insert(_hosts)
            .values(host=host, **given)
            .on_conflict_do_update(index_elements=["host"], set_=given, where=free & rested)
            .returning(_hosts.c.host)
        )
        if connection.scalar(taken) is not None:
            return None
        row = connection.execute(select(_hosts).where(_hosts.c.host == host)).one()
        if row.not_before is not None and row.not_before > now:
            return Busy(now, row.not_before.astimezone(UTC), row.why)
        return Busy(now, max(row.held_until or now, now).astimezone(UTC), "")


def leave(
    database: Database,
    host: str,
    holder: str,
    after: Callable[[Standing, datetime], Standing],
    *,
    at: datetime | None = None,
) -> Standing:
    """The visit is over: the holder's claim ends, and the host stands as `after`, a pure function, says.

    after: is given how the host stood and the time. Where the claim went to another meanwhile it is left alone, and the rest
    is written all the same: the host was visited.
    """
    with database.transaction() as connection:
        connection.execute(insert(_hosts).values(host=host).on_conflict_do_nothing())
        row = connection.execute(select(_hosts).where(_hosts.c.host == host).with_for_update()).one()
        standing = after(_standing(row), _now(connection, at))
        values: dict[str, Any] = {
            name: getattr(standing, name) for name in ("not_before", "why", "failures", "limited", "delay_s")
        }
        if row.holder == holder:
            values |= {"holder": None, "held_until": None}
        connection.execute(update(_hosts).where(_hosts.c.host == host).values(values))
    return standing


def release(database: Database, host: str, holder: str) -> None:
    """The claim ends and nothing follows from it: the host was not visited."""
    with database.transaction() as connection:
        mine = (_hosts.c.host == host) & (_hosts.c.holder == holder)
        connection.execute(update(_hosts).where(mine).values(holder=None, held_until=None))


def note_delay(database: Database, host: str, holder: str, delay_s: float) -> None:
    """That is what the host's robots.txt asks for between two visits, s. Only its holder may say so."""
    with database.transaction() as connection:
        mine = (_hosts.c.host == host) & (_hosts.c.holder == holder)
        connection.execute(update(_hosts).where(mine, _hosts.c.delay_s != delay_s).values(delay_s=delay_s))


def release_holder(database: Database, holder: str, *, rest: timedelta = timedelta(0), at: datetime | None = None) -> int:
    """All claims of a worker that is dead end; how many.

    rest: how long its hosts are left alone from now on: they were being visited when it died.
    """
    with database.transaction() as connection:
        now = _now(connection, at)
        until = func.greatest(_hosts.c.not_before, now + rest)
        values = {"holder": None, "held_until": None, "not_before": until, "why": LOST}
        freed = update(_hosts).where(_hosts.c.holder == holder).values(values).returning(_hosts.c.host)
        return len(connection.scalars(freed).all())


def _now(connection: Connection, at: datetime | None) -> datetime:
    found: datetime = at or connection.execute(select(func.clock_timestamp())).scalar_one()
    return found.astimezone(UTC)


def _standing(row: Row[Any]) -> Standing:
    until = None if row.not_before is None else row.not_before.astimezone(UTC)
    return Standing(until, row.why, row.failures, row.limited, row.delay_s)
