"""The folder of a release is kept in the store as it was first written; one that was frozen before that was so is filled in."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from sqlalchemy import text

from builder.keeping import media_type
from store.blobs import Blobs
from store.database import Database
from store.prune import sweep_orphans
from store.release_files import all_files
from store.releases import releases
from tests.builder.test_export import NOON, content_of, cut, live_probe, spec

WANTED = spec(desktop=0, natural=2)


def kept(database: Database, blobs: Blobs) -> dict[str, bytes]:
    return {file.path: blobs.get(file.blob.digest) for file in all_files(database, WANTED.name)}


def forget(database: Database, blobs: Blobs) -> None:
    """As an older version left it: the documents are in no table, and gone."""
    with database.transaction() as connection:
        connection.execute(text("delete from release_files"))
        connection.execute(
            text("delete from release_blobs rb using blobs b where b.digest = rb.digest and media_type !~ 'png|html'")
        )
    sweep_orphans(database, blobs, older_than=NOON.replace(year=2999), dry_run=False)


@pytest.fixture(autouse=True)
def probes(database: Database, blobs: Blobs) -> None:
    for n in range(3):
        live_probe(database, blobs, n)


def test_the_first_files_stay(database: Database, blobs: Blobs, tmp_path: Path) -> None:
    """What was written first is kept, and still is when the same is exported with other documents beside it."""
    first = cut(database, blobs, WANTED, tmp_path / "out")
    before = content_of(first.place)
    assert kept(database, blobs) == before
    (first.place / "README.md").write_text("mine")
    cut(database, blobs, WANTED, tmp_path / "out")
    cut(database, blobs, WANTED, tmp_path / "other", formats=("manifest", "card", "checksums"))
    assert kept(database, blobs) == before
    assert sweep_orphans(database, blobs, older_than=NOON.replace(year=2999), dry_run=False).blobs == 2  # of the third probe


@pytest.mark.parametrize("there", ["in its place", "changed", "elsewhere"])
def test_what_was_frozen_before_is_filled_in(database: Database, blobs: Blobs, tmp_path: Path, there: str) -> None:
    """By the same export again: from its folder where it is unchanged, with nothing that was put there since; else anew."""
    first = cut(database, blobs, WANTED, tmp_path / "out", formats=("manifest", "card", "checksums"))
    before = content_of(first.place)
    forget(database, blobs)
    assert kept(database, blobs) == {}
    (first.place / "notes.txt").write_text("mine")
    if there == "changed":
        (first.place / "README.md").write_text("mine")
    place = tmp_path / ("other" if there == "elsewhere" else "out")
    again = cut(database, blobs, WANTED, place, formats=("manifest", "card", "checksums"))
    assert (again.frozen, again.filled) == (False, True)
    assert kept(database, blobs) == before
    assert [one.name for one in releases(database)] == [WANTED.name]


def test_stopped_before_the_folder_appears(database: Database, blobs: Blobs, tmp_path: Path) -> None:
    """The store has all of it or nothing: it is frozen with its files, and the folder comes with the next export."""
    (tmp_path / "out").mkdir()

    def told(what: str, *_: int) -> None:
        if what == "freezing":
            (tmp_path / "out" / "in the way").touch()

    with pytest.raises(Exception, match="not empty"):
        cut(database, blobs, WANTED, tmp_path / "out", told=told)
    whole = kept(database, blobs)
    (tmp_path / "out" / "in the way").unlink()
    done = cut(database, blobs, WANTED, tmp_path / "out")
    assert (done.written, done.frozen) == (True, False)
    assert content_of(done.place) == whole


@pytest.mark.parametrize("begins", [b"PAR1", b"text"])
def test_large_files_are_put_as_small_ones(tmp_path: Path, begins: bytes) -> None:
    """Above what is held in memory the same is stored under the same key: packed where that saves, and once."""
    content = begins + (b"0123456789abcdef" * (9 << 16) if begins == b"text" else os.urandom(9 << 20))
    (tmp_path / "large").write_bytes(content)
    blobs = Blobs(str(tmp_path / "own"))
    put = blobs.put_file(tmp_path / "large", "a/b")
    assert (put.digest, put.size, put.media_type) == (hashlib.sha256(content).hexdigest(), len(content), "a/b")
    assert blobs.get(put.digest) == content
    assert put == blobs.put_file(tmp_path / "large", "a/b") == blobs.put(content, "a/b")
    [only] = blobs.list()
    assert only.stored_size == put.stored_size
    assert put.encoding == ("gzip" if begins == b"text" else "")


def test_media_types() -> None:
    """By the name; what is unknown is bytes."""
    assert media_type("croissant.json") == "application/ld+json"
    assert media_type("data/web-text/test-00000-of-00001.parquet") == "application/vnd.apache.parquet"
    assert media_type("plots/composition.png") == "image/png"
    assert media_type("LICENSE") == "application/octet-stream"
