"""store/hosts.py and store/robots.py: one visit a host at a time, for all workers on one database."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from domain.hosts import Standing
from domain.robots import Copy
from store import hosts
from store.database import Database
from store.hosts import LOST, Busy
from store.robots import keep_robots, robots_copy

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOLD = timedelta(minutes=5)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def rest(seconds: float) -> Callable[[Standing, datetime], Standing]:
    """After the visit the host rests that long."""
    return lambda before, now: Standing(now + timedelta(seconds=seconds), "a rest", before.failures + 1, 0, before.delay_s)


def claim(database: Database, holder: str, seconds: float, host: str = "shop.example") -> Busy | None:
    return hosts.claim(database, host, holder, hold=HOLD, at=at(seconds))


def test_one_at_a_time(database: Database) -> None:
    """A host that is held is refused, to its own holder too; another host is free."""
    assert claim(database, "one", 0) is None
    assert claim(database, "two", 1) == Busy(at(1), at(300), "")
    assert claim(database, "one", 1) == Busy(at(1), at(300), "")
    assert claim(database, "two", 1, "other.example") is None


def test_the_rest_after_a_visit(database: Database) -> None:
    """It is kept to the second, by the time of whoever asks; and its reason is told."""
    assert claim(database, "one", 0) is None
    standing = hosts.leave(database, "shop.example", "one", rest(10), at=at(7))
    assert standing == Standing(at(17), "a rest", 1, 0, 0)
    assert claim(database, "two", 16.999) == Busy(at(16.999), at(17), "a rest")
    assert claim(database, "two", 17) is None


def test_a_dead_holder(database: Database) -> None:
    """Its claim is void after its time, and then it takes nothing from the next holder."""
    assert claim(database, "dead", 0) is None
    assert claim(database, "next", 299.9) == Busy(at(299.9), at(300), "")
    assert claim(database, "next", 300) is None
    hosts.release(database, "shop.example", "dead")
    hosts.leave(database, "shop.example", "dead", rest(0), at=at(301))
    assert claim(database, "third", 302) == Busy(at(302), at(600), "")


def test_a_worker_that_is_known_to_be_dead(database: Database) -> None:
    """All its hosts are free at once, and no others; they rest, since nobody knows when it left them."""
    for name in ("a.example", "b.example"):
        assert claim(database, "dead", 0, name) is None
    assert claim(database, "alive", 0, "c.example") is None
    assert hosts.release_holder(database, "dead", rest=timedelta(seconds=10), at=at(1)) == 2
    assert claim(database, "alive", 2, "a.example") == Busy(at(2), at(11), LOST)
    assert claim(database, "alive", 11, "b.example") is None
    assert claim(database, "other", 11, "c.example") == Busy(at(11), at(300), "")
    assert hosts.release_holder(database, "dead") == 0


def test_released_without_a_visit(database: Database) -> None:
    """Nothing follows from it: the next may come at once."""
    assert claim(database, "one", 0) is None
    hosts.release(database, "shop.example", "one")
    assert claim(database, "two", 0) is None


def test_crawl_delay(database: Database) -> None:
    """Its holder notes it, and nobody else; it is there when the visit is over."""
    assert claim(database, "one", 0) is None
    hosts.note_delay(database, "shop.example", "two", 99)
    hosts.note_delay(database, "shop.example", "one", 3)
    assert hosts.leave(database, "shop.example", "one", lambda before, _: before, at=at(1)).delay_s == 3


def test_many_at_once(database: Database) -> None:
    """Eight threads fight for five hosts by the database's own clock: each host goes to one of them, every time."""
    names = [f"{n}.example" for n in range(5)]

    def fight(holder: str) -> list[str]:
        return [name for name in names if hosts.claim(database, name, holder, hold=HOLD) is None]

    for _ in range(5):
        with ThreadPoolExecutor(8) as threads:
            won = list(threads.map(fight, [f"worker-{n}" for n in range(8)]))
        assert sorted(name for names_won in won for name in names_won) == names
        for number, names_won in enumerate(won):
            for name in names_won:
                hosts.leave(database, name, f"worker-{number}", lambda before, _: before)


def test_unknown_hosts_are_as_new(database: Database) -> None:
    assert hosts.leave(database, "other.example", "one", lambda before, _: before, at=NOON) == Standing()
    assert hosts.leave(database, "new.example", "one", rest(5), at=NOON).not_before == at(5)


def test_copies_of_robots(database: Database) -> None:
    """One an origin; the later asking counts, whoever writes last; NUL and half a surrogate are no trouble."""
    copy = Copy("rules", "HTTP 200", at(0), at(3600), 0, "User-agent: *\x00\ud800", at(0))
    assert robots_copy(database, "https://shop.example:443") is None
    keep_robots(database, "https://shop.example:443", copy)
    stored = robots_copy(database, "https://shop.example:443")
    assert stored == Copy("rules", "HTTP 200", at(0), at(3600), 0, "User-agent: *\ufffd\ufffd", at(0))
    later = Copy("unreachable", "HTTP 500", at(10), at(310), 1, None, None)
    keep_robots(database, "https://shop.example:443", later)
    keep_robots(database, "https://shop.example:443", copy)
    assert robots_copy(database, "https://shop.example:443") == later
