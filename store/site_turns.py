"""The turns of sites: what is due, what was begun, how it ended. See docs/schedule.md.

Written in bulk and by plain SQL. The functions that take a connection are steps of a caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text

from store.clean import as_json
from store.database import Database
from store.sites import ACTIVE, NOT_TAKEN_DOWN

Json = dict[str, Any]

NOT_RESTING = "not exists (select from hosts where hosts.host = sites.host and hosts.not_before > now())"
_STATE = "name, host, every, priority, added, next_due, last_due"
_WIDE = 4
_ORDER = "order by priority desc, next_due, name"
_DUE = f"select {_STATE} from sites where {ACTIVE} and next_due <= :now and {NOT_TAKEN_DOWN} and {NOT_RESTING}"  # noqa: S608 - ours
_CANDIDATES = f"""
select {_STATE} from (select *, row_number() over (partition by host {_ORDER}) as place
from ({_DUE} {_ORDER} limit :wide) as due) as placed where place <= :a_host {_ORDER} limit :limit
"""  # noqa: S608 - ours
_BEGIN = f"""
update sites set last_begun = :now, last_due = :due, tries = case when last_due = :due then tries else '[]' end
where name = :name and {ACTIVE} and {NOT_TAKEN_DOWN} and (last_due is null or last_due <= :due)
returning record, tries, (select outcome from visits where id = :visit)
"""  # noqa: S608 - ours


@dataclass(frozen=True, slots=True)
class State:
    """What decides whether a site is due. Times are of any zone."""

    name: str
    host: str
    every: timedelta
    priority: int
    added: datetime
    next_due: datetime | None
    last_due: datetime | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A site's turn of the slot `due` is queued (None: it is not due), and its next slot is `following`."""

    name: str
    due: datetime | None
    following: datetime


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn that may begin. stored: the outcome of its visit, where that is in the store already."""

    record: Json
    tries: list[Json]
    stored: str | None


def candidates(connection: Connection, *, now: datetime, a_host: int, limit: int) -> list[State]:
    """Sites whose next slot has come; not those that are paused, gone or taken down, nor those whose host wants rest.

    At most `a_host` of a host and `limit` in all, by priority and then by how long they have been due.
    """
    # The first few times as many as are wanted, for there may be many of one host; all of them only where these do not do.
    for wide in (_WIDE * limit, None):
        values = {"now": now, "a_host": a_host, "limit": limit, "wide": wide}
        found = _states(connection, _CANDIDATES, values)
        if len(found) == limit or wide is None:
            break
        if not connection.scalar(text(f"select true from ({_DUE}) as due offset :wide limit 1"), values):  # noqa: S608 - ours
            break
    return found


def state_of(connection: Connection, name: str) -> State | None:
    """The site's own, whatever its state; None where there is no such site."""
    found = _states(connection, f"select {_STATE} from sites where name = :name", {"name": name})  # noqa: S608 - ours
    return found[0] if found else None


def unplanned(connection: Connection) -> list[State]:
    """Sites whose next slot is to be worked out."""
    return _states(connection, f"select {_STATE} from sites where next_due is null and {ACTIVE}", {})  # noqa: S608 - ours


def _states(connection: Connection, question: str, values: Json) -> list[State]:
    rows = connection.execute(text(question), values).all()
    return [State(name, host, timedelta(seconds=every), *rest) for name, host, every, *rest in rows]


def mark(connection: Connection, marks: Sequence[Mark]) -> None:
    """Writes down which turns are queued. A new turn has no tries yet."""
    connection.execute(
        text(
            "update sites set last_due = coalesce(m.due, last_due), next_due = m.following, "
            "tries = case when m.due is null then tries else '[]' end "
            "from unnest(cast(:name as text[]), cast(:due as timestamptz[]), cast(:following as timestamptz[])) "
            "as m (name, due, following) where sites.name = m.name"
        ),
        {
            "name": [mark.name for mark in marks],
            "due": [mark.due for mark in marks],
            "following": [mark.following for mark in marks],
        },
    )


def begin(database: Database, name: str, due: datetime, visit_id: str, *, now: datetime) -> Begun | None:
    """The turn begins, or goes on with another try; None where it should not: paused, gone, or a newer turn is queued."""
    with database.transaction() as connection:
        values = {"now": now, "due": due, "name": name, "visit": visit_id}
        row = connection.execute(text(_BEGIN), values).one_or_none()
    return None if row is None else Begun(row[0], row[1], row[2])


def tried(database: Database, name: str, due: datetime, ended: Json) -> None:
    """Notes a try that ended in what may pass. Noting the same one twice is noting it once."""
    with database.transaction() as connection:
        connection.execute(
            text(
                "update sites set tries = tries || cast(:ended as jsonb) "
                "where name = :name and last_due = :due and not tries @> cast(:ended as jsonb)"
            ),
            {"name": name, "due": due, "ended": as_json([ended])},
        )


def end(database: Database, name: str, due: datetime, outcome: str, visit_id: str, *, now: datetime) -> None:
    """The turn is over. Saying so twice is saying it once. That it was taken down meanwhile is no failure."""
    with database.transaction() as connection:
        connection.execute(
            text(
                "update sites set last_finished = :now, last_outcome = :outcome, last_visit = :visit, tries = '[]', "
                "failures = case :outcome when 'captured' then 0 when 'taken-down' then failures else failures + 1 end "
                "where name = :name and last_due = :due and last_visit is distinct from :visit"
            ),
            {"now": now, "outcome": outcome, "visit": visit_id, "name": name, "due": due},
        )
