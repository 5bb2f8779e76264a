"""store/site_pages.py, site_search.py, site_visits.py: lists of sites in each order, and what is told of each."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from sqlalchemy import text

from domain.divergence import Finding
from domain.errors import NotFound
from domain.takedown import read_covered
from domain.visit import Visit
from store import site_pages, site_turns, sites, takedowns
from store.captures import replace_findings, save
from store.database import Database
from store.site_search import Asked, Sort
from store.site_turns import Mark
from store.site_visits import visits_of
from store.sites import Listed
from store.slices import slices

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def listed(name: str, host: str = "") -> Listed:
    host = host or f"{name}.example"
    return Listed(name, f"https://{host}/{name}", host, {"name": name, "why": f"because of {name}"}, HOUR)


def names(database: Database, sort: Sort = "name", **asked: str) -> list[str]:
    """All names that match, asked for two at a time: every page follows from the place of the one before."""
    found: list[str] = []
    for page in slices(lambda after: site_pages.lines(database, Asked(**asked), sort, after=after, limit=2)):  # type: ignore[arg-type]
        assert len(page) <= 2
        found += [line.name for line in page]
    return found


@pytest.fixture
def five(database: Database, visit_of: Callable[..., Visit], finding_of: Callable[..., Finding]) -> Database:
    """bank, news and new have turns, shop is paused, old is gone, hand is in no list; news and new were never visited."""
    sites.sync(database, [listed(name) for name in ("old",)], now=NOON)
    sites.sync(database, [listed(name) for name in ("bank", "news", "shop", "new")], now=NOON)
    sites.pause(database, ["shop"], "asked to by letter", now=NOON)
    with database.transaction() as connection:
        due = {"bank": 3, "news": 1, "shop": 2, "new": 1}
        site_turns.mark(connection, [Mark(name, None, NOON + hours * HOUR) for name, hours in due.items()])
    for number, (name, outcome) in enumerate(
        [("bank", "captured"), ("hand", "captured"), ("shop", "timeout"), ("bank", "http-error"), ("old", "captured")], 1
    ):
        visit = visit_of(number, site=name, url=f"https://{name}.example/", outcome=outcome, captures=outcome == "captured")
        save(database, visit, {visit.captures[0].id: [finding_of()]} if visit.captures else {})
    return database


def test_orders(five: Database) -> None:
    """Each order holds every site once, whether scheduled or only visited; those without a time come behind, by name."""
    assert names(five) == ["bank", "hand", "new", "news", "old", "shop"]
    # The visits were made in the order bank, hand, shop, bank, old.
    assert names(five, "-last_visit") == ["old", "bank", "shop", "hand", "new", "news"]
    # A paused site has no next turn, and of two at the same time the name decides.
    assert names(five, "next_due") == ["new", "news", "bank", "hand", "old", "shop"]


def test_filters(five: Database) -> None:
    """State, host, outcome of the newest visit, and text in name or URL; in every order the same."""
    for sort in ("name", "-last_visit", "next_due"):
        assert sorted(names(five, sort, state="listed")) == ["bank", "new", "news"]
        assert names(five, sort, state="paused") == ["shop"]
        assert names(five, sort, state="gone") == ["old"]
        assert names(five, sort, state="visited") == ["hand"]
        assert names(five, sort, host="HAND.example") == ["hand"]
        assert names(five, sort, outcome="http-error") == ["bank"]  # its first visit was captured, its newest was not
        assert sorted(names(five, sort, outcome="captured")) == ["hand", "old"]
        assert sorted(names(five, sort, text="NEW")) == ["new", "news"]
        assert names(five, sort, text="%") == []
        assert names(five, sort, text="example/new", state="listed", outcome="timeout") == []


def test_what_is_told(five: Database) -> None:
    """The numbers of one site by hand: two visits, one capture with one flagged divergence, and its newest visit."""
    bank = site_pages.site(five, "bank")
    assert (bank.site.state, bank.site.next_due, bank.site.every_s) == ("listed", NOON + 3 * HOUR, 3600)
    counts = bank.site.counts
    assert (counts.visits, counts.complete, counts.captured, counts.captures, counts.flagged) == (2, True, 1, 1, 1)
    assert bank.outcomes == {"captured": 1, "http-error": 1}
    assert bank.site.last is not None
    assert (bank.site.last.outcome, bank.site.last.started) == ("http-error", NOON + timedelta(seconds=4))
    assert bank.listed == {"name": "bank", "why": "because of bank"}
    assert bank.rest is None
    shop = site_pages.site(five, "shop").site
    assert (shop.state, shop.paused, shop.paused_why, shop.next_due) == ("paused", NOON, "asked to by letter", None)
    hand = site_pages.site(five, "hand")
    assert (hand.site.state, hand.site.url, hand.site.host, hand.listed) == ("visited", None, "hand.example", None)
    with pytest.raises(NotFound, match="'nobody'"):
        site_pages.site(five, "nobody")


def counted(database: Database) -> dict[str, tuple[int, int, int, int, int]]:
    """(visits, captured, captures, flagged, review) of each site that is listed, as lists tell them."""
    told = site_pages.lines(database, Asked(), "name", limit=9).items
    return {
        line.name: (line.counts.visits, line.counts.captured, line.counts.captures, line.counts.flagged, line.counts.review)
        for line in told
    }


def test_counts_follow_what_is_stored(
    database: Database, visit_of: Callable[..., Visit], finding_of: Callable[..., Finding]
) -> None:
    """Whatever is filed, late or hidden, found anew by other rules, taken down, shown again or deleted: counts are right."""
    shop = [
        visit_of(number, site="shop", url=f"https://shop.example/{number}", response=None, captures=captures)
        for number, captures in ((3, 2), (1, 1), (2, 0))
    ]
    shop[2] = shop[2].model_copy(update={"outcome": "timeout"})
    found = {shop[0].captures[0].id: [finding_of("#a"), finding_of("#b", verdict="review"), finding_of("#c", verdict="clean")]}
    for visit in shop:  # the newest first
        save(database, visit, found if visit is shop[0] else {})
        save(database, visit)  # a second time changes nothing
    assert counted(database) == {"shop": (3, 2, 3, 1, 1)}
    capture = shop[0].captures[0].id
    other = [finding_of("#b"), finding_of("#d"), finding_of("#e", verdict="review")]
    replace_findings(database, capture, "2", other, {}, dry_run=True)
    assert counted(database) == {"shop": (3, 2, 3, 1, 1)}
    replace_findings(database, capture, "2", other, {})
    assert counted(database) == {"shop": (3, 2, 3, 2, 1)}
    takedowns.add(database, read_covered("https://shop.example/3"), why="a letter", by_whom="me")
    assert counted(database) == {"shop": (2, 1, 1, 0, 0)}
    replace_findings(database, capture, "3", [finding_of("#a")], {})
    save(database, visit_of(4, site="shop", url="https://shop.example/3/4", response=None))
    assert counted(database) == {"shop": (2, 1, 1, 0, 0)}
    takedowns.lift(database, "https://shop.example/3")
    assert counted(database) == {"shop": (4, 3, 4, 1, 0)}
    assert site_pages.site(database, "shop").outcomes == {"captured": 3, "timeout": 1}
    takedowns.add(database, read_covered("https://shop.example/3"), why="a letter", by_whom="me", purged=True)
    assert counted(database) == {"shop": (2, 1, 1, 0, 0)}
    takedowns.add(database, read_covered("shop.example"), why="a letter", by_whom="me")
    assert counted(database) == {}


@pytest.mark.parametrize("first", ["rules", "takedown"])
def test_counts_while_others_count(
    database: Database, visit_of: Callable[..., Visit], finding_of: Callable[..., Finding], first: str
) -> None:
    """A visit is hidden while rules are run again over another one of its site: whoever comes second sees the first."""
    visits = [visit_of(n, site="shop", url=f"https://shop.example/{n}", response=None) for n in (1, 2, 3)]
    for visit in visits:
        save(database, visit, {visit.captures[0].id: [finding_of("#a")]})
    both = [finding_of("#a"), finding_of("#b")]
    work: list[Callable[[], object]] = [
        lambda: replace_findings(database, visits[1].captures[0].id, "2", both, {}),
        lambda: takedowns.add(database, read_covered(visits[2].url), why="a letter", by_whom="me"),
    ]
    with ThreadPoolExecutor(2) as at_once:
        with database.transaction() as connection:
            connection.execute(text("select from visited for update"))  # so that both come to it, in this order
            begun = []
            for number, one in enumerate(work if first == "rules" else work[::-1], 1):
                begun.append(at_once.submit(one))
                until_waiting(database, number)
        for done in begun:
            done.result(timeout=30)
    assert counted(database) == {"shop": (2, 2, 2, 3, 0)}


def until_waiting(database: Database, count: int) -> None:
    """Returns once so many sessions wait for a row."""
    deadline = time.monotonic() + 30
    question = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    while time.monotonic() < deadline:
        with database.transaction() as connection:
            if connection.scalar(text(question)) == count:
                return
    raise AssertionError(f"{count} do not wait")


def test_rest_and_queue(queue: Database) -> None:
    """Why the host rests, and where the site's turn stands in the queue, with the tries at it."""
    sites.sync(queue, [listed("shop", "busy.example")], now=NOON)
    until = datetime(2999, 1, 1, tzinfo=UTC)
    with queue.transaction() as connection:
        site_turns.mark(connection, [Mark("shop", NOON, NOON + HOUR)])
        connection.execute(
            text("insert into hosts (host, not_before, why, failures) values ('busy.example', :until, 'HTTP 429', 2)"),
            {"until": until},
        )
        connection.execute(text("set local search_path = queue, public"))
        connection.execute(
            text(
                "insert into procrastinate_jobs (queue_name, task_name, lock, queueing_lock, status, scheduled_at) "
                "values ('visits', 'visit_site', 'busy.example', 'shop', 'todo', :until)"
            ),
            {"until": until},
        )
    site_turns.tried(queue, "shop", NOON, {"started": NOON.isoformat(), "outcome": "timeout", "reason": "30 s"})
    found = site_pages.site(queue, "shop")
    assert found.rest is not None
    assert (found.rest.until, found.rest.why, found.rest.failures, found.rest.holder) == (until, "HTTP 429", 2, None)
    assert found.queued is not None
    assert (found.queued.state, found.queued.at, [one.outcome for one in found.queued.tries]) == ("later", until, ["timeout"])


