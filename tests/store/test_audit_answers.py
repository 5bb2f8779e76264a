"""store/audit_answers.py: which answers are taken, skipped, taken back, and settled by a third."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.audit import Label
from domain.errors import BadInput, NotFound, Refused
from domain.identity import digest
from store import audit_desk, audit_results, tables
from store.audit_opening import open_audit
from store.blobs import Blobs
from store.database import Database
from tests.store.audit_desks import Desk, answers, three
from tests.store.audit_rows import AUDIT, TEN, TWELVE, UNREADABLE, new_item, opened, record, released, someone
from tests.store.probe_rows import NOON


@pytest.fixture
def desks(database: Database, blobs: Blobs) -> tuple[Desk, Desk, Desk]:
    return three(database, blobs)


def test_answered_late(desks: tuple[Desk, Desk, Desk]) -> None:
    """An answer that comes after its lease counts where the place is free still, even if another had it meanwhile."""
    ann, bob, _ = desks
    held = ann.next()
    for desk, now in ((bob, NOON + timedelta(hours=1)), (ann, NOON + timedelta(hours=2))):
        while (item := desk.next(now)) != held and desk is bob:
            desk.submit(item, now=now)
    assert ann.submit(held, now=NOON + timedelta(hours=3)).place in {1, 2}


def test_the_same_again(desks: tuple[Desk, Desk, Desk]) -> None:
    """Sent twice is stored once, as it was first; another answer takes the first one's being taken back."""
    ann, *_ = desks
    item = ann.next()
    first = ann.submit(item)
    assert (first.annotator, first.kind, first.place, first.seconds, first.when) == ("ann", "human", 1, 2.5, NOON)
    assert ann.submit(item, now=NOON + timedelta(hours=1)) == first
    with pytest.raises(Refused, match="take that back first"):
        ann.submit(item, TWELVE)
    assert audit_desk.item_of(ann.database, AUDIT, ann.annotator, first.item)[1] == TEN
    assert ann.undo() == item
    assert audit_desk.item_of(ann.database, AUDIT, ann.annotator, first.item)[1] is None
    assert ann.next() == item
    assert ann.submit(item, TWELVE).label == TWELVE
    odd = Label(answer="value", value="a\x00b")
    assert ann.undo() == item
    assert ann.submit(item, odd) == ann.submit(item, odd)  # as Postgres can hold it


def test_the_same_again_when_it_is_closed(desks: tuple[Desk, Desk, Desk], database: Database) -> None:
    """What is stored is told to be, whoever was not told; nothing else is taken, of nobody, and nobody joins."""
    ann, bob, _ = desks
    done, back, held = ann.next(), None, bob.next()
    first = ann.submit(done)
    back = ann.next()
    ann.submit(back, now=NOON + timedelta(minutes=1))
    assert ann.undo() == back
    audit_results.close(database, AUDIT)
    assert ann.submit(done, now=NOON + timedelta(days=9)) == first
    for desk, item, label in ((ann, done, TWELVE), (ann, back, TEN), (bob, held, TEN)):
        with pytest.raises(Refused, match="was closed on"):
            desk.submit(item, label)
    eve = Desk(database, someone(database, "eve"))
    for desk, item in ((eve, done), (ann, "A" * 22)):
        with pytest.raises(NotFound, match="No item"):
            desk.submit(item)
    with database.transaction() as connection:
        assert set(connection.scalars(select(tables.audit_members.c.annotator))) == {"ann", "bob"}
    assert [one for given in answers(database).values() for one in given] == [("ann", first.place, "Pay 10")]


@pytest.mark.parametrize(
    ("variable", "label", "taken"),
    [
        ("type", Label(answer="value", value="icon"), True),
        ("type", Label(answer="value", value="Icon"), False),
        ("visibility", Label(answer="value", value="hidden"), False),
        ("visibility", Label(answer="absent"), True),
        ("text", Label(answer="value", value="anything"), True),
        ("type", Label(answer="unsure"), True),
    ],
)
def test_answers_to_the_question(database: Database, blobs: Blobs, variable: str, label: Label, taken: bool) -> None:
    """A choice is one of those that there are; nothing else is stored."""
    row = record(1, variable=variable)
    released(database, row)
    items = [new_item(row["id"], variable)]
    open_audit(database, AUDIT, seed=1, release="v1", items=items, put=lambda png: blobs.put(png, "image/png"))
    ann = Desk(database, someone(database, "ann"))
    item = ann.next()
    if taken:
        assert ann.submit(item, label).label == label
    else:
        with pytest.raises(BadInput, match="not to choose from"):
            ann.submit(item, label)
        assert ann.next() == item


@pytest.mark.parametrize("seconds", [-1, math.nan, math.inf])
def test_seconds(desks: tuple[Desk, Desk, Desk], seconds: float) -> None:
    """A stopwatch shows a number, not less than nothing."""
    ann, *_ = desks
    with pytest.raises(BadInput):
        audit_desk.submit(ann.database, AUDIT, ann.annotator, str(ann.next()), TEN, seconds)


