"""The jobs: a turn of a site, and the sweep that brings back the turns of workers that died."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from procrastinate import App, JobContext
from procrastinate.connector import BaseConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.retry import BaseRetryStrategy, RetryDecision

from crawler.queue.turn import Later, Turns
from store import turns as queue_store
from store.database import Database
from store.hosts import release_holder
from store.turns import LOWERED, QUEUE, TASK

log = structlog.get_logger()

SILENT_S = 60.0
"""A worker that has not beaten for so long is taken for dead. It beats every BEAT_S."""
BEAT_S = 10.0
CHANCE_S = 30.0
"""After so long since the server's own start, every living worker has beaten again."""
KEPT_HOURS = 7 * 24
"""For jobs that failed by a fault of ours."""
SWEEP = "sweep"
_FIRST = 2 * LOWERED


class Again(BaseRetryStrategy):
    """A job goes back into the queue when its turn says so, and when it was cut off; nothing else does."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        now = datetime.now(UTC)
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision(retry_at=now)
        if not isinstance(exception, Later):
            return None
        # Waiting, it should not be in the way: neither of others of its host nor of the search for the next job.
        lowered = exception.until > now and job.priority > -LOWERED // 2
        return RetryDecision(retry_at=exception.until, priority=job.priority - LOWERED if lowered else job.priority)


def app_for(connector: BaseConnector, turns: Turns, running: set[int]) -> App:
    """The application of one worker. running: gets the numbers of the jobs that are under way."""
    app = App(connector=connector)

    @app.task(name=TASK, queue=QUEUE, retry=Again(), pass_context=True)
    async def visit_site(context: JobContext, *, site: str, due: str) -> None:
        number = context.job.id or 0
        running.add(number)
        try:
            await turns.take(site, datetime.fromisoformat(due))
        finally:
            running.discard(number)

    # A queueing lock only: with a lock, a sweep whose own worker died would keep all others from sweeping.
    @app.periodic(cron="* * * * *")
    @app.task(name=SWEEP, queue="service", queueing_lock=SWEEP, priority=_FIRST)
    async def sweep_up(timestamp: int) -> None:
        await sweep(app, turns.database, rest=timedelta(seconds=turns.settings.floor_s(public=True)))
        if timestamp % 3600 == 0:
            kept: dict[str, Any] = {"include_failed": True, "include_cancelled": True, "include_aborted": True}
            await app.job_manager.delete_old_jobs(nb_hours=KEPT_HOURS, **kept)

    return app


async def sweep(app: App, database: Database, *, rest: timedelta, silent_s: float = SILENT_S) -> int:
    """Puts jobs of dead workers back into the queue, and frees the hosts they held. How many jobs that were.

    rest: how long these hosts are left alone from now on, for they were being visited.
    """
    if await asyncio.to_thread(queue_store.server_age_s, database) < min(CHANCE_S, silent_s):
        return 0  # nobody has had a chance to beat yet
    for name in await asyncio.to_thread(queue_store.bury, database, silent_s=silent_s):
        freed = await asyncio.to_thread(release_holder, database, name, rest=rest)
        log.warning("worker.lost", worker=name, silent_s=silent_s, hosts_freed=freed)
    jobs = list(await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=silent_s))
    for job in jobs:
        await put_back(app, job)
    await app.job_manager.prune_stalled_workers(silent_s)
    return sum(job.task_name == TASK for job in jobs)


async def recover(app: App, database: Database, dead: Collection[str], *, rest: timedelta) -> int:
    """Puts the jobs of workers known to be dead back at once, and frees the hosts they held. How many jobs that were."""
    count = 0
    for name, number in (await asyncio.to_thread(queue_store.bury_named, database, dead)).items():
        freed = await asyncio.to_thread(release_holder, database, name, rest=rest)
        jobs = list(await app.job_manager.list_jobs_async(status=Status.DOING.value, worker_id=number))
        for job in jobs:
            await put_back(app, job)
        log.warning("worker.buried", worker=name, jobs=len(jobs), hosts_freed=freed)
        count += len(jobs)
    return count


async def put_back(app: App, job: Job) -> None:
    """A job that nobody works on any more waits again; it goes where another one of its site waits already."""
    try:
        if job.task_name == TASK:
            await app.job_manager.retry_job(job, retry_at=datetime.now(UTC))
            log.info("turn.recovered", **job.task_kwargs)
        else:
            await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)
    except ConnectorException:
        # Finished meanwhile, after all; or a newer one waits.
        await _remove(app, job)


async def _remove(app: App, job: Job) -> None:
    try:
        await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)
    except ConnectorException:
        log.info("job.gone", job=job.id)
