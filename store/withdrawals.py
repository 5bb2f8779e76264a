"""What becomes of probes when sightings come and go: evidence is of the first there is, and without any there is no probe."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, exists, func, or_, select, update

from store import tables

_probes, _sightings = tables.probes, tables.sightings


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

    The rows must be locked, by a statement before this one: then what others have done to them is seen.
    """
    mine = _sightings.c.probe_id == _probes.c.id
    unseen = delete(_probes).where(_probes.c.id.in_(probe_ids), ~exists().where(mine)).returning(_probes.c.id)
    deleted = len(connection.scalars(unseen).all())
    first = (
        select(_sightings.c.probe_id, _sightings.c.seen, _sightings.c.record)
        .distinct(_sightings.c.probe_id)
        .where(_sightings.c.probe_id.in_(probe_ids))
        .order_by(_sightings.c.probe_id, _sightings.c.seen, _sightings.c.capture_id)
        .subquery("first")
    )
    last = (
        select(_sightings.c.probe_id, func.max(_sightings.c.seen).label("seen"))
        .where(_sightings.c.probe_id.in_(probe_ids))
        .group_by(_sightings.c.probe_id)
        .subquery("last")
    )
    connection.execute(
        update(_probes)
        .where(
            _probes.c.id == first.c.probe_id,
            _probes.c.id == last.c.probe_id,
            or_(
                _probes.c.record != first.c.record,
                _probes.c.first_seen != first.c.seen,
                _probes.c.last_seen != last.c.seen,
            ),
        )
        .values(record=first.c.record, first_seen=first.c.seen, last_seen=last.c.seen)
    )
    return deleted
