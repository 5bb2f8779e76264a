"""prune: artifacts are removed to save space, the least needed first, never what a referrer (store.referrers) needs.

In steps, each of them whole: captures' records lose the names of artifacts; blobs that no row names any more are noted in the
table `discarded`; they are removed from the bucket; the note goes. So a crash leaves blobs that nobody names, never a row
that names a blob that is not there, and the next run begins by removing what is noted. Every step holds the lock of
store.shelf alone: a visit is filed before or after it, never beside.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from itertools import groupby
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, bindparam, text, update

from domain.record import Record
from domain.visit import CaptureRecord
from store import tables
from store.blobs import Blobs
from store.database import Database
from store.lookup import utc
from store.prune_plan import EVERYTHING, Plan, ordered, planned
from store.referrers import blob_referred, capture_referred
from store.shelf import removing

__all__ = ["EVERYTHING", "Orphans", "Plan", "Pruned", "discard", "planned", "prune", "sweep", "sweep_orphans"]

_STEP = 100
"""Captures in one step: whoever files a visit meanwhile waits for that long."""


class Pruned(Record):
    """What one run has removed."""

    artifacts: dict[str, int] = Field(description="name -> how many captures lost it")
    captures: int = Field(description="rows of captures that were removed, with --visits")
    blobs: int = Field(description="blobs removed from the bucket")
    bytes: int = Field(description="stored bytes of those blobs, as the table of blobs knew them")
    stopped: bool = Field(default=False, description="Ctrl-C: what was removed by then is; the same command goes on")


class Orphans(Record):
    """Blobs that no row names, older than the given time."""

    dry_run: bool
    blobs: int
    bytes: int
    halves: int = Field(default=0, description="files that killed writers left half written")


def prune(
    database: Database,
    blobs: Blobs,
    *,
    before: datetime | None = None,
    keep_bytes: int | None = None,
    only: Sequence[str] = EVERYTHING,
    visits: bool = False,
    on_step: Callable[[int], None] = lambda _: None,
) -> Pruned:
    """Removes what `planned` tells for the same arguments. Run again after a crash or Ctrl-C, it goes on.

    visits: rows of captures older than `before` go too, where nobody refers to them. on_step: is told how many artifacts.
    Raises Unavailable; what was removed by then is.
    """
    counted = {"blobs": 0, "bytes": 0, "captures": 0}
    artifacts: dict[str, int] = {}
    stopped = False
    try:
        counted["blobs"] += sweep(database, blobs)
        with closing(_steps(database, before, keep_bytes, only)) as steps:
            for step in steps:
                with removing(database) as connection:
                    gone, size = _forget(connection, step, artifacts)
                counted["bytes"] += size
                counted["blobs"] += sweep(database, blobs)
                on_step(gone)
        while visits and before is not None:
            with removing(database) as connection:
                rows, size = _forget_captures(connection, before)
            if not rows:
                break
            counted["captures"] += rows
            counted["bytes"] += size
            counted["blobs"] += sweep(database, blobs)
    except KeyboardInterrupt:
        stopped = True
    return Pruned(artifacts=artifacts, **counted, stopped=stopped)


def sweep(database: Database, blobs: Blobs) -> int:
    """Removes the blobs noted as discarded, but those that a row names again. Returns how many. Raises Unavailable."""
    count = 0
    while True:
        with removing(database) as connection:
            noted = list(connection.scalars(text("select digest from discarded limit :some"), {"some": _STEP * 5}))
            if not noted:
                return count
            unnamed = _unnamed(connection, noted)
            blobs.delete(unnamed)
            connection.execute(text("delete from discarded where digest = any(:noted)"), {"noted": noted})
        count += len(unnamed)


def sweep_orphans(
    database: Database,
    blobs: Blobs,
    *,
    older_than: datetime,
    dry_run: bool,
    on_blob: Callable[[], None] = lambda: None,
) -> Orphans:
    """Finds, and removes unless dry_run, blobs in the bucket that no row names, written before then."""
    count = size = halves = 0
    if not dry_run:
        with removing(database):  # who files a visit now would lose what it is writing
            halves, size = blobs.sweep_halves(older_than)
    for some in _chunks((entry for entry in blobs.list() if entry.written < utc(older_than)), _STEP * 5):
        sizes = {entry.digest: entry.stored_size for entry in some}
        with removing(database) as connection:
            unnamed = _unnamed(connection, list(sizes))
            if not dry_run:
                blobs.delete(unnamed)
        count += len(unnamed)
        size += sum(sizes[digest] for digest in unnamed)
        for _ in some:
            on_blob()
    return Orphans(dry_run=dry_run, blobs=count, bytes=size, halves=halves)


def _steps(
    database: Database, before: datetime | None, keep_bytes: int | None, only: Sequence[str]
) -> Generator[list[tuple[str, list[str]]], None, None]:
    """(capture, names of artifacts to remove), so many at a time, in order. The plan is of one instant."""
    with database.transaction() as connection:
        ordered(connection, before, keep_bytes, only)
        result = connection.execution_options(stream_results=True, yield_per=1000).execute(
            text("select capture, name, rank from going order by place")
        )
        with closing(result) as rows:
            together = groupby(rows, lambda row: (row.capture, row.rank))
            yield from _chunks(((key[0], [row.name for row in group]) for key, group in together), _STEP)


def _forget(connection: Connection, step: Sequence[tuple[str, list[str]]], artifacts: dict[str, int]) -> tuple[int, int]:
    """The records no longer name these. Returns how many artifacts, and the bytes of blobs that nobody names now.

    A capture that somebody refers to by now is left as it is.
    """
    wanted: dict[str, set[str]] = {}
    for capture, names in step:
        wanted.setdefault(capture, set()).update(names)
    rows = connection.execute(
        text(
            f"select id, record from captures where id = any(:ids) and not {capture_referred()} "  # noqa: S608 - our own words
            "order by id for no key update"
        ),
        {"ids": list(wanted)},
    )
    changed: list[dict[str, Any]] = []
    digests: list[str] = []
    for row in rows:
        record = CaptureRecord.model_validate(row.record)
        gone = {name: digest for name, digest in record.artifacts.items() if name in wanted[row.id]}
        left = {name: digest for name, digest in record.artifacts.items() if name not in gone}
        for name in gone:
            artifacts[name] = artifacts.get(name, 0) + 1
        digests += gone.values()
        record = record.model_copy(update={"artifacts": left, "pruned": record.pruned | gone})
        changed.append(
            {
                "of_id": row.id,
                "new_record": record.model_dump(),
                "new_served": left.get("served"),
                "new_screenshot": left.get("screenshot"),
            }
        )
    if changed:
        connection.execute(_UPDATE, changed)
    return len(digests), discard(connection, digests)


def _forget_captures(connection: Connection, before: datetime) -> tuple[int, int]:
    """Rows of captures so old go, with what hangs on them; their visits say how many. Returns rows and bytes, as above."""
    rows = connection.execute(
        text(
            "delete from captures where id in (select captures.id from captures join visits on visits.id = visit_id "  # noqa: S608
            f"where started < :before and not {capture_referred()} "
            f"order by captures.id limit {_STEP} for update of captures) "
            "returning visit_id, record -> 'artifacts' as artifacts"
        ),
        {"before": utc(before)},
    ).all()
    by_visit: dict[str, int] = {}
    for row in rows:
        by_visit[row.visit_id] = by_visit.get(row.visit_id, 0) + 1
    if by_visit:
        connection.execute(
            text(
                "update visits set record = jsonb_set(record, '{pruned_captures}', "
                "to_jsonb(coalesce((record ->> 'pruned_captures')::int, 0) + :more)) where id = :of_id"
            ),
            [{"of_id": visit, "more": more} for visit, more in sorted(by_visit.items())],
        )
    return len(rows), discard(connection, [digest for row in rows for digest in row.artifacts.values()])


def discard(connection: Connection, digests: Sequence[str]) -> int:
    """Those that no row names are noted, and known no more. Returns their stored bytes."""
    unnamed = _unnamed(connection, digests)
    if not unnamed:
        return 0
    connection.execute(
        text("insert into discarded (digest) select unnest(cast(:digests as text[])) on conflict do nothing"),
        {"digests": unnamed},
    )
    gone = text("delete from blobs where digest = any(:digests) returning stored_size")
    return sum(connection.scalars(gone, {"digests": unnamed}))


def _unnamed(connection: Connection, digests: Sequence[str]) -> list[str]:
    """Those of the digests that neither a capture nor a referrer names."""
    if not digests:
        return []
    question = text(
        "select digest from (select distinct unnest(cast(:digests as text[])) as digest) as given "  # noqa: S608
        f"where not exists (select 1 from captures where {tables.ARTIFACTS} ? given.digest) "
        f"and not {blob_referred('given.digest')}"
    )
    return list(connection.scalars(question, {"digests": list(digests)}))


def _chunks(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    chunk: list[Any] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


_UPDATE = (
    update(tables.captures)
    .where(tables.captures.c.id == bindparam("of_id"))
    .values(
        record=bindparam("new_record"),
        served_digest=bindparam("new_served"),
        screenshot_digest=bindparam("new_screenshot"),
    )
)
