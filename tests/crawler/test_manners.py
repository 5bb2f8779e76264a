"""manners: whether a visit may begin, and what follows from it; two workers on a real database, and one in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from crawler.arrive import Ended
from crawler.manners import Manners, anonymous
from crawler.settings import CrawlerSettings
from crawler.turns import PutOff
from domain.takedown import read_covered
from domain.visit import Outcome, Response, Visit
from store import takedowns
from store.database import Database
from tests.crawler.made import made_visit
from tests.pages.served import answering

DELAY = b"User-agent: *\nDisallow: /no\nCrawl-delay: 3\n"


class Clock:
    """Stands still unless it is told to go on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture(params=["store", "memory"])
def book(request: pytest.FixtureRequest) -> Database | None:
    """Both places where manners are kept."""
    return request.getfixturevalue("database") if request.param == "store" else None


@contextmanager
def site(body: bytes = DELAY, status: int = 200, **headers: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    given = {"Content-Type": "text/plain", **headers}
    with answering(lambda _: (status, given, body)) as served:
        yield served


def manners(database: Database | None, clock: Clock | None = None, **settings: Any) -> Manners:
    return Manners(CrawlerSettings(**{"floor_ms": 0, **settings}), database, clock=clock, chance=lambda: 0)


def ended(url: str, outcome: Outcome = "captured", status: int | None = 200, **headers: str) -> Visit:
    answer = (
        None
        if status is None
        else Response(url=url, status=status, headers={k.replace("_", "-"): v for k, v in headers.items()})
    )
    return made_visit(outcome, response=answer).model_copy(update={"url": url})


def run(what: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(what)


def wait_s(manner: Manners, url: str, clock: Clock, holder: str = "other") -> tuple[float, str]:
    """How long the next visit is put off, s, and why."""
    with pytest.raises(PutOff) as put_off:
        run(manner.enter(url, holder=holder))
    return (put_off.value.until - clock.now).total_seconds(), put_off.value.reason


def test_gaps_over_two_workers(database: Database) -> None:
    """Crawl-delay 3, two workers: whoever comes next begins three seconds after the last one ended, to the millisecond."""
    clock = Clock()
    one, two = manners(database, clock), manners(database, clock)
    with site() as (base, asked):
        gaps = []
        for visitor, holder, other in ((one, "one", two), (two, "two", one), (one, "one", two)):
            run(visitor.enter(f"{base}/page", holder=holder))
            clock.wait(1.5)
            assert wait_s(other, f"{base}/other", clock)[0] == 2  # held: asked again shortly
            run(visitor.left(ended(f"{base}/page"), f"{base}/page", holder=holder))
            clock.wait(2.999)
            left, reason = wait_s(other, f"{base}/other", clock)
            assert "crawl-delay" in reason
            clock.wait(left)
            gaps.append(2.999 + left)
    assert gaps == pytest.approx([3, 3, 3])
    assert [path for path, _ in asked] == ["/robots.txt"]  # once for both: the copy is shared


def test_the_same_in_memory_and_in_the_store(book: Database | None) -> None:
    """The floor, a held host, and a release where nothing was visited."""
    clock = Clock()
    guest = manners(book, clock, robots="ignore", floor_ms=10_000)
    url = "https://shop.example/"
    run(guest.enter(url, holder="one"))
    assert wait_s(guest, url, clock)[0] == 2
    run(guest.left(None, url, holder="one"))
    assert wait_s(guest, url, clock)[0] == 10
    clock.wait(10)
    run(guest.enter(url, holder="two"))
    assert run(guest.release_holder("two")) == 1
    assert wait_s(guest, url, clock)[0] == 10


@pytest.mark.parametrize(
    ("outcome", "status", "headers", "rest"),
    [
        ("http-error", 429, {"retry_after": "120"}, 120),
        ("rate-limited", 503, {}, 600),
        ("http-error", 500, {}, 0),
        ("captured", 200, {"retry_after": "120"}, 0),
        ("dns-failed", None, {}, 0),
    ],
)
def test_what_the_host_said(
    book: Database | None, outcome: Outcome, status: int | None, headers: dict[str, str], rest: float
) -> None:
    """Retry-After of a 429 or 503 is kept; ten minutes where there is none; else the floor, here nothing."""
    clock = Clock()
    guest = manners(book, clock, robots="ignore")
    url = "https://shop.example/"
    run(guest.enter(url, holder="one"))
    run(guest.left(ended(url, outcome, status, **headers), url, holder="one"))
    if rest:
        assert wait_s(guest, url, clock)[0] == rest
    clock.wait(rest)
    run(guest.enter(url, holder="two"))


def test_a_host_that_fails(book: Database | None) -> None:
    """After five failures in a row, by whatever worker, an hour's rest; one good visit and all is forgotten."""
    clock, url = Clock(), "https://shop.example/"
    guests = [manners(book, clock, robots="ignore")] * 2
    if book is not None:
        guests[1] = manners(book, clock, robots="ignore")
    for number in range(5):
        run(guests[number % 2].enter(url, holder="one"))
        run(guests[number % 2].left(ended(url, "timeout", None), url, holder="one"))
    assert wait_s(guests[1], url, clock) == (3600, "shop.example wants rest: 5 visits in a row failed")
    clock.wait(3600)
    run(guests[0].enter(url, holder="one"))
    run(guests[0].left(ended(url), url, holder="one"))
    run(guests[1].enter(url, holder="one"))


def test_robots_refuse(book: Database | None) -> None:
    """What robots.txt bans ends the visit; the host is free at once for another page."""
    with site() as (base, _):
        guest = manners(book)
        with pytest.raises(Ended) as refused:
            run(guest.enter(f"{base}/no/entry", holder="one"))
        assert refused.value.outcome == "refused-robots"
        run(guest.enter(f"{base}/yes", holder="two"))
    with site() as (base, asked):
        run(manners(None, robots="ignore").enter(f"{base}/no", holder="one"))
        assert asked == []


def test_robots_in_trouble(book: Database | None) -> None:
    """A 500: nothing is visited, and the server is asked again after five minutes, then ten; it rests meanwhile."""
    clock = Clock()
    with site(status=500) as (base, asked):
        guest = manners(book, clock)
        for minutes in (5, 10, 20):
            assert wait_s(guest, f"{base}/", clock) == (
                minutes * 60,
                "HTTP 500 for robots.txt; without a robots.txt nothing is visited",
            )
            clock.wait(30)
            assert wait_s(guest, f"{base}/", clock)[0] == minutes * 60 - 30
            clock.wait(minutes * 60 - 30)
        assert len(asked) == 3


def test_a_host_that_is_not_there(book: Database | None) -> None:
    """What the visit would end in, and a failure of the host; a name that does not exist is none."""
    with site() as (gone, _):
        pass
    clock = Clock()
    guest = manners(book, clock, host_breaker=1)
    for url, outcome in ((f"{gone}/", "connection-refused"), ("http://nowhere.invalid/", "dns-failed")):
        with pytest.raises(Ended) as failed:
            run(guest.enter(url, holder="one"))
        assert failed.value.outcome == outcome
    assert wait_s(guest, f"{gone}/", clock)[0] == 3600
    with pytest.raises(Ended):
        run(guest.enter("http://nowhere.invalid/", holder="one"))


def test_what_the_guard_says(book: Database | None) -> None:
    """Its refusal is no answer of the site: the visit ends in what the guard says, even where it answers like a 403."""
    with site(b"", 403) as (base, _):
        guest = manners(book)
        with pytest.raises(Ended) as refused:
            run(
                guest.enter(
                    f"{base}/", holder="one", why=lambda _: ("refused-private-address", "127.0.0.1 is a loopback address")
                )
            )
        assert refused.value.outcome == "refused-private-address"
        run(guest.enter(f"{base}/", holder="one", why=lambda _: None))


def test_a_visit_that_led_elsewhere(book: Database | None) -> None:
    """The host that answered in the end was visited too."""
    clock = Clock()
    guest = manners(book, clock, robots="ignore", floor_ms=5000)
    run(guest.enter("https://short.example/1", holder="one"))
    run(guest.left(ended("https://long.example/page"), "https://short.example/1", holder="one"))
    assert wait_s(guest, "https://short.example/2", clock)[0] == 5
    assert wait_s(guest, "https://LONG.example/", clock)[0] == 5


def test_taken_down(database: Database) -> None:
    """At once, for every worker, whatever robots.txt says; and over when it is lifted."""
    guest = manners(database, robots="ignore")
    takedowns.add(database, read_covered("shop.example"), why="a letter", by_whom="me")
    with pytest.raises(Ended, match=r"shop\.example is taken down since .*: a letter") as refused:
        run(guest.enter("https://www.shop.example/x", holder="one"))
    assert refused.value.outcome == "taken-down"
    takedowns.lift(database, "shop.example")
    run(guest.enter("https://www.shop.example/x", holder="one"))


def test_eight_workers_at_one_host(database: Database) -> None:
    """One of them gets in; the others are put off, none of them for long."""

    def come(number: int) -> str:
        try:
            run(manners(database, robots="ignore").enter("https://shop.example/", holder=f"worker-{number}"))
        except PutOff as put_off:
            return put_off.reason
        return "in"

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(come, range(8)))
    assert sorted(answers) == ["another visit to shop.example is under way"] * 7 + ["in"]


@pytest.mark.parametrize("url", ["about:blank", "ftp://shop.example/", "https://", "no address"])
def test_nobody_to_be_polite_to(url: str) -> None:
    """The visit says what is wrong with such an address; there is nothing to ask and nothing to hold."""
    guest = manners(None)
    for _ in range(2):
        run(guest.enter(url, holder="one"))
    run(guest.left(None, url, holder="one"))


def test_who_we_are_is_asked_for() -> None:
    """Whoever crawls public sites without a contact is told once; for sites of one's own there is nobody to tell."""
    nameless, named = CrawlerSettings(contact=""), CrawlerSettings(contact="https://lab.example/bot")
    assert "CRAWLER_CONTACT" in str(anonymous(nameless, ["http://127.0.0.1:8000/", "https://shop.example/"]))
    assert anonymous(nameless, ["http://127.0.0.1:8000/", "http://localhost/", "http://10.0.0.1/"]) is None
    assert anonymous(named, ["https://shop.example/"]) is None


def test_a_host_of_ones_own(book: Database | None) -> None:
    """It is not held, and robots.txt counts all the same; the wait that it asks for is told."""
    with site() as (base, _):
        guest = manners(book)
        assert [run(guest.may(f"{base}/page")) for _ in range(2)] == [3, 3]
        with pytest.raises(Ended, match=r"robots\.txt"):
            run(guest.may(f"{base}/no"))
        run(guest.enter(f"{base}/page", holder="one"))
    assert run(manners(book, robots="ignore").may(f"{base}/no")) == 0
