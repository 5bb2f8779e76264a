"""What of a frozen release was taken down since. The release stays as it is; what shows these probes is not handed out."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import ColumnElement, Connection, FromClause, and_, exists, false, func, or_, select, true

from store import tables
from store.database import Database

Hidden = Mapping[str, int]
"""Family -> how many probes of the release are hidden now."""
ROWS, TABLES = ("probes.jsonl", "audit_labels.jsonl"), "data/"
"""Where rows stand, or what was read off their pictures: all of them, and those of one family in a folder of its name."""
_rows, _probes, _visits, _takedowns = tables.release_probes, tables.probes, tables.visits, tables.takedowns

_VISIT = _rows.c.record[("provenance", "visit")].astext
EVER = exists().select_from(_takedowns)
"""Whether anything was taken down ever; lifted entries stay in the list."""


def _hides(probe_hidden: ColumnElement[bool], visit_hides: ColumnElement[bool]) -> ColumnElement[bool]:
    """Of a row of release_probes: its probe is hidden, or the visit that it shows is hidden or gone.

    What a take-down deletes is in no other table any more, nor are the addresses that it passed: that the visit is gone is what
    is left to tell, whatever address it was deleted by. A probe that others show still has the row of that visit in the
    release. Rows of corpora have no visit; they outlive probes that are withdrawn, as do rows of visits that are there.
    """
    return or_(probe_hidden, and_(EVER, _VISIT.is_not(None), visit_hides))


HIDDEN_ROW = _hides(
    func.coalesce(select(_probes.c.hidden.is_not(None)).where(_probes.c.id == _rows.c.probe_id).scalar_subquery(), false()),
    func.coalesce(select(_visits.c.hidden.is_not(None)).where(_visits.c.id == _VISIT).scalar_subquery(), true()),
)
"""Asked row by row, by key: so that for a hundred rows not all visits are read."""
HIDES = _hides(_probes.c.hidden.is_not(None), or_(_visits.c.id.is_(None), _visits.c.hidden.is_not(None)))
"""The same where many rows are asked, of `with_screens`."""


def with_screens(rows: FromClause) -> FromClause:
    """release_probes, or a join with it, and the probe and visit of each row: joined as the database sees fit."""
    return rows.outerjoin(_probes, _probes.c.id == _rows.c.probe_id).outerjoin(_visits, _visits.c.id == _VISIT)


def hidden_of(database: Database, name: str) -> Hidden:
    """How many probes of this release are hidden now, by family; those of none are left out."""
    with database.transaction() as connection:
        return hidden_in(connection, [name]).get(name, {})


def hidden_by_release(database: Database, names: Collection[str]) -> dict[str, Hidden]:
    """The same of several releases; those that have none are left out."""
    with database.transaction() as connection:
        return hidden_in(connection, names)


def hidden_in(connection: Connection, names: Collection[str]) -> dict[str, Hidden]:
    """The same, within a transaction: a take-down sees what it does."""
    if not connection.scalar(select(EVER)):
        return {}
    family = _rows.c.record["family"].astext
    question = (
        select(_rows.c.release, family.label("family"), func.count().label("probes"))
        .select_from(with_screens(_rows))
        .where(_rows.c.release.in_(names), HIDES)
        .group_by(_rows.c.release, family)
        .order_by(_rows.c.release, family)
    )
    found: dict[str, Hidden] = {}
    for row in connection.execute(question):
        found[row.release] = {**found.get(row.release, {}), row.family: row.probes}
    return found


def shows_rows(path: str) -> bool:
    """Whether the file of a release at this path has rows of probes in it, or what was read off their pictures."""
    return path in ROWS or path.startswith(TABLES)


def shows_hidden(path: str, hidden: Hidden) -> bool:
    """Whether the file of a release at this path has rows of hidden probes in it."""
    return bool(hidden) and (path in ROWS or any(path.startswith(f"{TABLES}{family}/") for family in hidden))
