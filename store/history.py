"""The pair of one element over time: what its structure said and its pixels showed at every visit to its page."""

from __future__ import annotations

import heapq
from collections.abc import Generator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

from pydantic import Field
from sqlalchemy import ColumnElement, Row, Select, literal, select, tuple_

from domain.errors import NotFound
from domain.record import Record
from store import tables
from store.database import Database
from store.divergences import SELECT, SHOWN, StoredDivergence, stored
from store.lookup import stream, utc
from store.slices import Slice
from store.tables import Id

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
    without = _agreed(element).order_by(_visits.c.started, _visits.c.id)
    found = _differed(element).order_by(_visits.c.started, _visits.c.id, tables.captures.c.index, _divergences.c.id)
    with closing(stream(database, without)) as agreed, closing(stream(database, found)) as differed:
        quiet, pairs = map(_quiet, agreed), map(_pair, differed)
        yield from heapq.merge(pairs, quiet, key=lambda past: (past.when, past.visit_id))


def history_slice(
    database: Database, element: str, *, after: Sequence[str] | None = None, limit: int, newest_first: bool = True
) -> Slice[Past]:
    """At most `limit` entries of the history behind the place `after`; of one visit by the id of their divergence.

    Raises NotFound where no divergence that is shown is of this element, ValueError where `after` is no place.
    """
    keys = _visits.c.started, _visits.c.id, _divergences.c.id
    agreed, differed = _agreed(element), _differed(element)
    if after is not None:
        moment, visit, divergence = after
        behind = tuple_(utc(datetime.fromisoformat(moment)), visit, divergence)
        without, having = tuple_(_visits.c.started, _visits.c.id, literal("", Id)), tuple_(*keys)
        agreed = agreed.where(without < behind if newest_first else without > behind)
        differed = differed.where(having < behind if newest_first else having > behind)
    with database.transaction() as connection:
        known = select(_divergences.c.id).join(_visits, _visits.c.id == _divergences.c.visit_id)
        if connection.scalar(known.where(_divergences.c.element == element, SHOWN).limit(1)) is None:
            raise NotFound(
                f"No element {element!r}: nothing that is shown was found of it. Divergences and probes name theirs."
            )
        both = [
            *map(_quiet, connection.execute(_ordered(agreed, keys[:2], limit + 1, newest_first=newest_first))),
            *map(_pair, connection.execute(_ordered(differed, keys, limit + 1, newest_first=newest_first))),
        ]
    both.sort(key=_place, reverse=newest_first)
    return Slice(both[:limit], None if len(both) <= limit else tuple(_place(both[limit - 1])))


def _ordered(question: Select[Any], keys: Sequence[ColumnElement[Any]], limit: int, *, newest_first: bool) -> Select[Any]:
    return question.order_by(*(key.desc() if newest_first else key for key in keys)).limit(limit)


def _place(past: Past) -> tuple[str, str, str]:
    # All of one length, so that texts are in the order of moments.
    return past.when.isoformat(timespec="microseconds"), past.visit_id, past.divergence.id if past.divergence else ""


def _agreed(element: str) -> Select[Any]:
    """Captured visits to its page in which nothing was found of it."""
    of_element = _divergences.c.element == element
    pages = select(_visits.c.site, _visits.c.url).join(_divergences, _divergences.c.visit_id == _visits.c.id).where(of_element)
    seen = pages.distinct().subquery("pages")
    visits = select(_visits.c.id, _visits.c.started).join(seen, (seen.c.site == _visits.c.site) & (seen.c.url == _visits.c.url))
    return visits.where(
        SHOWN,
        _visits.c.outcome == "captured",
        ~select(1).where(_divergences.c.visit_id == _visits.c.id, of_element).exists(),
    )


def _differed(element: str) -> Select[Any]:
    """What was found of it, with the probe that it is a sighting of."""
    return (
        SELECT.add_columns(_sightings.c.probe_id)
        .outerjoin(_sightings, _sightings.c.divergence_id == _divergences.c.id)
        .where(_divergences.c.element == element, SHOWN)
    )


def _quiet(row: Row[Any]) -> Past:
    return Past(visit_id=row.id, when=row.started.astimezone(UTC), divergence=None)


def _pair(row: Row[Any]) -> Past:
    return Past(visit_id=row.visit_id, when=row.started.astimezone(UTC), divergence=stored(row), probe=row.probe_id)
