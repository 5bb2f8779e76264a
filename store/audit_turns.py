"""How places at an audit's items are given out: whose turn it is, and the locks under which that changes. For the store alone.

Whoever takes, answers, skips or frees a place holds, in this order: the audit shared, itself as a member (two tabs of one
annotator wait for each other), and the item. Of several items at once it never waits for one: it takes those that nobody
holds. So nobody waits in a circle. Whoever closes or hides holds the audit alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple, get_args

from sqlalchemy import Connection, Row, func, select, text
from sqlalchemy.dialects.postgresql import insert

from domain.audit import AnnotatorKind, AuditItem, Label
from domain.errors import NotFound, Refused
from store import tables
from store.annotators import Annotator
from store.clean import clean
from store.database import Database
from store.lookup import utc

_audits, _members = tables.audits, tables.audit_members
LEASE_S = 1800
"""Seconds that an annotator may think about an item before others get it."""
WANTED, DISPUTED = 1, 2
"""The last stage at which a place is free; and that of an item whose two labels differ, and that no third has."""

BLOCK = 250
"""Items of an audit that are ordered together, at most: what is asked next is looked for in one block after the other."""

_AGAIN = text("""
update audit_turns t set stage = new.stage, holder = new.holder
from (
    select t.item, t.kind,
        case
            when i.hidden is not null or i.picture is null then null
            when n.taken < 2 then n.taken
            when n.answered = 2 and n.said > 1 and n.thirds = 0 then 2
        end as stage,
        case when n.taken = 1 then n.one else '' end as holder
    from audit_turns t join audit_items i on i.item = t.item
    cross join lateral (
        select count(*) filter (where place < 3) as taken, count(submitted) filter (where place < 3) as answered,
            count(distinct category) filter (where place < 3) as said, count(*) filter (where place = 3) as thirds,
            min(annotator) filter (where place < 3) as one
        from audit_places p where p.item = t.item and p.kind = t.kind
    ) n
    where t.item = any(:items)
) new
where t.item = any(:items) and t.item = new.item and t.kind = new.kind
    and (t.stage is distinct from new.stage or t.holder is distinct from new.holder)
""")
# Ids of items are random, so their order is no order of what they stand for.
_LAY_OUT = text("""
insert into audit_turns (item, kind, audit, block, stage, holder)
select i.item, k.kind, i.audit, ntile(:blocks) over (partition by k.kind order by i.item), 0, ''
from audit_items i cross join unnest(cast(:kinds as text[])) k (kind) where i.audit = :audit
""")
_TAKE = text("""
with given as (
    insert into audit_shown (item, annotator, audit, shown)
    select one.item, :annotator, :audit, :at from unnest(cast(:items as text[])) one (item) on conflict do nothing
)
insert into audit_places (item, kind, place, audit, annotator, leased, leased_until)
select one.item, :kind, (
    select min(free.place) from (values (1), (2), (3)) free (place)
    where not exists (select from audit_places p where p.item = one.item and p.kind = :kind and p.place = free.place)
), :audit, :annotator, :at, :until
from unnest(cast(:items as text[])) one (item)
""")
_OVER = text("""
select p.item, p.kind, p.place from audit_places p join audit_items i on i.item = p.item
where p.audit = :audit and p.submitted is null and p.leased_until <= :now and p.annotator <> :annotator
order by p.leased_until limit 1000 for no key update of i, p skip locked
""")
# Items of this audit, and what this annotator has to do with them.
_OWN = text("""
select i.item, i.record, coalesce(i.picture, '') as picture, i.hidden is not null or i.picture is null as gone,
    case when p.place is null then t.stage end as stage, s.shown, p.place, p.answer, p.value, p.seconds, p.submitted
from audit_items i
join audit_turns t on t.item = i.item and t.kind = :kind
left join audit_shown s on s.item = i.item and s.annotator = :annotator
left join audit_places p on p.item = i.item and p.annotator = :annotator
where i.item = any(:items) and i.audit = :audit
""")
_FREE = text("""
delete from audit_places p
using unnest(cast(:items as text[]), cast(:kinds as text[]), cast(:places as int[])) as o (item, kind, place)
where p.item = o.item and p.kind = o.kind and p.place = o.place
""")


def clock(connection: Connection, now: datetime | None) -> datetime:
    """What is now for this question: as given, else by the database's clock, which is one for all machines."""
    moment = now or connection.scalar(select(func.clock_timestamp()))
    assert moment is not None  # noqa: S101 - the server has a clock
    return utc(moment)


def find_audit(connection: Connection, name: str) -> Row[Any]:
    """The audit, open or closed. Raises NotFound."""
    row = connection.execute(select(_audits).where(_audits.c.name == name)).one_or_none()
    if row is None:
        raise unknown(connection, name)
    return row


def unknown(connection: Connection, name: str) -> NotFound:
    """That there is no such audit, with those that are open."""
    opened = connection.scalars(select(_audits.c.name).where(_audits.c.closed.is_(None)).order_by(_audits.c.name)).all()
    return NotFound(f"No audit {clean(name)[:80]!r}. Open ones: {', '.join(opened) or 'none'}.")


