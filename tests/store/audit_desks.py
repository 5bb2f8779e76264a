"""Annotators at the desk, for tests of the store: at one moment, with one label, unless they are told otherwise."""

from __future__ import annotations

from datetime import datetime, timedelta

from domain.audit import Judgement, Label
from store import audit_desk, audit_results
from store.annotators import Annotator
from store.blobs import Blobs
from store.database import Database
from tests.store.audit_rows import AUDIT, TEN, opened, someone
from tests.store.probe_rows import NOON


class Desk:
    """One annotator at the desk."""

    def __init__(self, database: Database, annotator: Annotator) -> None:
        self.database, self.annotator = database, annotator

    def next(self, now: datetime = NOON) -> str | None:
        item = audit_desk.next_item(self.database, AUDIT, self.annotator, now=now)
        return item and item.item

    def submit(self, item: str | None, label: Label = TEN, now: datetime = NOON) -> Judgement:
        assert item is not None
        return audit_desk.submit(self.database, AUDIT, self.annotator, item, label, 2.5, now=now).judgement

    def skip(self, item: str | None, now: datetime = NOON) -> None:
        assert item is not None
        audit_desk.skip(self.database, AUDIT, self.annotator, item, now=now)

    def undo(self, now: datetime = NOON) -> str | None:
        item = audit_desk.undo(self.database, AUDIT, self.annotator, now=now)
        return item and item.item

    def answer_all(self, label: Label = TEN, now: datetime = NOON) -> list[str]:
        done: list[str] = []
        while (item := self.next(now)) is not None:
            self.submit(item, label, now + timedelta(microseconds=len(done)))
            done.append(item)
        return done

    def counts(self) -> tuple[int, int, int]:
        now = audit_desk.progress(self.database, AUDIT, self.annotator)
        return now.answered, now.left, now.skipped


def three(database: Database, blobs: Blobs) -> tuple[Desk, Desk, Desk]:
    """Ann, Bob and Cy, who adjudicates, over four items."""
    opened(database, blobs, 4)
    people = [someone(database, "ann"), someone(database, "bob"), someone(database, "cy", adjudicates=True)]
    ann, bob, cy = (Desk(database, one) for one in people)
    return ann, bob, cy


def answers(database: Database) -> dict[str, list[tuple[str, int, str | None]]]:
    """(annotator, place, value or answer) of each item."""
    return {
        row.item: [(one.annotator, one.place, one.label.value or one.label.answer) for one in row.judgements]
        for row in audit_results.judged(database, AUDIT)
    }
