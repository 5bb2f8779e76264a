"""What of a frozen release was taken down since. The release stays as it is; what shows these probes is not handed out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from sqlalchemy import Connection, func, select

from domain.takedown import Covered, covers
from store import tables
from store.database import Database

Hidden = Mapping[str, int]
"""Family -> how many probes of the release are hidden now."""
ROWS, TABLES = ("probes.jsonl", "audit_labels.jsonl"), "data/"
"""Where rows stand, or what was read off their pictures: all of them, and those of one family in a folder of its name."""


def hidden_of(database: Database, name: str) -> Hidden:
    """How many probes of this release are hidden now, by family; those of none are left out."""
    with database.transaction() as connection:
        return hidden_in(connection, [name]).get(name, {})


def hidden_by_release(database: Database, names: Collection[str]) -> dict[str, Hidden]:
    """The same of several releases; those that have none are left out."""
    with database.transaction() as connection:
        return hidden_in(connection, names)


def hidden_in(connection: Connection, names: Collection[str]) -> dict[str, Hidden]:
    """Probes that a take-down hides, and those whose visits it deleted: these are in no other table any more."""
    entries = [
        Covered(row.host, row.port, row.path)
        for row in connection.execute(select(tables.takedowns).where(tables.takedowns.c.lifted.is_(None)))
    ]
    if not entries:
        return {}
    found: dict[str, Counter[str]] = {}
    rows, probes = tables.release_probes, tables.probes
    family, url = rows.c.record["family"].astext, rows.c.record["provenance"]["url"].astext
    hidden = (
        select(rows.c.release, family.label("family"), func.count().label("probes"))
        .join(probes, probes.c.id == rows.c.probe_id)
        .where(rows.c.release.in_(names), probes.c.hidden.is_not(None))
        .group_by(rows.c.release, family)
    )
    for row in connection.execute(hidden):
        found.setdefault(row.release, Counter())[row.family] += row.probes
    gone = (
        select(rows.c.release, family.label("family"), url.label("url"))
        .outerjoin(probes, probes.c.id == rows.c.probe_id)
        .where(rows.c.release.in_(names), probes.c.id.is_(None), url.is_not(None))
    )
    for row in connection.execute(gone):
        if any(covers(entry, row.url) for entry in entries):
            found.setdefault(row.release, Counter())[row.family] += 1
    return {name: dict(sorted(counts.items())) for name, counts in found.items()}


def shows_hidden(path: str, hidden: Hidden) -> bool:
    """Whether the file of a release at this path has rows of hidden probes in it."""
    return bool(hidden) and (path in ROWS or any(path.startswith(f"{TABLES}{family}/") for family in hidden))
