"""The history of one site: its visits, newest first, each with how it ended and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import Row, func, select, tuple_
from sqlalchemy.dialects.postgresql import aggregate_order_by

from domain.record import Record
from domain.visit import Incident, Try
from store import tables
from store.database import Database
from store.divergences import SHOWN
from store.lookup import utc
from store.slices import Slice, cut

_v, _c, _d = tables.visits.c, tables.captures.c, tables.divergences.c
_FIELDS = ("incidents", "attempts", "due", "tries", "worker", "durations_ms", "traffic")


class SiteVisit(Record):
    """One visit as a site's history tells it; all of it is at /visits/{id}."""

    id: str
    url: str
    outcome: str
    reason: str = Field(description="why, in a sentence")
    started: datetime = Field(description="UTC")
    finished: datetime = Field(description="UTC")
    due: datetime | None = Field(description="the turn it was made for; null: asked for by hand")
    attempts: int = Field(description="how often the page was opened")
    tries: tuple[Try, ...] = Field(description="earlier tries at this turn")
    incidents: tuple[Incident, ...] = Field(description="what happened and was dealt with")
    durations_ms: dict[str, float] = Field(description="where the time went, by step")
    received_bytes: int | None = Field(description="over the wire; null: not counted")
    worker: str
    captures: tuple[str, ...] = Field(description="ids, in the order of their positions on the page")
    flagged: int = Field(description="divergences that the rules flagged")


def visits_of(
    database: Database,
    site: str,
    *,
    outcome: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    after: Sequence[str] | None = None,
    limit: int,
) -> Slice[SiteVisit]:
    """Visits of the site behind that place, newest first, at most `limit`. Raises ValueError where `after` is no place."""
    ids = select(func.array_agg(aggregate_order_by(_c.id, _c.index))).where(_c.visit_id == _v.id).scalar_subquery()
    flagged = select(func.count()).where(_d.visit_id == _v.id, _d.verdict == "flagged").scalar_subquery()
    columns = (_v.id, _v.url, _v.outcome, _v.reason, _v.started, _v.finished)
    told = [_v.record[name].label(name) for name in _FIELDS]
    question = select(*columns, *told, ids.label("captures"), flagged.label("flagged")).where(_v.site == site, SHOWN)
    if outcome is not None:
        question = question.where(_v.outcome == outcome)
    if since is not None:
        question = question.where(_v.started >= utc(since))
    if until is not None:
        question = question.where(_v.started < utc(until))
    if after is not None:
        started, visit = after
        question = question.where(tuple_(_v.started, _v.id) < tuple_(utc(datetime.fromisoformat(started)), visit))
    with database.transaction() as connection:
        rows = connection.execute(question.order_by(_v.started.desc(), _v.id.desc()).limit(limit + 1)).all()
    return cut([_visit(row) for row in rows], limit, lambda visit: (visit.started.isoformat(), visit.id))


def _visit(row: Row[*tuple[Any, ...]]) -> SiteVisit:
    traffic = row.traffic or {}
    return SiteVisit(
        id=row.id,
        url=row.url,
        outcome=row.outcome,
        reason=row.reason,
        started=utc(row.started),
        finished=utc(row.finished),
        due=row.due,
        attempts=row.attempts or 1,
        tries=row.tries or (),
        incidents=row.incidents or (),
        durations_ms=row.durations_ms or {},
        received_bytes=traffic.get("received_bytes"),
        worker=row.worker or "",
        captures=row.captures or (),
        flagged=row.flagged,
    )
