"""What an annotator is asked next, and may see. Pixels only: nothing here reads what an item stands for.

Everybody's order of an audit's items is their own (store.audit_next); within it, those with the fewest places taken come
first. A place is leased for a while, and comes free where nothing is answered. store.audit_answers takes the answers;
store.audit_turns says who waits for whom.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import cycle

from pydantic import Field
from sqlalchemy import Connection, select, text

from domain.audit import AuditItem, Label
from domain.errors import NotFound
from domain.record import Record
from store import tables
from store.annotators import Annotator
from store.audit_answers import skip, submit, undo
from store.audit_next import Asking, hold_next, still_free, turn
from store.audit_turns import DISPUTED, LEASE_S, WANTED, Own, entered, find_audit, free_over, own_item, take_places, third
from store.database import Database

__all__ = [
    "AuditLine",
    "Progress",
    "audits",
    "item_of",
    "next_item",
    "next_items",
    "picture_of",
    "progress",
    "skip",
    "submit",
    "undo",
]

_audits = tables.audits
_SHOWN = "i.hidden is null and i.picture is not null"
_HELD = text(
    "select p.item, i.record from audit_places p join audit_items i on i.item = p.item "  # noqa: S608 - our own words
    "join audit_turns t on t.item = p.item and t.kind = p.kind "
    f"where p.audit = :audit and p.annotator = :annotator and p.submitted is null and {_SHOWN} "
    f"order by p.leased desc, {turn('t.block')}, {turn('t.item')} limit :some"
)
# One that somebody is just freeing is not waited for: they may wait for one's own.
_RENEW = text("""
with mine as (
    select item, kind, place from audit_places
    where item = any(:items) and annotator = :annotator and submitted is null for no key update skip locked
)
update audit_places p set leased_until = greatest(p.leased_until, :until) from mine
where p.item = mine.item and p.kind = mine.kind and p.place = mine.place returning p.item
""")
_PROGRESS = text(f"""
with own as (
    select p.item, p.submitted, t.stage, s.skipped
    from audit_places p join audit_items i on i.item = p.item join audit_turns t on t.item = p.item and t.kind = p.kind
    left join audit_shown s on s.item = p.item and s.annotator = p.annotator
    where p.audit = :audit and p.annotator = :annotator and {_SHOWN}
)
select
    (select count(submitted) from own) as answered,
    (select count(*) from audit_turns t where t.audit = :audit and t.kind = :kind and t.stage <= :most)
        - (select count(*) from own where stage <= :most) + (select count(*) from own where submitted is null) as left,
    (select count(*) from audit_shown s join audit_turns t on t.item = s.item and t.kind = :kind
        where s.audit = :audit and s.annotator = :annotator and s.skipped is not null and t.stage <= :most)
        - (select count(skipped) from own where stage <= :most) + (select count(skipped) from own where submitted is null)
        as skipped
