"""A release is cut whole or not at all, never changed, the same everywhere; every row has both its channels' hashes.

The corpus here is a few pictures drawn for it in ScreenSpot-Pro's layout; the crawl's captures are rows and blobs put by hand.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
from PIL import Image, ImageDraw
from sqlalchemy import insert, select, update

from builder.assembled import Assembled, blobs_of, opened
from builder.collect import Places, collect
from builder.commands_release import Asked, export_release, spec_of
from builder.export import Exported, choose, export
from builder.formats import FORMATS
from builder.formats.parquet import box_on_image
from builder.look import open_look
from builder.rows import Release, make_row
from builder.sources import MADE_MARK, Usable, corpus
from channels.structures import structure
from domain.errors import BadInput, NotFound, Refused, Shortage, Unavailable
from domain.families import desktop_graphic
from domain.geometry import Box
from domain.probe import Probe, Provenance, probe_of
from domain.release import FamilyQuota, ReleaseSpec
from domain.released import ReleasedProbe, canonical
from domain.visit import Viewport
from store import tables
from store.blobs import Blobs
from store.corpora import Item, StoredCorpus, begin, finish, save_items
from store.database import Database
from store.releases import find_release, released_probes, releases

ROOT = Path(__file__).parents[2]
NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
Ingest = Callable[..., Path]
SAME = ("family", "kind", "platform", "variable", "options", "gold", "structural", "region", "view", "edit", "splits", "made",
    "partial", "release", "redistribution")  # fmt: skip


def png(*boxes: tuple[int, int, int, int], size: tuple[int, int] = (320, 200), ground: int = 250) -> bytes:
    """Black bars on a light ground."""
    image = Image.new("RGB", size, (ground, ground, 255))
    for left, top, right, bottom in boxes:
        for x in range(left, right, 4):
            ImageDraw.Draw(image).rectangle((x, top, x + 1, bottom - 1), fill=(0, 0, 0))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def write_corpus(folder: Path, count: int, *, made: bool) -> Path:
    """Pictures with one target each, icon and text in turn."""
    (folder / "annotations").mkdir(parents=True)
    (folder / "images" / "app").mkdir(parents=True)
    rows = []
    for n in range(count):
        box = (20 + n, 30, 60 + n, 54)
        (folder / "images" / "app" / f"{n}.png").write_bytes(png(box, ground=200 + n))
        rows.append(
            {
                "img_filename": f"app/{n}.png",
                "bbox": list(box),
                "instruction": f"press the secret {n}",
                "instruction_cn": "",
                "id": f"app_linux_{n}",
                "application": "app",
                "platform": "linux",
                "img_size": [320, 200],
                "ui_type": ("icon", "text")[n % 2],
                "group": "Dev",
            }
        )
    (folder / "annotations" / "app_linux.json").write_text(json.dumps(rows))
    if made:
        (folder / MADE_MARK).write_text("made")
    return folder


@pytest.fixture
def ingest(database: Database, tmp_path: Path) -> Ingest:
    """`ingest(count, made=True)`: a corpus of so many screens with its probes in the store; its folder."""

    def ingested(count: int, *, made: bool = True) -> Path:
        folder = write_corpus(tmp_path / "corpus", count, made=made)
        module = corpus("screenspot_pro")
        items = []
        for read in module.read(module.find(folder, base=None)):
            assert isinstance(read, Usable), read
            drawn = desktop_graphic.draw(read.screen, open_look(read.picture, None), seed=1)
            items.append(Item(read.screen.item, "usable", files=read.screen.files, probes=drawn.probes))
        begin(
            database,
            StoredCorpus(name="screenspot_pro", path=str(folder), base=None, made=made, stamp="", started=NOON, finished=None),
        )
        save_items(database, "screenspot_pro", "", items)
        finish(database, "screenspot_pro")
        return folder

    return ingested


def live_probe(
    database: Database,
    blobs: Blobs,
    n: int,
    *,
    kind: str = "aria",
    url: str = "https://shop.example/",
    site: str = "shop",
    region: Box | None = None,
) -> Probe:
    """A conflict that the crawler found on a page of 400x300 CSS px at scale 2, stored as the crawl stores it."""
    picture = png((40, 40, 240, 60 + n), size=(800, 600))
    document = f"<!DOCTYPE html><p aria-label='Seven {n}'>Eight</p>".encode()
    for content, media in ((picture, "image/png"), (document, "text/html")):
        blobs.put(content, media)
    probe = probe_of(
        family="web-natural",
        kind=kind,
        platform="web",
        screenshot=hashlib.sha256(picture).hexdigest(),
        structure=hashlib.sha256(document).hexdigest(),
        region=region or Box(20, 20, 100, 12.5),
        variable="text",
        gold="Eight",
        structural=f"Seven {n}",
        provenance=Provenance(
            site=site,
            url=url,
            visit=f"{n:032x}",
            capture=f"{n:032x}-0",
            when=NOON,
            viewport=Viewport(width=400, height=300, scale=2),
            delay_ms=3000,
            rules="1",
            policy="tokens",
            element=f"{n:024x}",
            path="p",
        ),
    )
    row = {name: getattr(probe, name) for name in ("id", "identity", "family", "kind", "platform")}
    came = {name: getattr(probe.live, name) for name in ("site", "url", "element")}
    with database.transaction() as connection:
        connection.execute(
            insert(tables.probes).values(**row, **came, first_seen=NOON, last_seen=NOON, record=probe.model_dump())
        )
    return probe


def spec(name: str = "t1", *, desktop: int = 4, natural: int = 0) -> ReleaseSpec:
    quotas = {"desktop-graphic": desktop, "web-natural": natural}
    families = {family: FamilyQuota(count=count) for family, count in quotas.items() if count}
    return ReleaseSpec(name=name, title="A test", seed=735, families=families)


def cut(database: Database, blobs: Blobs, wanted: ReleaseSpec, place: Path, **more: Any) -> Exported:
    """The release, by default without the files that take long to draw."""
    formats = more.pop("formats", ("manifest", "checksums"))
    return export(database, blobs, wanted, choose(database, wanted), place, formats=formats, **more)


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def rows_of(folder: Path) -> list[ReleasedProbe]:
    return [ReleasedProbe.model_validate_json(line) for line in (folder / "probes.jsonl").read_bytes().splitlines()]


def test_a_release_is_what_its_manifest_says_to_the_last_byte(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """Rows sorted and canonical, every blob under its own hash, the digest by hand, every file in checksums.txt."""
    ingest(6)
    for n in range(3):
        live_probe(database, blobs, n, url="http://127.0.0.1:8000/")
    done = cut(database, blobs, spec(natural=2), tmp_path / "out", formats=FORMATS)
    folder = done.place
    lines = (folder / "probes.jsonl").read_bytes().splitlines(keepends=True)
    rows = rows_of(folder)
    assert [row.id for row in rows] == sorted(row.id for row in rows)
    assert lines == [canonical(row) + b"\n" for row in rows]
    assert (len(rows), done.manifest.counts.families) == (6, {"desktop-graphic": 4, "web-natural": 2})
    named = sorted({digest for row in rows for digest in (row.screenshot, *(c.structure for c in row.channels.values()))})
    for digest in named:
        blob = folder / "blobs" / "sha256" / digest[:2] / digest
        assert hashlib.sha256(blob.read_bytes()).hexdigest() == digest
    total = hashlib.sha256(b"".join(lines) + "".join(f"{digest}\n" for digest in named).encode())
    assert done.manifest.digest == total.hexdigest()
    assert json.loads((folder / "manifest.json").read_bytes())["digest"] == total.hexdigest()
    # Two pictures and two documents of the crawl; four pictures and two structures each, agreeing and swapped.
    assert done.manifest.blobs.count == len(named) == 2 + 2 + 4 + 8
    command = ["sha256sum", "--check", "--quiet", "checksums.txt"]
    checked = subprocess.run(command, cwd=folder, check=False, capture_output=True)
    assert (checked.returncode, checked.stdout) == (0, b"")
    listed = [line.split("  ", 1)[1] for line in (folder / "checksums.txt").read_text().splitlines()]
    assert listed == sorted(name for name in content_of(folder) if name != "checksums.txt")


def test_exactly_one_channel_differs_between_the_conditions(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """agree and swap: the same pixels, another structure, which says the structural value. natural: one condition only."""
    ingest(4)
    live_probe(database, blobs, 0)
    folder = cut(database, blobs, spec(natural=1), tmp_path / "out").place
    release = opened(folder)
    for row in release.rows():
        if row.family == "web-natural":
            assert set(row.channels) == {"natural"}
            assert row.channels["natural"].structure == row.structure
            assert row.channels["natural"].pixels == row.screenshot
            continue
        agree, swap = row.channels["agree"], row.channels["swap"]
        assert agree.pixels == swap.pixels
        assert agree.structure == row.structure != swap.structure
        said = structure("element_list").says
        assert row.edit is not None
        assert said(release.blob(agree.structure), row.edit.node, row.edit.rule) == row.gold
        assert said(release.blob(swap.structure), row.edit.node, row.edit.rule) == row.structural
    assert {row.family: row.splits for row in release.rows()} == {
        "desktop-graphic": ("headline",),
        "web-natural": ("natural",),
    }


def test_the_same_release_again_changes_nothing_and_another_one_is_refused(
    database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path
):
    """By name in the store, and by folder; both digests are told."""
    ingest(6)
    first = cut(database, blobs, spec(), tmp_path / "out")
    before = content_of(first.place)
    again = cut(database, blobs, spec(), tmp_path / "out")
    assert (first.written, first.frozen, again.written, again.frozen) == (True, True, False, False)
    elsewhere = cut(database, blobs, spec(), tmp_path / "other")
    assert (elsewhere.written, elsewhere.frozen) == (True, False)
    assert content_of(elsewhere.place)["probes.jsonl"] == before["probes.jsonl"]

    with pytest.raises(Refused, match="never changed") as refused:
        cut(database, blobs, spec(desktop=5), tmp_path / "third")
    assert first.manifest.digest in str(refused.value)
    assert not (tmp_path / "third").exists()
    with pytest.raises(Refused, match=f"{first.manifest.digest}.*never changed"):
        cut(database, blobs, spec("t2", desktop=5), tmp_path / "out")
    assert content_of(first.place) == before
    assert [one.name for one in releases(database)] == ["t1"]
    assert list(tmp_path.glob(".*")) == []


def test_what_is_frozen_can_be_served(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """Manifest and rows are in the store as they are in the folder; every blob that a row names is in the blob store."""
    ingest(4, made=False)
    done = cut(database, blobs, spec(), tmp_path / "out")
    frozen, manifest = find_release(database, "t1")
    assert manifest == done.manifest
    assert (frozen.digest, frozen.probes, frozen.partial) == (done.manifest.digest, 4, False)
    rows = list(released_probes(database, "t1"))
    assert rows == rows_of(done.place)
    for row in rows:
        for digest in blobs_of(row):
            assert hashlib.sha256(blobs.get(digest)).hexdigest() == digest
    with database.transaction() as connection:
        noted = set(connection.scalars(select(tables.blobs.c.digest)))
    files = {hashlib.sha256(content).hexdigest() for content in content_of(done.place).values()}
    assert noted == {digest for row in rows for digest in blobs_of(row)} | files


def test_a_recipe_holds_nothing_of_the_publisher_s(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """The corpus is not made, and its terms are not established: no picture, no structure, no instruction anywhere."""
    folder = ingest(4, made=False)
    live_probe(database, blobs, 0)
    done = cut(database, blobs, spec(natural=1), tmp_path / "out", formats=FORMATS)
    rows = {row.id: row for row in rows_of(done.place)}
    recipes = {name for name, row in rows.items() if row.redistribution == "recipe"}
    assert {rows[name].family for name in recipes} == {"desktop-graphic"}
    assert len(recipes) == 4
    assert done.manifest.blobs.count == 2  # the crawl's picture and document
    everything = b"".join(content_of(done.place).values())
    assert b"press the secret" not in everything
    for picture in folder.rglob("*.png"):
        assert picture.read_bytes()[-400:] not in everything
    table = pq.read_table(done.place / "data" / "desktop-graphic" / "test-00000-of-00001.parquet").to_pylist()
    for column in ("image", "crop", "structure", "structure_swap"):
        assert [row[column] for row in table] == [None] * 4
    assert {use.redistribution for use in done.manifest.sources.values()} == {"full", "recipe"}


def test_a_made_corpus_is_shipped_whole_and_is_called_made(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """Whatever the terms of the source that it imitates; so are pages of the crawler's own machine."""
    ingest(2)
    live_probe(database, blobs, 0, url="http://localhost:80/")
    live_probe(database, blobs, 1)
    done = cut(database, blobs, spec(desktop=2, natural=2), tmp_path / "out")
    assert {(row.provenance.source, row.made, row.redistribution) for row in rows_of(done.place)} == {
        ("screenspot_pro", True, "full"),
        ("live", True, "full"),
        ("live", False, "full"),
    }
    assert done.manifest.made == 3
    assert done.manifest.sources["screenspot_pro"].licence == "CC0-1.0"


