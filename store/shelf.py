"""The lock between those who file visits and whoever removes blobs.

Content is stored once, so a visit may name a blob that an older one brought. Whoever files a visit therefore holds this lock
shared from before its first blob is put until its rows are committed, all in one transaction: should the connection be lost,
so are the rows. Whoever removes holds it alone, and sees every row there is. So no row names a blob that is being removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from sqlalchemy import Connection, text

from domain.divergence import Finding
from domain.visit import Visit
from store.blobs import StoredBlob
from store.captures import save_within
from store.database import Database

# Two numbers that name the lock in the whole database; any would do. ("Parallax", 8: the migration that it came with.)
_LOCK = "(1347572300, 8)"


class Save(Protocol):
    """`save` of store.captures, on an open transaction."""

    def __call__(self, visit: Visit, findings: Mapping[str, Sequence[Finding]], blobs: Sequence[StoredBlob], /) -> bool: ...


@contextmanager
def adding(database: Database) -> Iterator[Connection]:
    """A transaction during which no blob is removed: put the blobs, then write the rows that name them.

    Many may add at once. Raises Unavailable as `transaction` does.
    """
    with database.transaction() as connection:
        connection.execute(text(f"select pg_advisory_xact_lock_shared{_LOCK}"))
        yield connection


@contextmanager
def filing(database: Database) -> Iterator[Save]:
    """While this is open, no blob is removed. Put the blobs, then call what it gives, once; it is committed at the end.

    Many may file at once. Raises Unavailable as `transaction` does.
    """
    with adding(database) as connection:
        yield lambda visit, findings, blobs: save_within(connection, visit, findings, blobs)


@contextmanager
def removing(database: Database) -> Iterator[Connection]:
    """A transaction during which nobody files a visit; keep it short. Waits until those who file are done."""
    with database.transaction() as connection:
        connection.execute(text(f"select pg_advisory_xact_lock{_LOCK}"))
        yield connection
