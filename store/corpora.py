"""Corpora: what was read of each item, with the hashes of its files, and the probes that were drawn of it.

docs/ingest.md. Items and their probes are written together, a batch a transaction: an item that is there is whole.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, bindparam, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY, insert

from domain.errors import NotFound
from domain.probe import CorpusProvenance, FileRef, Probe
from domain.record import Record
from store import tables
from store.database import Database
from store.lookup import stream, utc

_corpora, _items, _probes = tables.corpora, tables.corpus_items, tables.probes
USABLE = "usable"
"""The outcome of an item that became a screen; every other outcome is a reason."""
_CHANGING = ("family", "kind", "platform", "site", "url", "element", "source", "item", "record")


class StoredCorpus(Record):
    """A corpus as it was ingested last."""

    name: str = Field(description="of the source")
    path: str
    base: str | None = Field(description="path of the corpus that this one annotates")
    made: bool
    stamp: str = Field(description="seed, reader and recipes of its families")
    notes: tuple[str, ...] = ()
    started: datetime = Field(description="UTC")
    finished: datetime | None = Field(default=None, description="UTC; null: broken off, or under way")


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a corpus as it was read, with what was drawn of it.

    outcome: USABLE, or the reason it is not. files: pins. times: by file, ns, when it was last written; None where that
    cannot be told. rejected: nodes by reason, by family. Of two probes with one identity the first counts.
    """

    item: str
    outcome: str
    detail: str = ""
    files: tuple[FileRef, ...] = ()
    times: Mapping[str, int | None] = field(default_factory=dict)
    nodes: int = 0
    rejected: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    probes: tuple[Probe, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """An item that is stored, without its probes."""

    item: str
    outcome: str
    stamp: str
    files: tuple[FileRef, ...]
    times: Mapping[str, int | None]


class RejectedItem(Record):
    """An item that could not be used, and why."""

    source: str
    item: str
    reason: str
    detail: str
    files: tuple[FileRef, ...] = ()


def begin(database: Database, corpus: StoredCorpus) -> None:
    """The corpus is being ingested; what was stored of it before stays."""
    row = {
        **{name: getattr(corpus, name) for name in ("name", "path", "base", "made", "stamp")},
        "notes": list(corpus.notes),
        "started": utc(corpus.started),
        "finished": None,
    }
    with database.transaction() as connection:
        statement = insert(_corpora)
        connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=row), row)


def finish(database: Database, name: str) -> None:
    """Every item of the corpus was read."""
    with database.transaction() as connection:
        connection.execute(update(_corpora).where(_corpora.c.name == name).values(finished=func.clock_timestamp()))


def stored_corpora(database: Database) -> dict[str, StoredCorpus]:
    """By name."""
    with database.transaction() as connection:
        rows = connection.execute(select(_corpora).order_by(_corpora.c.name)).all()
    return {row.name: _corpus(row) for row in rows}


def known_items(database: Database, source: str) -> Generator[Known, None, None]:
    """Every stored item of the corpus, in the order of ids. Read when asked for."""
    question = select(_items).where(_items.c.source == source).order_by(_items.c.item)
    yield from map(_known, stream(database, question))


def known(database: Database, source: str, items: Collection[str]) -> dict[str, Known]:
    """Those of the items that are stored, by id."""
    with database.transaction() as connection:
        rows = connection.execute(select(_items).where(_items.c.source == source, _items.c.item.in_(items)))
        return {row.item: _known(row) for row in rows}


def rejected_items(database: Database, source: str) -> Generator[RejectedItem, None, None]:
    """Items that could not be used, by reason and id. Read when asked for."""
    question = select(_items).where(_items.c.source == source, _items.c.outcome != USABLE)
    for row in stream(database, question.order_by(_items.c.outcome, _items.c.item)):
        yield RejectedItem(source=source, item=row.item, reason=row.outcome, detail=row.detail, files=_files(row))


def save_items(database: Database, source: str, stamp: str, items: Sequence[Item]) -> int:
    """Items and probes are stored, in place of what was stored of the same items; how many probes they have now.

    A probe that was there, and is drawn again, keeps the time it was first stored at. Raises NotFound where the corpus is not
    begun.
    """
    drawn = _by_identity(items)
    with database.transaction() as connection:
        _lock(connection, source)
        _save_items(connection, source, stamp, items, drawn)
        ids = [item.item for item in items]
        gone = delete(_probes).where(_probes.c.source == source, _probes.c.item.in_(ids))
        if drawn:
            gone = gone.where(_probes.c.identity != func.all(_array(drawn)))
        connection.execute(gone)
        _save_probes(connection, drawn)
    return len(drawn)


