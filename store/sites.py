"""The sites that are visited and the state of their turns: what is due, what was begun, how it ended. See docs/schedule.md.

Written in bulk and by plain SQL: a list may have a million sites. The functions that take a connection are steps of a
caller's transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

import orjson
from sqlalchemy import Connection, Row, text

from store.clean import clean, clean_json
from store.database import Database

Origin = Literal["list", "added"]
Json = dict[str, Any]

_CHUNK = 20_000
_MANY = 100
# Any number, the same for ever: the sync of a list and another one wait for each other.
_SYNC_LOCK = 7_025_110_720
ACTIVE = "listed and paused is null"
# Entries with a port or a path are looked at when the visit begins.
_NOT_TAKEN_DOWN = """not exists (select from takedowns t where t.lifted is null and t.port is null and t.path = ''
and (sites.host = t.host or right(sites.host, length(t.host) + 1) = '.' || t.host))"""
NOT_RESTING = "not exists (select from hosts where hosts.host = sites.host and hosts.not_before > now())"
_STATE = "name, host, every, priority, added, next_due, last_due"
_FIELDS = "name, url, host, record, every, origin, priority"
_WIDE = 4
_ORDER = "order by priority desc, next_due, name"
_DUE = f"select {_STATE} from sites where {ACTIVE} and next_due <= :now and {_NOT_TAKEN_DOWN} and {NOT_RESTING}"  # noqa: S608 - ours
_CANDIDATES = f"""
select {_STATE} from (select *, row_number() over (partition by host {_ORDER}) as place
from ({_DUE} {_ORDER} limit :wide) as due) as placed where place <= :a_host {_ORDER} limit :limit
"""  # noqa: S608 - ours
_BEGIN = f"""
update sites set last_begun = :now, last_due = :due, tries = case when last_due = :due then tries else '[]' end
where name = :name and {ACTIVE} and {_NOT_TAKEN_DOWN} and (last_due is null or last_due <= :due)
returning record, tries, (select outcome from visits where id = :visit)
"""  # noqa: S608 - ours


@dataclass(frozen=True, slots=True)
class Listed:
    """A site as its list has it. host: visited by one at a time. record: what the crawler wants to have back, as JSON."""

    name: str
    url: str
    host: str
    record: Json
    every: timedelta
    priority: int = 0


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


@dataclass(frozen=True, slots=True)
class Synced:
    """What taking over a list has changed, in sites."""

    added: int
    changed: int
    gone: int
    total: int


def sync(database: Database, given: Iterable[Listed], *, now: datetime) -> Synced:
    """Takes over a list: its sites are visited from now on, and those of earlier lists that it lacks no more.

    What is gone keeps its rows and its history. Sites of `crawler add` stay as they are, unless the list has them too.
    """
    rows = list(given)
    with database.transaction() as connection:
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _SYNC_LOCK})
        added, changed = _put(connection, rows, "list", now)
        gone = connection.execute(
            text(
                "update sites set listed = false where origin = 'list' and listed "
                "and not exists (select from given where given.name = sites.name)"
            )
        ).rowcount
        if added + changed + gone > _MANY:
            # Or a tick would sort all that are due for the first few of them: 280 ms instead of 40, of 100,000.
            connection.execute(text("analyze sites"))
    return Synced(added, changed, gone, len(rows))


def add(database: Database, site: Listed, *, now: datetime) -> bool:
    """Puts one site beside those of the list; whether it was new. One of the list stays the list's."""
    with database.transaction() as connection:
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _SYNC_LOCK})
        added, _ = _put(connection, [site], "added", now)
    return added == 1


