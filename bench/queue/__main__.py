"""Schedule and queue, measured: a tick over many sites; jobs a second over several workers, beside the library as it comes."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
from procrastinate.schema import SchemaManager
from sqlalchemy import text

from bench.machine import describe
from bench.queue.workers import SPANS, database_at, plain_app, start
from crawler.schedule import due, tick
from store import site_turns, sites
from store.database import Database, open_database
from store.settings import StoreSettings
from store.sites import Listed

HOUR = timedelta(hours=1)
OVERLAPS = """
select count(*) from (select begun, lag(ended) over (partition by host order by begun) as before from spans) as s
where begun < before
"""


def timed(what: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    found = what()
    return time.perf_counter() - began, found


def listed(count: int, hosts: int) -> list[Listed]:
    """A list of that many sites over so many hosts, with records as long as real ones."""

    def one(n: int) -> Listed:
        name, host = f"site-{n}", f"host-{n % hosts}.example"
        url = f"https://{host}/page/{n}"
        record = {"name": name, "url": url, "why": "a site of the measurement of the queue", "topic": "other", "every": "PT1H"}
        return Listed(name, url, host, record, HOUR)

    return [one(n) for n in range(count)]


def schedule(database: Database, count: int, hosts: int) -> dict[str, Any]:
    """Seconds for taking over a list, for `due` alone and for whole ticks."""
    given, added = listed(count, hosts), datetime.now(UTC)
    sync_s, _ = timed(lambda: sites.sync(database, given, now=added))
    again_s, _ = timed(lambda: sites.sync(database, given, now=added))
    with database.transaction() as connection:
        load_s, states = timed(lambda: site_turns.candidates(connection, now=added, a_host=count, limit=count))
    pure_s, visits = timed(lambda: due(states, added, room=2000))
    first_s, queued = timed(lambda: tick(database, backlog=2000, now=added))
    assert (len(states), len(visits), queued) == (count, 2000, 2000)  # noqa: S101 - else it measures something else
    full_s = [timed(lambda: tick(database, backlog=2000, now=added))[0] for _ in range(3)]
    empty(database)
    later = added - timedelta(seconds=1)
    quiet_s = [timed(lambda: tick(database, backlog=2000, now=later))[0] for _ in range(5)]
    busy_s = []
    for _ in range(5):
        seconds, queued = timed(lambda: tick(database, backlog=2000, now=added))
        assert queued == 2000  # noqa: S101, PLR2004 - as above
        busy_s.append(seconds)
        empty(database)
    return {
        "sites": count, "hosts": hosts, "sync_s": sync_s, "sync_again_s": again_s, "load_all_s": load_s, "due_all_s": pure_s,
        "first_tick_s": first_s, "tick_queue_full_s": statistics.median(full_s),
        "tick_nothing_due_s": statistics.median(quiet_s), "tick_2000_of_all_due_s": statistics.median(busy_s),
    }  # fmt: skip


def empty(database: Database) -> None:
    with database.transaction() as connection:
        connection.execute(
            text("truncate queue.procrastinate_jobs, queue.procrastinate_events, queue.procrastinate_periodic_defers")
        )


def dispatch(database: Database, url: str, *, workers: int, concurrency: int, seconds: float, work_s: float) -> dict[str, Any]:
    """Jobs a second through the crawler's own workers, with the schedule filling the queue beside them."""
    with database.transaction() as connection:
        connection.execute(text(SPANS))
        connection.execute(text("truncate spans"))
        connection.execute(text("update sites set last_due = null, next_due = added, last_finished = null, last_visit = null"))
    empty(database)
    now = datetime.now(UTC)
    tick(database, backlog=2000, now=now)
    processes = start("ours", workers, url, str(concurrency), str(work_s))
    while _count(database, "select count(*) from workers") < workers:
        time.sleep(0.1)
    began, slowest, server_s = time.monotonic(), 0.0, server_cpu_s()
    while time.monotonic() - began < seconds:
        took, _ = timed(lambda: tick(database, backlog=2000, now=now))
        slowest = max(slowest, took)
        time.sleep(max(0.0, 1 - took))
    server_s = server_cpu_s() - server_s
    stop(processes)
    return measured(database, "spans", server_s) | {"workers": workers, "concurrency": concurrency, "slowest_tick_s": slowest}