def drop_items(database: Database, source: str, items: Iterable[str]) -> None:
    """These items and their probes are stored no more."""
    ids = list(items)
    with database.transaction() as connection:
        _lock(connection, source)
        connection.execute(delete(_probes).where(_probes.c.source == source, _probes.c.item == func.any(_array(ids))))
        connection.execute(delete(_items).where(_items.c.source == source, _items.c.item == func.any(_array(ids))))


def forget(database: Database, source: str) -> int:
    """Nothing of the corpus is stored any more, but for what releases hold; how many probes there were."""
    with database.transaction() as connection:
        gone = connection.execute(delete(_probes).where(_probes.c.source == source))
        connection.execute(delete(_corpora).where(_corpora.c.name == source))
        return gone.rowcount


def _lock(connection: Connection, source: str) -> None:
    """Two who ingest the same corpus take turns."""
    if connection.scalar(select(_corpora.c.name).where(_corpora.c.name == source).with_for_update()) is None:
        raise NotFound(f"No corpus {source!r} was begun.")


def _by_identity(items: Iterable[Item]) -> dict[str, Probe]:
    drawn: dict[str, Probe] = {}
    for item in items:
        for probe in item.probes:
            drawn.setdefault(probe.identity, probe)
    return drawn


def _save_items(connection: Connection, source: str, stamp: str, items: Sequence[Item], drawn: Mapping[str, Probe]) -> None:
    counts: dict[str, dict[str, int]] = {}
    for probe in drawn.values():
        of = counts.setdefault(_came(probe).item, {})
        of[probe.family] = of.get(probe.family, 0) + 1
    rows = [
        {
            **{name: getattr(item, name) for name in ("item", "outcome", "detail", "nodes")},
            "source": source,
            "stamp": stamp,
            "files": [file.model_dump() for file in item.files],
            "times": dict(item.times),
            "rejected": {family: dict(reasons) for family, reasons in item.rejected.items() if reasons},
            "drawn": counts.get(item.item, {}),
        }
        for item in items
    ]
    if rows:
        statement = insert(_items)
        changed = {name: statement.excluded[name] for name in rows[0] if name not in {"source", "item"}}
        connection.execute(statement.on_conflict_do_update(index_elements=["source", "item"], set_=changed), rows)


def _save_probes(connection: Connection, drawn: Mapping[str, Probe]) -> None:
    """In the order of identities. A probe whose twelve digits another has gets its whole identity for an id."""
    if not drawn:
        return
    mine, short = _array(drawn), _array(probe.id for probe in drawn.values())
    which = or_(_probes.c.identity == func.any(mine), _probes.c.id == func.any(short))
    there = {row.identity: row.id for row in connection.execute(select(_probes.c.identity, _probes.c.id).where(which))}
    taken = {probe_id: identity for identity, probe_id in there.items()}
    rows, now = [], datetime.now(UTC)
    for identity, drawn_probe in sorted(drawn.items()):
        held = there.get(identity, drawn_probe.id)
        if taken.setdefault(held, identity) != identity:
            held = f"{drawn_probe.family}-{identity}"
        probe = drawn_probe if held == drawn_probe.id else drawn_probe.model_copy(update={"id": held})
        rows.append({**_row(probe, identity), "first_seen": now, "last_seen": now})
    statement = insert(_probes)
    changed = {name: statement.excluded[name] for name in _CHANGING}
    differs = _probes.c.record != statement.excluded.record
    connection.execute(statement.on_conflict_do_update(index_elements=["identity"], set_=changed, where=differs), rows)


def _row(probe: Probe, identity: str) -> dict[str, Any]:
    came = _came(probe)
    return {
        **{name: getattr(probe, name) for name in ("id", "family", "kind", "platform")},
        **{name: getattr(came, name) for name in ("site", "url", "element", "source", "item")},
        "identity": identity,
        "record": probe.model_dump(),
    }


def _came(probe: Probe) -> CorpusProvenance:
    if not isinstance(probe.provenance, CorpusProvenance):
        raise TypeError(f"{probe.id} is of the crawl: store/probes.py saves it")
    return probe.provenance


def _array(values: Iterable[str]) -> Any:
    return bindparam(None, list(values), type_=ARRAY(tables.Id()))


def _files(row: Any) -> tuple[FileRef, ...]:
    return tuple(FileRef.model_validate(file) for file in row.files)


def _known(row: Any) -> Known:
    return Known(row.item, row.outcome, row.stamp, _files(row), row.times)


def _corpus(row: Any) -> StoredCorpus:
    return StoredCorpus(
        **{name: getattr(row, name) for name in ("name", "path", "base", "made", "stamp")},
        notes=tuple(row.notes),
        started=row.started.astimezone(UTC),
        finished=row.finished.astimezone(UTC) if row.finished else None,
    )
