"""builder rebuild: a recipe is filled in from one's own copy, byte for byte, or what does not match is named."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from builder import cli_check
from builder.assembled import blobs_of, opened
from builder.rebuild import rebuild
from builder.verify import verify
from domain.errors import BadInput, NotFound, Refused
from tests.builder import small

RUN = CliRunner()
TABLE = "data/desktop-graphic/test-00000-of-00001.parquet"


@pytest.fixture
def copy(screenspot: Path, tmp_path: Path) -> Path:
    """A copy of the corpus that may be written into."""
    return shutil.copytree(screenspot, tmp_path / "mine")


def test_a_recipe_has_neither_picture_nor_structure(small_release: Path) -> None:
    """Only ids, boxes and hashes."""
    release = opened(small_release)
    for row in release.rows("desktop-graphic"):
        assert row.redistribution == "recipe"
        assert not any(release.place(digest).exists() for digest in blobs_of(row))
    assert pq.read_table(small_release / TABLE).column("image").null_count == 3


def test_it_comes_back_to_the_byte(small_release: Path, screenspot: Path, tmp_path: Path) -> None:
    """Every blob is what its name says, the pictures are in the table, rows and digest are the same, and it verifies."""
    done = rebuild(small_release, {"screenspot_pro": screenspot}, tmp_path / "whole")
    assert (done.complete, done.filled, done.recipes, done.mismatches, done.left) == (True, 3, 3, (), {})
    assert (done.folder / "probes.jsonl").read_bytes() == (small_release / "probes.jsonl").read_bytes()
    assert (done.folder / "manifest.json").read_bytes() == (small_release / "manifest.json").read_bytes()
    whole = opened(done.folder)
    for row in whole.rows("desktop-graphic"):
        for digest in blobs_of(row):
            assert hashlib.sha256(whole.blob(digest)).hexdigest() == digest
    assert pq.read_table(done.folder / TABLE).column("image").null_count == 0
    assert verify(done.folder) == []
    assert verify(small_release) == []


def test_a_rebuilt_release_can_be_rebuilt(small_release: Path, screenspot: Path, tmp_path: Path) -> None:
    """What was filled in before stays, without a copy too."""
    first = rebuild(small_release, {"screenspot_pro": screenspot}, tmp_path / "first")
    again = rebuild(first.folder, {}, tmp_path / "again")
    assert (again.complete, again.filled) == (True, 3)
    assert verify(again.folder) == []


def test_it_is_what_an_export_in_full_would_be(small_release: Path, screenspot: Path, tmp_path: Path) -> None:
    """The blobs are those of a release that was allowed to ship them: here, one whose corpus calls itself made."""
    done = rebuild(small_release, {"screenspot_pro": screenspot}, tmp_path / "whole")
    made = shutil.copytree(screenspot, tmp_path / "made")
    (made / "MADE.txt").write_text("made")
    full = small.cut(tmp_path / "full", small.contents(made))
    names = [sorted(path.name for path in (folder / "blobs").rglob("*") if path.is_file()) for folder in (done.folder, full)]
    assert names[0] == names[1]


def test_another_picture_is_named_with_both_hashes_and_stays_out(small_release: Path, copy: Path, tmp_path: Path) -> None:
    """The other two are filled in; the release verifies as it is."""
    picture = copy / "images/app/1.png"
    before = hashlib.sha256(picture.read_bytes()).hexdigest()
    picture.write_bytes(small.picture(999, (1200, 900)))
    after = hashlib.sha256(picture.read_bytes()).hexdigest()
    done = rebuild(small_release, {"screenspot_pro": copy}, tmp_path / "whole")
    row = next(row for row in opened(small_release).rows("desktop-graphic") if row.screenshot == before)
    (told,) = map(str, done.mismatches)
    assert told == (
        f"screenspot_pro, app_linux_1, {row.id}: the picture is another (changed: images/app/1.png): "
        f"expected {before}, found {after}"
    )
    assert (done.complete, done.filled) == (False, 2)
    assert verify(done.folder) == []


def test_items_that_are_gone_or_cannot_be_used(small_release: Path, copy: Path, tmp_path: Path) -> None:
    """Each with its reason; one that is no longer in the copy is named too."""
    annotations = copy / "annotations/app_linux.json"
    rows = json.loads(annotations.read_text())
    rows[0]["ui_type"] = "button"
    annotations.write_text(json.dumps(rows[:2]))
    done = rebuild(small_release, {"screenspot_pro": copy}, tmp_path / "whole")
    told = list(map(str, done.mismatches))
    assert told[0].startswith("screenspot_pro, app_linux_0: it cannot be used: unknown-type, annotations/app_linux.json[0]: ")
    assert told[-1] == f"screenspot_pro, app_linux_2: there is no such item in {copy}"
    assert done.filled == 1


def test_what_no_copy_was_given_of_is_left(small_release: Path, tmp_path: Path) -> None:
    """The folder is whole as it was, and it is said how much is missing."""
    done = rebuild(small_release, {}, tmp_path / "whole")
    assert (done.complete, done.left) == (False, {"screenspot_pro": 3})
    assert verify(done.folder) == []


def test_nothing_is_written_over(small_release: Path, screenspot: Path, tmp_path: Path) -> None:
    """A folder that is there, a copy that is none, labels without what they label, a release that is not there."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there/file").write_text("mine")
    with pytest.raises(Refused, match="is there already"):
        rebuild(small_release, {"screenspot_pro": screenspot}, tmp_path / "there")
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["file"]
    with pytest.raises(BadInput, match="expected a folder with annotations"):
        rebuild(small_release, {"screenspot_pro": tmp_path}, tmp_path / "whole")
    with pytest.raises(BadInput, match="clay labels screens of rico"):
        rebuild(small_release, {"clay": tmp_path}, tmp_path / "whole")
    with pytest.raises(NotFound):
        rebuild(tmp_path, {}, tmp_path / "whole")
    assert not (tmp_path / "whole").exists()


def test_the_command(small_release: Path, screenspot: Path, tmp_path: Path) -> None:
    """0 where all is filled in, 1 where something is left, 2 where it was asked wrongly."""
    asked = ["rebuild", str(small_release), "--to"]
    good = RUN.invoke(cli_check.app, [*asked, str(tmp_path / "a"), "--source", f"screenspot_pro={screenspot}"])
    assert (good.exit_code, good.stdout) == (0, f"{tmp_path / 'a'}: 3 of 3 recipes are filled in.\n")
    wrong = RUN.invoke(cli_check.app, [*asked, str(tmp_path / "b"), "--source", "screenspot"])
    assert isinstance(wrong.exception, BadInput)
    assert str(wrong.exception).startswith("--source 'screenspot': write NAME=PATH, with one of rico, clay,")
    (tmp_path / "none").mkdir()
    (tmp_path / "none/2.json").write_text("{}")
