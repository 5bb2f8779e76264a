"""What take-downs do to audits: an item is hidden as long as its screen is, and its picture is freed where that was deleted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, select, text

from store import tables
from store.audit_turns import look_again

_audits = tables.audits

# As store/release_hidden.py has it of the rows of a release: the visit that is shown is hidden or gone, or the probe is hidden.
# Nothing changes for the others, which are nearly all.
_CHANGED = text("""
select * from (
    select i.item, i.hidden is not null as was, p.hidden is not null or (
        r.record #>> '{provenance,visit}' is not null and (v.id is null or v.hidden is not null)
        and exists (select from takedowns)) as hides
    from audit_items i join audits a on a.name = i.audit
    join release_probes r on r.release = a.release and r.probe_id = i.probe_id
    left join probes p on p.id = i.probe_id
    left join visits v on v.id = r.record #>> '{provenance,visit}'
    where i.picture is not null and i.audit = :audit) as item
where hides <> was
""")
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
