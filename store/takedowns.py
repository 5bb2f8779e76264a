"""The take-down list: what is not visited any more, and hidden from everyone who asks the store."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pydantic import Field
from sqlalchemy import Connection, Row, Select, func, insert, select, text, update

from domain.errors import BadInput
from domain.hosts import host_of
from domain.record import Record
from domain.takedown import Covered, covers, hosts_above, read_covered
from domain.visit import Visit
from store import audit_hidden, tables
from store.database import Database
from store.hiding import Hidden, hide_and_show, purge
from store.lookup import one_by_prefix
from store.release_hidden import hidden_in

_takedowns = tables.takedowns


class Takedown(Record):
    """One entry of the list."""

    id: str = Field(description="8 hex digits")
    host: str = Field(description="lower case, ASCII form; with its subdomains where there is no path")
    port: int | None = Field(default=None, description="only that port; null: every one")
    path: str = Field(default="", description="what addresses on the host begin with; empty: all of it")
    covers: str = Field(description="all of that in words", examples=["shop.example with its subdomains, every port"])
    why: str
    by_whom: str
    since: datetime = Field(description="UTC")
    lifted: datetime | None = Field(default=None, description="UTC; null: in force")

    @property
    def entry(self) -> Covered:
        return Covered(self.host, self.port, self.path)

    @property
    def covered(self) -> str:
        """As it is written: shop.example, shop.example:8080, or shop.example/u/jane."""
        return str(self.entry)


Releases = dict[str, int]
"""Frozen releases that hold probes which are hidden or deleted now, by name, and how many of each. What was published is not
called back."""


class Added(NamedTuple):
    """What an entry did, or would do."""

    entry: Takedown
    done: Hidden
    releases: Releases
    new: bool
    """False: it was in force already."""


def add(database: Database, covered: Covered, *, why: str, by_whom: str, dry_run: bool = False, purged: bool = False) -> Added:
    """From now on this is not visited, and what is stored of it is hidden, in one transaction. An entry in force stays.

    purged: deletes what is hidden by this entry instead. dry_run: says what would be done, releases included, and does nothing.
    """
    with database.transaction() as connection:
        _lock(connection)
        same = _in_force().where(
            _takedowns.c.host == covered.host,
            _takedowns.c.port.is_not_distinct_from(covered.port),
            _takedowns.c.path == covered.path,
        )
        row = connection.execute(same).one_or_none()
        new = row is None
        if row is None:
            now = connection.scalar(select(func.clock_timestamp()))
            named = hashlib.sha256(f"{covered}\n{now.isoformat() if now else ''}".encode()).hexdigest()[:8]
            values = {
                "id": named, "host": covered.host, "port": covered.port, "path": covered.path, "why": why, "by_whom": by_whom,
                "since": now,
            }  # fmt: skip
            row = connection.execute(insert(_takedowns).values(values).returning(_takedowns)).one()
        added = _stored(row)
        done = hide_and_show(connection, [added.entry], _entries(connection))
        if purged:
            done = purge(connection, [added.entry])
        audit_hidden.follow(connection)
        releases = _releases(connection)
        if dry_run:
            connection.rollback()
    return Added(added, done, releases, new)


def lift(database: Database, given: str, *, dry_run: bool = False) -> tuple[list[Takedown], Hidden, Releases]:
    """The entry with this id (its first digits are enough), or for this host or URL, counts no more.

    What no other entry covers is shown again. The releases are those that still hold something hidden. Raises NotFound.
    """
    with database.transaction() as connection:
        _lock(connection)
        found = [one for one in _all(connection, _in_force()) if _meant(one, given)]
        if not found:
            in_force = _takedowns.c.lifted.is_(None)
            named = one_by_prefix(connection, _takedowns, given, "take-down", "See: crawler takedown list", shown=in_force)
            found = _all(connection, _in_force().where(_takedowns.c.id == named))
        now = connection.scalar(select(func.clock_timestamp()))
        ids = [one.id for one in found]
        changed = update(_takedowns).where(_takedowns.c.id.in_(ids)).values(lifted=now).returning(_takedowns)
        lifted = [_stored(row) for row in connection.execute(changed)]
        done = hide_and_show(connection, [one.entry for one in lifted], _entries(connection))
        audit_hidden.follow(connection)
        releases = _releases(connection)
        if dry_run:
            connection.rollback()
    return lifted, done, releases


def takedowns(database: Database, *, lifted: bool = False) -> list[Takedown]:
    """Those in force, oldest first; lifted: those that were lifted, too."""
    with database.transaction() as connection:
        return _all(connection, select(_takedowns) if lifted else _in_force())


def taken_down(database: Database, url: str) -> Takedown | None:
    """The entry that covers this address; None: it may be visited."""
    with database.transaction() as connection:
        return covering(connection, [url])


def covering(connection: Connection, urls: list[str]) -> Takedown | None:
    """The oldest entry in force that covers any of these addresses."""
    names = {name for url in urls for name in hosts_above(host_of(url))}
    found = _all(connection, _in_force().where(_takedowns.c.host.in_(names)))
    return next((one for one in found if any(covers(one.entry, url) for url in urls)), None)


def hold_list(connection: Connection) -> None:
    """Until the end of the transaction nobody adds or lifts an entry. Any number may hold it so."""
    connection.execute(text("lock table takedowns in row share mode"))


def addresses_of(visit: Visit) -> list[str]:
    """What a visit is covered by: the address that was asked for, those passed, and the one that answered."""
    answer = visit.response
    return [visit.url, *([*answer.redirects, answer.url] if answer else [])]


def _releases(connection: Connection) -> Releases:
    hidden = hidden_in(connection, connection.scalars(select(tables.releases.c.name).order_by(tables.releases.c.name)).all())
    return {name: sum(found.values()) for name, found in sorted(hidden.items())}


def _lock(connection: Connection) -> None:
    """Whoever saves a visit meanwhile waits, or is waited for: no visit slips between looking and hiding."""
    connection.execute(text("lock table takedowns in exclusive mode"))


def _in_force() -> Select[Any]:
    return select(_takedowns).where(_takedowns.c.lifted.is_(None))


def _entries(connection: Connection) -> list[Covered]:
    return [one.entry for one in _all(connection, _in_force())]


def _all(connection: Connection, question: Select[Any]) -> list[Takedown]:
    return [_stored(row) for row in connection.execute(question.order_by(_takedowns.c.since, _takedowns.c.id))]


def _meant(one: Takedown, given: str) -> bool:
    try:
        return one.entry == read_covered(given)
    except BadInput:
        return False


def _stored(row: Row[Any]) -> Takedown:
    lifted = None if row.lifted is None else row.lifted.astimezone(UTC)
    given = {name: getattr(row, name) for name in ("id", "host", "port", "path", "why", "by_whom")}
    said = Covered(row.host, row.port, row.path).said
    return Takedown(**given, covers=said, since=row.since.astimezone(UTC), lifted=lifted)
