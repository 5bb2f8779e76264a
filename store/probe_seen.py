"""One probe, with how often it was seen, the releases that have it, and which of its pictures and structures are held."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Text, bindparam, case, cast, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from domain.errors import NotFound
from domain.probe import LIVE
from store import tables
from store.database import Database
from store.probes import TIMES_SEEN
from store.questions import Question

_probes, _rows, _releases, _blobs = tables.probes, tables.release_probes, tables.releases, tables.blobs
_sightings = tables.sightings


class ProbeSeen(NamedTuple):
    """A probe as its first sighting shows it, and what is known of it besides."""

    record: bytes
    """JSON of the Probe."""
    sightings: int
    """Captures it was seen in; of a corpus's: 1."""
    first_seen: datetime
    """UTC, as the next."""
    last_seen: datetime
    releases: list[str]
    """The oldest first."""
    screenshot: str | None
    """Digest, where the blob is held and shown; of the next, too."""
    structure: str | None
    capture: str | None
    """Its first sighting's id, where that is stored; of the next, too. Of a corpus's: none."""
    divergence: str | None
    element: str | None
    """What names the element over time. Of a corpus's: none."""


def probe_seen(database: Database, probe_id: str) -> ProbeSeen:
    """The probe with exactly this id. Raises NotFound."""
    rows = database.ask(_QUESTION, {"id": probe_id})
    if not rows:
        raise NotFound(f"No probe {probe_id!r}, nor one that begins so. Ids are as lists have them: web-natural-3f9a0c41d2e7")
    text, sightings, first, last, releases, *rest = rows[0]
    times = first.astimezone(UTC), last.astimezone(UTC)
    return ProbeSeen(text.encode(), int(sightings), *times, releases or [], *rest)


def times_of(database: Database, ids: Iterable[str]) -> dict[str, dict[str, datetime]]:
    """By id of those that are stored and shown: `first_seen` and `last_seen`, UTC."""
    columns = {name: _probes.c[name] for name in ("first_seen", "last_seen")}
    question = select(_probes.c.id, *columns.values()).where(_probes.c.id.in_(set(ids)), _probes.c.hidden.is_(None))
    with database.transaction() as connection:
        return {row.id: {name: getattr(row, name).astimezone(UTC) for name in columns} for row in connection.execute(question)}


def _held(digest: ColumnElement[str]) -> ColumnElement[str | None]:
    return select(_blobs.c.digest).where(_blobs.c.digest == digest, _blobs.c.hidden.is_(None)).scalar_subquery()


_RELEASES = (
    select(func.array_agg(aggregate_order_by(_rows.c.release, _releases.c.frozen_at, _rows.c.release)))
    .join(_releases, _releases.c.name == _rows.c.release)
    .where(_rows.c.probe_id == _probes.c.id)
    .scalar_subquery()
)
_HELD = [_held(_probes.c.record[name].astext) for name in ("screenshot", "structure")]
_WHERE = _probes.c.record["provenance"]
_FIRST = (_sightings.c.probe_id == _probes.c.id) & (_sightings.c.capture_id == _WHERE["capture"].astext)
_FOUND = [_sightings.c.capture_id, _sightings.c.divergence_id]
_QUESTION = Question(
    select(cast(_probes.c.record, Text), TIMES_SEEN, _probes.c.first_seen, _probes.c.last_seen, _RELEASES, *_HELD)
    .add_columns(*_FOUND, case((_probes.c.source == LIVE, _WHERE["element"].astext)))
    .select_from(_probes.outerjoin(_sightings, _FIRST))
    .where(_probes.c.id == bindparam("id", type_=_probes.c.id.type), _probes.c.hidden.is_(None)),
    keeps_plan=True,
)
