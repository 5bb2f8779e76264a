"""Probes as they are asked for over the wire: filtered, in order, slice by slice. Records leave as the database writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import ColumnElement, Integer, Select, Text, bindparam, cast, select, tuple_

from domain.errors import BadInput
from domain.families import FAMILIES, family_named
from domain.probe import LIVE
from store import tables
from store.database import Database
from store.probe_filters import FACETS, RELEASED, STORE, Wanted, conditions, given_of, source_of
from store.questions import Question
from store.slices import Slice

Sort = Literal["-first_seen", "first_seen", "-last_seen", "last_seen", "-id", "id"]
"""By last_seen a probe moves when it is seen again: from behind a place in the list to before it, so who walks misses it."""
_probes = tables.probes
_BOUNDS = ("low", "high")
"""Of ids."""


def slice_of(
    database: Database, wanted: Wanted, *, sort: Sort | None = None, after: Sequence[str] | None = None, limit: int
) -> Slice[bytes]:
    """At most `limit` probes behind the place `after`; found last first, those of a release by id.

    Raises NotFound where there is no such release, BadInput for a text without any word or an order that a release has not,
    ValueError where `after` is no place in this order.
    """
    order = _order_of(wanted, sort)
    given = given_of(wanted)
    names = tuple(given)
    if wanted.release is None and order.endswith("id") and (bounds := _among(wanted)):
        given |= dict(zip(_BOUNDS, bounds, strict=True))
        names += _BOUNDS
    if after is not None:
        given |= _place(after, order)
    if wanted.release is not None:
        with database.transaction() as connection:
            source_of(connection, wanted)
    # One more than is given tells whether there is more.
    rows = database.ask(_question(names, order, behind=after is not None), {**given, "limit": limit + 1})
    items = [row[-1].encode() for row in rows[:limit]]
    return Slice(items, _place_at(rows[limit - 1][:-1], order) if len(rows) > limit else None)


def _order_of(wanted: Wanted, sort: Sort | None) -> Sort:
    """The order that is asked for, else the usual one. Raises BadInput for one that a release has not."""
    if wanted.release is None:
        return sort or "-first_seen"
    if sort not in {None, "id", "-id"}:
        raise BadInput(f"sort: a release is in the order of id or -id, not {sort}.")
    return sort or "id"


def _among(wanted: Wanted) -> tuple[str, str] | None:
    """Where in the order of ids those that match can be. Ids begin with their families: one walks past a million otherwise."""
    of_crawl = (wanted.kind, wanted.policy, wanted.grade) != (None, None, None)
    names = [
        family.NAME
        for family in map(family_named, FAMILIES)
        if wanted.family in {None, family.NAME}
        and wanted.platform in {None, family.PLATFORM}
        and (wanted.source is None or wanted.source in family.SOURCES)
        and (not of_crawl or LIVE in family.SOURCES)
    ]
    # The character behind the hyphen that ends the name.
    return None if len(names) in {0, len(FAMILIES)} else (f"{min(names)}-", f"{max(names)}.")


@lru_cache(maxsize=1000)
def _question(names: tuple[str, ...], order: Sort, *, behind: bool) -> Question:
    """Under these filters, in this order, from a place on or not. Kept: to put it together takes as long as to ask it."""
    source = RELEASED if "release" in names else STORE
    keys = [source.columns[name] for name in dict.fromkeys((order.removeprefix("-"), "id"))]
    where = conditions(source, [name for name in names if name not in _BOUNDS])
    if names[-2:] == _BOUNDS:
        low, high = (bindparam(name, type_=keys[-1].type) for name in _BOUNDS)
        where += [keys[-1] >= low, keys[-1] < high]
    if behind:
        here, there = tuple_(*keys), tuple_(*(bindparam(f"after{n}", type_=key.type) for n, key in enumerate(keys)))
        where.append(here < there if order.startswith("-") else here > there)
    found = select(*keys).where(*where).order_by(*_by(keys, order)).limit(bindparam("limit", type_=Integer()))
    if source is STORE and "text" not in names and sum(name in FACETS for name in names) > 1:
        return Question(_ids_first(found, order))
    return Question(found.with_only_columns(*_texts(keys), cast(source.record, Text)))


def _by(keys: Iterable[ColumnElement[Any]], order: Sort) -> list[ColumnElement[Any]]:
    return [key.desc() if order.startswith("-") else key.asc() for key in keys]


def _ids_first(found: Select[Any], order: Sort) -> Select[Any]:
    """The same, where what matches is found in an index that has all that is filtered by, and only then rows are looked at.

    Two filters, each of which leaves many, may leave few together: rows that do not match would be read in thousands.
    """
    keys = found.subquery("found").c
    columns = (*_texts(keys), cast(_probes.c.record, Text))
    return select(*columns).join(_probes, _probes.c.id == keys.id).order_by(*_by(keys, order))


def _texts(keys: Iterable[ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    """As the database writes them: to make moments of all rows takes longer than all else of them, and a page needs one."""
    return [cast(key, Text) for key in keys]


def _place(after: Sequence[str], order: Sort) -> dict[str, Any]:
    """The place as parameters. Raises ValueError."""
    moment, probe_id = after if not order.endswith("id") else (None, *after)
    first = [datetime.fromisoformat(moment).astimezone(UTC)] if moment is not None else []
    return {f"after{n}": value for n, value in enumerate((*first, probe_id))}


def _place_at(keys: Sequence[str], order: Sort) -> tuple[str, ...]:
    if order.endswith("id"):
        return tuple(keys)
    moment, probe_id = keys
    return datetime.fromisoformat(moment).astimezone(UTC).isoformat(), probe_id
