"""What take-downs do to audits: an item is hidden as long as its screen is, and its picture is freed where that was deleted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, select, text

from domain.takedown import Covered, covers
from store import tables
from store.audit_turns import look_again

_audits, _takedowns = tables.audits, tables.takedowns

# Of each item: whether its visit or probe is hidden, and the address where either is gone; then only that can tell.
_ITEMS = """
select i.item, i.hidden is not null as was, v.hidden is not null or p.hidden is not null as hides,
    case when p.id is null or (v.id is null and r.record #>> '{provenance,visit}' is not null)
        then r.record #>> '{provenance,url}' end as url
from audit_items i join audits a on a.name = i.audit
join release_probes r on r.release = a.release and r.probe_id = i.probe_id
left join probes p on p.id = i.probe_id
left join visits v on v.id = r.record #>> '{provenance,visit}'
where i.picture is not null
"""
# Nothing changes for the others, which are nearly all.
_DOUBTFUL = text(f"""
select * from ({_ITEMS} and i.audit = :audit) as item
where hides <> was or (url is not null and (was or :listed))
""")  # noqa: S608 - our own words
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
    in_force = select(_takedowns).where(_takedowns.c.lifted.is_(None))
    entries = [Covered(row.host, row.port, row.path) for row in connection.execute(in_force)]
    rows = connection.execute(_DOUBTFUL, {"audit": audit, "listed": bool(entries)}).all()
    changed: dict[bool, list[str]] = {True: [], False: []}
    for row in rows:
        hides = row.hides or (row.url is not None and any(covers(entry, row.url) for entry in entries))
        if hides != row.was:
            changed[hides].append(row.item)
    for hides, items in changed.items():
        if items:
            connection.execute(_SET, {"hides": hides, "items": items})
            look_again(connection, items)


def free_pictures(connection: Connection, visits: Collection[str]) -> None:
    """Pictures of screens of these visits, which are deleted, are named no more: pruning finds them. Answers stay."""
    connection.execute(select(_audits.c.name).order_by(_audits.c.name).with_for_update(key_share=True)).all()
    items: Sequence[str] = connection.scalars(_OF_VISITS, {"visits": sorted(visits)}).all()
    look_again(connection, items)
