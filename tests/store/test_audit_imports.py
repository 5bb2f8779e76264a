"""store/audit_imports.py: answers that come all at once are taken in a few statements, and refused as single ones are."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import event, func, select

from domain.audit import Label
from domain.errors import Refused
from store import audit_desk, audit_imports, audit_results, tables
from store.annotators import Annotator
from store.audit_imports import Answered, Taken, take_answers
from store.audit_sources import Accounts
from store.blobs import Blobs
from store.database import Database
from tests.store.audit_rows import AUDIT, TEN, TWELVE, UNREADABLE, opened, someone
from tests.store.probe_rows import NOON


def handed(database: Database, annotator: Annotator, count: int) -> list[str]:
    """Items that the annotator has on a sheet."""
    return [one.item for one in audit_desk.next_items(database, AUDIT, annotator, count=count, now=NOON)]


def statements(database: Database, annotator: Annotator, answers: list[Answered]) -> tuple[int, Taken]:
    """How many were sent to take these, and what became of them."""
    seen: list[str] = []

    def note(_conn: object, _cursor: object, statement: str, *_: object) -> None:
        seen.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        taken = take_answers(database, AUDIT, annotator, answers, now=NOON)
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    return len(seen), taken


def test_many_are_taken_in_as_few_statements_as_two(database: Database, blobs: Blobs) -> None:
    """A sheet of 60 is asked and stored as one of two is; each label, its seconds and whose turn it is are right."""
    opened(database, blobs, 62)
    ann, bob = someone(database, "ann"), someone(database, "bob")
    items = handed(database, ann, 62)
    few, _ = statements(database, ann, [Answered(item, TEN) for item in items[:2]])
    kinds = (TEN, TWELVE, UNREADABLE)
    answers = [Answered(item, kinds[n % 3], n / 2 if n % 2 else None) for n, item in enumerate(items[2:])]
    many, taken = statements(database, ann, answers)
    assert taken == Taken(60, 0, 0, ())
    assert many <= few <= 12
    given = {row.item: row.judgements[0] for row in audit_results.judged(database, AUDIT)}
    assert [(given[one.item].label, given[one.item].seconds) for one in answers] == [
        (one.label, one.seconds) for one in answers
    ]
    handed(database, bob, 62)
    take_answers(database, AUDIT, bob, [Answered(item, TEN) for item in items], now=NOON)
    assert audit_results.status(database, AUDIT).kinds[0].disputed == 40


def test_over_many_batches_it_is_the_same(database: Database, blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are a matter of size: all or none, across them, and every fault is told."""
    monkeypatch.setattr(audit_imports, "BATCH", 2)
    opened(database, blobs, 7)
    ann, bob, cy = (someone(database, name) for name in ("ann", "bob", "cy"))
    items = handed(database, ann, 6)
    [strange] = {row.item for row in audit_results.judged(database, AUDIT)} - set(items)
    take_answers(database, AUDIT, ann, [Answered(items[0], TEN)], now=NOON)
    late = NOON + timedelta(hours=1)
    for who in (bob, cy):  # who take the last place at one that Ann had for half an hour
        audit_desk.next_items(database, AUDIT, who, count=7, now=late)
    audit_desk.submit(database, AUDIT, bob, items[1], TEN, now=late)
    audit_desk.submit(database, AUDIT, cy, items[1], TEN, now=late)
    answers = [Answered(item, TEN) for item in (*items[1:], strange, "A" * 22)] + [Answered(items[0], TWELVE)]
    taken = take_answers(database, AUDIT, ann, answers, now=late)
    faults = {one.item: one.problem for one in taken.faults}
    assert faults.pop(strange) == f"item {strange} was never given to ann."
    assert faults.pop("A" * 22) == f"item {'A' * 22}: audit {AUDIT} has no such item."
    assert faults.pop(items[0]) == f"item {items[0]} has another answer of ann already: take that back first."
    assert {why.partition(": ")[2] for why in faults.values()} == {
        "the time ann had for it is over, and others have both places by now."
    }
    assert set(faults) == set(items[1:])
    with database.transaction() as connection:
        mine = tables.audit_places.c.annotator == "ann"
        assert connection.scalar(select(func.count(tables.audit_places.c.submitted)).where(mine)) == 1


def test_the_same_file_when_it_is_closed(database: Database, blobs: Blobs) -> None:
    """Stored whole before, it is a success still, whoever completed it; with one answer that is not it is refused, and notes
    nothing.
    """
    opened(database, blobs, 3)
    ann = someone(database, "ann")
    answers = [Answered(item, TEN) for item in handed(database, ann, 3)]
    mine, whole = Accounts(["1"]), answers[:2]
    assert take_answers(database, AUDIT, ann, whole, accounts=mine, now=NOON).new == 2
    audit_results.close(database, AUDIT)
    late = NOON + timedelta(days=9)  # also with leases that are over
    for accounts in (mine, Accounts(["2"], shared=True)):
        assert take_answers(database, AUDIT, ann, whole, accounts=accounts, now=late) == Taken(0, 2, 0, ())
    for wrong in (answers, [answers[0], Answered(answers[1].item, TWELVE)], [Answered("A" * 22, TEN)]):
        with pytest.raises(Refused, match="was closed on"):
            take_answers(database, AUDIT, ann, wrong, accounts=mine, now=late)
    with database.transaction() as connection:
        assert connection.scalars(select(tables.audit_accounts.c.account)).all() == ["1"]
    assert sum(len(row.judgements) for row in audit_results.judged(database, AUDIT)) == 2


def test_a_text_of_its_own_for_each(database: Database, blobs: Blobs) -> None:
    """What was written stays with its item, whatever is in it; the same file again is nothing new."""
    opened(database, blobs, 4)
    ann = someone(database, "ann")
    texts = ["{a,b}", 'NULL "x"', "a\\b\x00", "\U0001f600 \u0663"]
    answers = [
        Answered(item, Label(answer="value", value=text)) for item, text in zip(handed(database, ann, 4), texts, strict=True)
    ]
    assert take_answers(database, AUDIT, ann, answers, now=NOON).new == 4
    assert take_answers(database, AUDIT, ann, answers, now=NOON) == Taken(0, 4, 0, ())
    given = {row.item: row.judgements[0].label.value for row in audit_results.judged(database, AUDIT)}
    assert [given[one.item] for one in answers] == [text.replace("\x00", "\ufffd") for text in texts]
