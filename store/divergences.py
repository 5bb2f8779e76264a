"""Findings worth a row: what rules flagged, or could not decide. Everything else is only counted, in the capture."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pydantic import Field
from sqlalchemy import Connection, Row, Select, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from domain.divergence import Finding, Verdict
from domain.errors import NotFound
from domain.record import Record
from store import tables
from store.clean import clean
from store.database import Database
from store.lookup import one_by_prefix, stream, utc

STORED_VERDICTS = ("flagged", "review")
_FIELDS = ("path", "element_id", "kind", "verdict", "reason", "structural", "rendered", "grade", "box")


class StoredDivergence(Record):
    """A finding that has a row, and where it was found."""

    id: str = Field(description="12 hex digits, in the rarest of cases 64; the same whenever the rules are run again")
    visit_id: str
    capture_id: str
    site: str
    url: str = Field(description="as asked for")
    finding: Finding
    when: datetime = Field(description="start of the visit, UTC")
    rules: str = Field(description="version of the rules that said so last")


class Changes(NamedTuple):
    """What running the rules again has changed in one capture."""

    added: list[StoredDivergence]
    removed: list[StoredDivergence]
    changed: list[tuple[StoredDivergence, StoredDivergence]]
    """Before and after."""


def divergence_id(capture_id: str, kind: str, path: str) -> str:
    """The id of what `kind` says of the element at `path` in a capture: 12 hex digits."""
    return _key(capture_id, kind, path)[:12]


def divergences(
    database: Database,
    *,
    site: str | None = None,
    kind: str | None = None,
    verdict: Verdict | None = None,
    visit: str | None = None,
    since: datetime | None = None,
    limit: int | None = None,
) -> Iterator[StoredDivergence]:
    """Those that match everything given, newest visit first; in a capture by kind and id. Read when asked for."""
    table = tables.divergences.c
    question = _SELECT.order_by(
        tables.visits.c.started.desc(), tables.visits.c.id, tables.captures.c.index, table.kind, table.id
    )
    for column, wanted in (
        (tables.visits.c.site, site), (table.kind, kind), (table.verdict, verdict), (table.visit_id, visit),
    ):  # fmt: skip
        if wanted is not None:
            question = question.where(column == wanted)
    if since is not None:
        question = question.where(tables.visits.c.started >= utc(since))
    yield from map(_stored, stream(database, question.limit(limit)))


def find_divergence(database: Database, id_or_prefix: str) -> StoredDivergence:
    """The one with this id, or the only one whose id begins so. Raises NotFound."""
    with database.transaction() as connection:
        found = one_by_prefix(connection, tables.divergences, id_or_prefix, "divergence", "See: crawler run")
        return _stored(connection.execute(_SELECT.where(tables.divergences.c.id == found)).one())


def replace_findings(
    database: Database,
    capture_id: str,
    rules: str,
    findings: Sequence[Finding],
    tallies: Mapping[str, Mapping[str, int]],
    *,
    dry_run: bool = False,
) -> Changes:
    """The capture's findings are these, made by these rules. Returns what that changes; dry_run changes nothing.

    A finding that stays keeps its id. A mere new version of the rules is written, but is no change.
    Raises NotFound where there is no such capture.
    """
    with database.transaction() as connection:
        row = connection.execute(_LOCK_CAPTURE.where(tables.captures.c.id == capture_id)).one_or_none()
        if row is None:
            raise NotFound(f"No capture {capture_id!r}.")
        before = _of_capture(connection, capture_id)
        connection.execute(delete(tables.divergences).where(tables.divergences.c.capture_id == capture_id))
        insert_findings(connection, row.visit_id, capture_id, rules, findings)
        record = row.record | {"rules": rules, "tallies": {kind: dict(counts) for kind, counts in tallies.items()}}
        connection.execute(update(tables.captures).where(tables.captures.c.id == capture_id).values(record=record))
        after = _of_capture(connection, capture_id)
        if dry_run:
            connection.rollback()
    return Changes(
        added=[after[key] for key in after if key not in before],
        removed=[before[key] for key in before if key not in after],
        changed=[(before[key], after[key]) for key in after if key in before and before[key].finding != after[key].finding],
    )


def insert_findings(connection: Connection, visit_id: str, capture_id: str, rules: str, findings: Iterable[Finding]) -> None:
    """Rows for those flagged or for review. Of two with one kind and path, the first counts."""
    pending: dict[str, dict[str, Any]] = {}
    for finding in findings:
        if finding.verdict in STORED_VERDICTS:
            row = {name: getattr(finding, name) for name in _FIELDS}
            key = _key(capture_id, finding.kind, finding.path)
            pending.setdefault(key, row | {"key": key, "visit_id": visit_id, "capture_id": capture_id, "rules": rules})
    # Twelve digits are for people. Where another divergence has the same twelve (a chance of 1 in 300 once there are a
    # million), the whole key is the id: never a row lost, never a save that fails.
    for digits in (12, 64):
        rows = [row | {"id": key[:digits]} for key, row in pending.items()]
        if rows:
            statement = insert(tables.divergences).on_conflict_do_nothing().returning(tables.divergences.c.key)
            for key in connection.scalars(statement, rows):
                del pending[key]


_SELECT: Select[Any] = select(
    tables.divergences,
    tables.visits.c.site,
    tables.visits.c.url,
    tables.visits.c.started,
).select_from(tables.divergences.join(tables.captures).join(tables.visits, tables.visits.c.id == tables.captures.c.visit_id))

# Two runs of the rules over one capture take turns.
_LOCK_CAPTURE: Select[Any] = select(tables.captures.c.visit_id, tables.captures.c.record).with_for_update()


def _of_capture(connection: Connection, capture_id: str) -> dict[str, StoredDivergence]:
    question = _SELECT.where(tables.divergences.c.capture_id == capture_id).order_by(
        tables.divergences.c.kind, tables.divergences.c.id
    )
    return {row.key: _stored(row) for row in connection.execute(question)}


def _stored(row: Row[Any]) -> StoredDivergence:
    return StoredDivergence(
        id=row.id,
        visit_id=row.visit_id,
        capture_id=row.capture_id,
        site=row.site,
        url=row.url,
        finding=Finding.model_validate({name: getattr(row, name) for name in _FIELDS}),
        when=row.started.astimezone(UTC),
        rules=row.rules,
    )


def _key(capture_id: str, kind: str, path: str) -> str:
    # Cleaned first, as the row is: whoever reads the path back gets the same id.
    return hashlib.sha256(clean(f"{capture_id}\n{kind}\n{path}").encode()).hexdigest()
