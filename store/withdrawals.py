"""What becomes of probes when sightings come and go: evidence is of the first there is, and without any there is no probe."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, exists, func, or_, select, update

from store import tables

_probes, _sightings, _captures, _visits = tables.probes, tables.sightings, tables.captures, tables.visits


def withdraw_sightings(connection: Connection, divergence_ids: Collection[str]) -> None:
    """The sightings of these divergences go, and with its last sighting a probe. The capture must be locked."""
    if not divergence_ids:
        return
    gone = delete(_sightings).where(_sightings.c.divergence_id.in_(divergence_ids)).returning(_sightings.c.probe_id)
    ids = set(connection.scalars(gone))
    if ids:
        # In one order everywhere: two who change the same probes wait for each other, and never both.
        held = select(_probes.c.id).where(_probes.c.id.in_(ids)).order_by(_probes.c.identity).with_for_update()
        connection.execute(held)
        refresh(connection, ids)


def refresh(connection: Connection, probe_ids: Collection[str]) -> int:
    """Record and times of these probes follow from their sightings; those without any are deleted, and counted.

    A sighting of a hidden visit counts only where there is no other: then the probe is hidden too. The rows must be locked,
    by a statement before this one: then what others have done to them is seen.
    """
    mine = _sightings.c.probe_id == _probes.c.id
    unseen = delete(_probes).where(_probes.c.id.in_(probe_ids), ~exists().where(mine)).returning(_probes.c.id)
    deleted = len(connection.scalars(unseen).all())
    hidden = _visits.c.hidden
    of_probe, by_time = _sightings.c.probe_id, (hidden.is_not(None), _sightings.c.seen, _sightings.c.capture_id)
    last = func.max(_sightings.c.seen)
    ranked = (
        select(
            *(_sightings.c[name] for name in ("probe_id", "seen", "record")),
            hidden,
            func.row_number().over(partition_by=of_probe, order_by=by_time).label("place"),
            func.coalesce(last.filter(hidden.is_(None)).over(partition_by=of_probe), last.over(partition_by=of_probe)).label(
                "last"
            ),
        )
        .join(_captures, _captures.c.id == _sightings.c.capture_id)
        .join(_visits, _visits.c.id == _captures.c.visit_id)
        .where(_sightings.c.probe_id.in_(probe_ids))
        .subquery("ranked")
    )
    first = ranked.c
    differs = or_(
        _probes.c.record != first.record,
        _probes.c.first_seen != first.seen,
        _probes.c.last_seen != first.last,
        _probes.c.hidden.is_distinct_from(first.hidden),
    )
    connection.execute(
        update(_probes)
        .where(_probes.c.id == first.probe_id, first.place == 1, differs)
        .values(record=first.record, first_seen=first.seen, last_seen=first.last, hidden=first.hidden)
    )
    return deleted
