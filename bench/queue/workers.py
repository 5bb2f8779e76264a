"""Worker processes for the measurement: real ones, whose visits do nothing but note when they were made."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from typing import Any

from procrastinate import App, PsycopgConnector
from pydantic import SecretStr
from sqlalchemy import text

from crawler.queue.turn import Turns
from crawler.queue.worker import work
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.turns import Turn
from crawler.visit import Visited
from crawler.waiting import Stop
from domain.visit import Moment, Viewport, Visit
from store.database import Database, open_database
from store.settings import StoreSettings

SPANS = "create table if not exists spans (host text, begun double precision, ended double precision, worker text)"
Span = tuple[str, float, float]


def start(kind: str, number: int, url: str, *more: str) -> list[subprocess.Popen[bytes]]:
    """So many processes of a kind: `ours` or `plain`."""
    command = [sys.executable, "-m", "bench.queue.workers", kind, url, *more]
    return [subprocess.Popen(command) for _ in range(number)]  # noqa: S603 - ours


_at_start: dict[str, float] = {}
"""CPU time at the first visit: what the start of Python took is no cost of a job."""


class Recorder:
    """In the crew's place: notes host, begin and end of each turn. work_s: how long a visit is to last."""

    def __init__(self, work_s: float) -> None:
        self.work_s, self.spans = work_s, list[Span]()

    async def visit(self, site: Site, turn: Turn | None = None) -> Visited:
        assert turn is not None  # noqa: S101 - by the queue
        _at_start.setdefault("cpu_s", time.process_time())
        began = time.time()
        await asyncio.sleep(self.work_s)
        moment = Moment(wall=turn.due, monotonic_ns=0)
        seen = Viewport(width=1280, height=720)
        visit = Visit(
            id=turn.visit_id(site.name), url=site.url, site=site.name, outcome="captured", started=moment, finished=moment,
            viewport=seen, delay_ms=0,
        )  # fmt: skip
        self.spans.append((site.url.split("/")[2], began, time.time()))
        return Visited(visit, (), browser_hurt=False)

    async def make_up(self, _visit_id: str) -> None:
        """Nothing is stored here, so nothing is left to look at."""


async def ours(url: str, concurrency: int, work_s: float) -> list[Span]:
    """The crawler's own worker, until SIGTERM."""
    recorder, stop = Recorder(work_s), Stop()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    with database_at(url) as database:
        settings = CrawlerSettings(concurrency=concurrency)
        await work(Turns(database, settings, recorder, stop), name=f"bench-{id(recorder)}")
    return recorder.spans


async def plain(url: str, work_s: float) -> list[Span]:
    """The library as it comes: its own worker, one job at a time, until SIGTERM."""
    spans: list[Span] = []
    app = plain_app(url, spans, work_s)
    async with app.open_async():
        await app.run_worker_async(concurrency=1)
    return spans


def plain_app(url: str, spans: list[Span], work_s: float) -> App:
    app = App(connector=PsycopgConnector(conninfo=url))

    @app.task(name="visit")
    async def visit(host: str) -> None:
        _at_start.setdefault("cpu_s", time.process_time())
        began = time.time()
        await asyncio.sleep(work_s)
        spans.append((host, began, time.time()))

    return app


def database_at(url: str) -> Database:
    return open_database(StoreSettings(database_url=SecretStr(url)), schema=False)


def main(kind: str, url: str, *more: str) -> None:
    made: Any = ours(url, int(more[0]), float(more[1])) if kind == "ours" else plain(url, float(more[0]))
    spans = asyncio.run(made)
    cpu_s = time.process_time() - _at_start.get("cpu_s", 0)
    with database_at(url) as database, database.transaction() as connection:
        rows = [{"host": host, "begun": begun, "ended": ended, "worker": f"{kind} {cpu_s}"} for host, begun, ended in spans]
        if rows:
            connection.execute(text("insert into spans values (:host, :begun, :ended, :worker)"), rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
