"""Both channels of every row, worked out again: what is shown of the picture, and the structure before and after its edit."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from builder.assembled import ROWS, blob_name, blobs_of
from builder.sources import source_named
from builder.verifying.problems import Problem
from channels.structures import structure
from channels.views import checked_size
from domain.errors import BadInput
from domain.families import family_named
from domain.released import ReleasedProbe, pixels_digest


class Channels:
    """Checks rows one by one; keeps which blobs they name.

    hashes: path -> SHA-256 of every file. told: files of which a problem is known, so that a blob is not told of twice.
    """

    def __init__(self, folder: Path, hashes: Mapping[str, str], told: Collection[str]) -> None:
        self._folder, self._hashes, self._told = folder, hashes, told
        self.named: set[str] = set()
        """Digests of all blobs that rows name."""
        self.full: set[str] = set()
        """Those that must be there: of rows that are shipped in full."""

    def check(self, row: ReleasedProbe) -> Iterator[Problem]:
        """Hashes in the row, then the blobs that they are of."""
        yield from _hashes_of(row)
        wanted = blobs_of(row)
        self.named.update(wanted)
        if row.redistribution == "full":
            self.full.update(wanted)
            for digest in wanted:
                if blob_name(digest) not in self._hashes:
                    yield Problem(file=blob_name(digest), probe=row.id, what="the blob is missing")

    def held(self, row: ReleasedProbe) -> bool:
        """Whether the release holds the row's bytes: all of its blobs. Of a recipe it does once that is filled in."""
        return all(blob_name(digest) in self._hashes for digest in blobs_of(row))

    def contents(self, row: ReleasedProbe) -> tuple[bytes | None, dict[str, bytes]]:
        """The row's picture, and by column of the tables its structures; none of a recipe that is not filled in.

        A blob that is not what its name says is left out.
        """
        if row.redistribution != "full" and not self.held(row):
            return None, {}
        swap = row.channels.get("swap")
        wanted = {"structure": row.structure, **({"structure_swap": swap.structure} if swap else {})}
        return self._read(row.screenshot), {
            name: content for name, digest in wanted.items() if (content := self._read(digest)) is not None
        }

    def settled(self, row: ReleasedProbe) -> bool:
        """Whether each of the row's blobs is either intact or not there at all: a damaged one is told of once."""
        names = map(blob_name, blobs_of(row))
        return all(self._hashes.get(name, name[-64:]) == name[-64:] for name in names)

    def end(self) -> Iterator[Problem]:
        """Files in blobs/ that are not what their name says, or that no row names."""
        for path, found in sorted(self._hashes.items()):
            if not path.startswith("blobs/"):
                continue
            name = path.rpartition("/")[2]
            if path != blob_name(name) or name not in self.named:
                yield Problem(file=path, what="no row names this blob")
            elif name != found and path not in self._told:
                yield Problem(file=path, what="the content is not what the blob's name says", expected=name, found=found)

    def _read(self, digest: str) -> bytes | None:
        name = blob_name(digest)
        return (self._folder / name).read_bytes() if self._hashes.get(name) == digest else None


def check_picture(row: ReleasedProbe, picture: bytes | None) -> Iterator[Problem]:
    """It is whole, and as large as its row says."""
    if picture is None:
        return
    file = blob_name(row.screenshot)
    try:
        size = checked_size(picture)
    except BadInput as error:
        yield Problem(file=file, probe=row.id, what="the picture cannot be decoded", found=str(error))
        return
    came = row.provenance
    expected = tuple(round(side * came.scale) for side in came.size)
    if size != expected:
        sizes = ("{}x{}".format(*one) for one in (expected, size))
        what = "the picture has another size than its row says"
        yield Problem(file=file, probe=row.id, what=what, **dict(zip(("expected", "found"), sizes, strict=True)))


def check_edit(row: ReleasedProbe, structures: Mapping[str, bytes]) -> Iterator[Problem]:
    """The edit, made again, gives the structure of swap."""
    if row.edit is None or "structure" not in structures or "swap" not in row.channels:
        return
    try:
        edited = structure(source_named(row.provenance.source).FORMAT).edited(structures["structure"], row.edit)
    except BadInput as error:
        yield Problem(file=ROWS, probe=row.id, what="the edit cannot be made again", found=str(error))
        return
    expected, found = hashlib.sha256(edited).hexdigest(), row.channels["swap"].structure
    if expected != found:
        what = "the structure of swap is not the structure with its edit"
        yield Problem(file=ROWS, probe=row.id, what=what, expected=expected, found=found)


def _hashes_of(row: ReleasedProbe) -> Iterator[Problem]:
    """What can be told without a blob: conditions, hashes of pixels, and that exactly one channel differs."""

    def wrong(what: str, expected: str, found: str) -> Problem:
        return Problem(file=ROWS, probe=row.id, what=what, expected=expected, found=found)

    conditions = sorted(family_named(row.family).CONDITIONS)
    if sorted(row.channels) != conditions:
        yield wrong("the conditions are not those of the family", ", ".join(conditions), ", ".join(sorted(row.channels)))
        return
    pixels = pixels_digest(row.screenshot, row.view, row.region)
    for name, channels in sorted(row.channels.items()):
        if channels.pixels != pixels:
            yield wrong(f"the pixels of {name} are not what is shown of the picture", pixels, channels.pixels)
        if name != "swap" and channels.structure != row.structure:
            yield wrong(f"the structure of {name} is not the structure of the row", row.structure, channels.structure)
    if ("swap" in row.channels) != (row.edit is not None):
        yield wrong("edit and conditions do not fit", "an edit exactly where there is a swap", repr(row.edit))
    elif "swap" in row.channels and row.channels["swap"].structure == row.channels["agree"].structure:
        yield wrong("agree and swap do not differ", "exactly one channel that differs", "none")
