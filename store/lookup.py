"""Asking: by prefix, and row by row."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, func, select, true

from domain.errors import NotFound
from store.database import Database

# Rows fetched at a time. A visit's record takes tens of kB.
_STREAM_ROWS = 50


def one_by_prefix(
    connection: Connection, table: Table, given: str, noun: str, hint: str, *, shown: ColumnElement[bool] | None = None
) -> str:
    """The id that is `given`, or the only one that begins with it. Raises NotFound with what there is, or `hint`.

    shown: which rows there are for whoever asks; null: all of them.
    """
    shown = true() if shown is None else shown
    if (found := only_beginning(connection, table, given, noun, shown=shown)) is not None:
        return found
    count = connection.scalar(select(func.count()).select_from(table).where(shown)) or 0
    raise NotFound(f"No {noun} {given!r}; there are {count}. {hint}" if count else f"No {noun} {given!r}: there is none yet.")


def only_beginning(connection: Connection, table: Table, given: str, noun: str, *, shown: ColumnElement[bool]) -> str | None:
    """As `one_by_prefix`, but None where no id begins so. Raises NotFound where several do."""
    column, wanted = table.c.id, given.strip().lower()
    if not wanted:
        return None
    # The whole id comes first: it may be the beginning of a longer one.
    question = select(column).where(column.startswith(wanted, autoescape=True), shown).order_by(column).limit(4)
    found = list(connection.scalars(question))
    if wanted in found:
        return wanted
    if len(found) > 1:
        listed = ", ".join(found[:3]) + (", ..." if len(found) > 3 else "")  # noqa: PLR2004 - as many as fit a line
        raise NotFound(f"More than one {noun} begins with {given!r}: {listed}. Give more of it.")
    return str(found[0]) if found else None


def stream(database: Database, question: Select[Any]) -> Generator[Row[Any], None, None]:
    """The rows of one moment, fetched as they are asked for, so that memory stays flat however many there are.

    Holds a connection and a transaction until it is used up or closed.
    """
    with (
        database.transaction() as connection,
        connection.execution_options(yield_per=_STREAM_ROWS).execute(question) as rows,
    ):
        yield from rows


def utc(moment: datetime) -> datetime:
    """The moment in UTC; one without a zone is taken as UTC, whatever this machine's or the server's is."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
