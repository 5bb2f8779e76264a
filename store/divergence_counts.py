"""How many divergences there are of which sort, and the screens they were found on: what a gallery of them tells besides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, literal, select, union_all

from store import tables
from store.database import Database
from store.divergence_search import Wanted, chosen
from store.divergences import SHOWN

_captures, _divergences, _visits = tables.captures, tables.divergences, tables.visits
FACETS: dict[str, ColumnElement[Any]] = {
    "kind": _divergences.c.kind,
    "verdict": _divergences.c.verdict,
    "grade": _divergences.c.grade,
    "site": _visits.c.site,
}
"""What is counted, by the name of its filter."""


class Counts(NamedTuple):
    """How many match."""

    total: int
    facets: dict[str, dict[str, int]]
    """Name -> value -> how many there are; the most frequent first. Those without a value (a grade) are in the total alone."""


class Screen(NamedTuple):
    """What a capture shows."""

    width: int
    """CSS px, as the height."""
    height: int
    screenshot: str | None
    """Digest of the blob, which may be gone."""


def divergence_counts(database: Database, wanted: Wanted, *, aside: bool = True, most: int) -> Counts:
    """Of those that are wanted. most: values of a facet; the one filtered by is always among them. Raises as lists do.

    aside: each facet leaves its own filter aside, so that its values tell what there is under all others.
    """
    own = {name: value for name in FACETS if aside and (value := getattr(wanted, name)) is not None}
    with database.transaction() as connection:
        together = {name: getattr(wanted, name) for name in FACETS if name not in own}
        total, facets = _counted(connection, wanted, together, most)
        for name, value in own.items():
            facets |= _counted(connection, replace(wanted, **{name: None}), {name: value}, most)[1]
    return Counts(total, facets)


def _counted(
    connection: Connection, wanted: Wanted, names: Mapping[str, str | None], most: int
) -> tuple[int, dict[str, dict[str, int]]]:
    """names: of each facet the value that must be told, however rare it is."""
    ids = chosen(wanted).subquery("chosen")
    columns = [FACETS[name].label(name) for name in names]
    rows = (
        select(*columns, func.count().label("n"))
        .select_from(ids)
        .join(_divergences, _divergences.c.id == ids.c.id)
        .join(_visits, _visits.c.id == _divergences.c.visit_id)
        .group_by(*columns)
        .cte("counted")
    )
    parts = [select(literal("").label("name"), literal("").label("value"), func.coalesce(func.sum(rows.c.n), 0).label("n"))]
    for name, chosen_one in names.items():
        value, count = rows.c[name], func.sum(rows.c.n)
        of_name = select(literal(name), value, count).where(value.is_not(None)).group_by(value)
        parts.append(of_name.order_by((value == chosen_one).desc(), count.desc(), value).limit(most))
    found = list(connection.execute(union_all(*(part.subquery().select() for part in parts))))
    total = next(int(row.n) for row in found if row.name == "")
    facets = {name: {row.value: int(row.n) for row in found if row.name == name} for name in names}
    return total, {name: dict(sorted(values.items(), key=lambda one: (-one[1], one[0]))) for name, values in facets.items()}


def screens(database: Database, captures: Iterable[str]) -> dict[str, Screen]:
    """Of these captures, by id."""
    view = _visits.c.record["viewport"]
    question = (
        select(_captures.c.id, _captures.c.screenshot_digest, view["width"].astext, view["height"].astext)
        .join(_visits, _visits.c.id == _captures.c.visit_id)
        .where(_captures.c.id.in_(set(captures)), SHOWN)
    )
    with database.transaction() as connection:
        return {
            id_: Screen(int(width), int(height), shot) for id_, shot, width, height in connection.execute(question) if width
        }
