"""store/sites.py, site_turns.py and turns.py: what is known of sites and their turns."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random
from typing import Any

import pytest
from sqlalchemy import create_engine, insert, text

from domain.errors import NotFound
from domain.takedown import covers, read_covered
from store import site_pages, site_turns, sites, tables, takedowns, turns
from store.database import Database
from store.queue_depth import queue_depth
from store.settings import parse_database_url
from store.site_turns import Mark
from store.sites import Listed, Synced
from store.status import status

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def site(name: str, host: str = "", **changes: Any) -> Listed:
    host = host or f"{name}.test"
    return dataclasses.replace(Listed(name, f"https://{host}/{name}", host, {"name": name, "every": "PT1H"}, HOUR), **changes)


def due(database: Database, now: datetime = NOON) -> list[str]:
    with database.transaction() as connection:
        return [state.name for state in site_turns.candidates(connection, now=now, a_host=2, limit=100)]


def rows(database: Database, question: str) -> list[Any]:
    with database.transaction() as connection:
        return [tuple(row) for row in connection.execute(text(question))]


def test_sync(database: Database) -> None:
    """A list is taken over: new, changed and gone sites are told apart, and what is gone comes back with its history."""
    assert sites.sync(database, [site("a"), site("b")], now=NOON) == Synced(2, 0, 0, 2)
    assert sites.sync(database, [site("a"), site("b")], now=NOON + HOUR) == Synced(0, 0, 0, 2)
    site_turns.begin(database, "b", NOON, "v", now=NOON)
    site_turns.end(database, "b", NOON, "captured", "v", now=NOON)
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
        site_turns.mark(connection, [Mark("late", None, NOON - HOUR)])
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
    assert site_turns.begin(database, "down", NOON, "v", now=NOON) is None
    assert sites.resume(database, ["late", "first"]) == 1
    assert due(database) == ["first", "late", "one0", "one1"]
    assert due(database, NOON - timedelta(minutes=1)) == ["late"]


def test_taken_down_as_covers_says(database: Database) -> None:
    """For entries and addresses out of a grid of hosts, ports and paths the schedule leaves out what domain.takedown covers."""
    hosts = (
        "shop.test",
        "www.shop.test",
        "workshop.test",
        "m\u00fcller.test",
        "xn--mller-kva.test",
        "127.0.0.1",
        "127.1",
        "[::1]",
    )
    ports = ("", ":80", ":443", ":8080")
    paths = (
        "", "/", "/u", "/u/jane", "/u/janet?x=1", "/u%2Fjane", "/u/%6Aane", "/a/../u/jane", "/%2e%2e/u/", "/U/jane",
        "/?x=%C3%A9", "/%00x", "/%ff", "/u/jane#top", "/a%b_c", "/a%25b_c", "/u\\jane", "/u//jane",
    )  # fmt: skip
    urls = [f"{scheme}://{host}{port}{path}" for scheme, host, port, path in product(("http", "https"), hosts, ports, paths)]
    urls = Random(2).sample(urls, 500)  # noqa: S311 - any of them
    urls += [
        "https://[broken/",
        "https://shop.test:99999/u",
        "mailto:a@shop.test",
        "https:///u",
        "HTTPS://Shop.Test.:443/u/jane",
    ]
    sites.sync(database, [site(url, "one.test", url=url) for url in urls], now=NOON)
    hosts_alone = [*hosts, "test", "1", "0.0.1"]
    entries = {read_covered(f"{host}{port}{path}") for host, port, path in product(hosts, ports, paths)}
    whole = [read_covered(f"{host}{port}") for host, port in product(("shop.test", "127.0.0.1", "[::1]"), ports)]
    left = f"select name from sites where {sites.NOT_TAKEN_DOWN}"  # noqa: S608 - ours
    wrong = []
    some = Random(1).sample(sorted(entries, key=str), 30)  # noqa: S311 - any of them
    for entry in [*some, *whole, *map(read_covered, hosts_alone)]:
        with database.transaction() as connection:
            connection.execute(
                insert(tables.takedowns).values(id="t", host=entry.host, port=entry.port, path=entry.path, why="", by_whom="")
            )
            shown = set(connection.scalars(text(left)))
            connection.rollback()
        wrong += [(entry, url) for url in urls if (url in shown) == covers(entry, url)]
    assert not wrong


def test_a_taken_down_address(queue: Database) -> None:
    """It is neither due nor failing nor queued while the entry is in force; its neighbours are, and it is again once lifted."""
    sites.sync(queue, [site("jane", "one.test", url="https://one.test/u/jane"), site("joe", "one.test")], now=NOON)
    site_turns.begin(queue, "jane", NOON, "v", now=NOON)
    site_turns.end(queue, "jane", NOON, "timeout", "v", now=NOON)
    assert (status(queue).due, status(queue).failing) == (2, 1)
    takedowns.add(queue, read_covered("https://one.test/u/"), why="asked to", by_whom="me")
    assert due(queue) == ["joe"]
    assert site_turns.begin(queue, "jane", NOON + HOUR, "w", now=NOON) is None
    now = status(queue)
    assert (now.due, now.failing, now.taken_down, [line.failing for line in now.hosts]) == (1, 0, 1, [])
    assert queue_depth(queue)["due"] == 1
    with pytest.raises(NotFound, match="taken down"):
        site_pages.site(queue, "jane")
    # A turn that was under way when the entry came: no failure of the site.
    site_turns.end(queue, "jane", NOON, "taken-down", "x", now=NOON)
    assert rows(queue, "select failures from sites where name = 'jane'") == [(1,)]
    sites.sync(queue, [site("jane", "one.test", url="https://one.test/v/jane"), site("joe", "one.test")], now=NOON)
    assert due(queue) == ["jane", "joe"]
    takedowns.add(queue, read_covered("https://one.test:443/v/"), why="asked to", by_whom="me")
    assert due(queue) == ["joe"]
    takedowns.lift(queue, "one.test:443/v/")
    assert due(queue) == ["jane", "joe"]


def test_turns(database: Database) -> None:
    """Begin, try, try again, end: each said twice is said once, and an older turn does not begin after a newer one."""
    sites.sync(database, [site("a")], now=NOON)
    ended = {"outcome": "timeout", "started": "2025-03-01T12:00:00Z", "reason": ""}
    begun = site_turns.begin(database, "a", NOON, "v1", now=NOON)
    assert begun is not None
    assert (begun.record, begun.tries, begun.stored) == ({"name": "a", "every": "PT1H"}, [], None)
    for _ in range(2):
        site_turns.tried(database, "a", NOON, ended)
    again = site_turns.begin(database, "a", NOON, "v1", now=NOON)
    assert again is not None
    assert again.tries == [ended]
    for _ in range(2):
        site_turns.end(database, "a", NOON, "http-error", "v1", now=NOON)
    assert rows(database, "select failures, last_outcome, tries from sites") == [(1, "http-error", [])]
    later = site_turns.begin(database, "a", NOON + HOUR, "v2", now=NOON)
    assert later is not None
    assert later.tries == []
    site_turns.end(database, "a", NOON + HOUR, "captured", "v2", now=NOON)
    assert rows(database, "select failures, last_visit from sites") == [(0, "v2")]
    assert site_turns.begin(database, "a", NOON, "v1", now=NOON) is None
    assert site_turns.begin(database, "nobody", NOON, "v1", now=NOON) is None


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
        site_turns.mark(connection, [Mark("later", None, datetime.now(UTC) + HOUR)])
        turns.enter(connection)
        for name, state, at in (("waits", "todo", None), ("rests", "todo", "2999-01-01"), ("doing", "doing", None)):
            connection.execute(
                text(
                    "insert into procrastinate_jobs (queue_name, task_name, lock, queueing_lock, status, scheduled_at) values "
                    "('visits', 'visit_site', :name || '.test', :name, cast(:state as procrastinate_job_status), :at)"
                ),
                {"name": name, "state": state, "at": at},
            )
    site_turns.begin(queue, "due", NOON, "v", now=NOON)
    site_turns.end(queue, "due", NOON, "timeout", "v", now=NOON)
    now = status(queue)
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
    assert all((line.until, line.why) == (None, "") for line in now.hosts[:3])


def test_why_a_host_rests(queue: Database) -> None:
    """A host that wants rest says why and until when; one that does not says what its first turn waits for."""
    sites.sync(queue, [site("busy"), site("slow"), site("new"), site("rested")], now=NOON)
    again, free = datetime(2999, 1, 1, tzinfo=UTC), datetime(2999, 5, 1, tzinfo=UTC)
    with queue.transaction() as connection:
        site_turns.mark(connection, [Mark("slow", NOON, NOON + HOUR)])
        connection.execute(
            text(
                "insert into hosts (host, not_before, why) values ('busy.test', :free, 'it answered 429'), "
                "('rested.test', '2001-01-01', 'the floor between visits')"
            ),
            {"free": free},
        )
        turns.enter(connection)
        for name in ("busy", "slow", "new"):
            connection.execute(
                text(
                    "insert into procrastinate_jobs (queue_name, task_name, lock, queueing_lock, status, scheduled_at) values "
                    "('visits', 'visit_site', :name || '.test', :name, 'todo', :at)"
                ),
                {"name": name, "at": again},
            )
    site_turns.tried(queue, "slow", NOON, {"outcome": "timeout", "reason": "no answer in 30 s"})
    assert [(line.host, line.until, line.why) for line in status(queue).hosts] == [
        ("busy.test", free, "it answered 429"),
        ("new.test", again, "put off"),
        ("slow.test", again, "tried again after timeout: no answer in 30 s"),
    ]


@pytest.mark.parametrize("given", ["postgresql://u:p@db:1/x", "postgresql://u:p@db:1/x?options=-c%20work_mem%3D8MB"])
def test_how_the_queue_connects(given: str) -> None:
    """The user's own options of the URL are kept beside those of the queue."""

    database = Database(create_engine(parse_database_url(given)), "")
    url, more = turns.conninfo(database)
    assert url == "postgresql://u:p@db:1/x"
    assert more["options"].startswith("-c work_mem=8MB -c search_path=queue" if "work_mem" in given else "-c search_path=queue")
