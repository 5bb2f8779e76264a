"""A worker: takes turns out of the queue until it is told to stop, and outlives its database."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Collection
from datetime import timedelta

import structlog
from procrastinate import App
from procrastinate.exceptions import ConnectorException
from procrastinate.worker import Worker

from crawler.orphans import owner
from crawler.pool import OPEN_A_CORE
from crawler.queue.connection import Patient
from crawler.queue.tasks import BEAT_S, app_for, put_back, recover
from crawler.queue.turn import Turns
from crawler.settings import CrawlerSettings
from crawler.waiting import keep
from domain.errors import Unavailable
from store import turns as queue_store

log = structlog.get_logger()

POLL_S = 1.0
"""How often an idle worker looks by itself: a new job is announced, one whose time has come is not."""
LOOK_S = 30.0
"""How often it looks for jobs that it has without knowing."""
NEVER_S = 86_400.0
"""A starting worker prunes nobody: the sweep does, which knows when the server itself has just started."""


def worker_name() -> str:
    """Unique among living workers: whoever had it before is dead."""
    return owner().worker


def width(settings: CrawlerSettings) -> int:
    """Turns at a time: as many as pages may be open."""
    return settings.concurrency or OPEN_A_CORE * (os.cpu_count() or 1)


async def work(turns: Turns, *, name: str, dead: Collection[str] = ()) -> None:
    """Works until turns.stop is set, then finishes what is under way. Raises Tripped, and Unavailable at the start.

    dead: names of workers that are known to be dead; whoever had this very name before is so too. Their turns are taken up.
    """
    running: set[int] = set()
    app = app_for(Patient(turns.database, turns.stop), turns, running)
    async with app.open_async():
        await recover(app, turns.database, {*dead, name}, rest=timedelta(seconds=turns.settings.floor_s(public=True)))
        wait = POLL_S
        while not turns.stop.is_set():
            worker = Worker(
                app,
                name=name,
                concurrency=width(turns.settings),
                fetch_job_polling_interval=POLL_S,
                abort_job_polling_interval=LOOK_S,
                delete_jobs="successful",
                install_signal_handlers=False,
                update_heartbeat_interval=BEAT_S,
                stalled_worker_timeout=NEVER_S,
            )
            if await _run(app, worker, turns, name, running):
                wait = POLL_S
            else:
                # Its number is no longer known, e.g. because it was silent for too long: it begins anew, under a new one.
                await turns.stop.rest(wait)
                wait = min(2 * wait, 30)
    if turns.tripped is not None:
        raise turns.tripped


async def _run(app: App, worker: Worker, turns: Turns, name: str, running: set[int]) -> bool:
    """One life of the library's worker; whether it went well."""
    beside = [asyncio.create_task(_stop(worker, turns)), asyncio.create_task(_look(app, worker, turns, name, running))]
    try:
        await worker.run()  # type: ignore[no-untyped-call]
    except ConnectorException as error:
        log.warning("queue.lost", reason=str(error.__cause__ or error).strip())
        return False
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        if turns.stop.is_set():
            with contextlib.suppress(Unavailable):
                await asyncio.to_thread(queue_store.ended, turns.database, name)
    return turns.stop.is_set()


async def _stop(worker: Worker, turns: Turns) -> None:
    await turns.stop.wait()
    worker.stop()  # type: ignore[no-untyped-call]


async def _look(app: App, worker: Worker, turns: Turns, name: str, running: set[int]) -> None:
    """Writes down this worker's number, and looks again and again for jobs that are its own without being under way.

    There are some when the server was lost between doing what it was asked and saying so. Nobody else would ever take them,
    for this worker lives.
    """
    while worker.worker_id is None:  # noqa: ASYNC110 - the library tells nobody
        await asyncio.sleep(0.05)
    number = worker.worker_id
    await keep(
        lambda: queue_store.began(turns.database, name, number),
        stop=turns.stop,
        why=f"worker {name}",
        mend=turns.database.revive,
    )
    log.info("worker.begun", worker=name, number=number, turns=worker.concurrency)
    before: set[int] = set()
    while True:
        await asyncio.sleep(LOOK_S)
        mine = {job.id: job for job in await app.job_manager.list_jobs_async(status="doing", worker_id=number) if job.id}
        idle = {number for number in mine if number not in running and mine[number].task_name == queue_store.TASK}
        for job_id in idle & before:
            await put_back(app, mine[job_id])
        before = idle - before
