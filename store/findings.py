"""Findings into rows. Running the rules again keeps what it finds again, with the checks and sightings that hang on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from domain.divergence import Finding
from domain.errors import NotFound
from domain.identity import element_of
from store import divergences, tables, visited
from store.database import Database
from store.divergences import FIELDS, SELECT, STORED_VERDICTS, StoredDivergence, stored
from store.withdrawals import withdraw_sightings


class Place(NamedTuple):
    """Where findings are from, and the rules that made them."""

    capture_id: str
    visit_id: str
    site: str
    url: str
    rules: str


class Changes(NamedTuple):
    """What running the rules again has changed in one capture."""

    added: list[StoredDivergence]
    removed: list[StoredDivergence]
    changed: list[tuple[StoredDivergence, StoredDivergence]]
    """Before and after."""


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

    A finding that stays keeps its id, and its checks as long as what was looked at is the same: both values, box and
    lines. Its sightings go with its checks, and when it is flagged no more. A mere new version of the rules is written,
    but is no change. Raises NotFound where there is no such capture.
    """
    with database.transaction() as connection:
        row = connection.execute(_LOCK_CAPTURE.where(tables.captures.c.id == capture_id)).one_or_none()
        if row is None:
            raise NotFound(f"No capture {capture_id!r}.")
        before = _of_capture(connection, capture_id)
        rows = _rows(Place(capture_id, row.visit_id, row.site, row.url, rules), findings)
        more = _verdicts(rows)
        more.subtract(found.finding.verdict for found in before.values())
        # Before any probe is held: whoever hides visits holds rows in this order too.
        visited.change(connection, row.visit_id, flagged=more["flagged"], review=more["review"])
        gone = [before[key].id for key in before.keys() - rows.keys()]
        withdraw_sightings(connection, gone)
        connection.execute(delete(tables.divergences).where(tables.divergences.c.id.in_(gone)))
        _update(connection, [rows[key] for key in rows.keys() & before.keys()])
        _insert(connection, {key: rows[key] for key in rows if key not in before})
        record = row.record | {"rules": rules, "tallies": {kind: dict(counts) for kind, counts in tallies.items()}}
        connection.execute(update(tables.captures).where(tables.captures.c.id == capture_id).values(record=record))
        after = _of_capture(connection, capture_id)
        both = [(before[key], after[key]) for key in after if key in before]
        other = [new.id for old, new in both if _looked_at(old.finding) != _looked_at(new.finding)]
        connection.execute(delete(tables.checks).where(tables.checks.c.divergence_id.in_(other)))
        withdraw_sightings(connection, {*other, *(new.id for _, new in both if new.finding.verdict != "flagged")})
        if dry_run:
            connection.rollback()
    return Changes(
        added=[after[key] for key in after if key not in before],
        removed=[before[key] for key in before if key not in after],
        changed=[(old, new) for old, new in both if old.finding != new.finding],
    )


def insert_findings(connection: Connection, place: Place, findings: Iterable[Finding]) -> Counter[str]:
    """Rows for those flagged or for review; how many of each. Of two with one kind and path, the first counts."""
    rows = _rows(place, findings)
    _insert(connection, rows)
    return _verdicts(rows)


def _rows(place: Place, findings: Iterable[Finding]) -> dict[str, dict[str, Any]]:
    """Key -> columns but the id."""
    rows: dict[str, dict[str, Any]] = {}
    for finding in findings:
        if finding.verdict not in STORED_VERDICTS:
            continue
        key = divergences.key_of(place.capture_id, finding.kind, finding.path)
        if key not in rows:
            row = {name: getattr(finding, name) for name in FIELDS}
            given = {"key": key, "visit_id": place.visit_id, "capture_id": place.capture_id, "rules": place.rules}
            element = element_of(place.site, place.url, finding)
            rows[key] = row | given | {"lines": finding.lines or None, "element": element}
    return rows


def _verdicts(rows: Mapping[str, dict[str, Any]]) -> Counter[str]:
    return Counter(row["verdict"] for row in rows.values())


def _insert(connection: Connection, rows: Mapping[str, dict[str, Any]]) -> None:
    pending = dict(rows)
    # Twelve digits are for people. Where another divergence has the same twelve (a chance of 1 in 300 once there are a
    # million), the whole key is the id: never a row lost, never a save that fails.
    for digits in (12, 64):
        named = [row | {"id": key[:digits]} for key, row in pending.items()]
        if named:
            statement = insert(tables.divergences).on_conflict_do_nothing().returning(tables.divergences.c.key)
            for key in connection.scalars(statement, named):
                del pending[key]


def _update(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        statement = update(tables.divergences).where(tables.divergences.c.key == bindparam("of_key"))
        values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in (*FIELDS, "rules", "element")}
        given = [{"of_key": row["key"], **{f"new_{name}": row[name] for name in values}} for row in rows]
        connection.execute(statement.values(values), given)


# Two runs of the rules over one capture, and whoever draws probes from it, take turns.
_LOCK_CAPTURE: Select[Any] = (
    select(tables.captures.c.visit_id, tables.captures.c.record, tables.visits.c.site, tables.visits.c.url)
    .select_from(tables.captures.join(tables.visits))
    .with_for_update(of=tables.captures, key_share=True)
)


def _of_capture(connection: Connection, capture_id: str) -> dict[str, StoredDivergence]:
    question = SELECT.where(tables.divergences.c.capture_id == capture_id).order_by(
        tables.divergences.c.kind, tables.divergences.c.id
    )
    return {row.key: stored(row) for row in connection.execute(question)}


def _looked_at(finding: Finding) -> tuple[Any, ...]:
    """What a check of the pixels depends on."""
    return finding.structural, finding.rendered, finding.box, finding.lines
