"""What waits is counted by state, at the moment of asking."""

from __future__ import annotations

from sqlalchemy import text

from store.database import Database
from store.queue_depth import queue_depth

SITE = """
insert into sites (name, url, host, record, every, priority, origin, added, listed, paused, next_due, failures, tries)
values (
  :name, 'https://a.test/', 'a.test', '{}', 3600, 0, 'list', now(), :listed, :paused, now() + :due * interval '1 s', 0, '[]'
)
"""
JOB = """
insert into queue.procrastinate_jobs (queue_name, task_name, status, scheduled_at)
values ('visits', 'visit', cast(:status as queue.procrastinate_job_status), now() + :at * interval '1 s')
"""


def test_states_are_told_apart(database: Database) -> None:
    """Two sites due, beside one paused, one unlisted, one later, two whose host is not free; jobs in every state."""
    assert queue_depth(database) == {"due": 0, "waiting": 0, "later": 0, "doing": 0}
    with database.transaction() as connection:
        connection.execute(text("set local search_path = public, queue"))
        for name, listed, paused, due in (
            ("a", True, None, -5),
            ("b", True, None, -500),
            ("paused", True, "2026-11-30", -5),
            ("unlisted", False, None, -5),
            ("tomorrow", True, None, 86400),
        ):
            connection.execute(text(SITE), {"name": name, "listed": listed, "paused": paused, "due": due})
        for status, at in (("todo", None), ("todo", -5), ("todo", -7), ("todo", 60), ("doing", None), ("succeeded", None)):
            connection.execute(text(JOB), {"status": status, "at": at})
        # A host that rests, and one that has a job in the queue: their sites are due, and could not begin.
        connection.execute(text("insert into hosts (host, not_before) values ('rests.test', now() + interval '1 h')"))
        connection.execute(text("update queue.procrastinate_jobs set lock = 'busy.test' where status = 'doing'"))
        for host in ("rests.test", "busy.test"):
            given = {"name": host, "listed": True, "paused": None, "due": -5}
            connection.execute(text(SITE.replace("'a.test'", f"'{host}'")), given)
    try:
        assert queue_depth(database) == {"due": 2, "waiting": 3, "later": 1, "doing": 1}
    finally:
        with database.transaction() as connection:
            connection.execute(text("truncate queue.procrastinate_jobs cascade"))
