"""store/captures.py: what is saved is found again, whole, once, and whatever text a page holds."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from domain.divergence import Finding
from domain.errors import NotFound
from domain.visit import Visit
from store import captures as store
from store.blobs import Blobs
from store.database import Database

VisitOf = Callable[..., Visit]
FindingOf = Callable[..., Finding]


def test_round_trip(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """A visit comes back equal to what was saved, captures in order and finding included."""
    visit = visit_of(1, captures=3)
    finding = finding_of()
    assert store.save(database, visit, {visit.captures[1].id: [finding]})
    assert store.find_visit(database, visit.id) == visit
    [stored] = store.divergences(database)
    assert stored.finding == finding
    assert (stored.visit_id, stored.capture_id, stored.site, stored.url, stored.rules) == (
        visit.id,
        visit.captures[1].id,
        "shop",
        visit.url,
        "1",
    )
    assert stored.when == visit.started.wall
    assert stored.when.tzinfo is UTC


def test_only_flagged_and_review_have_rows(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Clean and skipped findings are counted in the capture, and have no row."""
    visit = visit_of(1)
    verdicts = ("flagged", "review", "clean", "skipped")
    findings = [finding_of(path=f"#{verdict}", verdict=verdict) for verdict in verdicts]
    store.save(database, visit, {visit.captures[0].id: findings})
    assert {found.finding.verdict for found in store.divergences(database)} == {"flagged", "review"}


