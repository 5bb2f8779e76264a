"""What readers of the pixels said of divergences. Visits are saved first; checks follow, from whoever looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic import Field
from sqlalchemy import Select, case, func, select
from sqlalchemy.dialects.postgresql import insert

from domain.divergence import Verdict
from domain.pixel_check import Check
from domain.record import Record
from domain.visit import CaptureRecord
from store import tables
from store.database import Database
from store.divergences import SELECT, SHOWN, STORED_VERDICTS, StoredDivergence, stored

_checks, _captures, _divergences, _visits = tables.checks, tables.captures, tables.divergences, tables.visits


class StoredCheck(Record):
    """A check that has a row."""

    divergence_id: str
    check: Check
    when: datetime = Field(description="UTC")


def unchecked(
    database: Database,
    *,
    site: str | None = None,
    kind: str | None = None,
    verdict: Verdict | None = "flagged",
    reader: str | None = None,
    limit: int | None = None,
) -> Iterator[tuple[StoredDivergence, CaptureRecord]]:
    """Divergences nobody has looked at, each with its capture: oldest visit first, all of a capture together.

    verdict: None for flagged and for review, flagged first in each capture. reader: those that this one has not looked
    at, whoever else has. A capture is read when its turn comes, so whoever looks may take long and save meanwhile.
    """
    wanted = _unchecked(site, kind, verdict, reader)
    left = limit
    for capture_id in _captures_with(database, wanted):
        if left is not None and left <= 0:
            return
        question = wanted.where(_divergences.c.capture_id == capture_id)
        flagged_first = case((_divergences.c.verdict == "flagged", 0), else_=1)
        question = question.order_by(flagged_first, _divergences.c.kind, _divergences.c.id).limit(left)
        with database.transaction() as connection:
            record = connection.scalar(select(_captures.c.record).where(_captures.c.id == capture_id))
            found = [stored(row) for row in connection.execute(question)]
        left = None if left is None else left - len(found)
        if found:
            capture = CaptureRecord.model_validate(record)
            yield from ((divergence, capture) for divergence in found)


def save_checks(database: Database, checks: Mapping[str, Check]) -> int:
    """The checks, by divergence, are stored; how many. A reader's second look takes the place of its first.

    A divergence that is gone since, because the rules were run again, is left out.
    """
    if not checks:
        return 0
    with database.transaction() as connection:
        wanted = select(_divergences.c.capture_id).where(_divergences.c.id.in_(checks))
        # As when the rules are run again: whoever changes a capture's divergences holds the capture.
        held = select(_captures.c.id).where(_captures.c.id.in_(wanted)).order_by(_captures.c.id)
        connection.execute(held.with_for_update(key_share=True))
        there = set(connection.scalars(select(_divergences.c.id).where(_divergences.c.id.in_(checks))))
        rows = [{"divergence_id": i, **check.model_dump()} for i, check in sorted(checks.items()) if i in there]
        if rows:
            statement = insert(_checks)
            changed = {name: statement.excluded[name] for name in ("read", "confidence", "verdict", "reason")}
            statement = statement.on_conflict_do_update(
                index_elements=["divergence_id", "reader"], set_=changed | {"checked_at": func.clock_timestamp()}
            )
            connection.execute(statement, rows)
    return len(rows)


def checks_of(database: Database, divergence_id: str) -> list[StoredCheck]:
    """Every reader's check of a divergence, newest first."""
    of_shown = select(_divergences.c.id).join(_visits, _visits.c.id == _divergences.c.visit_id).where(SHOWN)
    question = select(_checks).where(_checks.c.divergence_id == divergence_id, _checks.c.divergence_id.in_(of_shown))
    with database.transaction() as connection:
        rows = connection.execute(question.order_by(_checks.c.checked_at.desc(), _checks.c.reader)).all()
    return [
        StoredCheck(
            divergence_id=row.divergence_id,
            check=Check.model_validate({name: getattr(row, name) for name in Check.model_fields}),
            when=row.checked_at.astimezone(UTC),
        )
        for row in rows
    ]


def _unchecked(site: str | None, kind: str | None, verdict: Verdict | None, reader: str | None) -> Select[Any]:
    looked = select(1).select_from(_checks).where(_checks.c.divergence_id == _divergences.c.id)
    if reader is not None:
        looked = looked.where(_checks.c.reader == reader)
    question = SELECT.where(
        SHOWN, ~looked.exists(), _divergences.c.verdict.in_(STORED_VERDICTS if verdict is None else (verdict,))
    )
    for column, wanted in ((_visits.c.site, site), (_divergences.c.kind, kind)):
        if wanted is not None:
            question = question.where(column == wanted)
    return question


def _captures_with(database: Database, wanted: Select[Any]) -> list[str]:
    """Ids of the captures that have any, oldest visit first."""
    of_theirs = wanted.with_only_columns(_divergences.c.capture_id)
    question = select(_captures.c.id).join(_visits).where(_captures.c.id.in_(of_theirs))
    with database.transaction() as connection:
        return list(connection.scalars(question.order_by(_visits.c.started, _visits.c.id, _captures.c.index)))