def enter(connection: Connection, audit: str, annotator: Annotator, *, closed: bool = False) -> Row[Any]:
    """The audit, held shared, and this annotator's membership, made at first and held alone.

    closed: also one that is closed, which takes no new member. Raises NotFound, and Refused for a closed one else.
    """
    asked = (_members.c.audit == audit) & (_members.c.annotator == annotator.name)
    # Membership is never taken back, so it may be looked for before it is held.
    joined = select(_members.c.joined).where(asked).scalar_subquery().label("joined")
    question = select(_audits, joined, func.clock_timestamp().label("clock")).where(_audits.c.name == audit)
    row = connection.execute(question.with_for_update(read=True, of=_audits)).one_or_none()
    if row is None:
        raise unknown(connection, audit)
    if not closed:
        refuse_closed(row)
    if row.joined is None and row.closed is None:
        mine = {"audit": audit, "annotator": annotator.name, "key": secrets.token_hex(32)}
        values = {**mine, "joined": func.clock_timestamp()}
        connection.execute(insert(_members).values(values).on_conflict_do_nothing())
    connection.execute(select(_members.c.joined).where(asked).with_for_update(key_share=True))
    return row


def refuse_closed(audit: Row[Any]) -> None:
    """Raises Refused for an audit that is closed."""
    if audit.closed is not None:
        raise Refused(f"Audit {audit.name} was closed on {utc(audit.closed):%Y-%m-%d}: no answers are taken any more.")


@contextmanager
def entered(
    database: Database, audit: str, annotator: Annotator, now: datetime | None, *, closed: bool = False
) -> Iterator[tuple[Connection, Row[Any], datetime]]:
    """A transaction as of `enter`: the audit, and what is now."""
    with database.transaction() as connection:
        row = enter(connection, audit, annotator, closed=closed)
        yield connection, row, utc(now or row.clock)


def lay_out(connection: Connection, audit: str, items: int) -> int:
    """It is everybody's turn at each of so many items of a new audit. Returns how many blocks they are in."""
    blocks = max(1, -(-items // BLOCK))
    connection.execute(_LAY_OUT, {"audit": audit, "blocks": blocks, "kinds": list(get_args(AnnotatorKind))})
    return blocks


def look_again(connection: Connection, items: Sequence[str]) -> None:
    """Whose turn these items are follows from their places. The items must be held, by a statement before this one."""
    if items:
        connection.execute(_AGAIN, {"items": list(items)})


def release(database: Database, audit: str, annotator: Annotator, now: datetime | None) -> None:
    """Leases of others that are over come free, in an open audit. One's own stays until another takes it. Waits for nobody."""
    with database.transaction() as connection:
        if enter(connection, audit, annotator, closed=True).closed is None:
            free_over(connection, audit, annotator, clock(connection, now))


def free_over(connection: Connection, audit: str, annotator: Annotator, at: datetime) -> None:
    """As `release`, for whoever has entered and holds no item. Waits for nobody, and holds what it frees."""
    over = connection.execute(_OVER, {"audit": audit, "annotator": annotator.name, "now": at}).all()
    if over:
        columns = {name: [getattr(row, name[:-1]) for row in over] for name in ("items", "kinds", "places")}
        connection.execute(_FREE, columns)
        look_again(connection, columns["items"])


class Own(NamedTuple):
    """An item, and what one annotator has to do with it."""

    item: AuditItem
    picture: str
    """Empty where it was deleted."""
    gone: bool
    """Taken down since: neither asked nor shown."""
    stage: int | None
    """Of the item, see the column; null where they have a place."""
    given: bool
    """It was handed out to this annotator at some time."""
    place: int | None
    """That they have: leased or submitted."""
    label: Label | None
    seconds: float | None
    submitted: datetime | None
    """UTC; None: not answered."""


def own_item(
    connection: Connection, audit: str, annotator: Annotator, item: str, *, hold: bool = False, gone: bool = False
) -> Own:
    """The item as it is for this annotator. hold: nobody changes it until the transaction ends. gone: also one that is.

    Raises NotFound.
    """
    items = tables.audit_items
    if hold:
        connection.execute(select(items.c.item).where(items.c.item == item).with_for_update(key_share=True))
    own = own_items(connection, audit, annotator, [item]).get(clean(item))
    if own is None or (own.gone and not gone):
        raise NotFound(f"No item {clean(item)[:80]!r} in audit {audit}.")
    return own


def own_items(connection: Connection, audit: str, annotator: Annotator, items: Sequence[str]) -> dict[str, Own]:
    """As `own_item`, of many at once, by the item; those that there are, also those that are gone."""
    asked = {"audit": audit, "annotator": annotator.name, "kind": annotator.kind, "items": [clean(item) for item in items]}
    return {row.item: _own(row) for row in connection.execute(_OWN, asked)}


def _own(row: Row[Any]) -> Own:
    return Own(
        item=AuditItem.model_validate(row.record),
        picture=row.picture,
        gone=row.gone,
        stage=row.stage,
        given=row.place is not None or row.shown is not None,
        place=row.place,
        label=None if row.submitted is None else Label(answer=row.answer, value=row.value),
        seconds=row.seconds,
        submitted=None if row.submitted is None else utc(row.submitted),
    )


def third(audit: Row[Any], annotator: Annotator) -> bool:
    """Whether this annotator is asked what two others disagree on."""
    return annotator.adjudicates or bool(audit.adjudicate)


def take_places(
    connection: Connection, audit: str, annotator: Annotator, items: Sequence[str], *, at: datetime, until: datetime
) -> None:
    """The annotator has a place at each of these from now until then. They must be held, and free for this annotator."""
    whose = {"items": list(items), "audit": audit, "annotator": annotator.name, "kind": annotator.kind}
    connection.execute(_TAKE, {**whose, "at": at, "until": until})
    look_again(connection, items)
