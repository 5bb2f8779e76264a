"""A slow database holds up who asks it, and nobody else: who waits for the same holds no threads that others need."""

from __future__ import annotations

import asyncio

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from api.app import create_app
from api.settings import ApiSettings
from api.watching import Watched
from store.blobs import Blobs
from store.database import Database
from tests.api.conftest import Keep

LIMIT_S = 60
THREADS = 2
PLAIN = ("/static/page.css", "/metrics", "/openapi.json", "/docs", "/docs/records", "/audit", "/nothing")
"""What nothing needs to be asked for."""


@pytest.fixture(scope="module")
def app(server: Database) -> FastAPI:
    """For the whole file: its document is made once."""
    return create_app(server, Blobs("memory://"), ApiSettings(rate="0", threads=THREADS))


def at_locks(database: Database) -> int:
    """How many connections wait for a table."""
    with database.transaction() as connection:
        return int(connection.execute(text("select count(*) from pg_locks where not granted")).scalar_one())


async def asked(app: FastAPI, database: Database, slow: str, others: tuple[str, ...], lock: str, *, threads: int) -> None:
    """While more ask for `slow` than there are threads, and the table that it needs is locked, the others are answered.

    threads: that wait for the table before anything else is asked.
    """
    app.state.watched = Watched(database)  # nothing is known of the crawl from before
    async with app.router.lifespan_context(app):
        way = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=way, base_url="http://127.0.0.1", timeout=LIMIT_S) as client:
            for path in others:  # what is made once is made
                await client.get(path)
            with database.transaction() as connection:
                connection.execute(text(f"lock table {lock} in access exclusive mode"))
                waiting = [asyncio.create_task(client.get(slow)) for _ in range(3 * THREADS)]
                while await asyncio.to_thread(at_locks, database) < threads:
                    pass  # or what is asked next may be answered before they have begun
                try:
                    async with asyncio.timeout(LIMIT_S):
                        for path in others:
                            assert (await client.get(path)).status_code == (404 if path == "/nothing" else 200), path
                    assert not any(one.done() for one in waiting)
                finally:
                    connection.rollback()
            assert {answer.status_code for answer in await asyncio.gather(*waiting)} == {200}


@pytest.mark.parametrize(
    ("slow", "lock"),
    [
        ("/crawl", "workers"),
        ("/sites/shop/drift", "captures"),
        ("/pages/sites/shop", "captures"),
        ("/pages/probes", "probes"),
    ],
)
def test_who_waits_for_the_same_holds_up_no_others(app: FastAPI, database: Database, keep: Keep, slow: str, lock: str) -> None:
    """However many watch, one thread asks; the rest of the database is there for others."""
    keep(1)
    asyncio.run(asked(app, database, slow, ("/releases", *PLAIN), lock, threads=1))


def test_what_needs_no_database_waits_for_none(app: FastAPI, database: Database, keep: Keep) -> None:
    """Though every thread waits."""
    keep(1)
    asyncio.run(asked(app, database, "/probes?limit=1", PLAIN, "probes", threads=THREADS))
    asyncio.run(asked(app, database, "/captures?limit=1", PLAIN, "captures", threads=THREADS))
