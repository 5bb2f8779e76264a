"""Where a probe was seen and released, and which of its blobs are there: what is asked for one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from pydantic import Field
from sqlalchemy import select, tuple_

from domain.errors import NotFound
from domain.probe import Probe
from domain.record import Record
from store import tables
from store.blobs import StoredBlob
from store.database import Database
from store.divergences import SHOWN
from store.lookup import only_beginning, utc
from store.slices import Slice, cut

_sightings, _captures, _visits, _blobs = tables.sightings, tables.captures, tables.visits, tables.blobs


class Seen(Record):
    """One capture that a probe was seen in, without the probe."""

    visit_id: str
    capture_id: str
    divergence_id: str
    when: datetime = Field(description="when its screenshot was asked for, UTC")


def shown_probe(database: Database, probe_id: str) -> Probe:
    """The probe with exactly this id, as its first sighting shows it. Raises NotFound."""
    question = select(tables.probes.c.record).where(tables.probes.c.id == probe_id, tables.probes.c.hidden.is_(None))
    with database.transaction() as connection:
        record = connection.scalar(question)
    if record is None:
        raise NotFound(f"No probe {probe_id!r}. Here the whole id is needed, as lists have it: web-natural-3f9a0c41d2e7")
    return Probe.model_validate(record)


def probe_beginning(database: Database, beginning: str) -> str | None:
    """The id of the only probe whose id begins so; None where there is none. Raises NotFound where there are several."""
    with database.transaction() as connection:
        return only_beginning(connection, tables.probes, beginning, "probe", shown=tables.probes.c.hidden.is_(None))


def newest_sightings(database: Database, probe_id: str, limit: int) -> list[Seen]:
    """The newest captures that the probe was seen in, newest first."""
    return sightings_slice(database, probe_id, limit=limit).items


def sightings_slice(database: Database, probe_id: str, *, after: Sequence[str] | None = None, limit: int) -> Slice[Seen]:
    """At most `limit` captures behind the place `after` that the probe was seen in, newest first; of a corpus's there is none.

    Raises ValueError where `after` is no place.
    """
    keys = _sightings.c.seen, _sightings.c.capture_id
    question = (
        select(_sightings.c.capture_id, _sightings.c.divergence_id, _sightings.c.seen, _captures.c.visit_id)
        .join(_captures, _captures.c.id == _sightings.c.capture_id)
        .join(_visits, _visits.c.id == _captures.c.visit_id)
        .where(_sightings.c.probe_id == probe_id, SHOWN)
        .order_by(*(key.desc() for key in keys))
        .limit(limit + 1)
    )
    if after is not None:
        moment, capture = after
        question = question.where(tuple_(*keys) < tuple_(utc(datetime.fromisoformat(moment)), capture))
    with database.transaction() as connection:
        found = [
            Seen(
                visit_id=row.visit_id,
                capture_id=row.capture_id,
                divergence_id=row.divergence_id,
                when=row.seen.astimezone(UTC),
            )
            for row in connection.execute(question)
        ]
    return cut(found, limit, lambda one: (one.when.isoformat(), one.capture_id))


def probe_of_divergence(database: Database, divergence_id: str) -> str | None:
    """The probe that the divergence is a sighting of; None where it is none, or the probe is hidden."""
    question = (
        select(tables.probes.c.id)
        .join(_sightings, _sightings.c.probe_id == tables.probes.c.id)
        .where(_sightings.c.divergence_id == divergence_id, tables.probes.c.hidden.is_(None))
        .order_by(tables.probes.c.id)
        .limit(1)
    )
    with database.transaction() as connection:
        return connection.scalar(question)


def releases_with(database: Database, probe_id: str) -> list[str]:
    """Names of the frozen releases that the probe is in, the oldest first."""
    rows, releases = tables.release_probes, tables.releases
    question = (
        select(releases.c.name)
        .join(rows, rows.c.release == releases.c.name)
        .where(rows.c.probe_id == probe_id)
        .order_by(releases.c.frozen_at, releases.c.name)
    )
    with database.transaction() as connection:
        return list(connection.scalars(question))


def known_blobs(database: Database, digests: Iterable[str]) -> dict[str, StoredBlob]:
    """What is known of those blobs that are stored and that no take-down hides, by digest."""
    question = select(_blobs).where(_blobs.c.digest.in_(set(digests)), _blobs.c.hidden.is_(None))
    names = ("digest", "media_type", "encoding", "size", "stored_size")
    with database.transaction() as connection:
        return {row.digest: StoredBlob(**{name: getattr(row, name) for name in names}) for row in connection.execute(question)}