def test_the_tables_are_the_rows(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """Column by column; pictures decode to what is shown; the box is where the bars are, also at scale 2."""
    ingest(3)
    live_probe(database, blobs, 5)
    done = cut(database, blobs, spec(desktop=3, natural=1), tmp_path / "out", workers=3, formats=("parquet",))
    folder = done.place
    release = Assembled(done.manifest, folder)
    for family in ("desktop-graphic", "web-natural"):
        table = pq.read_table(folder / "data" / family / "test-00000-of-00001.parquet").to_pylist()
        assert [row["id"] for row in table] == [row.id for row in release.rows(family)]
        for flat, row in zip(table, release.rows(family), strict=True):
            record = orjson.loads(canonical(row))
            assert {name: flat[name] for name in SAME} == {name: record[name] for name in SAME}
            assert json.loads(flat["provenance"]) == record["provenance"]
            assert json.loads(flat["channels"]) == record["channels"]
            assert flat["structure"].encode() == release.blob(row.structure)
            swap = row.channels.get("swap")
            assert flat["structure_swap"] == (release.blob(swap.structure).decode() if swap else None)
            image = Image.open(io.BytesIO(flat["image"]["bytes"]))
            crop = Image.open(io.BytesIO(flat["crop"]["bytes"]))
            box = box_on_image(row)
            assert flat["box"] == {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
            assert crop.size == (box.width, box.height)
            assert image.convert("RGB").getpixel((int(box.x), int(box.y))) == (0, 0, 0)  # a bar begins there
    assert flat["box"] == {"x": 40, "y": 40, "width": 200, "height": 25}


def test_a_shortage_writes_nothing_and_a_partial_release_says_so_in_every_row(
    database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path
):
    """Four there, nine and two wanted."""
    ingest(4)
    wanted = spec(desktop=9, natural=2)
    with pytest.raises(Shortage) as short:
        cut(database, blobs, wanted, tmp_path / "out")
    assert str(short.value).splitlines() == [
        "desktop-graphic: 9 probes wanted, 4 there",
        "web-natural: 2 probes wanted, 0 there",
    ]
    assert (list(tmp_path.glob("*out*")), releases(database)) == ([], [])
    done = cut(database, blobs, wanted, tmp_path / "out", allow_partial=True, formats=("manifest", "card"))
    assert done.manifest.partial
    assert [str(one) for one in done.manifest.shortages] == str(short.value).splitlines()
    assert [row.partial for row in rows_of(done.place)] == [True] * 4
    assert "PARTIAL" in (done.place / "README.md").read_text()


def test_a_corpus_that_has_changed_since_is_refused_with_every_probe_concerned(
    database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path
):
    """One picture is another, one is gone: both are named, nothing is written, nothing is frozen."""
    folder = ingest(4)
    (folder / "images" / "app" / "1.png").write_bytes(png((21, 30, 61, 54), ground=90))
    (folder / "images" / "app" / "2.png").unlink()
    with pytest.raises(Refused, match="cannot be released") as refused:
        cut(database, blobs, spec(), tmp_path / "out")
    told = str(refused.value)
    assert "its picture was" in told
    assert "app_linux_2: was a screen, and now is none: missing-picture" in told
    assert (list(tmp_path.glob("*out*")), list(tmp_path.glob(".*")), releases(database)) == ([], [], [])


def test_an_edit_that_cannot_be_made_is_told(ingest: Ingest):
    """The structure says something else than the edit's record: no row is made of it."""
    folder = ingest(1)
    module = corpus("screenspot_pro")
    [read] = module.read(module.find(folder, base=None))
    [probe] = desktop_graphic.draw(read.screen, open_look(read.picture, None), seed=1).probes
    wrong = probe.model_copy(update={"edit": probe.edit.model_copy(update={"before": "button"})})
    terms = Release("t", partial=False, terms={"screenspot_pro": "full"})
    with pytest.raises(BadInput, match=f"{probe.id}: swap-type cannot be done"):
        make_row(terms, wrong, read.structure, read.screen.format)
    with pytest.raises(BadInput, match="its structure is"):
        make_row(terms, probe, read.structure + b" ", read.screen.format)


class Stop(BaseException):
    """As Ctrl-C."""


def test_nothing_half_written_stays(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """Stopped while probes are collected, or while files are written: no folder, no frozen release; then it can be cut."""
    ingest(5)

    def stop(at: str) -> Callable[[str, int, int], None]:
        def told(what: str, done: int, _: int) -> None:
            if what.startswith(at) and (done or at != "collecting"):
                raise Stop

        return told

    for at in ("collecting", "writing checksums", "freezing"):
        with pytest.raises(Stop):
            cut(database, blobs, spec(), tmp_path / "out", told=stop(at), workers=2)
        assert (list(tmp_path.glob("*out*")), list(tmp_path.glob(".*")), releases(database)) == ([], [], [])
    assert cut(database, blobs, spec(), tmp_path / "out").written


def test_a_folder_that_holds_something_else_is_left_alone(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """And so is a release whose rows somebody has changed."""
    ingest(4)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    with pytest.raises(Refused, match="holds no release"):
        cut(database, blobs, spec(), tmp_path / "mine")
    assert content_of(tmp_path / "mine") == {"thesis.txt": b"mine"}
    done = cut(database, blobs, spec(), tmp_path / "out")
    rows = done.place / "probes.jsonl"
    rows.write_bytes(rows.read_bytes().replace(b'"gold":"icon"', b'"gold":"Icon"', 1))
    with pytest.raises(Refused, match="was changed since"):
        cut(database, blobs, spec(), tmp_path / "out")


def test_what_a_take_down_hides_is_not_chosen(database: Database, blobs: Blobs):
    """A probe that is hidden is not there."""
    probes = [live_probe(database, blobs, n) for n in range(2)]
    with database.transaction() as connection:
        connection.execute(update(tables.probes).where(tables.probes.c.id == probes[0].id).values(hidden=NOON))
    assert [one.id for one in choose(database, spec(desktop=1, natural=1)).chosen] == [probes[1].id]


def start(data_dir: Path, blobs: Blobs, folder: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """The commands of this file in a process of their own."""
    program = "import sys\nfrom builder.cli_release import app\nfrom domain.errors import ParallaxError\n"
    program += "try:\n    app()\nexcept ParallaxError as error:\n    sys.exit(f'builder: {error}')\n"
    given = {**os.environ, "PARALLAX_DATA": str(data_dir), "BLOB_URL": blobs.url, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(command, cwd=folder, env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_same_release_whatever_the_hash_seed_time_zone_locale_and_workers(
    database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path, data_dir: Path
):
    """Two processes at once: byte for byte the same files, but for what libraries draw; one of them freezes it."""
    ingest(8)
    for n in range(3):
        live_probe(database, blobs, n)
    (tmp_path / "small.toml").write_text(
        'name = "small"\ntitle = "Small"\nseed = 7\n[families.desktop-graphic]\ncount = 5\n[families.web-natural]\ncount = 2\n'
    )
    surroundings = (
        ("one", "1", {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}),
        ("two", "5", {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "C.UTF-8"}),
    )
    ask = ("export", "--release", "small.toml", "--json")
    running = [
        start(data_dir, blobs, tmp_path, *ask, "--to", to, "--workers", workers, **env) for to, workers, env in surroundings
    ]
    said = [process.communicate(timeout=240) for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    first, second = (json.loads(out) for out, _ in said)
    assert first["digest"] == second["digest"]
    assert first["frozen"] != second["frozen"]
    assert content_of(tmp_path / "one") == content_of(tmp_path / "two")


def test_the_command_tells_all_shortages_and_what_would_help(
    ingest: Ingest, data_dir: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    """v1 with two probes in the store: a line for each of its quotas and what may bring more; the choice as JSON."""
    ingest(2)
    monkeypatch.setenv("PARALLAX_DATA", str(data_dir))
    with pytest.raises(Shortage, match="--allow-partial"):
        export_release(Asked("v1"), as_json=False)
    told = capfd.readouterr().err
    for line in ("mobile-stale", "kind title", "crawler run", "builder ingest mind2web PATH"):
        assert line in told
    with pytest.raises(Shortage):
        export_release(Asked("v1"), as_json=True)
    said = json.loads(capfd.readouterr().out)
    assert (said["partial"], said["path"], said["chosen"]) == (True, None, {"desktop-graphic": 2})
    assert len(said["shortages"]) == 10  # six families, three kinds, and the screens of mobile-stale


def test_the_example_of_the_docs_is_a_release(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """As it stands in docs/release.md: three of the one site, by kind, none of the other; four controls. Its name is enough."""
    example = (ROOT / "docs" / "release.md").read_text("utf-8").split("```toml\n")[1].split("```")[0]
    (tmp_path / "my.toml").write_text(example)
    ingest(6, made=False)
    for n in range(8):
        live_probe(database, blobs, n, kind=("aria", "title")[n % 2], site=("shop", "bank")[n // 4])
    done = cut(database, blobs, spec_of(str(tmp_path / "my.toml")), tmp_path / "releases" / "shop-1")
    rows = rows_of(done.place)
    assert Counter((row.family, row.kind) for row in rows) == {
        ("web-natural", "aria"): 2,
        ("web-natural", "title"): 1,
        ("desktop-graphic", None): 4,
    }
    assert {row.provenance.site for row in rows if row.family == "web-natural"} == {"shop"}
    assert done.manifest.funnel.families["web-natural"].not_chosen["site"] == 4
    assert done.manifest.spec.families["web-natural"].sites == ("shop",)


def test_who_names_no_recipe_is_led_to_the_format():
    """An unknown name, a file that is not there: both say where it stands what such a file holds."""
    with pytest.raises(
        NotFound, match=r"'mine' comes with Parallax: v1 does\..*docs/release\.md shows: --release path/to\.toml"
    ):
        spec_of("mine")
    with pytest.raises(BadInput, match=r"mine\.toml cannot be read: .*docs/release\.md"):
        spec_of("mine.toml")


def test_a_source_that_there_is_not_is_told_before_anything_is_chosen(tmp_path: Path):
    """It would give a release without a probe of it, and a table of what is lacking that names no reason."""
    (tmp_path / "my.toml").write_text('name="a"\ntitle="A"\nseed=1\n[families.web-natural]\ncount=1\nsources=["crawl"]\n')
    with pytest.raises(BadInput, match=r"families\.web-natural\.sources: there is no crawl\. Known: rico, .*live"):
        spec_of(str(tmp_path / "my.toml"))


def test_two_cannot_write_the_same_place_at_once(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """The second is told so, and the first is not disturbed."""
    ingest(4)

    def told(what: str, *_: int) -> None:
        if what == "freezing":
            with pytest.raises(Unavailable, match="Another process"):
                cut(database, blobs, spec(), tmp_path / "out")

    assert cut(database, blobs, spec(), tmp_path / "out", told=told).written


def test_memory_holds_a_few_screens_only(database: Database, blobs: Blobs, ingest: Ingest):
    """However many probes are chosen, no more screens are read ahead than there are workers, and a few."""
    ingest(12)
    wanted = spec(desktop=12)
    terms = Release("t", partial=False, terms={"screenspot_pro": "full"})
    chosen = choose(database, wanted).chosen
    module, read = corpus("screenspot_pro"), []

    class Counting:
        """The corpus, with what was read of it."""

        NAME, find = "screenspot_pro", staticmethod(module.find)

        @staticmethod
        def read(found: Any, **more: Any) -> Iterator[Any]:
            for one in module.read(found, **more):
                read.append(one)
                yield one

    done = 0
    for _ in collect(Places(database, blobs, terms, lambda _: Counting), chosen, workers=2):
        done += 1
        assert len(read) <= done + 4
    assert done == 12


def test_a_line_that_is_no_row_is_told_with_its_place(tmp_path: Path, database: Database, blobs: Blobs, ingest: Ingest):
    """File, line, field."""
    ingest(2)
    folder = cut(database, blobs, spec(desktop=2), tmp_path / "out").place
    rows = folder / "probes.jsonl"
    rows.write_bytes(rows.read_bytes() + b'{"family":"desktop-graphic"}\n')
    release = Assembled(opened(folder).manifest, folder)
    with pytest.raises(BadInput, match=r"probes.jsonl, line 3, id: Field required"):
        list(release.rows("desktop-graphic"))
