"""The sites that are visited, as their lists have them: taken over, added, paused and found. Their turns: site_turns.py.

Written in bulk and by plain SQL: a list may have a million sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, text

from domain.takedown import place_of
from store.clean import as_json, clean
from store.database import Database

Origin = Literal["list", "added"]
Json = dict[str, Any]

_CHUNK = 20_000
_MANY = 100
# Any number, the same for ever: the sync of a list and another one wait for each other.
_SYNC_LOCK = 7_025_110_720
ACTIVE = "listed and paused is null"
# Says the same as domain.takedown.covers: a host with its subdomains, or what of one host begins so; of one port, or of all.
NOT_TAKEN_DOWN = """not exists (select from takedowns t where t.lifted is null and t.host = any(sites.above)
and (t.port is null or t.port = sites.port)
and (t.path = '' or (t.host = sites.above[1] and starts_with(sites.path, t.path))))"""
_FIELDS = "name, url, host, above, port, path, record, every, origin, priority"


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
            'create temporary table given (name text collate "C" primary key, url text, host text, above text[], '
            "port integer, path text, record jsonb, every double precision, origin text, priority integer) on commit drop"
        )
    )
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        # One document, not arrays: a hundred thousand strings are ten seconds of quoting to the driver, and half a second so.
        connection.execute(
            text(
                "insert into given select name, url, host, above, port, path, record, every, :origin, priority "
                "from jsonb_to_recordset(cast(:rows as jsonb)) as t (name text, url text, host text, above text[], "
                "port integer, path text, record jsonb, every double precision, priority integer) on conflict (name) do nothing"
            ),
            {"origin": origin, "rows": as_json([_row(row) for row in chunk])},
        )
    connection.execute(text("analyze given"))
    changed = connection.execute(
        text(
            "update sites set url = g.url, host = g.host, above = g.above, port = g.port, path = g.path, "
            "record = g.record, every = g.every, priority = g.priority, listed = true, "
            "origin = case when sites.origin = 'list' then 'list' else g.origin end, "
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
    row = {"every": every} | {field: getattr(site, field) for field in ("name", "url", "host", "record", "priority")}
    if place := place_of(clean(site.url)):
        row |= {"above": place.above, "port": place.port, "path": place.path}
    return row


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


def not_visited(database: Database, names: Sequence[str]) -> dict[str, Literal["gone", "taken down"]]:
    """Those that are not visited although nobody paused them, by name, and why: no longer listed, or taken down."""
    question = (
        f"select name, case when not listed then 'gone' else 'taken down' end as why from sites "  # noqa: S608 - ours
        f"where name = any(:names) and not (listed and {NOT_TAKEN_DOWN}) order by name"
    )
    with database.transaction() as connection:
        return {row.name: row.why for row in connection.execute(text(question), {"names": list(names)})}


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
