"""Captures as they are asked for over the wire: newest visit first, slice by slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import Field
from sqlalchemy import ColumnElement, func, select, tuple_

from domain.record import Record
from domain.visit import Counts
from store import tables
from store.database import Database
from store.divergences import SHOWN
from store.lookup import utc
from store.slices import Slice

_captures, _divergences, _visits = tables.captures, tables.divergences, tables.visits


class CaptureSummary(Record):
    """One capture, and how much was found on it."""

    id: str
    visit_id: str
    index: int = Field(description="0 for the first scroll position")
    site: str
    url: str = Field(description="as asked for")
    when: datetime = Field(description="start of the visit, UTC")
    page: str | None = Field(description="what kind of page it is; only content is evidence")
    counts: Counts
    flagged: int = Field(description="divergences that the rules flagged")
    review: int = Field(description="divergences that the rules could not decide")
    screenshot: str | None = Field(description="digest; null: there is none, or it was pruned")
    rules: str = Field(description="version of the rules and policy that made the findings")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which captures. None: whatever it is."""

    site: str | None = None
    visit_id: str | None = None
    since: datetime | None = None
    """Of a visit that began then or later."""
    until: datetime | None = None
    """The same, before then."""


def slice_of(database: Database, wanted: Wanted, *, after: Sequence[str] | None = None, limit: int) -> Slice[CaptureSummary]:
    """At most `limit` captures behind the place `after`, those of the newest visit first, in it by id downwards.

    Raises ValueError where `after` is no place.
    """
    record = _captures.c.record
    keys = _visits.c.started, _captures.c.id
    found = select(
        *keys, _captures.c.visit_id, _captures.c.index, _visits.c.site, _visits.c.url,
        record["page"]["kind"].astext.label("page"), record["counts"].label("counts"), record["rules"].astext.label("rules"),
        record["artifacts"]["screenshot"].astext.label("screenshot"),
    ).join_from(_visits, _captures, _captures.c.visit_id == _visits.c.id)  # fmt: skip
    found = found.where(*_conditions(wanted), *_behind(after)).order_by(*(key.desc() for key in keys)).limit(limit + 1)
    with database.transaction() as connection:
        rows = connection.execute(found).all()
        ids = [row.id for row in rows[:limit]]
        counts = select(_divergences.c.capture_id, _divergences.c.verdict, func.count().label("n"))
        counts = counts.where(_divergences.c.capture_id.in_(ids)).group_by(_divergences.c.capture_id, _divergences.c.verdict)
        counted = {(row.capture_id, row.verdict): row.n for row in connection.execute(counts)}
    items = [_summary(row, counted) for row in rows[:limit]]
    last = rows[limit - 1] if len(rows) > limit else None
    return Slice(items, None if last is None else (last.started.astimezone(UTC).isoformat(), last.id))


def _conditions(wanted: Wanted) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [SHOWN]
    if wanted.site is not None:
        found.append(_visits.c.site == wanted.site)
    if wanted.visit_id is not None:
        found.append(_visits.c.id == wanted.visit_id)
    if wanted.since is not None:
        found.append(_visits.c.started >= utc(wanted.since))
    if wanted.until is not None:
        found.append(_visits.c.started < utc(wanted.until))
    return found


def _behind(after: Sequence[str] | None) -> list[ColumnElement[bool]]:
    if after is None:
        return []
    moment, capture = after
    when = utc(datetime.fromisoformat(moment))
    return [_visits.c.started <= when, tuple_(_visits.c.started, _captures.c.id) < tuple_(when, capture)]


def _summary(row: Any, counted: dict[tuple[str, str], int]) -> CaptureSummary:
    return CaptureSummary(
        id=row.id,
        visit_id=row.visit_id,
        index=row.index,
        site=row.site,
        url=row.url,
        when=row.started.astimezone(UTC),
        page=row.page,
        counts=Counts.model_validate(row.counts),
        flagged=counted.get((row.id, "flagged"), 0),
        review=counted.get((row.id, "review"), 0),
        screenshot=row.screenshot,
        rules=row.rules or "",
    )
