"""Which probes are asked for, and where they are read from: the store, or a release, which stays as it was frozen.

What a take-down hides is in neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Text, bindparam, cast, literal_column, select
from sqlalchemy.dialects.postgresql import TSQUERY

from domain.errors import BadInput, NotFound
from store import tables
from store.lookup import utc
from store.release_hidden import HIDDEN_ROW
from store.words import query_of

FACETS = tables.FACETS
"""Names of the filters by a value, in the order of the index that counts are read from."""
NAMES = (*FACETS, "release", "since", "until", "text")
"""Names of all filters."""
_probes, _rows, _releases = tables.probes, tables.release_probes, tables.releases


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which probes. None: whatever it is."""

    family: str | None = None
    kind: str | None = None
    platform: str | None = None
    source: str | None = None
    policy: str | None = None
    verdict: str | None = None
    grade: str | None = None
    site: str | None = None
    release: str | None = None
    """Only those of this release, as it has them."""
    since: datetime | None = None
    """Seen last then or later; of a release: its screenshot was taken then or later, which only the crawl tells."""
    until: datetime | None = None
    """The same, before then."""
    text: str | None = None
    """Every word of it stands in gold or structural, case aside; the last may be the beginning of one."""


class Source(NamedTuple):
    """Where probes are read from."""

    record: ColumnElement[Any]
    columns: Mapping[str, ColumnElement[Any]]
    """FACETS, id, last_seen, words; of the store first_seen, too."""
    where: tuple[ColumnElement[bool], ...]
    """Which of its rows are shown."""


STORE = Source(
    _probes.c.record,
    {name: _probes.c[name] for name in (*FACETS, "id", "first_seen", "last_seen", "words")},
    (_probes.c.hidden.is_(None),),
)


def _released() -> Source:
    """A release is small and found by its key: what its rows are filtered by is read from their records."""
    record, origin = _rows.c.record, _rows.c.record["provenance"]
    columns: dict[str, ColumnElement[Any]] = {name: record[name].astext for name in ("family", "kind", "platform")}
    columns |= {name: origin[name].astext for name in ("source", "policy", "grade", "site")}
    columns |= {"id": _rows.c.probe_id, "verdict": origin["check"]["verdict"].astext}
    columns |= {"last_seen": cast(origin["when"].astext, _probes.c.last_seen.type), "words": literal_column(tables.WORDS)}
    return Source(record, columns, (_rows.c.release == bindparam("release", type_=_rows.c.release.type), ~HIDDEN_ROW))


RELEASED = _released()


def source_of(connection: Connection, wanted: Wanted) -> Source:
    """The store, or the release that is wanted. Raises NotFound with those that there are."""
    if wanted.release is None:
        return STORE
    if connection.scalar(select(_releases.c.name).where(_releases.c.name == wanted.release)) is None:
        known = ", ".join(connection.scalars(select(_releases.c.name).order_by(_releases.c.name))) or "none"
        raise NotFound(f"No release {wanted.release!r}. Known releases: {known}.")
    return RELEASED


def given_of(wanted: Wanted) -> dict[str, Any]:
    """What is filtered by, as the database is asked. Raises BadInput for a text without any word."""
    values = {name: value for name in NAMES if (value := getattr(wanted, name)) is not None}
    for name in values.keys() & {"since", "until"}:
        values[name] = utc(values[name])
    if wanted.text is not None:
        values["text"] = query_of(wanted.text)
        if not values["text"]:
            raise BadInput(f"text: there is neither letter nor digit in {wanted.text!r}.")
    return values


def conditions(source: Source, names: Iterable[str]) -> list[ColumnElement[bool]]:
    """What must hold of a row under these filters. Their values are parameters, named as they are: see `given_of`."""
    found, columns = list(source.where), source.columns
    seen = columns["last_seen"]
    for name in names:
        if name == "text":
            found.append(columns["words"].op("@@")(cast(bindparam(name, type_=Text()), TSQUERY)))
        elif name == "since":
            found.append(seen >= bindparam(name, type_=seen.type))
        elif name == "until":
            found.append(seen < bindparam(name, type_=seen.type))
        elif name != "release":
            found.append(columns[name] == bindparam(name, type_=columns[name].type))
    return found
