"""screenspot_pro: what is read of the publisher's files, and every defect with the words in which it is told."""

from __future__ import annotations

import csv
import hashlib
import json
import tracemalloc
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from builder.look import open_look
from builder.sources import Rejected, Usable, corpus
from builder.sources.screenspot_pro import REASONS, find, read
from channels.structures.element_list import edited, normal, says
from channels.views import encode, shown
from domain.errors import BadInput
from domain.families.desktop_graphic import draw
from tests.corpora.screenspot_pro import make

ROOT = Path(__file__).resolve().parents[3]
SIZE = (640, 400)


def picture(colour: int = 0, size: tuple[int, int] = SIZE) -> bytes:
    return encode(Image.new("RGB", size, (colour, 90, 200)))


def row(n: int, **changed: Any) -> dict[str, Any]:
    """An annotation as the publisher has it. A key given as ... is left out."""
    whole = {
        "img_filename": "paint_win/one.png", "bbox": [600, 300, 630, 320], "instruction": " press it ", "instruction_cn": "按",
        "id": f"paint_windows_{n}", "application": "paint", "platform": "windows", "img_size": [*SIZE], "ui_type": "icon",
        "group": "Creative",
    }  # fmt: skip
    return {name: value for name, value in (whole | {"bbox": [600, 300, 630, 320 + n]} | changed).items() if value is not ...}


