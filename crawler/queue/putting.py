"""Turns go into the queue, in the transaction that writes down that they have: none is lost and none is queued twice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from procrastinate import SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Job
from procrastinate.manager import JobManager

from domain.errors import Unavailable
from store.turns import TASK, Transaction, driver_of, is_lost

QUEUE = "visits"
_BATCH = 500


class Due(Protocol):
    """A turn to queue."""

    @property
    def name(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def due(self) -> datetime: ...
    @property
    def priority(self) -> int: ...


def put(connection: Transaction, visits: Sequence[Due]) -> None:
    """Queues them, many at a time. A site that waits already is left as it is. The queue's tables must be in the search path.

    Raises Unavailable where the database was lost.
    """
    manager = JobManager(SyncPsycopgConnector())  # never opened: the connection is given
    try:
        for start in range(0, len(visits), _BATCH):
            _put(manager, connection, [_job(visit) for visit in visits[start : start + _BATCH]])
    except ConnectorException as error:
        if is_lost(error):
            raise Unavailable("The database was lost while visits were queued.") from error
        raise


def _put(manager: JobManager, connection: Transaction, jobs: list[Job]) -> None:
    try:
        with connection.begin_nested():
            manager.batch_defer_jobs(jobs, connection=driver_of(connection))
    except AlreadyEnqueued:
        if len(jobs) > 1:
            half = len(jobs) // 2
            _put(manager, connection, jobs[:half])
            _put(manager, connection, jobs[half:])


def _job(visit: Due) -> Job:
    return Job(
        task_name=TASK,
        queue=QUEUE,
        lock=visit.host,
        queueing_lock=visit.name,
        priority=visit.priority,
        task_kwargs={"site": visit.name, "due": visit.due.isoformat()},
    )
