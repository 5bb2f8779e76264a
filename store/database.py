"""One connection to Postgres for the whole program, wherever Postgres is.

`python -m store.database upgrade | url | stop` does by hand what `open_database` does by itself.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import psycopg
import structlog
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from domain.errors import ParallaxError, Unavailable
from store.connections import engine_for
from store.questions import Question
from store.schema import ensure_schema
from store.settings import StoreSettings, parse_database_url, store_settings

if TYPE_CHECKING:
    from store.embedded import Lease

__all__ = ["Database", "embedded_url", "ensure_schema", "main", "open_database"]

CONNECTIONS = 5
_READ_ONLY = "25006"  # SQLSTATE of a server that only follows another one now, or was set so
T = TypeVar("T")


class _Cut(Exception):
    """The connection was lost while something was asked over it."""


@dataclass
class Database:
    """A Postgres to work with. Safe to share between threads; close it at the end, or use it as a context."""

    engine: Engine
    place: str = field(repr=False)
    """Where it is, for messages: never with a password."""
    _lease: Lease | None = field(default=None, repr=False)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """All of the block is done, or none. Raises Unavailable where the server cannot be had or cannot go on."""
        with self._had(self.engine.connect) as connection:
            try:
                with connection.begin():
                    yield connection
            except (OperationalError, InterfaceError) as error:
                what = "was lost" if error.connection_invalidated else "cannot do it"
                raise self._unavailable(what, error) from error
            except InternalError as error:
                if getattr(error.orig, "sqlstate", None) != _READ_ONLY:
                    raise
                # A new connection may lead to the server that is now the one to write to.
                connection.invalidate(error)
                raise self._unavailable("cannot be written", error) from error

    def ask(self, question: Question, given: Mapping[str, Any]) -> list[Any]:
        """The rows, as tuples, in one trip: no transaction is begun or ended. Raises Unavailable as `transaction` does.

        Where the connection is cut meanwhile it is asked once more, over another one: it only reads.
        """
        values = question.given(given)
        try:
            return self._asked(question, values)
        except _Cut:
            try:
                return self._asked(question, values)
            except _Cut as error:
                raise self._unavailable("was lost", error.__cause__) from error.__cause__

    def _asked(self, question: Question, values: Mapping[str, Any]) -> list[Any]:
        with closing(self._had(self.engine.raw_connection)) as connection:
            driver: Any = connection.driver_connection
            try:
                driver.autocommit = True
                rows: list[Any] = driver.execute(question.sql, values, prepare=question.keeps_plan).fetchall()
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                if not driver.closed:
                    raise self._unavailable("cannot do it", error) from error
                connection.invalidate(error)
                raise _Cut from error
            finally:
                if not driver.closed:
                    driver.autocommit = False
            return rows

    def _had(self, connect: Callable[[], T]) -> T:
        try:
            return connect()
        except (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise self._unavailable("cannot be reached", error) from error
        except PoolTimeout as error:
            raise Unavailable(f"The database {self.place} has no connection free; ask again in a while.") from error

    def revive(self) -> None:
        """Does what can be done after Unavailable: the embedded server is started again if it is gone.

        Several processes may do so at once: one starts it, the others find it running. Raises Unavailable where it cannot be
        started. With DATABASE_URL the server is somebody else's to start. Connections need nothing: those that were cut are
        noticed before they are used, and made anew.
        """
        if self._lease is not None:
            self._lease.revive()

    def _unavailable(self, what: str, error: BaseException | None) -> Unavailable:
        """That in one sentence, with the driver's own words; without the password should they hold it."""
        lines = str(getattr(error, "orig", error)).strip().splitlines() or ["no reason was given"]
        said = lines[-1] if "Multiple connection attempts" in lines[0] else lines[0]
        if self.engine.url.password:
            said = said.replace(str(self.engine.url.password), "***")
        return Unavailable(f"The database {self.place} {what}: {said.strip(' -')}")

    def close(self) -> None:
        """Closes the connections; the embedded server stops if nobody else uses it. Closing twice is closing once."""
        self.engine.dispose()
        if self._lease is not None:
            self._lease.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_database(
    settings: StoreSettings | None = None, *, schema: bool = True, keep: bool = False, connections: int = CONNECTIONS
) -> Database:
    """The database the settings name, its tables at the version of this code; the embedded one where they name none.

    schema: False leaves the tables as they are. keep: the embedded server goes on after the last user. connections: so many are
    kept, and as many again are made where they are needed.
    Raises Unavailable, in one sentence, with the remedy.
    """
    settings = settings or store_settings()
    lease = None
    if settings.database_url is None:
        lease = _embedded().lease(settings.data_dir, keep=keep)
        url, place = lease.url, f"in {lease.data_dir}"
    else:
        url = parse_database_url(settings.database_url.get_secret_value())
        place = f"{url.database or url.username or 'postgres'} at {url.host or url.query.get('host') or 'this machine'}"
        place += f":{url.port}" if url.port else ""
    database = Database(engine_for(url, connections), place, lease)
    try:
        if schema:
            ensure_schema(database)
    except BaseException:
        database.close()
        raise
    return database


def embedded_url(settings: StoreSettings) -> str:
    """Starts the embedded server, leaves it running until `stop`, and gives its URL as psql takes it."""
    lease: Lease = _embedded().lease(settings.data_dir, keep=True)
    lease.close()
    return lease.url.set(drivername="postgresql").render_as_string()


def _embedded() -> Any:
    try:
        from store import embedded  # noqa: PLC0415 - it needs POSIX file locks, and is not needed with DATABASE_URL
    except ImportError as error:
        raise Unavailable(f"The embedded Postgres does not run on {sys.platform}: set DATABASE_URL.") from error
    return embedded


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Data goes to stdout, talk to stderr; 0 done, 1 could not, 2 asked wrongly."""
    parser = argparse.ArgumentParser(prog="python -m store.database", description="The store's database by hand.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("upgrade", help="bring the tables to the version of this code; makes them at first")
    commands.add_parser("url", help="print the URL for psql; starts the embedded server and leaves it running")
    commands.add_parser("stop", help="stop the embedded server, if nobody uses it")
    command = parser.parse_args(arguments).command
    try:
        settings = store_settings()
        if command == "upgrade":
            with open_database(settings, schema=False) as database:
                before, after = ensure_schema(database)
            said = f"at {after} already" if before == after else f"brought from {before or 'nothing'} to {after}"
            sys.stderr.write(f"The database {database.place} is {said}.\n")
        elif command == "url":
            given = settings.database_url
            url = parse_database_url(given.get_secret_value()) if given else None
            sys.stdout.write((url.set(drivername="postgresql").render_as_string() if url else embedded_url(settings)) + "\n")
        elif settings.database_url is not None:
            sys.stderr.write("DATABASE_URL is set, and that server is not ours to stop.\n")
        else:
            stopped = _embedded().stop(settings.data_dir)
            sys.stderr.write("Stopped.\n" if stopped else "No server was running.\n")
    except ParallaxError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    sys.exit(main())
