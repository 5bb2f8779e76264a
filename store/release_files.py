"""The files of a frozen release's folder: each a blob, found by its path. They are kept when it is frozen and never change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, exists, func, select
from sqlalchemy.dialects.postgresql import insert

from domain.errors import NotFound
from store import tables
from store.blobs import StoredBlob
from store.database import Database
from store.release_hidden import Hidden, hidden_in, shows_hidden, shows_rows
from store.slices import BATCH, Slice, cut, slices

_files, _blobs = tables.release_files, tables.blobs
_AT_ONCE = 500
"""Rows written in one go."""


class Kept(NamedTuple):
    """A blob that a release names. path: where it is in its folder; None: not in it, being of recipes alone."""

    blob: StoredBlob
    path: str | None = None


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """A file of a release, as it was when the release was frozen."""

    path: str
    """From the folder of the release, '/' between folders."""
    blob: StoredBlob
    """With the media type that it has as this file."""
    hidden: bool = False
    """It shows what was taken down since."""


def keep(connection: Connection, name: str, kept: Iterable[Kept]) -> None:
    """They are stored, the release names them, so that pruning leaves them, and they are found by their paths.

    In the order of digests: two who note the same blobs cannot wait for each other. Of one digest, what is in the folder first.
    """
    noted = sorted(kept, key=lambda one: (one.blob.digest, one.path is None))
    names = ("digest", "media_type", "encoding", "size", "stored_size")
    for start in range(0, len(noted), _AT_ONCE):
        some = noted[start : start + _AT_ONCE]
        rows = [{name: getattr(one.blob, name) for name in names} for one in some]
        connection.execute(insert(_blobs).on_conflict_do_nothing(), rows)
        held = [{"release": name, "digest": one.blob.digest, "recipe": one.path is None} for one in some]
        connection.execute(insert(tables.release_blobs).on_conflict_do_nothing(), held)
        files = [
            {"release": name, "path": one.path, **{key: getattr(one.blob, key) for key in ("digest", "size", "media_type")}}
            for one in some
            if one.path is not None
        ]
        if files:
            connection.execute(insert(_files), files)


def has_files(connection: Connection, name: str) -> bool:
    """Whether the files of this release are kept: of one that was frozen by an older version they are not."""
    return bool(connection.scalar(select(exists().where(_files.c.release == name))))


def files_kept(database: Database, name: str) -> bool:
    """As `has_files`."""
    with database.transaction() as connection:
        return has_files(connection, name)


def release_files(database: Database, name: str, *, after: Sequence[str] | None = None, limit: int) -> Slice[ReleaseFile]:
    """At most `limit` files of a release behind the place `after`, sorted by path; those that are hidden say so.

    Raises ValueError where `after` is no place.
    """
    question = _asked(name).order_by(_files.c.path).limit(limit + 1)
    if after is not None:
        (path,) = after
        question = question.where(_files.c.path > path)
    with database.transaction() as connection:
        found = _told(connection, name, connection.execute(question).all())
    return cut(found, limit, lambda file: (file.path,))


def documents(database: Database, name: str) -> list[ReleaseFile]:
    """All files of a release but those named by their content, sorted by path: a few, and one a family."""
    question = _asked(name).where(_files.c.path.not_like("blobs/%")).order_by(_files.c.path).limit(BATCH)
    with database.transaction() as connection:
        return _told(connection, name, connection.execute(question).all())


def count_files(database: Database, name: str) -> tuple[int, int]:
    """How many files are kept of a release, and their bytes; (0, 0): none, see `no_files`."""
    question = select(func.count(), func.coalesce(func.sum(_files.c.size), 0)).where(_files.c.release == name)
    with database.transaction() as connection:
        count, size = connection.execute(question).one()
    return int(count), int(size)


def count_withheld(database: Database, name: str) -> int:
    """How many of its files are hidden for what they are: pictures and structures that a take-down hides."""
    hidden = select(func.count()).select_from(_files.join(_blobs, _blobs.c.digest == _files.c.digest))
    with database.transaction() as connection:
        return connection.scalar(hidden.where(_files.c.release == name, _blobs.c.hidden.is_not(None))) or 0


def all_files(database: Database, name: str) -> Iterator[ReleaseFile]:
    """All of them, sorted by path; no connection is held between batches, however slowly they are taken."""
    return chain.from_iterable(slices(lambda after: release_files(database, name, after=after, limit=BATCH)))


def find_file(database: Database, name: str, path: str) -> ReleaseFile:
    """The file at this path. Raises NotFound; of what is hidden too, and says so."""
    with database.transaction() as connection:
        rows = connection.execute(_asked(name).where(_files.c.path == path)).all()
        kept = bool(rows) or has_files(connection, name)
        told = _told(connection, name, rows)
    if not told:
        raise NotFound(f"Release {name} has no file {path!r}." if kept else no_files(name))
    [found] = told
    if found.hidden:
        raise NotFound(f"{path} of release {name} shows what was taken down since it was frozen, and is not handed out.")
    return found


def no_files(name: str) -> str:
    """Why a release has no files here, and what to do."""
    return (
        f"The files of release {name} are not in this store: it was frozen before they were kept. "
        f"`builder export --release {name}` of the same content brings them."
    )


def _asked(name: str) -> Select[Any]:
    columns = [_files.c.path, *(_files.c[name] for name in ("digest", "media_type", "size"))]
    stored = [_blobs.c.encoding, _blobs.c.stored_size, _blobs.c.hidden]
    return select(*columns, *stored).join(_blobs, _blobs.c.digest == _files.c.digest).where(_files.c.release == name)


def _told(connection: Connection, name: str, rows: Sequence[Row[Any]]) -> list[ReleaseFile]:
    """The files; the rows of the release are gone through only where one of the files has them in it."""
    hidden: Hidden = {}
    if any(shows_rows(row.path) for row in rows):
        hidden = hidden_in(connection, [name]).get(name, {})
    return [_file(row, hidden) for row in rows]


def _file(row: Row[Any], hidden: Hidden) -> ReleaseFile:
    blob = StoredBlob(row.digest, row.media_type, row.encoding, row.size, row.stored_size)
    return ReleaseFile(row.path, blob, row.hidden is not None or shows_hidden(row.path, hidden))
