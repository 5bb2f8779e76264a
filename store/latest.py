"""How fresh the store is."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import func, select

from store import tables
from store.database import Database

RECENT = 200
"""The visit that ended last is among so many that began last: more than are ever under way at once on one machine."""

_visits = tables.visits


def last_finished(database: Database) -> datetime | None:
    """When the last visit was finished, UTC; None where there is none. Quick however many visits there are."""
    recent = select(_visits.c.finished).order_by(_visits.c.started.desc(), _visits.c.id.desc()).limit(RECENT).subquery()
    with database.transaction() as connection:
        last: datetime | None = connection.scalar(select(func.max(recent.c.finished)))
    return None if last is None else last.astimezone(UTC)
