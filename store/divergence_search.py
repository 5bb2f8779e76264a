"""Divergences as they are asked for over the wire: filtered, newest visit first, slice by slice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, cast, literal_column, select, true, tuple_
from sqlalchemy.dialects.postgresql import TSQUERY

from domain.errors import BadInput
from store import tables
from store.database import Database
from store.divergences import NEWEST, SELECT, SHOWN, Checked, StoredDivergence, stored
from store.lookup import utc
from store.slices import Slice
from store.words import query_of

_checks, _divergences, _visits = tables.checks, tables.divergences, tables.visits
_WORDS: ColumnElement[Any] = literal_column(tables.WORDS_OF_PAIR)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which divergences. None: whatever it is."""

    site: str | None = None
    kind: str | None = None
    verdict: str | None = None
    check: Checked | None = None
    """What the look at the pixels that counts came to; unchecked: nobody has looked."""
    grade: str | None = None
    element: str | None = None
    visit_id: str | None = None
    capture_id: str | None = None
    policy: str | None = None
    since: datetime | None = None
    """Of a visit that began then or later."""
    until: datetime | None = None
    """The same, before then."""
    text: str | None = None
    """Every word of it stands in the structural or the rendered value, case aside; the last may be the beginning of one."""


def slice_of(database: Database, wanted: Wanted, *, after: Sequence[str] | None = None, limit: int) -> Slice[StoredDivergence]:
    """At most `limit` divergences behind the place `after`, those of the newest visit first, in it by id downwards.

    Raises BadInput for a text without any word, ValueError where `after` is no place.
    """
    found = chosen(wanted)
    started, ids = found.selected_columns
    behind = [] if after is None else _behind(started, ids, after)
    found = found.where(*behind).order_by(started.desc(), ids.desc()).limit(limit + 1)
    with database.transaction() as connection:
        places = connection.execute(found).all()
        # The wide rows of those alone: sorting is done without them.
        question = SELECT.where(_divergences.c.id.in_([row.id for row in places[:limit]]), SHOWN)
        rows = {row.id: stored(row) for row in connection.execute(question)}
    items = [rows[row.id] for row in places[:limit] if row.id in rows]
    last = places[limit - 1] if len(places) > limit else None
    return Slice(items, None if last is None else (last.started.astimezone(UTC).isoformat(), last.id))


def chosen(wanted: Wanted) -> Select[Any]:
    """(start of the visit, id) of those that are wanted. Raises BadInput for a text without any word."""
    return (_worded if wanted.text is not None else _in_order)(wanted)


def _in_order(wanted: Wanted) -> Select[Any]:
    """(start of the visit, id): read in the order of visits, until there are enough."""
    looked = _looked_at(wanted)
    found = select(_visits.c.started, _divergences.c.id)
    found = found.join_from(_visits, _divergences, _divergences.c.visit_id == _visits.c.id)
    if looked is not None:
        found = found.join(NEWEST, true()).where(looked)
    return found.where(*_of_visit(wanted), *_of_divergence(wanted))


def _worded(wanted: Wanted) -> Select[Any]:
    """The same of a text: all that say it are found first, by the index.

    In the order of visits, a text that is nowhere would be looked for in each. What is materialised cannot be turned round.
    """
    query = query_of(wanted.text or "")
    if not query:
        raise BadInput(f"text: there is neither letter nor digit in {wanted.text!r}.")
    looked = _looked_at(wanted)
    saying = select(_divergences.c.id, _divergences.c.visit_id).where(_WORDS.op("@@")(cast(query, TSQUERY)))
    if looked is not None:
        saying = saying.join(NEWEST, true()).where(looked)
    said = saying.where(*_of_divergence(wanted)).cte("saying").prefix_with("materialized")
    placed = select(_visits.c.started, said.c.id).join_from(said, _visits, said.c.visit_id == _visits.c.id)
    found = placed.where(*_of_visit(wanted)).cte("placed").prefix_with("materialized")
    return select(found.c.started, found.c.id)


def _of_visit(wanted: Wanted) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [SHOWN]
    if wanted.site is not None:
        found.append(_visits.c.site == wanted.site)
    if wanted.since is not None:
        found.append(_visits.c.started >= utc(wanted.since))
    if wanted.until is not None:
        found.append(_visits.c.started < utc(wanted.until))
    return found


def _of_divergence(wanted: Wanted) -> list[ColumnElement[bool]]:
    table = _divergences.c
    names = ("kind", "verdict", "grade", "element", "visit_id", "capture_id")
    found: list[ColumnElement[bool]] = [table[name] == given for name in names if (given := getattr(wanted, name)) is not None]
    if wanted.check == "unchecked":
        found.append(~select(1).where(_checks.c.divergence_id == table.id).exists())
    if wanted.policy is not None:
        found.append(table.rules.startswith(f"policy={wanted.policy} ", autoescape=True))
    return found


def _looked_at(wanted: Wanted) -> ColumnElement[bool] | None:
    """What the look that counts must have come to; None: whatever."""
    return None if wanted.check in {None, "unchecked"} else NEWEST.c.verdict == wanted.check


def _behind(started: ColumnElement[Any], ids: ColumnElement[Any], after: Sequence[str]) -> list[ColumnElement[bool]]:
    moment, divergence = after
    when = utc(datetime.fromisoformat(moment))
    # The first is what the index on visits can do; a comparison over two tables is none.
    return [started <= when, tuple_(started, ids) < tuple_(when, divergence)]
