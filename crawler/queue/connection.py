"""The queue's connections to Postgres: they wait for a server that is away, so that a worker outlives it."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

import structlog
from procrastinate import PsycopgConnector
from procrastinate.connector import Notify
from procrastinate.exceptions import ConnectorException, UniqueViolation

from crawler.waiting import PATIENCE, Stop
from domain.errors import Unavailable
from store.database import Database
from store.turns import conninfo, is_lost, pool

log = structlog.get_logger()
T = TypeVar("T")

# It tells of every connection it cannot make. That the server is away is said here, once.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)

FIRST_S, LONGEST_S = 0.1, 10.0
"""Before the second try, and between two at most."""
_LOCK_INDEX = "procrastinate_jobs_lock_idx_v1"


class Patient(PsycopgConnector):
    """procrastinate's own connector, but a lost server is waited for, and said aloud once.

    A call that was lost may have been done: it is made again, and whoever calls must bear that. Jobs that were fetched so, by
    an answer that never came, are found by the worker itself (worker.py).
    """

    def __init__(self, database: Database, stop: Stop) -> None:
        info, more = conninfo(database)
        super().__init__(
            pool_factory=pool,
            conninfo=info,
            kwargs=more,
            min_size=2,
            max_size=8,
            timeout=10,
            reconnect_timeout=15,
        )
        self._database, self._stop = database, stop
        self._lost: float | None = None
        self._mending = asyncio.Lock()

    async def open_async(self, pool: Any = None) -> None:
        """Raises Unavailable where the server cannot be had now."""
        try:
            await super().open_async(pool)
        except Exception as error:
            if is_lost(error):
                raise Unavailable(f"The queue in the database {self._database.place} cannot be reached.") from error
            raise

    async def execute_query_async(self, query: Any, **arguments: Any) -> None:
        await self._patiently(lambda: PsycopgConnector.execute_query_async(self, query, **arguments))

    async def execute_query_one_async(self, query: Any, **arguments: Any) -> dict[str, Any]:
        return await self._patiently(lambda: PsycopgConnector.execute_query_one_async(self, query, **arguments))

    async def execute_query_all_async(self, query: Any, **arguments: Any) -> list[dict[str, Any]]:
        return await self._patiently(lambda: PsycopgConnector.execute_query_all_async(self, query, **arguments))

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        channels = list(channels)
        await self._patiently(lambda: PsycopgConnector.listen_notify(self, on_notification, channels))

    async def _patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        wait = FIRST_S
        while True:
            try:
                done = await call()
            except UniqueViolation as error:
                # Two workers reached for jobs of one host at one moment: this one was later, and looks again.
                if error.constraint_name != _LOCK_INDEX:
                    raise
            except ConnectorException as error:
                if not is_lost(error):
                    raise
                if self._stop.left_s(PATIENCE.after_stop_s) <= 0:
                    raise
                self._say_lost(error)
                await asyncio.sleep(wait * (0.5 + random.random() / 2))  # noqa: S311 - many workers come back one by one
                wait = min(wait * 2, LONGEST_S)
                await self._mend()
            else:
                self._say_back()
                return done

    def _say_lost(self, error: ConnectorException) -> None:
        if self._lost is None:
            self._lost = time.monotonic()
            log.warning("queue.lost", place=self._database.place, reason=str(error.__cause__ or error).strip())

    def _say_back(self) -> None:
        if self._lost is not None:
            log.info("queue.back", place=self._database.place, seconds=round(time.monotonic() - self._lost, 1))
            self._lost = None

    async def _mend(self) -> None:
        """Starts the embedded server again where it was killed; a server of others is waited for."""
        if self._mending.locked():
            return
        async with self._mending:
            try:
                await asyncio.to_thread(self._database.revive)
            except Unavailable as error:
                log.warning("queue.not_revived", reason=str(error))
