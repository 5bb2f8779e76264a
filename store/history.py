"""The pair of one element over time: what its structure said and its pixels showed at every visit to its page."""

from __future__ import annotations

import heapq
from collections.abc import Generator
from contextlib import closing
from datetime import UTC, datetime

from pydantic import Field
from sqlalchemy import select

from domain.record import Record
from store import tables
from store.database import Database
from store.divergences import SELECT, SHOWN, StoredDivergence, stored
from store.lookup import stream

_divergences, _visits, _sightings = tables.divergences, tables.visits, tables.sightings


class Past(Record):
    """One visit to the page of an element, and what was found of the element then."""

    visit_id: str
    when: datetime = Field(description="start of the visit, UTC")
    divergence: StoredDivergence | None = Field(
        description="both values, verdict and newest check; null where the two agreed, or could not be compared"
    )
    probe: str | None = Field(default=None, description="the probe that this is a sighting of")


def history(database: Database, element: str) -> Generator[Past, None, None]:
    """Every captured visit to the element's page, oldest first; one entry for each capture of a visit that has a row.

    Empty where no divergence is of this element. Read when asked for.
    """
    of_element = _divergences.c.element == element
    pages = select(_visits.c.site, _visits.c.url).join(_divergences, _divergences.c.visit_id == _visits.c.id).where(of_element)
    seen = pages.distinct().subquery("pages")
    visits = select(_visits.c.id, _visits.c.started).join(seen, (seen.c.site == _visits.c.site) & (seen.c.url == _visits.c.url))
    without = visits.where(
        SHOWN,
        _visits.c.outcome == "captured",
        ~select(1).where(_divergences.c.visit_id == _visits.c.id, of_element).exists(),
    ).order_by(_visits.c.started, _visits.c.id)
    found = (
        SELECT.add_columns(_sightings.c.probe_id)
        .outerjoin(_sightings, _sightings.c.divergence_id == _divergences.c.id)
        .where(of_element, SHOWN)
        .order_by(_visits.c.started, _visits.c.id, tables.captures.c.index, _divergences.c.id)
    )
    with closing(stream(database, without)) as agreed, closing(stream(database, found)) as differed:
        quiet = (Past(visit_id=row.id, when=row.started.astimezone(UTC), divergence=None) for row in agreed)
        pairs = (
            Past(visit_id=row.visit_id, when=row.started.astimezone(UTC), divergence=stored(row), probe=row.probe_id)
            for row in differed
        )
        yield from heapq.merge(pairs, quiet, key=lambda past: (past.when, past.visit_id))
