"""An annotator's answers to an audit: given, skipped, taken back, each whole or not at all."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, text, update

from domain.audit import AuditItem, Judgement, Label
from domain.audit_match import category
from domain.audit_model import AnsweringModel
from domain.errors import BadInput, NotFound, Refused
from store import tables
from store.annotators import Annotator
from store.audit_rules import as_stored, fault
from store.audit_sources import hold_to
from store.audit_turns import LEASE_S, Own, entered, free_over, look_again, own_item, refuse_closed, take_places, third
from store.database import Database

_places, _shown = tables.audit_places, tables.audit_shown
_LAST = text("""
select p.item from audit_places p join audit_items i on i.item = p.item
where p.audit = :audit and p.annotator = :annotator and p.submitted is not null and i.hidden is null and i.picture is not null
order by p.submitted desc, p.item limit 1
""")


class Stored(NamedTuple):
    """An answer that is stored, now or before, and what it answers."""

    item: AuditItem
    judgement: Judgement


def submit(  # noqa: PLR0917 - who, what, which, and the answer
    database: Database,
    audit: str,
    annotator: Annotator,
    item: str,
    label: Label,
    seconds: float | None = None,
    *,
    by: AnsweringModel | None = None,
    now: datetime | None = None,
) -> Stored:
    """The label is stored, once. Answers also without a lease, as long as there is a place. The same again changes nothing, and
    is taken though the audit was closed or the item was taken down since: whoever got no reply is told that it is stored.

    seconds: from the item being shown to the answer. by: the model that gave it, which stays this annotator's from here on.
    Raises BadInput where the label is no answer to the question, NotFound also for an item that was never handed to this
    annotator, and Refused where another label of this annotator is stored, others have both places, the audit is closed, or the
    annotator is another model, or the model another annotator.
    """
    if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
        raise BadInput(f"{seconds} is no number of seconds: 0 or more, or none.")
    label = as_stored(label)
    with entered(database, audit, annotator, now, closed=True) as (connection, row, at):
        own = _given(connection, audit, annotator, item, gone=True)
        if own.label != label:
            refuse_closed(row)
        if own.submitted is None and own.place is None:
            # Somebody else's time for it may be over.
            free_over(connection, audit, annotator, at)
            own = own_item(connection, audit, annotator, item)
        if why := fault(own, label, annotator, adjudicates=third(row, annotator), it=f"Item {item}"):
            raise why
        if by is not None:
            hold_to(connection, audit, annotator, by, note=True)
        if own.submitted is None:
            if own.place is None:
                take_places(connection, audit, annotator, [item], at=at, until=at)
            given = {**label.model_dump(), "category": category(label), "seconds": seconds, "submitted": at}
            connection.execute(update(_places).where(*_own_place(annotator, item)).values(given))
            look_again(connection, [item])
            own = own_item(connection, audit, annotator, item)
    return Stored(own.item, _judgement(own, annotator))


def check_model(database: Database, audit: str, annotator: Annotator, model: AnsweringModel) -> None:
    """Raises Refused where this model's answers would not be taken from this annotator: before it is asked in vain."""
    with entered(database, audit, annotator, None) as (connection, _, _):
        hold_to(connection, audit, annotator, model, note=False)


def skip(database: Database, audit: str, annotator: Annotator, item: str, *, now: datetime | None = None) -> None:
    """The item comes again at the end; meanwhile others may have the place. Raises NotFound, Refused where it is answered."""
    with entered(database, audit, annotator, now) as (connection, _, at):
        own = _given(connection, audit, annotator, item)
        if own.submitted is not None:
            raise Refused(f"Item {item} is answered by {annotator.name} already: take that back first.")
        connection.execute(_places.delete().where(*_own_place(annotator, item)))
        mine = (_shown.c.item == item) & (_shown.c.annotator == annotator.name)
        connection.execute(update(_shown).where(mine).values(skipped=at))
        look_again(connection, [item])


def undo(
    database: Database, audit: str, annotator: Annotator, *, lease_s: float = LEASE_S, now: datetime | None = None
) -> AuditItem | None:
    """The last answer of this annotator is taken back, and the item is theirs to answer again; None: there is no answer.

    Whatever others said of the item, and whether a third is at it: who takes back learns nothing of that. Raises NotFound, and
    Refused where the audit is closed.
    """
    with entered(database, audit, annotator, now) as (connection, _, at):
        item = connection.scalar(_LAST, {"audit": audit, "annotator": annotator.name})
        if item is None:
            return None
        own = own_item(connection, audit, annotator, item, hold=True)
        nothing = dict.fromkeys(("answer", "value", "category", "seconds", "submitted"))
        lease = {"leased": at, "leased_until": at + timedelta(seconds=lease_s)}
        connection.execute(update(_places).where(*_own_place(annotator, item)).values({**nothing, **lease}))
        look_again(connection, [item])
    return own.item


def _given(connection: Connection, audit: str, annotator: Annotator, item: str, *, gone: bool = False) -> Own:
    """An item that this annotator was handed at some time, held. gone: also one that was taken down once it was answered.

    Raises NotFound for any other.
    """
    own = own_item(connection, audit, annotator, item, hold=True, gone=gone)
    if not own.given or (own.gone and own.submitted is None):
        raise NotFound(f"No item {item[:80]!r} in audit {audit}.")
    return own


def _own_place(annotator: Annotator, item: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _places.c.item == item, _places.c.annotator == annotator.name


def _judgement(own: Own, annotator: Annotator) -> Judgement:
    return Judgement.model_validate(
        {
            "item": own.item.item,
            "annotator": annotator.name,
            "kind": annotator.kind,
            "label": own.label,
            "when": own.submitted,
            "seconds": own.seconds,
            "place": own.place,
        }
    )
