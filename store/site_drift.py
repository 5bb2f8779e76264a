"""The drift of one site as far as a request may ask for: of its newest visits, by the set of captures that it is of."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Row, text

from domain.drift_curve import Point
from domain.errors import NotFound
from domain.record import Record
from store.blobs import Blobs
from store.clean import clean
from store.database import Database
from store.drift import LiveElement, drift
from store.lookup import utc

NEWEST = 40
"""Visits that a request goes through at most. `crawler drift` goes through all."""
MOST_CAPTURES = 80
"""The same in captures: of long pages a visit has up to 20. The newest visit counts whatever it has."""
MOST_TOLD = 500
"""Live elements of a site; `live` counts all."""

_CAPTURES = """
select v.id as visit, v.started, c.id, c.record -> 'artifacts' -> 'drift' is not null as read, c.record -> 'pruned' as pruned
from (select id, started from visits where site = :site and hidden is null and outcome = 'captured'
order by started desc, id desc limit :newest) as v join captures c on c.visit_id = v.id order by v.started, v.id, c.index
"""
_MORE = """
select true from visits where site = :site and hidden is null and outcome = 'captured' and started < :since limit 1
"""
_DIVERGENCES = """
select v.url, d.path, d.element_id, d.kind, d.element, count(*) as divergences from visits v
join divergences d on d.visit_id = v.id
where v.site = :site and v.hidden is null and v.started >= :since and d.verdict = 'flagged' and d.element is not null
group by v.url, d.path, d.element_id, d.kind, d.element
"""


class WindowDrift(Record):
    """The drift of a site's newest visits."""

    site: str
    since: datetime | None = Field(description="start of the oldest visit that is counted; null: none is")
    more: bool = Field(description="whether there are older visits, which are not counted here; `crawler drift` counts all")
    visits: int = Field(description="with readings of texts")
    captures: int = Field(description="with readings of texts")
    unreadable: int = Field(description="captures whose readings are missing, damaged or of another version")
    pruned: int = Field(description="captures whose readings were removed to save space")
    points: tuple[Point, ...] = Field(description="the curve; empty where no capture has readings of texts")
    live: int = Field(description="elements that differed at least once")
    elements: tuple[LiveElement, ...] = Field(description="the shortest half-lives, shortest first")


class Kind(Record):
    """What one kind found of an element."""

    kind: str
    element: str = Field(description="names the element over time: /elements/{element}/history")
    divergences: int = Field(description="flagged, in the visits that are counted")


class SiteElement(Record):
    """A live element, and the divergences of it."""

    element: LiveElement
    divergences: int = Field(description="flagged, of all kinds, in the visits that are counted")
    kinds: tuple[Kind, ...]


def window(database: Database, site: str) -> tuple[str, WindowDrift]:
    """The captures of the newest visits as a key, and what is known of their drift before anything is read."""
    with database.transaction() as connection:
        return _window(connection, clean(site))


def worked_out(database: Database, blobs: Blobs, known: WindowDrift) -> WindowDrift:
    """The drift of a window's captures: reads up to some hundred blobs, so keep it by the window's key."""
    if not known.captures:
        return known
    try:
        told = drift(database, blobs, site=known.site, since=known.since, limit=MOST_TOLD)
    except NotFound:  # all that have readings are damaged
        return known.model_copy(update={"unreadable": known.captures, "captures": 0, "visits": 0})
    [only] = told.sites
    return known.model_copy(
        update={
            "visits": only.visits,
            "captures": told.captures,
            "unreadable": told.unreadable,
            "pruned": told.pruned,
            "points": told.points,
            "live": told.live,
            "elements": told.elements,
        }
    )


def with_divergences(database: Database, found: WindowDrift) -> list[SiteElement]:
    """The live elements, shortest half-life first, each with the flagged divergences of the visits that are counted."""
    by_place: dict[tuple[str, str], dict[str, Kind]] = {}
    if found.since is not None and found.elements:
        with database.transaction() as connection:
            rows = connection.execute(text(_DIVERGENCES), {"site": found.site, "since": found.since}).all()
        for row in rows:
            # The same element in other visits: by its id attribute where it has one, as the drift has it, else by its place.
            kinds = by_place.setdefault((row.url, f"#{row.element_id}" if row.element_id else row.path), {})
            before = kinds[row.element].divergences if row.element in kinds else 0
            kinds[row.element] = Kind(kind=row.kind, element=row.element, divergences=before + row.divergences)
    told = []
    for one in found.elements:
        place = f"#{one.element_id}" if one.element_id else one.path
        found_of = by_place.get((one.url, place), {}).values()
        ordered = tuple(sorted(found_of, key=lambda k: (-k.divergences, k.kind, k.element)))
        told.append(SiteElement(element=one, divergences=sum(k.divergences for k in ordered), kinds=ordered))
    return told


def _window(connection: Connection, site: str) -> tuple[str, WindowDrift]:
    """The captures that count, as a key, and what is known of them before anything is read."""
    rows = _bounded(connection.execute(text(_CAPTURES), {"site": site, "newest": NEWEST}).all())
    since = utc(rows[0].started) if rows else None
    more = since is not None and bool(connection.scalar(text(_MORE), {"site": site, "since": since}))
    parts = "\n".join(f"{row.id} {row.read} {row.pruned}" for row in rows)
    key = hashlib.sha256(f"{site}\n{more}\n{parts}".encode()).hexdigest()
    pruned = [row for row in rows if {"drift", "served"} & (row.pruned or {}).keys()]
    read = [row for row in rows if row.read and row not in pruned]
    return key, WindowDrift(
        site=site, since=since, more=more, visits=len({row.visit for row in read}), captures=len(read), unreadable=0,
        pruned=len(pruned), points=(), live=0, elements=(),
    )  # fmt: skip


def _bounded(rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """The captures of the newest visits, whole visits only, at most MOST_CAPTURES."""
    by_visit = [list(group) for _, group in groupby(rows, key=lambda row: row.visit)]
    kept: list[Row[Any]] = []
    for group in reversed(by_visit):
        if kept and len(kept) + len(group) > MOST_CAPTURES:
            break
        kept = group + kept
    return kept
