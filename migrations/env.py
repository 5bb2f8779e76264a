"""Runs the migrations in one transaction, one process at a time.

Given a connection by `store.schema`, or from alembic's own command line, which opens the database the settings name.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, text

from store.database import open_database
from store.tables import metadata

# Any number, the same for ever: only processes with the same one wait for each other.
LOCK = 7_025_110_719
WAIT_FOR_OTHERS = "120s"  # another process that migrates
LOCK_TIMEOUT = "10s"  # a table in use: give up rather than make every reader queue behind us
STATEMENT_TIMEOUT = "600s"


def run(connection: Connection) -> None:
    """The lock comes first: the version is read after it, so the second process sees what the first has done."""
    connection.execute(text(f"set local lock_timeout = '{WAIT_FOR_OTHERS}'"))
    connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    connection.execute(text(f"set local lock_timeout = '{LOCK_TIMEOUT}'"))
    connection.execute(text(f"set local statement_timeout = '{STATEMENT_TIMEOUT}'"))
    context.configure(connection=connection, target_metadata=metadata, compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()


if context.is_offline_mode():
    raise NotImplementedError("Migrations read the database as they go, so --sql is not supported.")

given: Connection | None = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with open_database(schema=False) as database, database.transaction() as own:
        run(own)