def _put(connection: Connection, rows: Sequence[Listed], origin: Origin, now: datetime) -> tuple[int, int]:
    """How many were added, and how many differ from before. A changed interval has its next slot worked out anew."""
    connection.execute(
        text(
            'create temporary table given (name text collate "C" primary key, url text, host text, record jsonb, '
            "every double precision, origin text, priority integer) on commit drop"
        )
    )
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        # One document, not arrays: a hundred thousand strings are ten seconds of quoting to the driver, and half a second so.
        connection.execute(
            text(
                "insert into given select name, url, host, record, every, :origin, priority from jsonb_to_recordset("
                "cast(:rows as jsonb)) as t (name text, url text, host text, record jsonb, every double precision, "
                "priority integer) on conflict (name) do nothing"
            ),
            {"origin": origin, "rows": _dumps([_row(row) for row in chunk])},
        )
    connection.execute(text("analyze given"))
    changed = connection.execute(
        text(
            "update sites set url = g.url, host = g.host, record = g.record, every = g.every, priority = g.priority, "
            "listed = true, origin = case when sites.origin = 'list' then 'list' else g.origin end, "
            "next_due = case when sites.every = g.every and sites.listed then sites.next_due end "
            "from given g where g.name = sites.name and (not sites.listed "
            "or (sites.url, sites.record, sites.every, sites.priority) is distinct from (g.url, g.record, g.every, g.priority) "
            "or (sites.origin <> 'list' and g.origin = 'list'))"
        )
    ).rowcount
    added = connection.execute(
        text(
            f"insert into sites ({_FIELDS}, added, listed, next_due, failures, tries) "  # noqa: S608 - ours
            f"select {_FIELDS}, :now, true, :now, 0, '[]' from given on conflict (name) do nothing"
        ),
        {"now": now},
    ).rowcount
    return added, changed


def _row(site: Listed) -> Json:
    every = site.every.total_seconds()
    return {"every": every} | {field: getattr(site, field) for field in ("name", "url", "host", "record", "priority")}


def _dumps(rows: Any) -> str:
    """As JSON that Postgres can hold. Seldom is anything to be cleaned, so it is looked for in the text first."""
    try:
        written = orjson.dumps(rows)
    except TypeError:  # half a surrogate pair
        return orjson.dumps(clean_json(rows)).decode()
    return (orjson.dumps(clean_json(rows)) if b"\\u0000" in written else written).decode()


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
            {"name": name, "due": due, "ended": _dumps([ended])},
        )


def end(database: Database, name: str, due: datetime, outcome: str, visit_id: str, *, now: datetime) -> None:
    """The turn is over. Saying so twice is saying it once."""
    with database.transaction() as connection:
        connection.execute(
            text(
                "update sites set last_finished = :now, last_outcome = :outcome, last_visit = :visit, tries = '[]', "
                "failures = case when :outcome = 'captured' then 0 else failures + 1 end "
                "where name = :name and last_due = :due and last_visit is distinct from :visit"
            ),
            {"now": now, "outcome": outcome, "visit": visit_id, "name": name, "due": due},
        )


def pause(database: Database, names: Sequence[str], why: str, *, now: datetime) -> int:
    """These sites are not visited until `resume`; how many of them were not paused before."""
    with database.transaction() as connection:
        return connection.execute(
            text("update sites set paused = :now, paused_why = :why where name = any(:names) and paused is null"),
            {"now": now, "why": clean(why), "names": list(names)},
        ).rowcount


def resume(database: Database, names: Sequence[str]) -> int:
    """They are visited again, and at once where a slot has passed meanwhile; how many of them were paused."""
    with database.transaction() as connection:
        return connection.execute(
            text("update sites set paused = null, paused_why = null where name = any(:names) and paused is not null"),
            {"names": list(names)},
        ).rowcount


def find(database: Database, given: str) -> list[Row[Any]]:
    """The site of that name; else those of that host or with that URL. Rows of (name, url, host, paused, paused_why)."""
    fields = "select name, url, host, paused, paused_why from sites where"
    with database.transaction() as connection:
        for condition in ("name = :given", "host = lower(:given) and listed", "url in (:given, :given || '/')"):
            found = connection.execute(text(f"{fields} {condition} order by name"), {"given": clean(given.strip())}).all()
            if found:
                return list(found)
    return []


def names(database: Database) -> list[str]:
    """All of them, by name."""
    with database.transaction() as connection:
        return list(connection.scalars(text("select name from sites order by name")))