def baseline(database: Database, *, workers: int, jobs: int, hosts: int, work_s: float) -> dict[str, Any]:
    """The library as it comes: its own tables, one defer a job, all jobs at once, one job at a time a worker."""
    with other_database(database, "plain") as (other, url):
        with other.transaction() as connection:
            connection.execute(text(SPANS))
            driver: Any = connection.connection.driver_connection
            driver.execute(SchemaManager.get_schema())

        async def defer() -> float:
            app = plain_app(url, [], 0)
            async with app.open_async():
                began = time.perf_counter()
                for n in range(jobs):
                    host = f"host-{n % hosts}.example"
                    await app.tasks["visit"].configure(lock=host, queueing_lock=f"site-{n}").defer_async(host=host)
                return time.perf_counter() - began

        put_s = asyncio.run(defer())
        processes, server_s = start("plain", workers, url, str(work_s)), server_cpu_s()
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            time.sleep(0.5)
            if _count(other, "select count(*) from procrastinate_jobs where status in ('todo', 'doing')") == 0:
                break
        server_s = server_cpu_s() - server_s
        stop(processes)
        return measured(other, "spans", server_s) | {"workers": workers, "concurrency": 1, "defers_a_second": jobs / put_s}


def _count(database: Database, question: str) -> int:
    with database.transaction() as connection:
        return int(connection.scalar(text(question)) or 0)


def server_cpu_s() -> float:
    """CPU time of the Postgres processes below us and of their kind, so far."""
    spent = 0.0
    for process in psutil.process_iter(["name", "cpu_times"]):
        times = process.info["cpu_times"]
        if process.info["name"] == "postgres" and times is not None:
            spent += times.user + times.system
    return spent


def measured(database: Database, table: str, server_s: float) -> dict[str, Any]:
    with database.transaction() as connection:
        count, hosts, begun, ended = connection.execute(
            text(f"select count(*), count(distinct host), min(begun), max(ended) from {table}")  # noqa: S608 - ours
        ).one()
        overlaps = connection.scalar(text(OVERLAPS))
        cpu_s = connection.scalar(
            text("select sum(split_part(worker, ' ', 2)::float) from (select distinct worker from spans) w")
        )
    return {
        "jobs": count,
        "hosts": hosts,
        "jobs_a_second": count / (ended - begun),
        "worker_cpu_ms_a_job": 1000 * cpu_s / count,
        "postgres_cpu_ms_a_job": 1000 * server_s / count,
        "hosts_visited_by_two_at_once": overlaps,
    }


@contextmanager
def other_database(database: Database, name: str) -> Iterator[tuple[Database, str]]:
    outside = database.engine.execution_options(isolation_level="AUTOCOMMIT")
    with outside.connect() as connection:
        connection.execute(text(f"create database {name}"))
    url = url_of(database, name)
    with database_at(url) as other:
        yield other, url


def url_of(database: Database, name: str | None = None) -> str:
    url = database.engine.url.set(drivername="postgresql")
    return (url.set(database=name) if name else url).render_as_string(hide_password=False)


def stop(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait(60)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.queue", description=__doc__)
    parser.add_argument("--sites", type=int, default=100_000)
    parser.add_argument("--hosts", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--concurrency", type=int, default=24, help="turns at a time in each worker")
    parser.add_argument("--seconds", type=float, default=30, help="how long jobs are dispatched")
    parser.add_argument("--work-ms", type=float, default=5, help="how long each visit lasts")
    parser.add_argument("--baseline-jobs", type=int, default=4000)
    parser.add_argument("--only", choices=["schedule", "dispatch", "baseline"])
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="parallax-bench-"))
    found: dict[str, Any] = {"machine": describe(None).as_dict()}
    try:
        with open_database(StoreSettings(data_dir=folder, database_url=None)) as database:
            work_s = given.work_ms / 1000
            found["schedule"] = schedule(database, given.sites, given.hosts)
            if given.only in (None, "dispatch"):
                found["dispatch"] = dispatch(
                    database, url_of(database), workers=given.workers, concurrency=given.concurrency, seconds=given.seconds,
                    work_s=work_s,
                )  # fmt: skip
            if given.only in (None, "baseline"):
                found["baseline"] = baseline(
                    database, workers=given.workers, jobs=given.baseline_jobs, hosts=given.hosts, work_s=work_s
                )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(found, indent=2, default=str))  # noqa: T201 - its result


if __name__ == "__main__":
    main()
