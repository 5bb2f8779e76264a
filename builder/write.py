"""Writing: a release is made in a folder beside its place and appears there whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from builder.assembled import ROWS, blob_name
from channels.pixels import JPEG_MARK, PNG_MARK
from domain.errors import Refused, Unavailable
from domain.probe import FileRef
from store.durable import sync


@dataclass(slots=True)
class Staging:
    """The folder in which a release is made. folder: what will be the release. Blobs may be added by many threads at once."""

    folder: Path
    kept: Path
    media: dict[str, str] = field(default_factory=dict)
    """Media type of each blob, by digest: all that rows name, in the release or not."""
    full: dict[str, int] = field(default_factory=dict)
    """Size of each blob that is in the release, by digest."""
    _spool: BinaryIO | None = None
    _at: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add_blob(self, digest: str, content: bytes, *, full: bool, form: str = "") -> None:
        """A blob that rows name. full: it goes into the release; else only into the store. form: of a structure."""
        place = (self.folder if full else self.kept) / blob_name(digest)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            half = place.with_name(f"{digest}.{threading.get_ident()}")
            half.write_bytes(content)
            half.replace(place)
        self.media[digest] = media_type(content, form)
        if full:
            self.full[digest] = len(content)

    def add_row(self, probe_id: str, line: bytes) -> None:
        """A row, in whatever order they come."""
        if self._spool is None:
            self._spool = (self.kept / "rows").open("w+b")
        self._at[probe_id] = (self._spool.seek(0, os.SEEK_END), len(line))
        self._spool.write(line)

    def write_rows(self) -> FileRef:
        """probes.jsonl, sorted by id, a row a line; its size and hash."""
        size, total = 0, hashlib.sha256()
        with (self.folder / ROWS).open("wb") as file:
            for _, (start, length) in sorted(self._at.items()):
                assert self._spool is not None  # noqa: S101 - there are rows
                self._spool.seek(start)
                line = self._spool.read(length) + b"\n"
                file.write(line)
                total.update(line)
                size += len(line)
        return FileRef(name=ROWS, size=size, sha256=total.hexdigest())

    def close(self) -> None:
        """What is not of the release is closed."""
        if self._spool is not None:
            self._spool.close()
            self._spool = None

    def content(self, digest: str) -> bytes:
        """A blob that was added."""
        place = self.folder if digest in self.full else self.kept
        return (place / blob_name(digest)).read_bytes()


def media_type(content: bytes, form: str) -> str:
    """By how a picture begins; of a structure, by its format."""
    if content.startswith(PNG_MARK):
        return "image/png"
    if content.startswith(JPEG_MARK):
        return "image/jpeg"
    return "text/html" if form == "html" else "application/json" if form else "application/octet-stream"


@contextmanager
def staging(place: Path) -> Iterator[Staging]:
    """A folder beside `place`, empty and ours alone; gone afterwards, whatever happens. `publish` moves the release out of it.

    What a killed process left there is removed. Raises Unavailable where another process is at it, or the disk is full.
    """
    here = place.parent / f".{place.name}.writing"
    try:
        here.mkdir(parents=True, exist_ok=True)
        handle = os.open(here, os.O_RDONLY)
    except OSError as error:
        raise Unavailable(f"{place.parent} cannot be written: {error.strerror}") from error
    made = None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Unavailable(f"Another process is writing {place}. Wait for it, or give another folder with --to.") from error
        _empty(here)
        made = Staging(here / "release", here / "kept")
        made.folder.mkdir()
        made.kept.mkdir()
        yield made
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
            raise
        raise Unavailable(f"{place} cannot be written: {error.strerror}. Make room, and export again.") from error
    finally:
        if made is not None:
            made.close()
            _empty(here)
            with contextlib.suppress(OSError):
                here.rmdir()
        os.close(handle)


def publish(staged: Staging, place: Path) -> None:
    """The release is at its place, whole and on the disk. Raises Refused where something else is there meanwhile."""
    staged.close()
    os.sync()  # one for all files, in place of one each
    try:
        staged.folder.rename(place)
    except OSError as error:
        raise Refused(f"{place} is there already, and is not empty. Nothing was changed.") from error
    sync(place.parent)


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
