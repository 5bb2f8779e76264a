"""Audits as whoever runs them has them: their state, what was answered, closed, removed.

This and `store.audit_opening` alone know what an item stands for. No page and no resource for annotators imports either.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Row, delete, func, select, text, update

from domain.audit import AnnotatorKind, Judgement, Label
from domain.audit_judged import Judged
from domain.errors import Refused
from domain.record import Record
from store import tables
from store.audit_turns import find_audit
from store.blobs import Blobs
from store.database import Database
from store.lookup import stream, utc
from store.prune import discard, sweep
from store.shelf import removing

_audits, _items, _places, _rows = tables.audits, tables.audit_items, tables.audit_places, tables.release_probes


class OfKind(Record):
    """What annotators of one kind have done."""

    kind: AnnotatorKind
    annotators: int = Field(description="with an answer")
    answers: int = Field(description="at places 1 and 2")
    complete: int = Field(description="items with two answers")
    disputed: int = Field(description="of those: whose two answers differ")
    adjudicated: int = Field(description="of those: that a third has answered")
    leased: int = Field(description="places that are taken, and not answered")


class AuditStatus(Record):
    """An audit, open or closed."""

    name: str
    release: str
    seed: int
    adjudicate: bool
    items: int = Field(description="as it was opened")
    hidden: int = Field(description="of those: taken down since; neither asked nor counted below")
    opened: datetime = Field(description="UTC")
    closed: datetime | None = Field(description="UTC; null: it takes answers")
    kinds: tuple[OfKind, ...] = Field(description="of annotators that have taken a place")


def audits(database: Database) -> list[AuditStatus]:
    """All audits, the newest first."""
    with database.transaction() as connection:
        rows = connection.execute(select(_audits).order_by(_audits.c.opened.desc(), _audits.c.name)).all()
        return [_status(connection, row) for row in rows]


def status(database: Database, name: str) -> AuditStatus:
    """How far an audit is. Raises NotFound."""
    with database.transaction() as connection:
        return _status(connection, find_audit(connection, name))


def judged(database: Database, name: str) -> Iterator[Judged]:
    """Every item with its probe and all that was answered, in the order of probes' ids; none that was taken down since.

    Raises NotFound, when the first is asked for.
    """
    with database.transaction() as connection:
        release = find_audit(connection, name).release
    answered = (
        select(func.jsonb_agg(func.jsonb_build_array(*(_places.c[column] for column in _JUDGEMENT))))
        .where(_places.c.item == _items.c.item, _places.c.submitted.is_not(None))
        .scalar_subquery()
    )
    question = (
        select(_items.c.item, _items.c.picture, _items.c.record["region"].label("region"), answered.label("answered"))
        .add_columns(*(_rows.c.record[field].label(field) for field in _OF_PROBE))
        .join(_rows, (_rows.c.release == release) & (_rows.c.probe_id == _items.c.probe_id))
        .where(_items.c.audit == name, _items.c.hidden.is_(None), _items.c.picture.is_not(None))
        .order_by(_items.c.probe_id)
    )
    for row in stream(database, question):
        fields = {field: getattr(row, field) for field in _OF_PROBE}
        probe = fields.pop("id")
        given = sorted((_judgement(row.item, values) for values in row.answered or ()), key=lambda one: (one.kind, one.place))
        yield Judged.model_validate(
            {"item": row.item, "probe": probe, **fields, "picture": row.picture, "region": row.region, "judgements": given}
        )


def close(database: Database, name: str) -> AuditStatus:
    """No answer is taken from now on; what is leased is not. Closing twice is closing once. Raises NotFound."""
    return _set_closed(database, name, func.clock_timestamp())


def reopen(database: Database, name: str) -> AuditStatus:
    """Answers are taken again. Raises NotFound."""
    return _set_closed(database, name, None)


def check_removable(database: Database, name: str) -> None:
    """Raises Refused where a release rests on the audit, NotFound where there is none."""
    with database.transaction() as connection:
        _refuse_resting(connection, name)


def remove(database: Database, blobs: Blobs, name: str) -> int:
    """The audit with all its answers is gone, and its pictures are. Returns how many pictures.

    Raises NotFound, and Refused where a release rests on it.
    """
    with removing(database) as connection:
        _refuse_resting(connection, name)
        pictures = {digest for digest in connection.scalars(select(_items.c.picture).where(_items.c.audit == name)) if digest}
        connection.execute(delete(_audits).where(_audits.c.name == name))
        discard(connection, sorted(pictures))
    return sweep(database, blobs)


def _refuse_resting(connection: Connection, name: str) -> None:
    """Raises Refused where manifests have this audit's numbers; not those of another that had its name before."""
    audit, frozen = find_audit(connection, name), tables.releases
    named = frozen.c.manifest["audit"]["name"].astext == name
    question = select(frozen.c.name).where(named, frozen.c.frozen_at >= audit.opened).order_by(frozen.c.name)
    if resting := connection.scalars(question).all():
        several = len(resting) > 1
        raise Refused(
            f"Audit {name} stays: release{'s' if several else ''} {', '.join(resting)} rest{'' if several else 's'} on its "
            "answers, and a frozen release is never changed. It could go only from a store without, and no command removes "
            f"one. To take no more answers: builder audit close {name}"
        )


