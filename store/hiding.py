"""What take-downs hide, and what they show again once lifted. Visits first; probes and blobs follow from them."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Select, delete, func, or_, select, text, true, update

from domain.record import Record
from domain.takedown import Covered, covers
from store import audit_hidden, tables, visited
from store.withdrawals import refresh

_visits, _captures, _sightings, _probes = tables.visits, tables.captures, tables.sightings, tables.probes
_MANY = 5000  # rows changed in one statement


class Hidden(Record):
    """What a take-down, or its lifting, hid, showed again or deleted."""

    visits: int = Field(description="whose state changed")
    captures: int = Field(description="of those visits")
    divergences: int = Field(description="of those visits")
    probes: int = Field(description="whose state changed")


def hide_and_show(connection: Connection, changed: Sequence[Covered], in_force: Sequence[Covered]) -> Hidden:
    """What the changed entries cover is hidden where any entry in force covers it, and shown otherwise.

    The take-down list must be locked: then no visit is saved meanwhile.
    """
    now = connection.scalar(select(func.clock_timestamp()))
    to_hide: list[str] = []
    to_show: list[str] = []
    for visit_id, addresses, hidden in _covered(connection, changed):
        wanted = any(covers(entry, url) for entry in in_force for url in addresses)
        if wanted and not hidden:
            to_hide.append(visit_id)
        elif hidden and not wanted:
            to_show.append(visit_id)
    moved = [*to_hide, *to_show]
    _hold(connection, moved)
    _set(connection, to_hide, now)
    _set(connection, to_show, None)
    visited.look_again(connection, visited.sites_of(connection, moved))
    probes = _follow(connection, moved)
    _hide_blobs(connection, moved, now)
    return Hidden(
        visits=len(moved), captures=_count(connection, _captures, moved),
        divergences=_count(connection, tables.divergences, moved), probes=probes,
    )  # fmt: skip


def purge(connection: Connection, entries: Sequence[Covered]) -> Hidden:
    """Deletes the visits that the entries cover, and all that hangs on them. Their blobs are left for `crawler prune`."""
    ids = [visit_id for visit_id, _, _ in _covered(connection, entries)]
    _hold(connection, ids)
    probes = _probes_of(connection, ids)
    captures, divergences = (_count(connection, table, ids) for table in (_captures, tables.divergences))
    sites = visited.sites_of(connection, ids)
    audit_hidden.free_pictures(connection, ids)
    for part in _parts(ids):
        connection.execute(delete(_visits).where(_visits.c.id.in_(part)))
    visited.look_again(connection, sites)
    gone = refresh(connection, probes)
    return Hidden(visits=len(ids), captures=captures, divergences=divergences, probes=gone)


def _covered(connection: Connection, entries: Iterable[Covered]) -> list[tuple[str, list[str], bool]]:
    """(id, addresses, whether hidden) of the visits that any of these entries covers, by any of their addresses."""
    found: dict[str, tuple[str, list[str], bool]] = {}
    for entry in entries:
        for row in connection.execute(_candidates(entry)):
            answer = row.response or {}
            addresses = [row.url, *answer.get("redirects", ()), *filter(None, [answer.get("url")])]
            if any(covers(entry, url) for url in addresses):
                found[row.id] = (row.id, addresses, row.hidden is not None)
    return list(found.values())


def _candidates(entry: Covered) -> Select[Any]:
    """Visits that may be covered: those that name the host anywhere. Looked at again, letter by letter, by `covers`."""
    names = {entry.host}
    with contextlib.suppress(UnicodeError):
        names.add(entry.host.encode("ascii").decode("idna"))  # as visits have it that were asked for in this form
    response = _visits.c.record["response"]
    named = [_visits.c.host.contains(name, autoescape=True) for name in names]
    led = func.lower(response.astext).contains(entry.host, autoescape=True)
    return select(_visits.c.id, _visits.c.url, _visits.c.hidden, response.label("response")).where(or_(*named, led))


def _hold(connection: Connection, visit_ids: Sequence[str]) -> None:
    """Whoever changes what hangs on these captures waits, or is waited for, as everywhere in the store."""
    for part in _parts(sorted(visit_ids)):
        held = select(_captures.c.id).where(_captures.c.visit_id.in_(part)).order_by(_captures.c.id)
        connection.execute(held.with_for_update(key_share=True)).all()


def _set(connection: Connection, visit_ids: Sequence[str], hidden: datetime | None) -> None:
    for part in _parts(visit_ids):
        connection.execute(update(_visits).where(_visits.c.id.in_(part)).values(hidden=hidden))


def _probes_of(connection: Connection, visit_ids: Sequence[str]) -> set[str]:
    """The probes that were seen at these visits, locked in the order of their identities."""
    found: set[str] = set()
    for part in _parts(visit_ids):
        seen = select(_sightings.c.probe_id).join(_captures, _captures.c.id == _sightings.c.capture_id)
        found.update(connection.scalars(seen.where(_captures.c.visit_id.in_(part))))
    if found:
        held = select(_probes.c.id).where(_probes.c.id.in_(found)).order_by(_probes.c.identity)
        connection.execute(held.with_for_update()).all()
    return found


def _follow(connection: Connection, visit_ids: Sequence[str]) -> int:
    """Probes are shown by what sightings are shown; how many are hidden now and were not, or the other way round."""
    probes = _probes_of(connection, visit_ids)
    before = _hidden_probes(connection, probes)
    refresh(connection, probes)
    return len(before ^ _hidden_probes(connection, probes))


def _hidden_probes(connection: Connection, probe_ids: Collection[str]) -> set[str]:
    return set(connection.scalars(select(_probes.c.id).where(_probes.c.id.in_(probe_ids), _probes.c.hidden.is_not(None))))


def _hide_blobs(connection: Connection, visit_ids: Sequence[str], now: datetime | None) -> None:
    """A blob is shown as long as one visit that is shown has it."""
    if not visit_ids:
        return
    named = func.jsonb_each_text(_captures.c.record["artifacts"]).table_valued("key", "value").lateral("named")
    of_captures = select(named.c.value).select_from(_captures.join(named, true()))
    shown = of_captures.join(_visits, _visits.c.id == _captures.c.visit_id).where(_visits.c.hidden.is_(None))
    digests: set[Any] = set()
    for part in _parts(visit_ids):
        digests.update(connection.scalars(of_captures.where(_captures.c.visit_id.in_(part))))
    blobs = tables.blobs
    digests.discard(None)
    for part in _parts(sorted(digests)):
        # By the index on all digests of a capture: the archive is not read through.
        naming = select(_captures.c.id.label("id")).where(text(f"{tables.ARTIFACTS} ?| cast(:part as text[])"))
        among = _captures.c.id.in_(naming.correlate(None).params(part=list(part)))
        question = shown.where(among, named.c.value.in_(part)).distinct()
        seen = set(connection.scalars(question))
        for wanted, value in ((set(part) - seen, now), (seen, None)):
            change = blobs.c.hidden.is_(None) if value else blobs.c.hidden.is_not(None)
            connection.execute(update(blobs).where(blobs.c.digest.in_(wanted), change).values(hidden=value))


def _count(connection: Connection, table: Any, visit_ids: Sequence[str]) -> int:
    question = select(func.count()).select_from(table)
    return sum(connection.scalar(question.where(table.c.visit_id.in_(part))) or 0 for part in _parts(visit_ids))


def _parts(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[n : n + _MANY] for n in range(0, len(ids), _MANY)]
