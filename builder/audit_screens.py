"""The screens of a frozen release, to be looked at once more: from the blobs, else from the corpus that they were read from."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from builder.sources import Corpus, Rejected, corpus
from builder.threads import in_threads
from channels.audit_pictures import bare
from channels.pixels import open_picture
from domain.audit import ASKS, Region
from domain.errors import BadInput, NotFound
from domain.geometry import Box
from domain.probe import LIVE, View
from domain.released import ReleasedProbe
from store.blobs import Blobs
from store.corpora import stored_corpora
from store.database import Database

NOT_SHOWN: Mapping[str, str] = {
    "no-question": "annotators are asked nothing about this variable",
    "no-picture": "its picture is neither in the store nor in its corpus any more",
    "other-picture": "its corpus has another picture there now",
    "broken-picture": "its picture cannot be decoded, or its window is not on it",
    "off-picture": "its region is not on what is shown",
}
"""Why a probe is no item of an audit. docs/audit-offline.md has a line for each."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is needed of a row of a release to show it: the rest of it is not kept in memory."""

    id: str
    family: str
    variable: str
    source: str
    screen: str
    screenshot: str
    scale: float
    view: View | None
    region: Box


def row_of(probe: ReleasedProbe) -> Row:
    """The row of this probe."""
    made = probe.provenance
    return Row(
        probe.id,
        probe.family,
        probe.variable,
        made.source,
        made.screen,
        probe.screenshot,
        made.scale,
        probe.view,
        probe.region,
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """What an annotator is to see of a probe. png: without frame or metadata. size: image px. region: on it."""

    probe: str
    variable: str
    png: bytes
    size: tuple[int, int]
    region: Region


@dataclass(frozen=True, slots=True)
class NotShown:
    """A probe that cannot be asked about. reason: one of NOT_SHOWN."""

    probe: str
    family: str
    reason: str
    detail: str = ""


_NOTHING = 0.001
"""Image px of a region that lie on the picture by binary noise alone."""
Found = tuple[Shown | NotShown, ...]


class _Screen:
    """A screenshot, read and decoded when the first of its rows is asked for; gone with the last."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read, self._lock = read, Lock()
        self._opened: tuple[str, Any] | None = None

    def open(self) -> tuple[str, Any]:
        """Its digest and the decoded picture, as channels.pixels has it; or the BadInput or NotFound why there is none."""
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
                self._read = lambda: b""  # the file is not needed beside its pixels
            return self._opened

    def _open(self) -> tuple[str, Any]:
        try:
            content = self._read()
        except NotFound as error:
            return "", error
        digest = hashlib.sha256(content).hexdigest()
        try:
            return digest, open_picture(content)
        except BadInput as error:
            return digest, error


def screens(
    database: Database, blobs: Blobs, rows: Sequence[Row], *, workers: int, corpora: Callable[[str], Corpus] = corpus
) -> Iterator[Found]:
    """Every row, screen by screen: what is to be seen of it, or why not.

    As many screens and pictures in memory as workers, and two; however many rows a screen has.
    """
    yield from in_threads(_work(database, blobs, rows, corpora), workers)


def _work(
    database: Database, blobs: Blobs, rows: Sequence[Row], corpora: Callable[[str], Corpus]
) -> Iterator[Callable[[], Found]]:
    by_screen: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        by_screen[row.source, row.screen, row.screenshot].append(row)
    elsewhere: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for (source, item, digest), some in sorted(by_screen.items(), key=lambda one: one[0]):
        if blobs.exists(digest):
            yield from _of_all(partial(blobs.get, digest), some)
        elif source == LIVE:
            yield partial(_not_shown, some, "no-picture", digest)
        else:
            elsewhere[source][item] += some
    stored = stored_corpora(database) if elsewhere else {}
    for source, items in sorted(elsewhere.items()):
        if source not in stored:
            why = f"ingest it again: builder ingest {source} PATH"
            yield from (partial(_not_shown, some, "no-picture", why) for some in items.values())
            continue
        module, left = corpora(source), set(items)
        found = module.find(Path(stored[source].path), base=Path(base) if (base := stored[source].base) else None)
        for read in module.read(found, only=frozenset(items)):
            item = read.item if isinstance(read, Rejected) else read.screen.item
            if item not in left:
                continue
            left.remove(item)
            if isinstance(read, Rejected):
                yield partial(_not_shown, items[item], "no-picture", f"{read.reason}, {read.detail}")
            else:
                yield from _of_all(partial(_same, read.picture), items[item])
        yield from (
            partial(_not_shown, items[item], "no-picture", f"no longer in {stored[source].path}") for item in sorted(left)
        )


def _of_all(read: Callable[[], bytes], rows: Sequence[Row]) -> Iterator[Callable[[], Found]]:
    """A piece of work for each row, so that no more pictures wait than pieces do; the screen is decoded once."""
    screen = _Screen(read)
    return (partial(_of_screen, screen, row) for row in rows)


def _same(content: bytes) -> bytes:
    return content


def _of_screen(screen: _Screen, row: Row) -> Found:
    digest, image = screen.open()
    if isinstance(image, NotFound):
        return _not_shown([row], "no-picture", str(image))
    if digest != row.screenshot:
        return _not_shown([row], "other-picture", digest)
    if isinstance(image, BadInput):
        return _not_shown([row], "broken-picture", str(image))
    if row.variable not in ASKS:
        return _not_shown([row], "no-question", row.variable)
    try:
        png, size = bare(image, row.view, row.screenshot)
    except BadInput as error:
        return _not_shown([row], "broken-picture", str(error))
    region = region_on(row, size)
    if region is None:
        return _not_shown([row], "off-picture", f"{row.region.as_list()} of {size[0]}x{size[1]}")
    return (Shown(row.id, row.variable, png, size, region),)


def region_on(row: Row, size: tuple[int, int]) -> Region | None:
    """The pixels of what is shown that the row's region touches; None where nothing of it is there."""
    scale = row.scale
    left, top = (row.view.x, row.view.y) if row.view else (0, 0)
    whole = Box(row.region.x * scale - left, row.region.y * scale - top, row.region.width * scale, row.region.height * scale)
    seen = whole.overlap(Box(0, 0, *size))
    return Region.around(seen) if min(seen.width, seen.height) > _NOTHING else None


def _not_shown(rows: Sequence[Row], reason: str, detail: str) -> Found:
    return tuple(NotShown(row.id, row.family, reason, detail) for row in rows)
