"""ingest: a corpus is read, its families draw, and items and probes are stored. What is done is not done twice.

docs/ingest.md: pins, what is read again when, what happens on Ctrl-C.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from pydantic import Field

from builder.drawing import Draw, drawn
from builder.pins import Change, Changes, Clock, differ
from builder.sources import Corpus, Found
from domain.errors import Refused
from domain.record import Record
from store import corpora
from store.corpora import USABLE, Item, StoredCorpus
from store.database import Database

BATCH_ITEMS, BATCH_PROBES, BATCH_S = 200, 3000, 5.0
"""A batch is saved when it has so many, or is so old: what a crash may lose."""
DUPLICATE = "duplicate-id"
"""Reason of an item whose id another one of the same corpus has (docs/ingest.md)."""
_LONGEST_ID = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be done. accept: files that have changed are taken as they are now. again: read everything, whatever is
    done. limit: at most so many items are read. fresh: what was stored of the corpus is forgotten first."""

    path: Path
    how: Draw
    base: Path | None = None
    processes: int = 1
    accept: bool = False
    again: bool = False
    limit: int | None = None
    fresh: bool = False
    alone_s: float | None = None


class Ingested(Record):
    """What an ingest came to."""

    source: str
    path: str
    made: bool
    skipped: int = Field(description="items that were done before and whose files were not written since")
    saved: int = Field(description="items that were read and stored, rejected ones included")
    probes: int = Field(description="of these")
    changes: tuple[Change, ...] = Field(description="files that are not what was pinned; their items are as they were")
    gone: tuple[str, ...] = Field(description="items that are stored, and in the corpus no more")
    stopped: bool = Field(description="Ctrl-C before the end")
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Progress:
    """How far it is. on: called after every item."""

    total: int | None = None
    skipped: int = 0
    read: int = 0
    rejected: int = 0
    families: dict[str, int] = field(default_factory=dict)
    on: Callable[[], None] = lambda: None

    def add(self, item: Item) -> None:
        self.read += 1
        self.rejected += item.outcome != USABLE
        for probe in item.probes:
            self.families[probe.family] = self.families.get(probe.family, 0) + 1
        self.on()


def ingest(database: Database, source: Corpus, asked: Asked, progress: Progress | None = None) -> Ingested:
    """Reads what is not done, and stores it. Files that have changed are collected, and their items left as they were.

    Raises BadInput where the path holds no such corpus, Refused where a made corpus would be mixed with the publisher's.
    """
    progress = progress or Progress()
    found = source.find(asked.path, base=asked.base)
    _may_mix(database, source.NAME, found, asked)
    stamp = asked.how.stamp
    clock = Clock(found.path, found.base or asked.base)
    begun = StoredCorpus(
        name=source.NAME,
        path=str(asked.path.absolute()),
        base=str(asked.base.absolute()) if asked.base else None,
        made=found.made,
        stamp=stamp,
        notes=found.notes,
        started=datetime.now(UTC),
    )
    corpora.begin(database, begun)
    skip, stored = _done(database, source.NAME, clock, stamp, again=asked.again)
    progress.skipped, progress.total = len(skip), found.items
    saving = _Saving(database, source.NAME, stamp, accept=asked.accept)
    read = islice(source.read(found, skip=skip), asked.limit)
    keywords = {} if asked.alone_s is None else {"alone_s": asked.alone_s}
    stopped = False
    try:
        with closing(drawn(read, asked.how, processes=asked.processes, **keywords)) as items:
            for item in _once(items):
                stored.discard(item.item)
                saving.add(replace(item, times=clock.times(item.files)))
                progress.add(item)
        saving.save()
    except KeyboardInterrupt:
        stopped = True
        saving.save()
    except BaseException:
        with suppress(Exception):  # the first error is the one to tell
            saving.save()
        raise
    gone: list[str] = []
    if not stopped and asked.limit is None:
        gone = sorted(stored)
        if asked.accept:
            corpora.drop_items(database, source.NAME, gone)
            gone = []
        corpora.finish(database, source.NAME)
    return Ingested(
        source=source.NAME,
        path=begun.path,
        made=found.made,
        skipped=len(skip),
        saved=saving.saved,
        probes=saving.probes,
        changes=saving.changes.all(),
        gone=tuple(gone),
        stopped=stopped,
        notes=found.notes,
    )


def _may_mix(database: Database, name: str, found: Found, asked: Asked) -> None:
    if asked.fresh:
        corpora.forget(database, name)
    before = corpora.stored_corpora(database).get(name)
    if before is not None and before.made != found.made:
        now, was = ("a made", "the publisher's") if found.made else ("the publisher's", "a made")
        raise Refused(
            f"{asked.path} holds {now} corpus, and {was} one is stored as {name}, from {before.path}. "
            "To forget that one first: --fresh"
        )


def _done(database: Database, name: str, clock: Clock, stamp: str, *, again: bool) -> tuple[set[str], set[str]]:
    """Items that need not be read, and all others that are stored. Two with one id are read both, or none."""
    skip: set[str] = set()
    others: set[str] = set()
    for known in corpora.known_items(database, name):
        # What was rejected is looked at again: what it lacked may be there now.
        done = not again and known.outcome == USABLE and known.stamp == stamp and clock.same(known)
        (skip if done else others).add(known.item)
        if known.outcome == DUPLICATE:
            first = known.item.rpartition(" #")[0]
            if first in skip:
                skip.remove(first)
                others.add(first)
    return skip, others


def _once(items: Iterable[Item]) -> Iterator[Item]:
    """Every item under an id of its own: the second with the same id is rejected, and called by its number."""
    seen: dict[str, int] = {}
    for item in items:
        name = item.item[:_LONGEST_ID]
        number = seen[name] = seen.get(name, 0) + 1
        if number > 1:
            detail = f"the {number}. item with this id; the first counts"
            yield Item(f"{name} #{number}", DUPLICATE, detail, item.files)
        else:
            yield item if name == item.item else replace(item, item=name)


class _Saving:
    """Items that were read and are not stored yet, and what was stored."""

    def __init__(self, database: Database, source: str, stamp: str, *, accept: bool) -> None:
        self._database, self._source, self._stamp, self._accept = database, source, stamp, accept
        self._batch: list[Item] = []
        self._since = time.monotonic()
        self.changes = Changes()
        self.saved = self.probes = 0

    def add(self, item: Item) -> None:
        if not self._batch:
            self._since = time.monotonic()
        self._batch.append(item)
        old = time.monotonic() - self._since > BATCH_S
        if old or len(self._batch) >= BATCH_ITEMS or sum(len(one.probes) for one in self._batch) >= BATCH_PROBES:
            self.save()

    def save(self) -> None:
        """What waits is stored, but for items whose files have changed. Broken off and done again it is done once."""
        if not self._batch:
            return
        items = self._batch
        known = corpora.known(self._database, self._source, [item.item for item in items])
        changed = {
            item.item for item in items if not self._accept and item.item in known and differ(known[item.item], item.files)
        }
        kept = [item for item in items if item.item not in changed]
        probes = corpora.save_items(self._database, self._source, self._stamp, kept)
        self._batch = []
        self.probes += probes
        self.saved += len(kept)
        for item in items:
            if item.item in changed:
                self.changes.note(item.item, known[item.item].files, item.files)
