"""Probes and their sightings: one divergence seen on ten visits is one probe with ten sightings.

Probes of corpora lie in the same table, without sightings; they are saved by store/corpora.py.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pydantic import Field
from sqlalchemy import Connection, Select, case, delete, func, or_, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from domain.errors import NotFound
from domain.identity import writable
from domain.probe import ID_DIGITS, LIVE, Probe
from domain.record import Record
from store import tables
from store.database import Database
from store.divergences import SELECT, SHOWN, StoredDivergence, stored
from store.lookup import one_by_prefix, stream, utc
from store.withdrawals import refresh

_probes, _sightings, _captures = tables.probes, tables.sightings, tables.captures


class StoredProbe(Record):
    """A probe as its first sighting shows it, and how often it was seen."""

    probe: Probe
    sightings: int = Field(ge=1, description="captures it was seen in; of a corpus's: 1")
    first_seen: datetime = Field(description="UTC; of a corpus's: when it was stored")
    last_seen: datetime = Field(description="UTC")


class Sighting(Record):
    """One capture that a probe was seen in."""

    probe_id: str
    visit_id: str
    capture_id: str
    divergence_id: str
    when: datetime = Field(description="when its screenshot was asked for, UTC")
    probe: Probe = Field(description="as this sighting shows it: its own screenshot, region and check")


class Saved(NamedTuple):
    """What saving probes has changed."""

    new: int
    """Probes that were not there."""
    sightings: int
    """Sightings that were not there."""
    withdrawn: int = 0
    """Probes that are there no more, since the capture was the last they were seen in."""


def redraw(database: Database, capture_id: str, draw: Callable[[list[StoredDivergence]], Iterable[Probe]]) -> Saved:
    """The capture's sightings are those that `draw`, a pure function, makes of its divergences and their newest checks.

    What it no longer makes is withdrawn. Nobody changes the capture's divergences, checks or sightings meanwhile.
    Raises NotFound where there is no such capture.
    """
    with database.transaction() as connection:
        pruned = _lock_capture(connection, capture_id)
        question = SELECT.where(tables.divergences.c.capture_id == capture_id)
        order = (tables.divergences.c.kind, tables.divergences.c.id)
        found = [stored(row) for row in connection.execute(question.order_by(*order))]
        drawn = {probe.identity: probe for probe in draw(found) if not pruned & _blobs_of(probe)}
        divergences = {(one.finding.kind, writable(one.finding.path)): one.id for one in found}  # as a probe writes it
        of = {identity: divergences[probe.kind or "", probe.live.path] for identity, probe in drawn.items()}
        return _save(connection, capture_id, drawn, of)


def probes(
    database: Database,
    *,
    family: str | None = None,
    kind: str | None = None,
    site: str | None = None,
    element: str | None = None,
    source: str | None = None,
    since: datetime | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int | None = None,
) -> Generator[StoredProbe, None, None]:
    """Those that match everything given, last seen first. since: seen since then. Read when asked for.

    source: live for the crawl's, or a corpus; those of a corpus count as seen once, when they were stored.

    after: only those behind the probe with this `last_seen` and id, in this order.
    """
    table = _probes.c
    question = _SELECT.where(_SHOWN).order_by(table.last_seen.desc(), table.id.desc())
    asked = {table.family: family, table.kind: kind, table.site: site, table.element: element, table.source: source}
    for column, wanted in asked.items():
        if wanted is not None:
            question = question.where(column == wanted)
    if since is not None:
        question = question.where(table.last_seen >= utc(since))
    if after is not None:
        question = question.where(tuple_(table.last_seen, table.id) < tuple_(utc(after[0]), after[1]))
    yield from map(_stored, stream(database, question.limit(limit)))


def find_probe(database: Database, id_or_prefix: str) -> StoredProbe:
    """The probe with this id, or the only one whose id begins so. Raises NotFound."""
    with database.transaction() as connection:
        hint = "Its id begins with its family: web-natural-3f9a"
        found = one_by_prefix(connection, _probes, id_or_prefix, "probe", hint, shown=_SHOWN)
        return _stored(connection.execute(_SELECT.where(_probes.c.id == found)).one())


def sightings(database: Database, probe_id: str) -> Iterator[Sighting]:
    """Every capture that the probe with this id was seen in, oldest first. Read when asked for."""
    question = (
        select(_sightings, _captures.c.visit_id)
        .join(_captures, _captures.c.id == _sightings.c.capture_id)
        .join(tables.visits, tables.visits.c.id == _captures.c.visit_id)
        .where(_sightings.c.probe_id == probe_id, SHOWN)
        .order_by(_sightings.c.seen, _sightings.c.capture_id)
    )
    for row in stream(database, question):
        yield Sighting(
            probe_id=row.probe_id,
            visit_id=row.visit_id,
            capture_id=row.capture_id,
            divergence_id=row.divergence_id,
            when=row.seen.astimezone(UTC),
            probe=Probe.model_validate(row.record),
        )


_SHOWN = _probes.c.hidden.is_(None)
_COUNT = (
    select(func.count())
    .select_from(_sightings.join(_captures, _captures.c.id == _sightings.c.capture_id).join(tables.visits))
    .where(_sightings.c.probe_id == _probes.c.id, SHOWN)
    .scalar_subquery()
)
TIMES_SEEN = case((_probes.c.source == LIVE, _COUNT), else_=1)
_SELECT: Select[Any] = select(_probes.c.record, _probes.c.first_seen, _probes.c.last_seen, TIMES_SEEN.label("sightings"))


def _stored(row: Any) -> StoredProbe:
    return StoredProbe(
        probe=Probe.model_validate(row.record),
        sightings=row.sightings,
        first_seen=row.first_seen.astimezone(UTC),
        last_seen=row.last_seen.astimezone(UTC),
    )


def _lock_capture(connection: Connection, capture: str) -> set[str]:
    """Whoever changes what hangs on a capture holds it, before anything else. Raises NotFound where it is not stored.

    Digests that it no longer names, since it was read to be drawn from perhaps: the blobs may be gone.
    """
    held = select(_captures.c.record).where(_captures.c.id == capture).with_for_update(key_share=True)
    record = connection.scalar(held)
    if record is None:
        raise NotFound(f"No capture {capture!r}.")
    return set(record.get("pruned", {}).values()).difference(record["artifacts"].values())


def _save(connection: Connection, capture: str, given: Mapping[str, Probe], divergences: Mapping[str, str]) -> Saved:
    """These are all the probes (by identity) that the capture gives, each of the divergence with this id."""
    before = set(connection.scalars(select(_sightings.c.probe_id).where(_sightings.c.capture_id == capture)))
    ids, new = _hold(connection, given, before)
    rows = [
        {
            "probe_id": ids[identity],
            "capture_id": capture,
            "divergence_id": divergences[identity],
            "seen": utc(probe.live.when),
            "record": probe.model_copy(update={"id": ids[identity]}).model_dump(),
        }
        for identity, probe in given.items()
    ]
    added = _add(connection, rows)
    gone = before - {ids[identity] for identity in given}
    connection.execute(delete(_sightings).where(_sightings.c.capture_id == capture, _sightings.c.probe_id.in_(gone)))
    return Saved(new, added, refresh(connection, {*ids.values(), *gone}))


def _blobs_of(probe: Probe) -> set[str | None]:
    return {probe.screenshot, probe.structure, probe.live.reading}


def _hold(connection: Connection, wanted: Mapping[str, Probe], also: set[str]) -> tuple[dict[str, str], int]:
    """Rows for the wanted probes (by identity), made where there are none; these and those with the ids `also` are locked.

    Identity -> id, and how many were made. Made and locked in the order of identities, as everywhere.
    """
    made: set[str] = set()
    there = select(_probes.c.identity, _probes.c.id).where(_probes.c.identity.in_(wanted))
    ids = {row.identity: row.id for row in connection.execute(there)}
    # Twice, since another may delete a row between our looking and our locking; then, should another probe have the same
    # twelve digits, with the whole identity for an id.
    for digits in (ID_DIGITS, ID_DIGITS, 64):
        rows = [_row(wanted[identity], digits) for identity in sorted(wanted.keys() - ids.keys())]
        if rows:
            statement = insert(_probes).on_conflict_do_nothing().returning(_probes.c.identity)
            made.update(connection.scalars(statement, rows))
        which = or_(_probes.c.identity.in_(wanted), _probes.c.id.in_(also))
        question = select(_probes.c.identity, _probes.c.id).where(which).order_by(_probes.c.identity).with_for_update()
        ids = {row.identity: row.id for row in connection.execute(question) if row.identity in wanted}
        if ids.keys() == wanted.keys():
            break
    return ids, len(made)


def _row(probe: Probe, digits: int) -> dict[str, Any]:
    probe = probe.model_copy(update={"id": f"{probe.family}-{probe.identity[:digits]}"})
    when = utc(probe.live.when)
    return {
        **{name: getattr(probe, name) for name in ("id", "identity", "family", "kind", "platform")},
        **{name: getattr(probe.provenance, name) for name in ("site", "url", "element")},
        "first_seen": when,
        "last_seen": when,
        "record": probe.model_dump(),
    }


def _add(connection: Connection, rows: list[dict[str, Any]]) -> int:
    """The sightings; how many were not there. One that was there may have been checked again, and says so."""
    if not rows:
        return 0
    mine = tuple_(_sightings.c.probe_id, _sightings.c.capture_id)
    there = connection.scalar(
        select(func.count()).select_from(_sightings).where(mine.in_([(r["probe_id"], r["capture_id"]) for r in rows]))
    )
    statement = insert(_sightings)
    changed = {name: statement.excluded[name] for name in ("divergence_id", "seen", "record")}
    statement = statement.on_conflict_do_update(index_elements=["probe_id", "capture_id"], set_=changed)
    connection.execute(statement, rows)
    return len(rows) - int(there or 0)
