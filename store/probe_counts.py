"""How many probes there are, by each thing that they are filtered by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select, text

from store.database import Database
from store.probe_filters import FACETS, STORE, Source, Wanted, conditions, given_of, source_of

FEW = tuple(name for name in FACETS if name != "site")
"""Facets with a handful of values: all their combinations are some hundreds. Of sites there are thousands."""


class Counts(NamedTuple):
    """How many there are."""

    total: int
    facets: dict[str, dict[str, int]]
    """By name and value, the most frequent value first. Probes without a value (a kind, a grade) are in the total alone."""


def counts(database: Database, wanted: Wanted, *, aside: bool = False, most: int) -> Counts:
    """Counts under the filters. most: values of each facet that are told: the one filtered by, and the most frequent.

    aside: the values of a facet are counted as if there were no filter by that facet: what one would find on choosing another.
    Raises as `store.probe_search.slice_of`.
    """
    own = [name for name in FACETS if aside and getattr(wanted, name) is not None]
    few = [name for name in FEW if name not in own]
    alone = [*own, *(name for name in FACETS if name not in {*FEW, *own})]
    found: dict[str, Counter[str | None]] = {name: Counter() for name in FACETS}
    total = 0
    given = given_of(wanted)
    with database.transaction() as connection:
        # All counts are of one moment, so that they add up.
        connection.execute(text("set transaction isolation level repeatable read, read only"))
        source = source_of(connection, wanted)
        for *values, count in connection.execute(_counted(source, given, few), given):
            total += count
            for name, value in zip(few, values, strict=True):
                found[name][value] += count
        for name in alone:
            others = {key: value for key, value in given.items() if key != name or name not in own}
            for value, count in connection.execute(_counted(source, others, [name]), others):
                found[name][value] = count
    return Counts(total, {name: _told(values, most, getattr(wanted, name)) for name, values in found.items()})


def counts_by(database: Database, name: str) -> dict[str, int]:
    """All probes by the values of one of FACETS."""
    with database.transaction() as connection:
        return {value: count for value, count in connection.execute(_counted(STORE, (), [name])) if value is not None}


def _counted(source: Source, filters: Iterable[str], names: list[str]) -> Select[Any]:
    """(values of these facets, how many) under these filters."""
    columns = [source.columns[name] for name in names]
    return select(*columns, func.count()).where(*conditions(source, filters)).group_by(*columns)


def _told(values: Counter[str | None], most: int, chosen: str | None) -> dict[str, int]:
    known = sorted(((-count, value) for value, count in values.items() if value is not None))
    kept = sorted(known, key=lambda one: one[1] != chosen)[:most]
    return {value: -count for count, value in sorted(kept)}