""")  # noqa: S608 - our own words


class AuditLine(Record):
    """An audit that takes answers."""

    name: str
    items: int = Field(description="as it was opened")


class Progress(Record):
    """How far one annotator is. Nothing of what others answered."""

    answered: int = Field(description="items that this annotator has answered")
    left: int = Field(description="items that are still to be had, those skipped among them")
    skipped: int = Field(description="of those left, how many were skipped: they come again at the end")
    adjudicates: bool = Field(description="is asked what two others disagree on, when nothing else is left")


def audits(database: Database) -> list[AuditLine]:
    """The open audits, the newest first."""
    question = select(_audits).where(_audits.c.closed.is_(None)).order_by(_audits.c.opened.desc(), _audits.c.name)
    with database.transaction() as connection:
        return [AuditLine(name=row.name, items=row.items) for row in connection.execute(question)]


def next_item(
    database: Database, audit: str, annotator: Annotator, *, lease_s: float = LEASE_S, now: datetime | None = None
) -> AuditItem | None:
    """What this annotator is to answer next, leased for so many seconds; None: nothing is left. Asked again, the same item.

    now: instead of the database's clock. Raises NotFound, and Refused for an audit that is closed.
    """
    return next(iter(next_items(database, audit, annotator, count=1, lease_s=lease_s, now=now)), None)


def next_items(
    database: Database, audit: str, annotator: Annotator, *, count: int, lease_s: float = LEASE_S, now: datetime | None = None
) -> list[AuditItem]:
    """As `next_item`, so many: for sheets, which are answered elsewhere. First those that the annotator has already.

    Adjudication comes only where nothing else is left, and to those who do that.
    """
    given: list[AuditItem] = []
    for stage in (WANTED, DISPUTED):
        for wait in cycle((False, True)):
            with entered(database, audit, annotator, now) as (connection, row, at):
                lease = _Lease(Asking(audit, annotator, row.seed, row.blocks), at, at + timedelta(seconds=lease_s))
                if not wait:
                    free_over(connection, audit, annotator, at)
                given = _held(connection, lease, count, renew=not wait)
                if len(given) >= count or (stage == DISPUTED and not third(row, annotator)):
                    return given
                # Whoever waits for an item holds nothing that another waits for.
                found, new = _take(connection, lease, stage, 1 if wait else count - len(given), wait=wait)
                given += new
            if len(given) >= count:
                return given
            if wait and not found:
                break
    return given


def item_of(database: Database, audit: str, annotator: Annotator, item: str) -> tuple[AuditItem, Label | None]:
    """An item that this annotator was given, and what they answered. Raises NotFound for any other."""
    own = _given(database, audit, annotator, item)
    return own.item, own.label


def picture_of(database: Database, audit: str, annotator: Annotator, item: str) -> str:
    """The digest of the picture of an item that this annotator was given: a PNG in the blobs. Raises NotFound for any other."""
    return _given(database, audit, annotator, item).picture


def progress(database: Database, audit: str, annotator: Annotator) -> Progress:
    """This annotator's own numbers. Raises NotFound."""
    with database.transaction() as connection:
        row = find_audit(connection, audit)
        asked = {"audit": audit, "annotator": annotator.name, "kind": annotator.kind}
        adjudicates = third(row, annotator)
        most = DISPUTED if adjudicates else WANTED
        counted = connection.execute(_PROGRESS, {**asked, "most": most}).one()
    return Progress(**counted._mapping, adjudicates=adjudicates)


@dataclass(frozen=True, slots=True)
class _Lease:
    asking: Asking
    at: datetime
    until: datetime


def _given(database: Database, audit: str, annotator: Annotator, item: str) -> Own:
    with database.transaction() as connection:
        find_audit(connection, audit)
        own = own_item(connection, audit, annotator, item)
    if not own.given:
        raise NotFound(f"No item {item[:80]!r} in audit {audit}.")
    return own


def _held(connection: Connection, lease: _Lease, count: int, *, renew: bool) -> list[AuditItem]:
    """What the annotator has and has not answered; the last taken first. renew: and its time begins again."""
    asking = lease.asking
    held = connection.execute(_HELD, {**asking.given, "some": count}).all()
    still = {row.item for row in held}
    if held and renew:
        again = {"items": sorted(still), "until": lease.until, "annotator": asking.annotator.name}
        still = set(connection.scalars(_RENEW, again))
    return [AuditItem.model_validate(row.record) for row in held if row.item in still]


def _take(connection: Connection, lease: _Lease, stage: int, some: int, *, wait: bool) -> tuple[bool, list[AuditItem]]:
    """Takes places at so many items at most, in the annotator's order. Returns whether there was any to try for, and those.

    wait: for whoever holds the item now; else those that nobody holds.
    """
    asking = lease.asking
    found = hold_next(connection, asking, stage, some, wait=wait)
    # Asked again once they are held: somebody may have taken the place just before.
    if new := still_free(connection, asking, stage, found):
        items = [one.item for one in new]
        take_places(connection, asking.audit, asking.annotator, items, at=lease.at, until=lease.until)
    return bool(found), [AuditItem.model_validate(one.record) for one in new]