def test_saving_twice_changes_nothing(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """A visit whose id is stored stays as it is; the second save says so and does not fail."""
    visit = visit_of(1)
    assert store.save(database, visit)
    other = visit.model_copy(update={"title": "Other"})
    assert not store.save(database, other, {visit.captures[0].id: [finding_of()]})
    assert store.find_visit(database, visit.id) == visit
    assert list(store.divergences(database)) == []


def test_all_or_nothing(database: Database, visit_of: VisitOf) -> None:
    """A save that fails half way leaves no row behind."""
    visit = visit_of(1, captures=2)
    twin = visit.model_copy(update={"captures": (visit.captures[0], visit.captures[0])})
    with pytest.raises(Exception, match="pk_captures"):
        store.save(database, twin)
    assert store.recent_visits(database) == []


def test_findings_of_a_stranger(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Findings for a capture the visit does not have are a mistake of the caller, and nothing is stored."""
    with pytest.raises(ValueError, match="does not have"):
        store.save(database, visit_of(1), {"other-0": [finding_of()]})
    assert store.recent_visits(database) == []


def test_failed_visit(database: Database, visit_of: VisitOf) -> None:
    """A visit that failed is a row like any other, with its reason and without captures."""
    visit = visit_of(7, captures=0, outcome="dns-failed", reason="shop.example has no address", response=None, browser=None)
    store.save(database, visit)
    assert store.find_visit(database, visit.id) == visit
    with database.transaction() as connection:
        row = connection.execute(text("select outcome, reason, host from visits")).one()
    assert tuple(row) == ("dns-failed", "shop.example has no address", "shop.example")


@pytest.mark.parametrize("url", ["https://[broken/", "about:blank", "", "http://a:b@[::1]:8080/x", "http://x:99999999/"])
def test_any_url(database: Database, visit_of: VisitOf, url: str) -> None:
    """A visit is stored whatever its URL, since a URL that cannot be opened is an outcome too."""
    visit = visit_of(1, url=url)
    store.save(database, visit)
    assert store.find_visit(database, visit.id).url == url


@pytest.mark.parametrize("bad", ["\x00", "\ud800", "a\x00\udfffb\udc80"])
def test_text_that_postgres_cannot_hold(database: Database, visit_of: VisitOf, finding_of: FindingOf, bad: str) -> None:
    """NUL and lone surrogates, wherever they stand, are stored as U+FFFD, and asking with them finds them."""
    visit = visit_of(1, title=bad, reason=bad, site=bad, url=f"http://x/{bad}", durations_ms={bad: 1.0})
    capture = visit.captures[0].model_copy(update={"loader_served": bad, "tallies": {bad: {bad: 1}}, "rules": bad})
    visit = visit.model_copy(update={"captures": (capture,)})
    finding = finding_of(path=bad, element_id=bad, structural=bad, rendered=bad, reason=bad, kind=bad)
    store.save(database, visit, {capture.id: [finding]})
    shown = "".join("\ufffd" if char == "\x00" or 0xD800 <= ord(char) < 0xE000 else char for char in bad)
    found = store.find_visit(database, visit.id)
    assert (found.title, found.reason, found.site, found.durations_ms) == (shown, shown, shown, {shown: 1.0})
    assert found.captures[0].tallies == {shown: {shown: 1}}
    [stored] = store.divergences(database, site=bad, kind=bad)
    assert (stored.finding.path, stored.finding.structural) == (shown, shown)
    assert stored.id == store.divergence_id(capture.id, bad, bad) == store.divergence_id(capture.id, shown, shown)


def test_emoji_are_not_surrogates(database: Database, visit_of: VisitOf) -> None:
    """Characters beyond the basic plane come back as they were."""
    visit = visit_of(1, title="\U0001f468\u200d\U0001f469 \u0928\u093f \x7f\ufeff")
    store.save(database, visit)
    assert store.find_visit(database, visit.id).title == visit.title


def test_huge_strings(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Every free text may have hundreds of kB: nothing that a page can make long stands in an index."""
    # Random-looking, since Postgres compresses an index entry before it measures it.
    huge = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(100_000))
    visit = visit_of(1, site=huge, url=f"http://{huge}/{huge}", reason=huge, title=huge)
    capture = visit.captures[0].model_copy(update={"rules": huge})
    visit = visit.model_copy(update={"captures": (capture,)})
    first = finding_of(path=huge, structural=huge, rendered=huge, kind=huge, reason=huge, grade=huge, element_id=huge)
    second = first.model_copy(update={"path": huge + "b"})
    store.save(database, visit, {capture.id: [first, second]})
    assert store.find_visit(database, visit.id) == visit
    stored = list(store.divergences(database, site=huge, kind=huge))
    assert {found.finding.path for found in stored} == {huge, huge + "b"}
    assert store.recent_visits(database, site=huge) == [visit]


def test_prefixes(database: Database, visit_of: VisitOf) -> None:
    """A visit is found by any beginning that is its alone; otherwise the message names the candidates."""
    for number in (0x10, 0x11, 0x20):
        store.save(database, visit_of(number))
    start = "0" * 30
    assert store.find_visit(database, f"{start}2").id == f"{start}20"
    with pytest.raises(NotFound, match=f"More than one visit begins with '{start}1': {start}10, {start}11"):
        store.find_visit(database, f"{start}1")
    with pytest.raises(NotFound, match=f"No visit 'f'; there are 3. The newest is {start}20."):
        store.find_visit(database, "f")
    for nothing in ("", "%", "_", "0%", "\x00", "'"):
        with pytest.raises(NotFound):
            store.find_visit(database, nothing)


def test_a_whole_id_is_found_though_it_begins_another(database: Database, visit_of: VisitOf) -> None:
    """The whole id wins over longer ones that begin with it."""
    for visit_id in ("ab", *(f"ab{letter}" for letter in "cdefgh")):
        store.save(database, visit_of(1, id=visit_id, captures=0))
    assert store.find_visit(database, "ab").id == "ab"
    with pytest.raises(NotFound, match=r"ab, abc, abd, \.\.\."):
        store.find_visit(database, "a")


def test_empty_store(database: Database) -> None:
    """In a store without visits, nothing is found and everything is empty."""
    with pytest.raises(NotFound, match="there is none yet"):
        store.find_visit(database, "ab")
    with pytest.raises(NotFound, match="there is none yet"):
        store.find_divergence(database, "ab")
    assert store.recent_visits(database) == store.summary(database) == list(store.captures(database)) == []


def test_recent_visits(database: Database, visit_of: VisitOf) -> None:
    """Newest first, and only those that match."""
    visits = [visit_of(1), visit_of(2, site="news", url="http://NEWS.example"), visit_of(3, outcome="timeout")]
    for visit in visits:
        store.save(database, visit)
    assert store.recent_visits(database) == visits[::-1]
    assert store.recent_visits(database, limit=1) == [visits[2]]
    assert store.recent_visits(database, site="news") == [visits[1]]
    assert store.recent_visits(database, host="News.Example") == [visits[1]]
    assert store.recent_visits(database, outcome="timeout") == [visits[2]]
    assert store.recent_visits(database, since=visits[1].started.wall) == [visits[2], visits[1]]


def test_moments_without_a_zone_are_utc(database: Database, visit_of: VisitOf) -> None:
    """A time without a zone is taken as UTC in rows and in questions, whatever zone the machine is in."""
    visit = visit_of(1)
    naive = visit.started.model_copy(update={"wall": visit.started.wall.replace(tzinfo=None)})
    store.save(database, visit.model_copy(update={"started": naive}))
    assert store.summary(database)[0].last == visit.started.wall
    assert len(store.recent_visits(database, since=naive.wall)) == 1
    assert store.recent_visits(database, since=naive.wall + timedelta(seconds=1)) == []


def test_captures_in_order(database: Database, visit_of: VisitOf) -> None:
    """Captures come oldest visit first and in the order they were taken, each with its visit."""
    visits = [visit_of(2, captures=2), visit_of(1, captures=11), visit_of(3, captures=0), visit_of(4, site="news")]
    for visit in visits:
        store.save(database, visit)
    pairs = [(visit, capture) for visit in (visits[1], visits[0], visits[3]) for capture in visit.captures]
    assert list(store.captures(database)) == pairs
    assert list(store.captures(database, limit=3)) == pairs[:3]
    assert list(store.captures(database, site="news")) == pairs[-1:]
    assert list(store.captures(database, visit=visits[0].id)) == pairs[11:13]
    assert list(store.captures(database, since=visits[3].started.wall)) == pairs[-1:]
    assert store.find_capture(database, visits[1].captures[10].id) == (visits[1], visits[1].captures[10])


def test_captures_are_streamed(database: Database, visit_of: VisitOf) -> None:
    """Going through many captures holds a few at a time: far less than all of them."""
    with database.transaction() as connection:
        store.save(database, visit_of(0, title="t" * 20_000))
        connection.execute(
            text(
                "insert into visits select lpad(n::text, 32, 'f'), site, url, host, outcome, reason, started, finished, "
                "record || jsonb_build_object('id', lpad(n::text, 32, 'f')) from visits, generate_series(1, 1000) n"
            )
        )
        connection.execute(
            text(
                "insert into captures select v.id || '-0', v.id, 0, null, null, c.record from visits v, captures c "
                "where v.id like 'f%'"
            )
        )
    tracemalloc.start()
    try:
        count = sum(1 for _ in store.captures(database))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 1001
    assert peak < 8_000_000  # bytes; all of them take 20 MB and more


def test_abandoned_stream(database: Database, visit_of: VisitOf) -> None:
    """Who stops half way gives the connection back at once."""
    for number in range(3):
        store.save(database, visit_of(number))
    stream = store.captures(database)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert database.engine.pool.checkedout() == 0  # type: ignore[attr-defined]


def test_writing_while_reading(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Findings can be replaced while the captures are gone through."""
    for number in range(3):
        store.save(database, visit_of(number))
    for _, capture in store.captures(database):
        store.replace_findings(database, capture.id, "2", [finding_of()], {"aria": {"flagged": 1}})
    assert {capture.rules for _, capture in store.captures(database)} == {"2"}
    assert len(list(store.divergences(database))) == 3


def test_summary(database: Database, visit_of: VisitOf, finding_of: FindingOf) -> None:
    """Each site has its visits by outcome, most frequent first, and its captures and divergences counted once."""
    visits = [visit_of(1, outcome="timeout", captures=0), visit_of(2, captures=2), visit_of(3), visit_of(4, site="news")]
    for visit in visits:
        store.save(
            database,
            visit,
            {c.id: [finding_of(), finding_of("#b"), finding_of("#c", verdict="review")] for c in visit.captures},
        )
    news, shop = store.summary(database)
    assert (news.site, news.visits, news.flagged, news.review) == ("news", 1, 2, 1)
    assert list(shop.outcomes.items()) == [("captured", 2), ("timeout", 1)]
    assert (shop.visits, shop.captures, shop.flagged, shop.review) == (3, 3, 6, 3)
    assert shop.last == visits[2].started.wall
    assert store.summary(database, since=datetime(2030, 1, 1, tzinfo=UTC)) == []


def test_blobs_are_noted(database: Database, blobs: Blobs, visit_of: VisitOf) -> None:
    """What is known of a blob is stored with the visit, and the first visit's word stands."""
    html = blobs.put(b"<p>hello</p>" * 50, "text/html")
    store.save(database, visit_of(1), blobs=[html, html])
    store.save(database, visit_of(2), blobs=[html])
    assert store.find_blob(database, html.digest) == html
    with pytest.raises(NotFound):
        store.find_blob(database, "0" * 64)


def test_a_site_that_nobody_visited(database: Database, visit_of: VisitOf) -> None:
    """Whoever asks for a site by a wrong name is told which there are; on an empty store, that there is nothing."""
    with pytest.raises(NotFound, match=r"nothing is stored yet\. Visit pages first: crawler visit URL"):
        store.known_site(database, "shop")
    store.save(database, visit_of(1))
    assert store.known_site(database, "shop") == "shop"
    with pytest.raises(NotFound, match=r"Did you mean shop\? There are: shop"):
        store.known_site(database, "shopp")