def write(folder: Path, rows: object, *, stem: str = "paint_windows", pictures: Iterable[str] = ("paint_win/one.png",)) -> Path:
    for part in ("annotations", "images/paint_win"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    text = rows if isinstance(rows, str) else json.dumps(rows)
    (folder / "annotations" / f"{stem}.json").write_text(text, encoding="utf-8")
    for name in pictures:
        (folder / "images" / name).write_bytes(picture())
    return folder


def told(folder: Path, **how: Any) -> list[tuple[str, ...]]:
    """Every item in the order of reading: usable, or its reason and detail."""
    return [
        (one.screen.item, "usable") if isinstance(one, Usable) else (one.item, one.reason, one.detail)
        for one in read(find(folder, base=None), **how)
    ]


def test_a_screen(tmp_path: Path) -> None:
    """One annotation is one screen: its picture's hash, its box as x, y, width and height, its label, both files."""
    found = find(write(tmp_path, [row(1)]), base=None)
    assert (found.items, found.made, found.notes) == (1, False, ())
    (usable,) = read(found)
    assert isinstance(usable, Usable)
    screen = usable.screen
    assert (screen.source, screen.item, screen.site, screen.made) == ("screenspot_pro", "paint_windows_1", "paint", False)
    assert (screen.width, screen.height, screen.format) == (640, 400, "element_list")
    assert screen.screenshot == hashlib.sha256(picture()).hexdigest() == hashlib.sha256(usable.picture).hexdigest()
    assert usable.structure == b'[{"bbox":[600,300,630,321],"id":"paint_windows_1","type":"icon"}]'
    assert screen.structure == hashlib.sha256(usable.structure).hexdigest()
    (node,) = screen.nodes
    assert node.box is not None
    assert (node.key, node.box.as_list(), node.type, node.label) == ("paint_windows_1", [600, 300, 30, 21], "icon", "icon")
    assert node.attributes == {"instruction": "press it", "platform": "windows", "group": "Creative"}
    assert [(file.name, file.size) for file in screen.files] == [
        ("annotations/paint_windows.json", (tmp_path / "annotations/paint_windows.json").stat().st_size),
        ("images/paint_win/one.png", len(picture())),
    ]
    assert corpus("screenspot_pro").TERMS.redistribution == "recipe"


AT = "annotations/paint_windows.json[1]: "
ROWS: dict[str, tuple[Any, str, str, str]] = {
    # what is wrong: the second row of a file, how the item is called, why it is rejected, and what is said of it
    "no object": ("a word", "paint_windows[1]", "bad-row", 'no object but "a word"'),
    "no id": (row(1, id=...), "paint_windows[1]", "bad-row", "no id of letters, digits, - and _: null"),
    "id with a dot": (row(1, id="a.b"), "paint_windows[1]", "bad-row", 'no id of letters, digits, - and _: "a.b"'),
    "long id": (row(1, id="a" * 129), "paint_windows[1]", "bad-row", 'no id of letters, digits, - and _: "' + "a" * 76 + "..."),
    "id twice": (row(0, ui_type="text"), "paint_windows_0#2", "duplicate-id", "the 2. annotation with this id"),
    "no size": (row(1, img_size=...), "paint_windows_1", "bad-row", "no img_size"),
    "size of nothing": (row(1, img_size=[0, 5]), "paint_windows_1", "bad-row", "img_size is no width and height: [0, 5]"),
    "no application": (row(1, application=" \0"), "paint_windows_1", "bad-row", 'application is no name: " \\u0000"'),
    "other type": (row(1, ui_type="image"), "paint_windows_1", "unknown-type", 'ui_type is "image"'),
    "type of types": (row(1, ui_type=["icon"]), "paint_windows_1", "unknown-type", 'ui_type is ["icon"]'),
    "way out": (row(1, img_filename="../a.png"), "paint_windows_1", "bad-path", 'img_filename is "../a.png"'),
    "from the root": (row(1, img_filename="/etc/a.png"), "paint_windows_1", "bad-path", 'img_filename is "/etc/a.png"'),
    "NUL": (row(1, img_filename="a\0.png"), "paint_windows_1", "bad-path", 'img_filename is "a\\u0000.png"'),
    "three numbers": (row(1, bbox=[1, 2, 3]), "paint_windows_1", "bad-box", "bbox is [1, 2, 3]"),
    "words": (row(1, bbox=["1", "2", "3", "4"]), "paint_windows_1", "bad-box", 'bbox is ["1", "2", "3", "4"]'),
    "no numbers": (row(1, bbox=[1, 2, 3, float("nan")]), "paint_windows_1", "bad-box", "bbox is [1, 2, 3, NaN]"),
    "half a px": (row(1, bbox=[1, 2, 3.5, 9]), "paint_windows_1", "bad-box", "bbox is [1, 2, 3.5, 9]"),
    "inverted": (row(1, bbox=[30, 20, 10, 40]), "paint_windows_1", "inverted-box", "[30, 20, 10, 40] in 640x400"),
    "empty": (row(1, bbox=[30, 20, 30, 40]), "paint_windows_1", "empty-box", "[30, 20, 30, 40] in 640x400"),
    "negative": (row(1, bbox=[135, -1, 151, 19]), "paint_windows_1", "negative-box", "[135, -1, 151, 19] in 640x400"),
    "past the edge": (row(1, bbox=[600, 20, 641, 40]), "paint_windows_1", "off-picture", "[600, 20, 641, 40] in 640x400"),
}


@pytest.mark.parametrize("what", ROWS)
def test_broken_rows(tmp_path: Path, what: str) -> None:
    """A broken row is rejected with its file, its place and its value; the good one beside it is used."""
    spoilt, item, reason, detail = ROWS[what]
    assert told(write(tmp_path, [row(0), spoilt])) == [(item, reason, AT + detail), ("paint_windows_0", "usable")]


FILES = {
    "cut off": ('[{"id": "a"}, {"id"', "no JSON: Expecting ':' delimiter at line 1, column 20"),
    "no list": ('{"rows": []}', 'a list of annotations was expected, not {"rows": []}'),
    "empty": ("", "no JSON: Expecting value at line 1, column 1"),
    "deep": ("[" * 100_000, "no JSON that can be read: RecursionError"),
    "null": ("null", "a list of annotations was expected, not null"),
}


@pytest.mark.parametrize("what", FILES)
def test_broken_files(tmp_path: Path, what: str) -> None:
    """A broken annotation file is one item, told by where it breaks; the other files are read."""
    content, detail = FILES[what]
    write(write(tmp_path, content, stem="torn_linux"), [row(0)])
    name = "annotations/torn_linux.json"
    assert told(tmp_path) == [(name, "bad-file", f"{name}: {detail}"), ("paint_windows_0", "usable")]


def test_not_utf8(tmp_path: Path) -> None:
    """A file in another encoding is told by the byte."""
    write(tmp_path, [row(0)])
    (tmp_path / "annotations/other_linux.json").write_bytes(b'["\xe9"]')
    assert told(tmp_path)[0] == (
        "annotations/other_linux.json", "bad-file", "annotations/other_linux.json: no UTF-8 at byte 2",
    )  # fmt: skip


def extents(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same boxes as x, y, width, height."""
    return [
        one | {"bbox": [*one["bbox"][:2], one["bbox"][2] - one["bbox"][0], one["bbox"][3] - one["bbox"][1]]} for one in rows
    ]


def test_xywh(tmp_path: Path) -> None:
    """A file whose boxes are x, y, width, height is refused as a whole: a box that could be either is no better known."""
    either = row(2, bbox=[10, 10, 200, 100])  # as corners 190x90, as an extent 200x100: both on the picture
    write(tmp_path, [*extents([row(0), row(1)]), either | {"id": "old_windows_2"}], stem="old_windows")
    write(tmp_path, [row(5)])
    evidence = "2 of the file's 3 boxes are possible only as x, y, width, height, and none only as left, top, right, bottom"
    assert told(tmp_path) == [
        ("paint_windows_0", "xywh", f"annotations/old_windows.json[0]: {evidence}; here [600, 300, 30, 20] in 640x400"),
        ("paint_windows_1", "xywh", f"annotations/old_windows.json[1]: {evidence}; here [600, 300, 30, 21] in 640x400"),
        ("old_windows_2", "xywh", f"annotations/old_windows.json[2]: {evidence}; here [10, 10, 200, 100] in 640x400"),
        ("paint_windows_5", "usable"),
    ]


def test_one_inverted_box_is_no_proof(tmp_path: Path) -> None:
    """Where another box of the file is possible only as corners, the file is of corners and one of them is inverted."""
    found = told(write(tmp_path, [row(0), row(1, bbox=[300, 200, 20, 30])]))
    assert found[0] == ("paint_windows_1", "inverted-box", AT + "[300, 200, 20, 30] in 640x400")


def test_other_corpora(tmp_path: Path) -> None:
    """A corpus of the same kind with boxes of another kind is refused at once, with what gave it away."""
    write(tmp_path, extents([row(0), row(1)]))
    with pytest.raises(BadInput, match=r"not ScreenSpot-Pro: .* 2 of the file's 2 boxes are possible only as x, y, width"):
        find(tmp_path, base=None)
    write(tmp_path, [row(0, bbox=[0.1, 0.2, 0.3, 0.4]), row(1, bbox=[0, 0, 1, 1])])
    with pytest.raises(BadInput) as caught:
        find(tmp_path, base=None)
    assert str(caught.value) == (
        f"{tmp_path}: another corpus of this kind, not ScreenSpot-Pro: no box is as it should be. "
        "annotations/paint_windows.json[0]: all 2 boxes of the file lie between 0 and 1; here [0.1, 0.2, 0.3, 0.4] in 640x400."
    )


def test_pictures(tmp_path: Path) -> None:
    """A picture that is missing, cut off, no picture, or of another size than told; a name whose twin looks the same."""
    narrow = "paint_win/Shot at 1.58.03\u202fPM.png"
    names = ["missing.png", "cut.png", "words.png", "small.png", "Shot at 1.58.03 PM.png"]
    write(tmp_path, [row(n, img_filename=f"paint_win/{name}") for n, name in enumerate(names)], pictures=[narrow])
    place = tmp_path / "images/paint_win"
    (place / "cut.png").write_bytes(picture()[:-20])
    (place / "words.png").write_bytes(b"not here")
    (place / "small.png").write_bytes(picture(size=(320, 200)))
    at = "images/paint_win"
    assert sorted(told(tmp_path)) == [
        ("paint_windows_0", "missing-picture", f"{at}/missing.png is not there"),
        ("paint_windows_1", "bad-picture", f"{at}/cut.png: The picture is broken: it is cut off"),
        ("paint_windows_2", "bad-picture", f"{at}/words.png: The picture is broken: it is no PNG or JPEG"),
        ("paint_windows_3", "wrong-size", f"img_size says 640x400, {at}/small.png is 320x200"),
        ("paint_windows_4", "missing-picture",
         f"{at}/Shot at 1.58.03 PM.png is not there, but Shot at 1.58.03\\u202fPM.png is, which is another name"),
    ]  # fmt: skip


def test_twins_that_are_both_there(tmp_path: Path) -> None:
    """Names are followed letter by letter; the twin that nobody names is noted."""
    plain, narrow = "paint_win/at 1.58 PM.png", "paint_win/at 1.58\u202fPM.png"
    found = find(write(tmp_path, [row(0, img_filename=plain)], pictures=[plain, narrow]), base=None)
    assert found.notes == ("1 pictures that no annotation names: paint_win/at 1.58\\u202fPM.png",)
    (usable,) = read(found)
    assert usable.screen.files[1].name == f"images/{plain}" if isinstance(usable, Usable) else False


def test_shared_regions(tmp_path: Path) -> None:
    """One region of one content is one item, whatever its pictures are called; two types for it are a contradiction."""
    names = [f"paint_win/{name}.png" for name in ("a", "b", "c")]
    rows = [
        row(0, img_filename=names[0]),
        row(1, img_filename=names[1], bbox=row(0)["bbox"]),
        row(2, img_filename=names[2], bbox=row(0)["bbox"]),  # another content
        row(3, img_filename=names[0], bbox=[10, 10, 40, 40]),
        row(4, img_filename=names[1], bbox=[10, 10, 40, 40], ui_type="text"),
    ]
    write(tmp_path, rows, pictures=names[:2])
    (tmp_path / "images" / names[2]).write_bytes(picture(9))
    wanted = [
        ("paint_windows_0", "usable"),
        ("paint_windows_3", "contradicted", "icon here, text in paint_windows_4"),
        ("paint_windows_1", "same-region", "paint_windows_0 has the box [600, 300, 630, 320] as well"),
        ("paint_windows_4", "contradicted", "text here, icon in paint_windows_3"),
        ("paint_windows_2", "usable"),
    ]
    assert told(tmp_path) == wanted
    # Whatever was read before, what is left is told the same.
    for n in range(len(wanted)):
        assert told(tmp_path, skip={one[0] for one in wanted[:n]}) == wanted[n:]
        assert told(tmp_path, only={wanted[n][0]}) == [wanted[n]]


def test_a_picture_is_read_once(tmp_path: Path) -> None:
    """Annotations of one picture follow one another, over all files; what was read before is not opened again."""
    names = [f"paint_win/{n}.png" for n in range(3)]
    write(tmp_path, [row(n, img_filename=names[n % 3]) for n in range(9)], pictures=names)
    write(tmp_path, [row(10 + n, img_filename=names[n]) for n in range(3)], stem="brush_macos", pictures=())
    found = find(tmp_path, base=None)
    pictures = [one.picture for one in read(found) if isinstance(one, Usable)]
    assert len(pictures) == 12
    assert len({id(content) for content in pictures}) == 3
    (tmp_path / "images" / names[0]).unlink()
    done = {one.item for one in read(found) if isinstance(one, Rejected)}
    assert len(done) == 4
    assert all(isinstance(one, Usable) for one in read(found, skip=done))


def test_memory_stays_flat(tmp_path: Path) -> None:
    """Of thirty pictures of two MB each no more than two are held at a time."""
    names = [f"paint_win/{n:02}.png" for n in range(30)]
    noise = Image.frombytes("RGB", (1000, 700), hashlib.shake_256(b"noise").digest(2_100_000))
    write(tmp_path, [row(n, img_filename=name, img_size=[1000, 700]) for n, name in enumerate(names)], pictures=())
    (tmp_path / "images" / names[0]).write_bytes(encode(noise))
    for name in names[1:]:
        (tmp_path / "images" / name).hardlink_to(tmp_path / "images" / names[0])
    found = find(tmp_path, base=None)
    tracemalloc.start()
    try:
        kinds = Counter(type(one).__name__ for one in read(found))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert kinds == {"Usable": 30}
    assert peak < 3 * 2_200_000


def test_files_of_the_system(tmp_path: Path) -> None:
    """What an operating system leaves beside the files of an archive is neither annotation nor picture."""
    write(tmp_path, [row(0)])
    for name in ("annotations/._paint_windows.json", "images/paint_win/._one.png", "annotations/.DS_Store"):
        (tmp_path / name).write_bytes(b"\0\5\x16\7")
    assert told(tmp_path) == [("paint_windows_0", "usable")]
    assert find(tmp_path, base=None).notes == ()


@pytest.mark.parametrize(
    ("there", "message"),
    [
        (None, "there is no such folder"),
        ((), "found nothing in it"),
        (("combined",), "found combined/"),
        (("annotations",), "found annotations/"),
        (("annotations", "images", "a", "b", "c", "d"), "found a/, annotations/, b/, c/, d/ and 1 more"),
    ],
)
def test_wrong_folders(tmp_path: Path, there: tuple[str, ...] | None, message: str) -> None:
    """A folder that is no such corpus: what was expected, what was found."""
    for name in there or ():
        (tmp_path / name).mkdir()
    path = tmp_path / "elsewhere" if there is None else tmp_path
    expected = "expected a folder with annotations/<application>_<platform>.json and images/<folder>/<name>.png"
    with pytest.raises(BadInput) as caught:
        find(path, base=None)
    assert str(caught.value) == f"{path}: {expected}; {message}."


def test_no_base(tmp_path: Path) -> None:
    """It annotates no other corpus."""
    with pytest.raises(BadInput, match="annotates no other corpus: leave out the base"):
        find(write(tmp_path, [row(0)]), base=tmp_path)


def test_reasons_are_told() -> None:
    """Each reason stands on the source's page."""
    page = (ROOT / "docs/sources/screenspot_pro.md").read_text()
    assert [reason for reason in REASONS if f"| `{reason}` |" not in page] == []


@pytest.mark.browser
def test_made_corpus(tmp_path: Path) -> None:
    """Of a made corpus every good target is drawn with its true type and box, and every defect is rejected by name."""
    truth = make(tmp_path, annotations=28)
    found = find(tmp_path, base=None)
    assert found.made
    probes, rejected = [], Counter[str]()
    for one in read(found):
        if isinstance(one, Rejected):
            rejected[one.reason] += 1
            continue
        drawn = draw(one.screen, open_look(one.picture, None), seed=1)
        rejected += drawn.rejected
        for probe in drawn.probes:
            probes.append(probe)
            assert probe.edit is not None
            swapped = edited(one.structure, probe.edit)
            assert says(one.structure, probe.edit.node, probe.edit.rule) == probe.gold
            assert says(swapped, probe.edit.node, probe.edit.rule) == probe.structural
            assert normal(swapped) == swapped
    drawn_boxes = {
        probe.provenance.node: (probe.gold, [probe.region.x, probe.region.y, probe.region.width, probe.region.height])
        for probe in probes
    }
    assert drawn_boxes == {
        name: (type_, [box[0], box[1], box[2] - box[0], box[3] - box[1]]) for name, (type_, box) in truth.items()
    }
    assert {type_ for type_, _ in truth.values()} == {"icon", "text"}
    assert all(probe.provenance.made for probe in probes)
    defects = dict.fromkeys(REASONS, 1) | {
        "bad-box": 2, "bad-row": 2, "contradicted": 2, "missing-picture": 2, "xywh": 14, "flat": 1, "tiny": 1, "large": 1,
    }  # fmt: skip
    assert dict(rejected) == {reason: n for reason, n in defects.items() if reason != "normalised"}


def real(corpora: Path, tmp_path: Path) -> Path:
    """The publisher's layout over the samples: the pictures that are there carry a small mark, and lie in another folder."""
    samples = corpora / "screenspot_pro"
    (tmp_path / "annotations").symlink_to(samples / "annotations")
    (tmp_path / "images").mkdir()
    for folder in (samples / "images_marked").iterdir():
        if folder.is_dir():
            (tmp_path / "images" / folder.name).symlink_to(folder)
    return tmp_path


def test_real_annotations(corpora: Path, tmp_path: Path) -> None:
    """1,030 real annotations: one has a negative box, the pictures of 1,004 are not there, and 25 are drawn."""
    found = find(real(corpora, tmp_path), base=None)
    assert found.items == 1030
    outcomes, drawn = Counter[str](), Counter[str]()
    for one in read(found):
        if isinstance(one, Rejected):
            outcomes[one.reason] += 1
            if one.reason != "missing-picture":
                assert (one.item, one.detail) == (
                    "inventor_windows_60", "annotations/inventor_windows.json[60]: [135, -1, 151, 19] in 3840x1080",
                )  # fmt: skip
            continue
        outcomes["usable"] += 1
        result = draw(one.screen, open_look(one.picture, None), seed=1)
        assert not result.rejected, one.screen.item
        drawn.update(probe.gold for probe in result.probes)
        for probe in result.probes:
            assert shown(one.picture, probe.view, probe.region).size == (1024, 768)
    assert outcomes == {"missing-picture": 1004, "negative-box": 1, "usable": 25}
    assert drawn == {"text": 21, "icon": 4}


def test_real_regions_differ(corpora: Path) -> None:
    """By the publisher's hashes no two of the real annotations have one box on one content, though 43 names share a content."""
    samples = corpora / "screenspot_pro"
    with (samples / "images_manifest.csv").open(encoding="utf-8") as lines:
        content = {one["img_filename"]: one["sha256"] for one in csv.DictReader(lines)}
    rows = [one for file in sorted((samples / "annotations").glob("*.json")) for one in json.loads(file.read_bytes())]
    names = Counter(content[one["img_filename"]] for one in rows)
    assert sum(n for n in names.values() if n > 1) == 43
    assert len({(content[one["img_filename"]], *one["bbox"]) for one in rows}) == len(rows) == 1030
