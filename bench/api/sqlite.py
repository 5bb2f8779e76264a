"""The same rows in SQLite, with the indexes that Datasette's own questions can use."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import text

from store.database import Database
from store.tables import FACETS

AT_ONCE = 5000
COLUMNS = ("id", *FACETS, "url", "element", "first_seen", "last_seen", "gold", "structural", "record")


def copied(database: Database, path: Path, count: int, say: Callable[[str], None]) -> Path:
    """The file, made where it has not so many rows."""
    with sqlite3.connect(path) as there:
        made = there.execute("select count(*) from sqlite_master where name = 'done'").fetchone()[0]
        if made and there.execute("select count(*) from probes").fetchone()[0] == count:
            return path
    path.unlink()
    names = ", ".join(FACETS)
    question = text(
        f"select id, {names}, url, element, first_seen::text, last_seen::text, record ->> 'gold', record ->> 'structural', "  # noqa: S608
        "record::text from probes"
    )
    with sqlite3.connect(path) as target, database.transaction() as connection:
        target.execute("pragma journal_mode = off")
        target.execute(f"create table probes ({', '.join(COLUMNS)}, primary key (id))")
        rows = connection.execution_options(yield_per=AT_ONCE).execute(question)
        for part in rows.partitions():
            target.executemany(f"insert into probes values ({', '.join('?' * len(COLUMNS))})", map(tuple, part))  # noqa: S608
        say("copied to SQLite")
        for name in (*FACETS, "first_seen"):
            target.execute(f"create index by_{name} on probes ({name}, first_seen)" if name != "first_seen" else
                           "create index by_first_seen on probes (first_seen)")  # fmt: skip
        # Counts of each facet under a filter by family: read from an index alone.
        for name in FACETS[1:]:
            target.execute(f"create index family_{name} on probes (family, {name})")
        target.execute("analyze")
        target.execute("create table done (x)")
        say("indexed in SQLite")
    return path
