"""Audits answered by many at once, over connections of their own: every place is one person's, and no answer is lost."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier, Event
from typing import TypeVar

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from domain.audit import Judgement, Label
from domain.errors import NotFound, Refused
from store import audit_desk, audit_results
from store.annotators import Annotator
from store.audit_turns import look_again
from store.blobs import Blobs
from store.database import Database, open_database
from store.settings import StoreSettings
from tests.store.audit_rows import AUDIT, TEN, TWELVE, UNREADABLE, opened, someone
from tests.store.probe_rows import NOON

T = TypeVar("T")
LATE = NOON + timedelta(hours=2)


@pytest.fixture
def wide(database: Database) -> Iterator[Database]:
    """The same database, with a connection for each of thirty."""
    url = database.engine.url.render_as_string(hide_password=False)
    with open_database(StoreSettings(database_url=SecretStr(url)), schema=False, connections=30) as many:
        yield many


def at_once(jobs: list[Callable[[], T]]) -> list[T]:
    """What the jobs give, each in a thread of its own, begun together."""
    start = Barrier(len(jobs))

    def run(job: Callable[[], T]) -> T:
        start.wait(30)
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def own(annotator: Annotator, item: str) -> Label:
    """What nobody else writes."""
    return Label(answer="value", value=f"{annotator.name} {item}")


def judgements(database: Database) -> dict[str, tuple[Judgement, ...]]:
    return {row.item: row.judgements for row in audit_results.judged(database, AUDIT)}


def work(database: Database, annotator: Annotator, now: datetime, most: int = 10_000, lease_s: float = 1800) -> list[str]:
    """Answers what there is, so many items at most."""
    done: list[str] = []
    while len(done) < most and (item := audit_desk.next_item(database, AUDIT, annotator, lease_s=lease_s, now=now)):
        assert audit_desk.item_of(database, AUDIT, annotator, item.item) == (item, None)  # nobody's answer is seen
        audit_desk.submit(database, AUDIT, annotator, item.item, own(annotator, item.item), 1.0, now=now)
        done.append(item.item)
    return done


@pytest.mark.parametrize("items", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_one_stops_in_the_middle(wide: Database, blobs: Blobs, items: int) -> None:
    """Items by two at once, one of whom stops with an item in hand; a third comes. Each item has two people's answers."""
    opened(wide, blobs, items)
    ann, bob, cy = (someone(wide, name) for name in ("ann", "bob", "cy"))
    stopped = Event()
    left: list[str] = []

    def until_the_middle() -> list[str]:
        try:
            done = work(wide, ann, NOON, most=items * 7 // 20)
            held = audit_desk.next_item(wide, AUDIT, ann, now=NOON)
            assert held is not None
            left.append(held.item)
            return done
        finally:
            stopped.set()

    def afterwards() -> list[str]:
        stopped.wait(120)  # by now Ann's time is over, Bob's is not
        return work(wide, cy, LATE)

    done = dict(
        zip(
            ("ann", "bob", "cy"),
            at_once([until_the_middle, lambda: work(wide, bob, NOON, lease_s=86400), afterwards]),
            strict=True,
        )
    )
    done["bob"] += work(wide, bob, LATE)
    assert len(done["ann"]) == items * 7 // 20
    assert len(done["bob"]) + len(done["cy"]) == items * 33 // 20
    assert left[0] in set(done["bob"]) & set(done["cy"])
    stored = judgements(wide)
    assert len(stored) == items
    for item, given in stored.items():
        assert [one.place for one in given] == [1, 2]
        assert len({one.annotator for one in given}) == 2
        assert all(one.label.value == f"{one.annotator} {item}" for one in given)
    assert Counter(one.annotator for given in stored.values() for one in given) == {
        name: len(items) for name, items in done.items()
    }


def test_thirty_over_ten_items(wide: Database, blobs: Blobs) -> None:
    """Thirty who ask at once: twenty get a place, two at each item, and ten are told that nothing is left."""
    opened(wide, blobs, 10)
    people = [someone(wide, f"a{number}") for number in range(30)]

    def ask(annotator: Annotator) -> str | None:
        item = audit_desk.next_item(wide, AUDIT, annotator)
        return item and item.item

    got = at_once([lambda one=one: ask(one) for one in people])  # type: ignore[misc]
    assert Counter(Counter(item for item in got if item).values()) == {2: 10}
    assert got.count(None) == 10
    assert at_once([lambda one=one: ask(one) for one in people]) == got  # type: ignore[misc]
    given = at_once(
        [
            lambda one=one, item=item: audit_desk.submit(wide, AUDIT, one, item, own(one, item)).judgement  # type: ignore[misc]
            for one, item in zip(people, got, strict=True)
            if item
        ]
    )
    assert sorted(one for row in judgements(wide).values() for one in map(repr, row)) == sorted(map(repr, given))


def test_several_tabs(wide: Database, blobs: Blobs) -> None:
    """One annotator in eight tabs has one item at a time; the same answer is stored once, of two different ones the first."""
    opened(wide, blobs, 5)
    ann = someone(wide, "ann")
    for number in range(5):
        items = at_once([lambda: audit_desk.next_item(wide, AUDIT, ann) for _ in range(8)])
        [item] = {item.item for item in items if item}
        labels = [TEN, TWELVE] if number % 2 else [TEN]

        def send(label: Label, item: str = item) -> Judgement | None:
            try:
                return audit_desk.submit(wide, AUDIT, ann, item, label).judgement
            except Refused:
                return None

        said = at_once([lambda label=label: send(label) for label in labels * (8 // len(labels))])  # type: ignore[misc]
        [kept] = {repr(one) for one in said if one}
        assert [repr(one) for one in judgements(wide)[item]] == [kept]
        assert sum(one is not None for one in said) == 8 // len(labels)
    assert audit_desk.next_item(wide, AUDIT, ann) is None


def test_closed_while_it_is_sent(wide: Database, blobs: Blobs) -> None:
    """One answer in seven tabs as the audit is closed: all are told that it is stored, or all that it is not, and so it is."""
    opened(wide, blobs, 12)
    ann = someone(wide, "ann")
    for _ in range(12):
        item = audit_desk.next_item(wide, AUDIT, ann)
        assert item is not None

        def send(item: str = item.item) -> bool:
            try:
                return audit_desk.submit(wide, AUDIT, ann, item, TEN).judgement.label == TEN
            except Refused:
                return False

        jobs: list[Callable[[], bool]] = [send] * 7
        jobs.insert(3, lambda: audit_results.close(wide, AUDIT).closed is None)
        told = at_once(jobs)
        del told[3]
        assert told == [bool(judgements(wide)[item.item])] * 7
        audit_results.reopen(wide, AUDIT)


def test_two_join_while_others_answer(wide: Database, blobs: Blobs) -> None:
    """Whoever comes while places are being taken gets what is free, and the order that everybody has is theirs too."""
    opened(wide, blobs, 40)
    people = [someone(wide, name) for name in ("ann", "bob", "cy", "dan")]
    done = at_once([lambda one=one: work(wide, one, NOON) for one in people])  # type: ignore[misc]
    assert sum(map(len, done)) == 80
    assert all(len({one.annotator for one in given}) == 2 == len(given) for given in judgements(wide).values())


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_whatever_they_do(wide: Database, blobs: Blobs, seed: int) -> None:
    """Asking, answering, skipping, taking back, staying away, in any order: two and at most a third, all of them different."""
    opened(wide, blobs, 12)
    people = [someone(wide, f"a{number}", adjudicates=number < 3) for number in range(8)]

    def wander(annotator: Annotator) -> None:
        chance = random.Random(f"{seed} {annotator.name}")  # noqa: S311 - no secret
        for hour in range(25):
            now = NOON + timedelta(hours=hour)
            item = audit_desk.next_item(wide, AUDIT, annotator, lease_s=chance.choice([600, 86400]), now=now)
            if item is None:
                continue
            try:
                what = chance.random()
                if what < 0.55:
                    label = chance.choice([TEN, TWELVE, UNREADABLE])
                    audit_desk.submit(wide, AUDIT, annotator, item.item, label, now=now)
                elif what < 0.7:
                    audit_desk.skip(wide, AUDIT, annotator, item.item, now=now)
                elif what < 0.85:
                    audit_desk.undo(wide, AUDIT, annotator, now=now)
            except (Refused, NotFound):
                pass  # another was there first

    at_once([lambda one=one: wander(one) for one in people])  # type: ignore[misc]
    end = NOON + timedelta(days=9)
    for one in people:
        work(wide, one, end)
    with wide.transaction() as connection:
        stages = text("select item, kind, stage, holder from audit_turns order by 1, 2")
        before = connection.execute(stages).all()
        look_again(connection, sorted({row.item for row in before}))
        assert connection.execute(stages).all() == before
    for given in judgements(wide).values():
        first = [one for one in given if one.place < 3]
        assert [one.place for one in first] == [1, 2]
        assert len({one.annotator for one in given}) == len(given) <= 3
