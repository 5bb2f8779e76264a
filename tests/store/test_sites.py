"""store/sites.py and store/turns.py: what is known of sites and their turns."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from store import sites, turns
from store.database import Database
from store.settings import parse_database_url
from store.sites import Listed, Mark, Synced

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def site(name: str, host: str = "", **changes: Any) -> Listed:
    host = host or f"{name}.test"
    return dataclasses.replace(Listed(name, f"https://{host}/{name}", host, {"name": name, "every": "PT1H"}, HOUR), **changes)


def due(database: Database, now: datetime = NOON) -> list[str]:
    with database.transaction() as connection:
        return [state.name for state in sites.candidates(connection, now=now, a_host=2, limit=100)]


def rows(database: Database, question: str) -> list[Any]:
    with database.transaction() as connection:
        return [tuple(row) for row in connection.execute(text(question))]


def test_sync(database: Database) -> None:
    """A list is taken over: new, changed and gone sites are told apart, and what is gone comes back with its history."""
    assert sites.sync(database, [site("a"), site("b")], now=NOON) == Synced(2, 0, 0, 2)
    assert sites.sync(database, [site("a"), site("b")], now=NOON + HOUR) == Synced(0, 0, 0, 2)
    sites.begin(database, "b", NOON, "v", now=NOON)
    sites.end(database, "b", NOON, "captured", "v", now=NOON)
    assert sites.sync(database, [site("a", every=2 * HOUR), site("c")], now=NOON) == Synced(1, 1, 1, 2)
    assert due(database) == ["c"]  # the slots of `a` are to be worked out anew
    assert sites.sync(database, [site("b")], now=NOON) == Synced(0, 1, 2, 1)
    assert rows(database, "select last_visit, added from sites where name = 'b'") == [("v", NOON)]


def test_added_sites_stay(database: Database) -> None:
    """What was added by hand is beside any list, until a list has it too."""
    assert sites.add(database, site("mine"), now=NOON)
    assert not sites.add(database, site("mine"), now=NOON)
    sites.sync(database, [site("a")], now=NOON)
    assert due(database) == ["a", "mine"]
    sites.sync(database, [site("mine")], now=NOON)
    sites.sync(database, [site("a")], now=NOON)
    assert rows(database, "select name from sites where listed") == [("a",)]


def test_text_that_postgres_cannot_hold(database: Database) -> None:
    """NUL and half a surrogate pair are replaced, here as everywhere in the store."""
    sites.sync(database, [site("a", record={"why": "x\0y\ud800"}), site("b", record={"why": "\\u0000 as written"})], now=NOON)
    assert rows(database, "select record->>'why' from sites order by name") == [("x\ufffdy\ufffd",), ("\\u0000 as written",)]


def test_candidates(database: Database) -> None:
    """By priority, then by who waits longest; two a host; not what is paused, taken down, or of a host that wants rest."""
    of_one = [site(f"one{n}", "one.test") for n in range(4)]
    sites.sync(
        database, [*of_one, site("late"), site("first", priority=1), site("off"), site("down", "www.down.test")], now=NOON
    )
    with database.transaction() as connection:
        sites.mark(connection, [Mark("late", None, NOON - HOUR)])
        connection.execute(
            text(
                "insert into hosts (host, not_before, why, failures, limited) "
                "values ('off.test', now() + interval '1 hour', '', 0, 0)"
            )
        )
        connection.execute(
            text("insert into takedowns (id, host, path, why, by_whom, since) values ('t', 'down.test', '', '', '', now())")
        )
    assert due(database) == ["first", "late", "one0", "one1"]
    sites.pause(database, ["late"], "asked to", now=NOON)
    assert due(database) == ["first", "one0", "one1"]
    assert sites.begin(database, "down", NOON, "v", now=NOON) is None
    assert sites.resume(database, ["late", "first"]) == 1
    assert due(database) == ["first", "late", "one0", "one1"]
    assert due(database, NOON - timedelta(minutes=1)) == ["late"]


def test_turns(database: Database) -> None:
    """Begin, try, try again, end: each said twice is said once, and an older turn does not begin after a newer one."""
    sites.sync(database, [site("a")], now=NOON)
    ended = {"outcome": "timeout", "started": "2025-03-01T12:00:00Z", "reason": ""}
    begun = sites.begin(database, "a", NOON, "v1", now=NOON)
    assert begun is not None
    assert (begun.record, begun.tries, begun.stored) == ({"name": "a", "every": "PT1H"}, [], None)
    for _ in range(2):
        sites.tried(database, "a", NOON, ended)
    again = sites.begin(database, "a", NOON, "v1", now=NOON)
    assert again is not None
    assert again.tries == [ended]
    for _ in range(2):
        sites.end(database, "a", NOON, "http-error", "v1", now=NOON)
    assert rows(database, "select failures, last_outcome, tries from sites") == [(1, "http-error", [])]
    later = sites.begin(database, "a", NOON + HOUR, "v2", now=NOON)
    assert later is not None
    assert later.tries == []
    sites.end(database, "a", NOON + HOUR, "captured", "v2", now=NOON)
    assert rows(database, "select failures, last_visit from sites") == [(0, "v2")]
    assert sites.begin(database, "a", NOON, "v1", now=NOON) is None
    assert sites.begin(database, "nobody", NOON, "v1", now=NOON) is None


def test_find(database: Database) -> None:
    """A site by its name, all of a host, or the one with that URL."""
    sites.sync(database, [site("a", "one.test"), site("b", "one.test"), site("one.test", "two.test")], now=NOON)
    assert [row.name for row in sites.find(database, "a")] == ["a"]
    assert [row.name for row in sites.find(database, "one.test")] == ["one.test"]
    assert [row.name for row in sites.find(database, "TWO.test")] == ["one.test"]
    assert [row.name for row in sites.find(database, "https://one.test/b")] == ["b"]
    assert sites.find(database, "c") == []


def test_status(queue: Database) -> None:
    """Every number of the table, by hand: three due, one of them waits, one rests, one is being done."""
    sites.sync(queue, [site(name) for name in ("due", "waits", "rests", "doing", "paused", "later")], now=NOON)
    sites.pause(queue, ["paused"], "", now=NOON)
    with queue.transaction() as connection:
        sites.mark(connection, [Mark("later", None, datetime.now(UTC) + HOUR)])
        turns.enter(connection)
        for name, state, at in (("waits", "todo", None), ("rests", "todo", "2999-01-01"), ("doing", "doing", None)):
            connection.execute(
                text(
                    "insert into procrastinate_jobs (queue_name, task_name, lock, queueing_lock, status, scheduled_at) values "
                    "('visits', 'visit_site', :name || '.test', :name, cast(:state as procrastinate_job_status), :at)"
                ),
                {"name": name, "state": state, "at": at},
            )
    sites.begin(queue, "due", NOON, "v", now=NOON)
    sites.end(queue, "due", NOON, "timeout", "v", now=NOON)
    now = turns.status(queue)
    assert (now.sites, now.active, now.paused, now.due, now.waiting, now.resting, now.doing) == (6, 5, 1, 1, 1, 1, 1)
    assert (now.failing, now.done_hour, now.done_day) == (1, 0, 0)
    assert now.next_due is not None
    assert now.next_due > now.at
    assert [(line.host, line.waiting, line.resting, line.doing, line.failing) for line in now.hosts] == [
        ("doing.test", 0, 0, 1, 0),
        ("waits.test", 1, 0, 0, 0),
        ("due.test", 0, 0, 0, 1),
        ("rests.test", 0, 1, 0, 0),
    ]


@pytest.mark.parametrize("given", ["postgresql://u:p@db:1/x", "postgresql://u:p@db:1/x?options=-c%20work_mem%3D8MB"])
def test_how_the_queue_connects(given: str) -> None:
    """The user's own options of the URL are kept beside those of the queue."""

    database = Database(create_engine(parse_database_url(given)), "")
    url, more = turns.conninfo(database)
    assert url == "postgresql://u:p@db:1/x"
    assert more["options"].startswith("-c work_mem=8MB -c search_path=queue" if "work_mem" in given else "-c search_path=queue")
