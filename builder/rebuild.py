"""Filling a recipe release from the user's own copies of its sources: every blob is checked by its hash before it goes in."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from builder.assembled import CHECKSUMS, Assembled, blobs_of, opened
from builder.formats import form
from builder.sources import Found, Rejected, Usable, corpus
from builder.write import Staging, publish, staging
from channels.structures import structure
from domain.errors import BadInput
from domain.probe import CorpusProvenance
from domain.record import Record
from domain.released import ReleasedProbe

DERIVED = ("parquet", "croissant", "card", "checksums")
"""Formats that are other ones once there are pictures."""


class Mismatch(Record):
    """One thing of the user's copy that is not what the release was made from."""

    source: str
    item: str
    probe: str = Field(default="", description="one of the probes that it keeps from being filled in; empty: all of the item")
    what: str
    expected: str = Field(default="", description="SHA-256")
    found: str = Field(default="", description="SHA-256")

    def __str__(self) -> str:
        values = f": expected {self.expected}, found {self.found}" if self.expected else ""
        return f"{self.source}, {self.item}{f', {self.probe}' if self.probe else ''}: {self.what}{values}"


class Rebuilt(Record):
    """What came of it."""

    folder: Path
    filled: int = Field(description="recipe probes that have their picture and structures now, those that had them before too")
    recipes: int = Field(description="recipe probes of the release")
    mismatches: tuple[Mismatch, ...]
    left: Mapping[str, int] = Field(description="source -> recipe probes that have nothing, as no copy of it was given")

    @property
    def complete(self) -> bool:
        """Whether every recipe probe is filled in."""
        return self.filled == self.recipes


def rebuild(folder: Path, copies: Mapping[str, Path], to: Path, *, tick: Callable[[], None] = lambda: None) -> Rebuilt:
    """Writes the release to another folder with the blobs of recipe probes filled in. The rows and the digest stay as they are.

    copies: source -> the user's copy; what a source labels is found among them too. What does not match is listed, and its
    probes stay recipes. tick: called for each screen that was read. Raises BadInput, NotFound, Refused where `to` is
    there, Unavailable where it cannot be written.
    """
    release = opened(folder)
    found = {name: _found(name, copies) for name in sorted(copies)}  # before anything is written
    mismatches: list[Mismatch] = []
    with staging(to) as staged:
        _copy(folder, staged.folder)
        recipes = _recipes(release)
        for source, corpus_found in found.items():
            if source in recipes:
                mismatches += _fill(staged, source, corpus_found, recipes[source], tick)
        whole = Assembled(release.manifest, staged.folder, release.severity)
        for name in DERIVED:
            form(name).write(whole, staged.folder)
        filled, left = _counted(whole, set(found))
        publish(staged, to)
    return Rebuilt(
        folder=to,
        filled=filled,
        recipes=sum(len(rows) for items in recipes.values() for rows in items.values()),
        mismatches=tuple(mismatches),
        left=left,
    )


def _recipes(release: Assembled) -> dict[str, dict[str, list[ReleasedProbe]]]:
    """Recipe probes by source and item."""
    found: dict[str, dict[str, list[ReleasedProbe]]] = defaultdict(lambda: defaultdict(list))
    for row in release.rows():
        if row.redistribution == "recipe" and isinstance(row.provenance, CorpusProvenance):
            found[row.provenance.source][row.provenance.item].append(row)
    return found


def _found(source: str, copies: Mapping[str, Path]) -> Found:
    base = corpus(source).BASE
    if base is not None and base not in copies:
        raise BadInput(f"{source} labels screens of {base}: give your copy of that too, --source {base}=PATH")
    return corpus(source).find(copies[source], base=copies[base] if base else None)


def _copy(folder: Path, to: Path) -> None:
    """All files of the release but those that are written anew. Blobs are linked where the disk can: they are never changed."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_dir() or name.parts[0] == "data" or str(name) == CHECKSUMS:
            continue
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        if name.parts[0] == "blobs":
            try:
                os.link(path, to / name)
                continue
            except OSError:
                pass
        shutil.copyfile(path, to / name)


def _fill(
    staged: Staging, source: str, found: Found, items: Mapping[str, Sequence[ReleasedProbe]], tick: Callable[[], None]
) -> Iterator[Mismatch]:
    """Reads the items once more and puts in what matches."""
    left = set(items)
    for read in corpus(source).read(found, only=frozenset(items)):
        item = read.item if isinstance(read, Rejected) else read.screen.item
        left.discard(item)
        tick()
        if isinstance(read, Rejected):
            yield Mismatch(source=source, item=item, what=f"it cannot be used: {read.reason}, {read.detail}")
            continue
        for row in items[item]:
            yield from _fill_one(staged, row, read)
    for item in sorted(left):
        yield Mismatch(source=source, item=item, what=f"there is no such item in {found.path}")


def _fill_one(staged: Staging, row: ReleasedProbe, read: Usable) -> Iterator[Mismatch]:
    """Puts in picture and structures of one probe, all of them or none."""
    wanted = {"picture": (row.screenshot, read.picture), "structure": (row.structure, read.structure)}
    problems = list(_different(row, read, wanted))
    if not problems and row.edit is not None:
        try:
            edited = structure(read.screen.format).edited(read.structure, row.edit)
        except BadInput as error:
            problems = [_mismatch(row, f"the edit cannot be made: {error}")]
        else:
            wanted["edited structure"] = row.channels["swap"].structure, edited
            problems = list(_different(row, read, wanted))
    yield from problems
    if not problems:
        for digest, content in wanted.values():
            staged.add_blob(digest, content, full=True)


def _different(row: ReleasedProbe, read: Usable, wanted: Mapping[str, tuple[str, bytes]]) -> Iterator[Mismatch]:
    for what, (expected, content) in wanted.items():
        if (found := hashlib.sha256(content).hexdigest()) != expected:
            yield _mismatch(row, f"the {what} is another{_which_file(row, read)}", expected, found)


def _which_file(row: ReleasedProbe, read: Usable) -> str:
    """Names the files of the copy that are not those that the screen was read from."""
    came = row.provenance
    known = {one.name: one.sha256 for one in came.files} if isinstance(came, CorpusProvenance) else {}
    changed = [one.name for one in read.screen.files if known.get(one.name, one.sha256) != one.sha256]
    return f" (changed: {', '.join(changed)})" if changed else ""


def _mismatch(row: ReleasedProbe, what: str, expected: str = "", found: str = "") -> Mismatch:
    came = row.provenance
    item = came.item if isinstance(came, CorpusProvenance) else ""
    return Mismatch(source=came.source, item=item, probe=row.id, what=what, expected=expected, found=found)


def _counted(release: Assembled, given: set[str]) -> tuple[int, dict[str, int]]:
    filled, left = 0, dict[str, int]()
    for row in release.rows():
        if row.redistribution != "recipe":
            continue
        if all(release.place(digest).is_file() for digest in blobs_of(row)):
            filled += 1
        elif row.provenance.source not in given:
            left[row.provenance.source] = left.get(row.provenance.source, 0) + 1
    return filled, dict(sorted(left.items()))
