"""store/audit_desk.py: who is asked what, in which order, for how long, and what they may see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event

from domain.audit import AuditItem
from domain.errors import NotFound, Refused
from domain.identity import digest
from store import audit_desk, audit_results
from store.annotators import Annotator
from store.audit_turns import BLOCK
from store.blobs import Blobs
from store.database import Database
from tests.store.audit_desks import Desk, answers, three
from tests.store.audit_rows import AUDIT, TWELVE, opened, picture, someone
from tests.store.probe_rows import NOON


@pytest.fixture
def desks(database: Database, blobs: Blobs) -> tuple[Desk, Desk, Desk]:
    return three(database, blobs)


def test_everybody_has_an_order(desks: tuple[Desk, Desk, Desk]) -> None:
    """Of equally served items, by SHA-256 of seed, annotator and item: not that of the probes, not another's."""
    ann, bob, _ = desks
    all_items = list(answers(ann.database))
    by_hash = sorted(all_items, key=lambda item: digest("5", "ann", item))
    assert ann.answer_all() == by_hash
    # All are served once now, so Bob's own order is the whole of it.
    assert bob.answer_all() == sorted(all_items, key=lambda item: digest("5", "bob", item))


def test_an_order_of_many(database: Database, blobs: Blobs) -> None:
    """More than one block's items: by SHA-256 of seed, annotator and block first. The least served of all come first."""
    opened(database, blobs, BLOCK + 10)
    ann, bob = someone(database, "ann"), someone(database, "bob")
    ids = sorted(answers(database))
    blocks = {"1": ids[: len(ids) // 2], "2": ids[len(ids) // 2 :]}

    def order(name: str) -> list[str]:
        by_block = sorted(blocks, key=lambda block: digest("5", name, block))
        return [item for block in by_block for item in sorted(blocks[block], key=lambda one: digest("5", name, one))]

    def sheet(annotator: Annotator, count: int) -> list[str]:
        return [one.item for one in audit_desk.next_items(database, AUDIT, annotator, count=count, now=NOON)]

    first = sheet(ann, 150)  # more than a block
    assert first == order("ann")[:150]
    served, left = [[item for item in order("bob") if (item in first) == taken] for taken in (True, False)]
    assert sheet(bob, len(ids)) == left + served


def test_least_served_first(desks: tuple[Desk, Desk, Desk]) -> None:
    """What nobody has comes before what somebody has, whatever the order."""
    ann, bob, cy = desks
    first = [ann.next(), bob.next()]
    assert len(set(first)) == 2
    for desk, item in zip((ann, bob), first, strict=True):
        desk.submit(item)
    assert {ann.next(), bob.next()} == set(answers(ann.database)) - set(first)
    third = cy.next()
    assert third in set(answers(ann.database))  # each has one place left
    assert cy.next() == third  # asked again, or in another tab


def test_two_places_of_each_kind(desks: tuple[Desk, Desk, Desk], database: Database) -> None:
    """Two people, no third; a model has places of its own, and sees none of theirs."""
    ann, bob, cy = desks
    model = Desk(database, someone(database, "ocr", "model"))
    assert [len(desk.answer_all()) for desk in (ann, bob, cy, model)] == [4, 4, 0, 4]
    assert ann.next() is None
    for given in answers(database).values():
        assert sorted(given) == [("ann", 1, "Pay 10"), ("bob", 2, "Pay 10"), ("ocr", 1, "Pay 10")]
    assert [desk.counts() for desk in (ann, cy, model)] == [(4, 0, 0), (0, 0, 0), (4, 0, 0)]


def test_a_lease_is_over(desks: tuple[Desk, Desk, Desk]) -> None:
    """Somebody else gets the place then, not before; who comes back late may answer while there is a place, and no longer."""
    ann, bob, cy = desks
    held = ann.next()
    assert held is not None
    bob.answer_all()
    assert [name for name, *_ in answers(ann.database)[held]] == ["bob"]
    soon, late = NOON + timedelta(seconds=1799), NOON + timedelta(seconds=1800)
    cy.answer_all(now=soon)
    assert [name for name, *_ in answers(ann.database)[held]] == ["bob"]
    # Nobody wants it yet: late is not too late, and asking goes on with it.
    assert ann.next(late) == held
    cy.answer_all(now=late + timedelta(seconds=1799))
    assert [name for name, *_ in answers(ann.database)[held]] == ["bob"]
    cy.answer_all(now=late + timedelta(seconds=1800))
    assert [name for name, *_ in answers(ann.database)[held]] == ["cy", "bob"]
    with pytest.raises(Refused, match="others have both places"):
        ann.submit(held)
    assert audit_desk.item_of(ann.database, AUDIT, ann.annotator, held)[1] is None  # it was shown before: nothing new


def test_what_may_be_seen(desks: tuple[Desk, Desk, Desk], database: Database, blobs: Blobs) -> None:
    """An item and its picture are for whoever was given them; before that, and of other audits, there are none."""
    ann, bob, _ = desks
    item = str(ann.next())
    shown = audit_desk.picture_of(database, AUDIT, ann.annotator, item)
    row = next(row for row in audit_results.judged(database, AUDIT) if row.item == item)
    assert blobs.get(shown) == picture(row.probe)
    for given in (item, "x" * 22, "", "a\x00"):
        for question in (audit_desk.picture_of, audit_desk.item_of):
            with pytest.raises(NotFound, match="No item"):
                question(database, AUDIT, bob.annotator, given)
    with pytest.raises(NotFound, match=f"No audit 'other'. Open ones: {AUDIT}"):
        audit_desk.item_of(database, "other", ann.annotator, item)
    with pytest.raises(NotFound, match="No item"):
        bob.skip(item)


def test_a_sheet(desks: tuple[Desk, Desk, Desk]) -> None:
    """Several at once are leased together, and given out again with what is asked for next; never more than there is."""
    ann, bob, _ = desks
    sheet = audit_desk.next_items(ann.database, AUDIT, ann.annotator, count=3, lease_s=86400, now=NOON)
    assert len({one.item for one in sheet}) == 3
    later = NOON + timedelta(hours=20)
    bob.answer_all(now=later)
    assert all(len(given) == 1 for given in answers(ann.database).values())  # Bob's alone: places of the sheet stay
    again = audit_desk.next_items(ann.database, AUDIT, ann.annotator, count=9, now=later)
    assert {one.item for one in sheet} < {one.item for one in again}
    assert len(again) == 4


def test_closed(desks: tuple[Desk, Desk, Desk], database: Database) -> None:
    """A closed audit takes nothing, and says since when; opened again it goes on."""
    ann, *_ = desks
    item = ann.next()
    assert audit_results.close(database, AUDIT).closed == audit_results.close(database, AUDIT).closed
    for do in (ann.next, ann.undo, lambda: ann.submit(item), lambda: ann.skip(item)):
        with pytest.raises(Refused, match="was closed on"):
            do()
    assert audit_desk.audits(database) == []
    audit_results.reopen(database, AUDIT)
    ann.submit(item)
    assert [(line.name, line.items) for line in audit_desk.audits(database)] == [(AUDIT, 4)]


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """All SQL that is sent meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def test_the_desk_reads_no_probes(desks: tuple[Desk, Desk, Desk], database: Database) -> None:
    """Not one statement for annotators names a table or column with what an item stands for."""
    ann, bob, cy = desks
    with statements(database) as sent:
        ann.answer_all()
        bob.answer_all(TWELVE)
        cy.answer_all()
        cy.undo()
        cy.skip(cy.next())
        item = str(cy.next())
        audit_desk.item_of(database, AUDIT, cy.annotator, item)
        audit_desk.picture_of(database, AUDIT, cy.annotator, item)
        ann.counts()
        audit_desk.audits(database)
    words = "probe", "release", "capture", "visit", "divergence", "sighting", "blobs"
    columns = "audits.release"  # the name of the release comes with the audit's row, and goes no further
    assert len(sent) > 50
    assert not [one for one in sent if any(word in one.replace(columns, "") for word in words)]
    assert set(AuditItem.model_fields) == {"item", "ask", "question", "choices", "width", "height", "region"}
