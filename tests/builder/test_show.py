"""builder show: one probe in words, and the files that one looks at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from builder import cli_check
from builder.assembled import opened
from builder.show import changes, in_release, save, stored
from domain.errors import BadInput, NotFound
from domain.released import ReleasedProbe
from store.blobs import Blobs
from store.corpora import Item, StoredCorpus, begin, save_items
from store.database import Database
from tests.builder import small

RUN = CliRunner()


def size_of(path: Path) -> tuple[int, int]:
    with Image.open(path) as image:
        return image.size


def a_row(release: Path, family: str) -> ReleasedProbe:
    return next(opened(release).rows(family))


def test_a_probe_is_told_in_words(small_release: Path) -> None:
    """What is asked, both values, the edit, both channels, where it is from and on what terms."""
    row = a_row(small_release, "web-text")
    told = RUN.invoke(cli_check.app, ["show", row.id, "--release", str(small_release)])
    assert told.exit_code == 0
    said = [" ".join(line.split()) for line in told.stdout.splitlines()]
    for line in (
        "asks for text",
        "gold (the pixels) Sign in",
        "structural Log out",
        "edit swap-text/1 of node 41: 'Sign in' -> 'Log out'",
        f"channels, agree pixels {row.screenshot}, structure {row.structure}",
        "source mind2web",
        "where release v1, licence CC-BY-4.0, redistribution full",
    ):
        assert line in said


def test_the_beginning_of_an_id_is_enough_if_it_is_of_one(small_release: Path) -> None:
    """More than one is a question back; none says how many there are."""
    row = a_row(small_release, "web-text")
    assert in_release(small_release, row.id[:-3]).probe == row
    with pytest.raises(NotFound, match=r"More than one probe begins with 'web-': .* and 2 more\. Give more of it"):
        in_release(small_release, "web-")
    with pytest.raises(NotFound, match=r"No probe 'mobile'.*; there are 8"):
        in_release(small_release, "mobile")
    assert json.loads(RUN.invoke(cli_check.app, ["show", row.id, "--release", str(small_release), "--json"]).stdout)[
        "probe"
    ] == row.model_dump(mode="json")


def test_the_files_of_an_edited_probe(small_release: Path, tmp_path: Path) -> None:
    """What is shown, the region with 8 px around it, both structures, and one line that differs."""
    row = a_row(small_release, "web-text")
    written = save(in_release(small_release, row.id), tmp_path / "out")
    assert [path.name for path in written] == ["shown.jpg", "region.png", "structure.html", "swap.html", "swap.diff"]
    assert (tmp_path / "out/shown.jpg").read_bytes() == opened(small_release).blob(row.screenshot)
    # The region is 100 x 40 at 10,20: 8 px more on each side.
    assert size_of(tmp_path / "out/region.png") == (116, 56)
    assert (tmp_path / "out/swap.html").read_bytes() == opened(small_release).blob(row.channels["swap"].structure)
    lines = [line for line in (tmp_path / "out/swap.diff").read_text().splitlines()[2:] if line[0] in "+-"]
    assert [("Sign in" in line, "Log out" in line, line[0]) for line in lines] == [(True, False, "-"), (False, True, "+")]


def test_the_region_of_a_page_is_in_css_px(small_release: Path, tmp_path: Path) -> None:
    """At scale 2 a region of 60 x 30 CSS px at 5.5,10 is 120 x 60 image px; nothing is edited."""
    row = a_row(small_release, "web-natural")
    written = save(in_release(small_release, row.id), tmp_path)
    assert [path.name for path in written] == ["shown.png", "region.png", "structure.html"]
    assert size_of(tmp_path / "region.png") == (136, 76)


def test_of_a_recipe_there_are_no_files(small_release: Path, tmp_path: Path) -> None:
    """Its words are there; its bytes are not."""
    row = a_row(small_release, "desktop-graphic")
    with pytest.raises(NotFound, match="holds no blob"):
        save(in_release(small_release, row.id), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert "framed (image px)" in RUN.invoke(cli_check.app, ["show", row.id, "--release", str(small_release)]).stdout


def test_a_damaged_blob_is_not_shown(small_release: Path, tmp_path: Path) -> None:
    """Whoever looks at a probe looks at the probe's own bytes."""
    found = in_release(small_release, a_row(small_release, "web-text").id)
    with pytest.raises(BadInput, match="is damaged"):
        save(type(found)(found.probe, lambda _: b"other", found.where), tmp_path)


def test_a_structure_of_one_line_is_compared_piece_by_piece() -> None:
    """A view hierarchy is one long line; only the value that was edited is in the difference."""
    before = b'{"children":[' + b",".join(b'{"class":"View","text":"t%d"}' % i for i in range(40)) + b"]}"
    found = [line.strip() for line in changes(before, before.replace(b'"t7"', b'"x7"'), "json") if line[:1] in "+-"]
    assert found[2:] == ['-"text":"t7"},', '+"text":"x7"},']


def test_a_probe_of_the_store(database: Database, blobs: Blobs, tmp_path: Path) -> None:
    """Without a release it is looked for in the store; its bytes are there once it was released."""
    probe, shot, content, _ = small.web_text(70)
    begin(database, StoredCorpus(name="mind2web", path="/mine", base=None, made=False, stamp="", started=small.NOON))
    save_items(database, "mind2web", "", [Item("item-70", "usable", probes=(probe,))])
    found = stored(database, blobs, probe.id[:16])
    assert (found.probe, found.where) == (probe, "the store, seen 1 time")
    with pytest.raises(NotFound, match="No blob"):
        save(found, tmp_path / "out")
    blobs.put(shot, "image/jpeg")
    blobs.put(content, "text/html")
    assert (tmp_path / "out/shown.jpg") in save(found, tmp_path / "out")


def test_a_release_in_the_data_folder_is_meant_by_its_name(
    small_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By all commands on releases; a folder of that name comes first. Of a name without a folder it is said how to get it."""
    monkeypatch.setenv("PARALLAX_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data" / "releases").mkdir(parents=True)
    (tmp_path / "data" / "releases" / "v1").symlink_to(small_release)
    row = a_row(small_release, "web-text")
    for command in (["show", row.id, "--release", "v1"], ["verify", "v1"], ["diff", "v1", str(small_release)], ["card", "v1"]):
        assert RUN.invoke(cli_check.app, command).exit_code == 0, command
    (tmp_path / "v1").mkdir()
    for command in (["show", row.id, "--release", "v1"], ["verify", "v1"], ["card", "v1"]):
        assert "v1 holds no release: there is no manifest.json in it" in str(RUN.invoke(cli_check.app, command).exception)
    for command in (["show", row.id, "--release", "v1"], ["verify", "v1"], ["diff", "v1", str(small_release)], ["card", "v1"]):
        command[command.index("v1")] = "v2"
        told = str(RUN.invoke(cli_check.app, command).exception)
        assert told.startswith("There is no folder v2 here")
        assert "/releases/v2/download" in told


@pytest.mark.parametrize("more", [[], ["--release", "v1"]])
def test_an_empty_id_means_no_probe(more: list[str]) -> None:
    """It is asked wrongly, wherever it would be looked up."""
    with pytest.raises(BadInput, match=r"^The id is empty"):
        RUN.invoke(cli_check.app, ["show", " ", *more], catch_exceptions=False)