def test_visits(database: Database, visit_of: Callable[..., Visit]) -> None:
    """A site's history is whole whatever the page, and stays so while visits come in."""
    for number in range(1, 8):
        save(database, visit_of(number, site="shop", outcome="timeout" if number == 3 else "captured", captures=number % 2))
    save(database, visit_of(9, site="other"))
    first = visits_of(database, "shop", limit=3)
    save(database, visit_of(8, site="shop"))
    rest = visits_of(database, "shop", limit=9, after=first.place)
    assert [int(visit.id, 16) for visit in first.items + rest.items] == [7, 6, 5, 4, 3, 2, 1]
    assert first.items[0].captures == (f"{7:032x}-0",)
    assert first.items[0].durations_ms == {"open": 12.5}
    assert all(a.started > b.started for a, b in pairwise(first.items + rest.items))
    assert [int(v.id, 16) for v in visits_of(database, "shop", outcome="timeout", limit=9).items] == [3]
    begin, end = NOON + timedelta(seconds=2), NOON + timedelta(seconds=4)
    assert [int(v.id, 16) for v in visits_of(database, "shop", since=begin, until=end, limit=9).items] == [3, 2]


def test_taken_down(five: Database) -> None:
    """What is taken down is in no list, whether scheduled or visited; once lifted, all is as before."""
    before = site_pages.lines(five, Asked(), "-last_visit", limit=9)
    takedowns.add(five, read_covered("bank.example"), why="a letter", by_whom="me")
    takedowns.add(five, read_covered("hand.example"), why="a letter", by_whom="me")
    for sort in ("name", "-last_visit", "next_due"):
        assert set(names(five, sort)) == {"new", "news", "old", "shop"}
    for name in ("bank", "hand"):
        with pytest.raises(NotFound):
            site_pages.site(five, name)
        assert visits_of(five, name, limit=9).items == []
    for name in ("bank", "hand"):
        takedowns.lift(five, f"{name}.example")
    assert site_pages.lines(five, Asked(), "-last_visit", limit=9) == before
    takedowns.add(five, read_covered("bank.example"), why="a letter", by_whom="me", purged=True)
    assert "bank" not in names(five)


def test_newest_is_kept_in_any_order(database: Database, visit_of: Callable[..., Visit]) -> None:
    """A visit that is filed late does not pass for the newest; one that is hidden does not either."""
    for number in (5, 3):
        save(database, visit_of(number, site="shop", url=f"https://shop.example/{number}"))
    takedowns.add(database, read_covered("https://shop.example/9"), why="a letter", by_whom="me")
    save(database, visit_of(9, site="shop", url="https://shop.example/9", response=None))
    [line] = site_pages.lines(database, Asked(), "name", limit=9).items
    assert line.last is not None
    assert int(line.last.id, 16) == 5
    takedowns.add(database, read_covered("https://shop.example/5"), why="a letter", by_whom="me")
    [line] = site_pages.lines(database, Asked(), "name", limit=9).items
    assert line.last is not None
    # The answer of visit_of says that it ended at /cart, so only the address that was asked for counts here.
    assert int(line.last.id, 16) == 3
