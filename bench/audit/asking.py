"""Annotators who ask and answer, each in a thread with a connection of its own; and the queue that they are compared with."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

from pydantic import SecretStr
from sqlalchemy import text

from domain.audit import Label
from store import annotators, audit_desk
from store.annotators import Annotator
from store.database import Database, open_database
from store.settings import StoreSettings

LABEL = Label(answer="value", value="Pay 10")
MS = 1000.0
Ask = Callable[[], float]
"""Asks for the next item, and answers it untimed. Returns the seconds of the asking."""

# As such queues are written: a row a job, the next that nobody holds, in an order that is stored.
_BARE_TABLE = "create table if not exists bare_queue (audit text, place bigint, item text, done boolean not null default false)"
_BARE_FILL = "insert into bare_queue select audit, (random() * 1e15)::bigint, item from audit_items where audit = :audit"
_BARE_NEXT = "select item from bare_queue where audit = :audit and not done order by place limit 1 for update skip locked"
_BARE_DONE = "update bare_queue set done = true where audit = :audit and item = :item"


def newcomers(database: Database, count: int, prefix: str) -> list[Annotator]:
    """So many people who have never asked for anything."""
    names = [f"{prefix}-{number}" for number in range(count)]
    for name in names:
        annotators.add(database, name, "human")
    return [annotators.find_annotator(database, name) for name in names]


def ours(database: Database, audit: str, annotator: Annotator) -> Ask:
    """`store.audit_desk.next_item`, which the page's request ends in."""

    def ask() -> float:
        began = time.perf_counter()
        item = audit_desk.next_item(database, audit, annotator)
        took = time.perf_counter() - began
        if item is not None:
            audit_desk.submit(database, audit, annotator, item.item, LABEL, 1.0)
        return took

    return ask


def bare(database: Database, audit: str) -> Ask:
    """A queue of one place for each item, over the same connections; who asks is nobody, nothing expires."""

    def ask() -> float:
        began = time.perf_counter()
        with database.transaction() as connection:
            item = connection.scalar(text(_BARE_NEXT), {"audit": audit})
            # What is held until the transaction ends stands for a lease; the rest of it is the answer.
            took = time.perf_counter() - began
            connection.execute(text(_BARE_DONE), {"audit": audit, "item": item})
        return took

    return ask


def fill_bare(database: Database, audit: str) -> None:
    """The items of the audit in the bare queue, with the index that it needs."""
    with database.transaction() as connection:
        connection.execute(text(_BARE_TABLE))
        connection.execute(text("create index if not exists bare_queue_next on bare_queue (audit, place) where not done"))
        connection.execute(text("create index if not exists bare_queue_item on bare_queue (audit, item)"))
        connection.execute(text(_BARE_FILL), {"audit": audit})
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("vacuum analyze bare_queue"))


def timed(askers: list[Ask], times: int) -> tuple[list[float], list[float]]:
    """All at once, so many times each: seconds of everybody's first, and of the later ones."""
    start = Barrier(len(askers))

    def run(ask: Ask) -> list[float]:
        start.wait()
        return [ask() for _ in range(times)]

    with ThreadPoolExecutor(len(askers)) as pool:
        took = list(pool.map(run, askers))
    return [one[0] for one in took], [seconds for one in took for seconds in one[1:]]


def numbers(seconds: list[float]) -> dict[str, float]:
    """ms: median, 99th percentile, the longest."""
    ordered = sorted(seconds)
    return {
        "median ms": MS * statistics.median(ordered),
        "p99 ms": MS * ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))],
        "most ms": MS * ordered[-1],
    }


@contextmanager
def wide(database: Database, connections: int) -> Iterator[Database]:
    """The same server, with as many connections."""
    url: Any = database.engine.url.render_as_string(hide_password=False)
    with open_database(StoreSettings(database_url=SecretStr(url)), schema=False, connections=connections) as many:
        yield many
