"""Answers that were given elsewhere, on a sheet or in another tool: all of them are taken, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from sqlalchemy import ARRAY, Connection, Text, any_, literal, select, text

from domain.audit import Label
from domain.audit_match import category
from domain.errors import Refused
from store import tables
from store.annotators import Annotator
from store.audit_rules import as_stored, fault
from store.audit_sources import Accounts, wrong_accounts
from store.audit_turns import clock, enter, look_again, own_items, refuse_closed, release, take_places, third
from store.database import Database

BATCH = 1000
"""Answers that are looked at, and stored, in one statement."""

_items = tables.audit_items
_SUBMIT = text("""
update audit_places p
set answer = n.answer, value = n.value, category = n.category, seconds = n.seconds, submitted = :at
from unnest(
    cast(:items as text[]), cast(:answers as text[]), cast(:texts as text[]), cast(:categories as text[]),
    cast(:seconds as double precision[])
) as n (item, answer, value, category, seconds)
where p.item = n.item and p.annotator = :annotator
""")
_One = TypeVar("_One")


class Answered(NamedTuple):
    """One answer, by its annotator."""

    item: str
    label: Label
    seconds: float | None = None
    called: str | None = None
    """The item, to whoever reads what is wrong; None: by its own number."""

    @property
    def it(self) -> str:
        """The item in a sentence."""
        return f"item {self.called or self.item}"


class Faulty(NamedTuple):
    """An answer that cannot be taken, and a sentence that says why. item: None where it is about all of them."""

    item: str | None
    problem: str


class Taken(NamedTuple):
    """What became of answers. new: how many were not stored before. With faults none is stored.

    hidden: items that were taken down since they were given; their answers are left out.
    """

    new: int
    same: int
    hidden: int
    faults: tuple[Faulty, ...]


def take_answers(
    database: Database,
    audit: str,
    annotator: Annotator,
    answers: Sequence[Answered],
    *,
    accounts: Accounts | None = None,
    check: bool = False,
    now: datetime | None = None,
) -> Taken:
    """All of them are stored in one transaction; where one cannot be, none is, and every fault is told.

    Only of items that this annotator was given; at most one answer to each. The same again changes nothing. An answer whose
    lease is over counts as long as there is a place. accounts: who completed them elsewhere; none of them may have done so for
    another annotator. check: only look, and store nothing. Raises NotFound for the audit, Refused where it is closed and not
    all of them are stored already, or for a model: nobody could tell which one it was.
    """
    if annotator.kind != "human":
        raise Refused(f"{annotator.name} is a model, and files of answers are people's: builder audit model asks it here.")
    release(database, audit, annotator, now)
    given = {one.item: one._replace(label=as_stored(one.label)) for one in answers}
    with database.transaction() as connection:
        row = enter(connection, audit, annotator, closed=True)
        # In one order, so that two who import never wait for one another in a circle; everybody else waits for one item.
        named = any_(literal(list(given), ARRAY(Text)))  # one value, however many there are
        of_audit = (_items.c.audit == audit) & (_items.c.item == named)
        held = select(_items.c.item).where(of_audit).order_by(_items.c.item)
        connection.execute(held.with_for_update(key_share=True)).all()
        gone = _items.c.hidden.is_not(None) | _items.c.picture.is_(None)
        hidden = set(connection.scalars(select(_items.c.item).where(of_audit, gone)))
        shown = [one for item, one in sorted(given.items()) if item not in hidden]
        looked = list(_look(connection, audit, annotator, shown, adjudicates=third(row, annotator)))
        faults = tuple(Faulty(one.answered.item, one.fault) for one in looked if one.fault)
        new = [one for one in looked if one.new]
        if faults or new:
            refuse_closed(row)
        if accounts is not None:
            note = not (faults or check) and row.closed is None
            wrong = wrong_accounts(connection, audit, annotator, accounts, note=note)
            faults += tuple(Faulty(None, why) for why in wrong)
        if not faults and not check:
            _store(connection, audit, annotator, new, clock(connection, now))
    return Taken(len(new), sum(one.fault is None and not one.new for one in looked), len(hidden), faults)


class _Looked(NamedTuple):
    answered: Answered
    fault: str | None = None
    new: bool = False
    placed: bool = True
    """The annotator has a place at it."""


def _look(
    connection: Connection, audit: str, annotator: Annotator, answers: Sequence[Answered], *, adjudicates: bool
) -> Iterator[_Looked]:
    for some in _batches(answers):
        found = own_items(connection, audit, annotator, [one.item for one in some])
        for one in some:
            own = found.get(one.item)
            if own is None:
                yield _Looked(one, f"{one.it}: audit {audit} has no such item.")
                continue
            why = fault(own, one.label, annotator, adjudicates=adjudicates, it=one.it)
            new = why is None and own.submitted is None
            yield _Looked(one, str(why) if why else None, new=new, placed=own.place is not None)


def _store(connection: Connection, audit: str, annotator: Annotator, new: Sequence[_Looked], at: datetime) -> None:
    for some in _batches(new):
        if without := [one.answered.item for one in some if not one.placed]:
            take_places(connection, audit, annotator, without, at=at, until=at)
        given = [one.answered for one in some]
        items = [one.item for one in given]
        columns = {
            "items": items,
            "answers": [one.label.answer for one in given],
            "texts": [one.label.value for one in given],
            "categories": [category(one.label) for one in given],
            "seconds": [one.seconds for one in given],
        }
        connection.execute(_SUBMIT, {**columns, "annotator": annotator.name, "at": at})
        look_again(connection, items)


def _batches(all_of_them: Sequence[_One]) -> Iterator[Sequence[_One]]:
    return (all_of_them[start : start + BATCH] for start in range(0, len(all_of_them), BATCH))
