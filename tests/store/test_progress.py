"""store/progress.py: the crawl at one moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import text

from domain.takedown import read_covered
from domain.visit import Moment, Traffic, Visit
from store.captures import save
from store.database import Database
from store.progress import MINUTES, crawl
from store.takedowns import add

HOUR = timedelta(hours=1)


def at(when: datetime) -> Moment:
    return Moment(wall=when, monotonic_ns=0)


def test_nothing(queue: Database) -> None:
    """An empty store has nothing to tell, and says so in every part."""
    now = crawl(queue)
    assert (now.queue.sites, now.workers, now.hosts, now.resting, now.newest) == (0, (), (), (), ())
    assert len(now.minutes) == MINUTES
    assert (now.hour, now.day, now.received_bytes) == ({}, {}, 0)


def test_minutes(queue: Database, visit_of: Callable[..., Visit]) -> None:
    """Visits count in the minute in which they finished, by outcome; nothing older than the hour is in it, but in the day."""
    with queue.transaction() as connection:
        now: datetime = connection.scalar(text("select now()")) or datetime.now(UTC)
    minute = now.astimezone(UTC).replace(second=0, microsecond=0) - timedelta(minutes=10)
    for number, (outcome, finished) in enumerate(
        [
            ("captured", minute),
            ("captured", minute + timedelta(seconds=59.9)),
            ("timeout", minute + timedelta(seconds=30)),
            ("captured", minute + timedelta(minutes=1)),
            ("http-error", minute - 2 * HOUR),
            ("captured", minute - 30 * HOUR),
        ],
        1,
    ):
        visit = visit_of(
            number, outcome=outcome, captures=0, started=at(finished - timedelta(seconds=40)), finished=at(finished),
            traffic=Traffic(received_bytes=1000 * number) if number < 4 else None,
        )  # fmt: skip
        save(queue, visit)
    found = crawl(queue)
    told = {one.begin: one for one in found.minutes if one.visits}
    assert sorted(told) == [minute, minute + timedelta(minutes=1)]
    assert (told[minute].visits, told[minute].captured, told[minute].outcomes) == (3, 2, {"captured": 2, "timeout": 1})
    assert (told[minute].received_bytes, found.received_bytes) == (6000, 6000)
    assert found.hour == {"captured": 3, "timeout": 1}
    assert found.day == {"captured": 3, "http-error": 1, "timeout": 1}
    assert [int(visit.id, 16) for visit in found.newest] == [4, 2, 3, 1, 5, 6]


def test_same_while_nothing_happens(queue: Database, visit_of: Callable[..., Visit]) -> None:
    """Asked twice within a minute it is the same, but for that minute: no time of asking is in it."""
    save(queue, visit_of(1))
    first, second = (crawl(queue).model_copy(update={"minutes": ()}) for _ in range(2))
    assert first == second


def test_resting_hosts(queue: Database) -> None:
    """Hosts that rest, those that are free first, each with the reason; none whose rest is over, nor what is taken down."""
    with queue.transaction() as connection:
        connection.execute(
            text(
                "insert into hosts (host, not_before, why, failures) values ('b.test', '2999-01-02', 'HTTP 429', 0), "
                "('a.test', '2999-01-01', '5 visits in a row failed', 5), ('over.test', '2001-01-01', 'the floor', 0), "
                "('new.test', null, '', 0), ('www.gone.test', '2999-01-03', 'HTTP 503', 0)"
            )
        )
    add(queue, read_covered("gone.test"), why="a letter", by_whom="me")
    found = crawl(queue)
    assert [(one.host, one.why, one.failures) for one in found.resting] == [
        ("a.test", "5 visits in a row failed", 5),
        ("b.test", "HTTP 429", 0),
    ]
    assert found.resting_hosts == 2
