"""What take-downs do to audits: an item is hidden as long as its screen is, and its picture is freed where that was deleted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, bindparam, select, text

from store import tables
from store.audit_turns import look_again
from store.release_hidden import HIDES, with_screens

_audits, _items, _rows = tables.audits, tables.audit_items, tables.release_probes

_ASKED = _items.join(_audits, _audits.c.name == _items.c.audit).join(
    _rows, (_rows.c.release == _audits.c.release) & (_rows.c.probe_id == _items.c.probe_id)
)
_WAS = _items.c.hidden.is_not(None)
# Nothing changes for the others, which are nearly all.
_CHANGED = (
    select(_items.c.item, HIDES.label("hides"))
    .select_from(with_screens(_ASKED))
    .where(_items.c.picture.is_not(None), _items.c.audit == bindparam("audit"), HIDES != _WAS)
)
_SET = text("update audit_items set hidden = case when :hides then clock_timestamp() end where item = any(:items)")
_OF_VISITS = text("""
update audit_items i set picture = null, hidden = coalesce(i.hidden, clock_timestamp())
from audits a, release_probes r
where a.name = i.audit and r.release = a.release and r.probe_id = i.probe_id
    and r.record #>> '{provenance,visit}' = any(:visits)
returning i.item
""")


def follow(connection: Connection) -> None:
    """Items of all audits are hidden and shown as their screens are now. The take-down list must be locked.

    Nobody takes or answers an item meanwhile.
    """
    for name in connection.scalars(select(_audits.c.name).order_by(_audits.c.name).with_for_update(key_share=True)).all():
        hide_items(connection, name)


def hide_items(connection: Connection, audit: str) -> None:
    """As `follow`, for one audit that is held alone, or that nobody else can see yet."""
    changed: dict[bool, list[str]] = {True: [], False: []}
    for row in connection.execute(_CHANGED, {"audit": audit}):
        changed[row.hides].append(row.item)
    for hides, items in changed.items():
        if items:
            connection.execute(_SET, {"hides": hides, "items": items})
            look_again(connection, items)


def free_pictures(connection: Connection, visits: Collection[str]) -> None:
    """Pictures of screens of these visits, which are deleted, are named no more: pruning finds them. Answers stay."""
    connection.execute(select(_audits.c.name).order_by(_audits.c.name).with_for_update(key_share=True)).all()
    items: Sequence[str] = connection.scalars(_OF_VISITS, {"visits": sorted(visits)}).all()
    look_again(connection, items)