def test_skipped(desks: tuple[Desk, Desk, Desk]) -> None:
    """What was skipped comes again at the end, in the order of skipping; meanwhile somebody else may have it."""
    ann, bob, _ = desks
    first = ann.next()
    ann.skip(first)
    second = ann.next(NOON + timedelta(seconds=1))
    ann.skip(second, NOON + timedelta(seconds=1))
    assert ann.counts() == (0, 4, 2)
    later = NOON + timedelta(seconds=2)
    rest = [ann.next(later)]
    ann.submit(rest[0])
    rest.append(ann.next(later))
    ann.submit(rest[1])
    assert len({first, second, *rest}) == 4
    assert ann.next(later) == first
    ann.skip(first, later)
    assert ann.next(later) == second
    ann.submit(second)
    assert ann.next(later) == first
    assert ann.counts() == (3, 1, 1)
    assert len(bob.answer_all()) == 4
    ann.submit(first)
    with pytest.raises(Refused, match="answered by ann"):
        ann.skip(first)
    assert all(len(given) == 2 for given in answers(ann.database).values())


def test_undo(desks: tuple[Desk, Desk, Desk]) -> None:
    """One's own answers are taken back, the last first; nobody else's, and the place stays one's own."""
    ann, bob, _ = desks
    assert ann.undo() is None
    done = ann.answer_all()
    bob.answer_all()
    assert [ann.undo(), ann.undo()] == [done[3], done[2]]
    assert ann.counts() == (2, 2, 0)
    assert ann.next() == done[2]  # the one that was taken back last
    ann.submit(done[2], TWELVE)
    assert ann.next() == done[3]
    assert bob.next() is None
    given = answers(ann.database)
    assert given[done[2]] == [("ann", 1, "Pay 12"), ("bob", 2, "Pay 10")]
    assert given[done[3]] == [("bob", 2, "Pay 10")]


def test_adjudication(desks: tuple[Desk, Desk, Desk], database: Database) -> None:
    """What two disagree on goes to a third who does that, when nothing else is left, and leaves both labels as they are."""
    ann, bob, cy = desks
    dan = Desk(database, someone(database, "dan"))
    done = ann.answer_all()
    first, second = sorted(done[1:3], key=lambda item: digest("5", "cy", item))
    audit_desk.next_items(database, AUDIT, bob.annotator, count=4, now=NOON)
    bob.skip(done[3])
    labels = {done[0]: TEN, second: TWELVE, first: UNREADABLE}
    for minute, (item, label) in enumerate(labels.items()):
        bob.submit(item, label, NOON + timedelta(minutes=minute))
    assert cy.next() == done[3]  # a free place comes first
    cy.submit(done[3], Label(answer="value", value="PAY  10"))  # the same but for case and blanks
    assert cy.counts() == (1, 2, 0)
    assert (dan.next(), bob.next()) == (None, None)
    assert cy.next() == first
    cy.skip(first)
    assert cy.next() == second
    assert cy.submit(second, UNREADABLE).place == 3
    assert cy.next() == first
    assert cy.submit(first, Label(answer="unsure")).place == 3
    assert cy.next() is None
    assert answers(database) == {
        done[0]: [("ann", 1, "Pay 10"), ("bob", 2, "Pay 10")],
        second: [("ann", 1, "Pay 10"), ("bob", 2, "Pay 12"), ("cy", 3, "unreadable")],
        first: [("ann", 1, "Pay 10"), ("bob", 2, "unreadable"), ("cy", 3, "unsure")],
        done[3]: [("ann", 1, "Pay 10"), ("cy", 2, "PAY  10")],
    }


@pytest.mark.parametrize("third", ["none", "has it", "has answered"])
@pytest.mark.parametrize("other", [TEN, TWELVE])
def test_taking_back_tells_nothing_of_others(database: Database, blobs: Blobs, other: Label, third: str) -> None:
    """The last answer is taken back whether the other agrees or not, and whoever is at it: it is the same each time.

    What a third said stays, beside whatever comes to stand there; what they held is theirs, and nobody is handed an item twice.
    """
    opened(database, blobs, 1)
    ann, bob, cy = (Desk(database, someone(database, name, adjudicates=name == "cy")) for name in ("ann", "bob", "cy"))
    [item] = ann.answer_all(TEN)
    bob.answer_all(other)
    disputed = other != TEN
    if third != "none":
        assert cy.next() == (item if disputed else None)
    if third == "has answered" and disputed:
        cy.submit(item, UNREADABLE)
    assert ann.undo() == item
    assert ann.counts() == (0, 1, 0)
    assert (ann.next(), bob.next()) == (item, None)
    late = NOON + timedelta(hours=1)  # nobody else wants it: the third has it, or had it, and Bob has answered
    bob.next(late)
    if third == "has answered" and disputed:
        assert cy.next(late) is None
    assert ann.submit(item, TWELVE, late).place == 1
    assert [name for name, place, _ in answers(database)[item] if place < 3] == ["ann", "bob"]


def test_everybody_adjudicates(database: Database, blobs: Blobs) -> None:
    """An audit may ask everybody; never the two themselves."""
    opened(database, blobs, 1, adjudicate=True)
    ann, bob, cy = (Desk(database, someone(database, name)) for name in ("ann", "bob", "cy"))
    [item] = ann.answer_all(TEN)
    assert bob.answer_all(TWELVE) == [item]
    assert (ann.next(), bob.next()) == (None, None)
    assert cy.answer_all(TEN) == [item]
    assert answers(database)[item] == [("ann", 1, "Pay 10"), ("bob", 2, "Pay 12"), ("cy", 3, "Pay 10")]
    status = audit_results.status(database, AUDIT)
    [kind] = status.kinds
    assert (kind.annotators, kind.answers, kind.complete, kind.disputed, kind.adjudicated, kind.leased) == (3, 2, 1, 1, 1, 0)
