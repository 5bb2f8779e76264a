"""Copies of robots.txt, one an origin, shared by all workers."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from domain.robots import Copy
from store import tables
from store.database import Database

_robots = tables.robots
_FIELDS = ("state", "why", "asked", "expires", "failures", "text", "good")


def robots_copy(database: Database, origin: str) -> Copy | None:
    """What is known of that origin's robots.txt; null: it was never asked for."""
    with database.transaction() as connection:
        row = connection.execute(select(_robots).where(_robots.c.origin == origin)).one_or_none()
    if row is None:
        return None
    given = {name: getattr(row, name) for name in _FIELDS}
    times = {name: value.astimezone(UTC) for name, value in given.items() if isinstance(value, datetime)}
    return Copy(**(given | times))


def keep_robots(database: Database, origin: str, copy: Copy) -> None:
    """This is what is known now. Of two who asked together, the later one counts."""
    values = {name: getattr(copy, name) for name in _FIELDS}
    statement = insert(_robots).values(origin=origin, **values)
    newer = _robots.c.asked <= statement.excluded.asked
    with database.transaction() as connection:
        connection.execute(statement.on_conflict_do_update(index_elements=["origin"], set_=values, where=newer))