_OF_PROBE = ("id", "family", "kind", "variable", "gold", "structural", "splits")
_JUDGEMENT = ("annotator", "kind", "place", "answer", "value", "seconds", "submitted")
_STATUS = text("""
select kind, count(distinct annotator) filter (where given) as annotators,
    count(*) filter (where given and place < 3) as answers,
    count(*) filter (where not given) as leased
from (
    select p.*, p.submitted is not null as given from audit_places p join audit_items i on i.item = p.item
    where i.audit = :audit and i.hidden is null and i.picture is not null
) own group by kind order by kind
""")
_COMPLETE = text("""
select kind, count(*) as complete, count(*) filter (where differ) as disputed,
    count(*) filter (where differ and third) as adjudicated
from (
    select p.kind, count(distinct category) filter (where place < 3) > 1 as differ, bool_or(place = 3) as third
    from audit_places p join audit_items i on i.item = p.item
    where i.audit = :audit and i.hidden is null and i.picture is not null and p.submitted is not null
    group by p.item, p.kind having count(*) filter (where place < 3) = 2
) whole group by kind
""")


def _status(connection: Connection, row: Row[Any]) -> AuditStatus:
    whole = {one.kind: one for one in connection.execute(_COMPLETE, {"audit": row.name})}
    kinds = []
    for one in connection.execute(_STATUS, {"audit": row.name}):
        of = whole.get(one.kind)
        complete, disputed, adjudicated = (of.complete, of.disputed, of.adjudicated) if of else (0, 0, 0)
        kinds.append(
            OfKind(
                kind=one.kind,
                annotators=one.annotators,
                answers=one.answers,
                leased=one.leased,
                complete=complete,
                disputed=disputed,
                adjudicated=adjudicated,
            )
        )
    hidden = connection.scalar(
        select(func.count()).where(_items.c.audit == row.name, _items.c.hidden.is_not(None) | _items.c.picture.is_(None))
    )
    return AuditStatus(
        name=row.name,
        release=row.release,
        seed=row.seed,
        adjudicate=row.adjudicate,
        items=row.items,
        hidden=int(hidden or 0),
        opened=utc(row.opened),
        closed=row.closed and utc(row.closed),
        kinds=tuple(kinds),
    )


def _judgement(item: str, values: list[Any]) -> Judgement:
    given = dict(zip(_JUDGEMENT, values, strict=True))
    label = Label(answer=given.pop("answer"), value=given.pop("value"))
    when = datetime.fromisoformat(given.pop("submitted")).astimezone(UTC)
    return Judgement(item=item, label=label, when=when, **given)


def _set_closed(database: Database, name: str, closed: Any) -> AuditStatus:
    with database.transaction() as connection:
        # Alone: an answer under way is taken before it, or not at all.
        row = connection.execute(select(_audits).where(_audits.c.name == name).with_for_update(key_share=True)).one_or_none()
        if row is None:
            find_audit(connection, name)
        elif (row.closed is None) != (closed is None):
            connection.execute(update(_audits).where(_audits.c.name == name).values(closed=closed))
    return status(database, name)
