"""RICO as its publisher ships it: folder or archive, and what becomes of each thing that is wrong with it."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from builder.sources import Rejected, Usable, rico
from builder.sources._rico_files import Waiting
from channels.structures import view_hierarchy
from domain.errors import BadInput
from domain.geometry import Box
from domain.screen import Node, Screen
from tests.corpora import rico as made_rico
from tests.corpora.hierarchies import hierarchy, picture, view, write

PICTURE = picture()


def read_one(folder: Path, content: bytes | None, shown: bytes | None = PICTURE) -> Usable | Rejected:
    write(folder, "336", content, shown)
    [one] = rico.read(rico.find(folder))
    return one


def screen(folder: Path, root: object, shown: bytes = PICTURE) -> Screen:
    one = read_one(folder, hierarchy(root), shown)
    assert isinstance(one, Usable), one
    return one.screen


def nodes(folder: Path, *children: object, shown: bytes = PICTURE) -> dict[str, Node]:
    return {node.key: node for node in screen(folder, view("aaaa", (0, 0, 1440, 2560), *children), shown).nodes}


def test_a_screen(tmp_path: Path) -> None:
    """Both files by their hashes, the app as site, the normal structure, and every view in the document's order."""
    content = hierarchy(view("aaaa", (0, 0, 1440, 2392), view("b0b", (144, 256, 288, 512), text="Pay"), view("c0c")))
    one = read_one(tmp_path, content)
    assert isinstance(one, Usable)
    found = one.screen
    assert (found.source, found.item, found.site, found.made) == ("rico", "336", "com.example.shop", False)
    assert (found.width, found.height, found.format) == (540, 960, "view_hierarchy")
    assert [(f.name, f.size, f.sha256) for f in found.files] == [
        ("combined/336.json", len(content), hashlib.sha256(content).hexdigest()),
        ("combined/336.jpg", len(PICTURE), hashlib.sha256(PICTURE).hexdigest()),
    ]
    assert found.screenshot == hashlib.sha256(one.picture).hexdigest()
    assert one.structure == view_hierarchy.normal(content)
    assert found.structure == hashlib.sha256(one.structure).hexdigest()
    assert [(node.key, node.parent) for node in found.nodes] == [("aaaa", None), ("b0b", "aaaa"), ("c0c", "aaaa")]


@pytest.mark.parametrize(
    ("size", "box"),
    [((540, 960), Box(54, 96, 54, 96)), ((1080, 1920), Box(108, 192, 108, 192))],
)
def test_boxes_are_image_px(tmp_path: Path, size: tuple[int, int], box: Box) -> None:
    """1440 x 2560 of the device are the whole picture, whatever its size: 144 is a tenth of the width."""
    assert nodes(tmp_path, view("b0b", (144, 256, 288, 512)), shown=picture(*size))["b0b"].box == box


@pytest.mark.parametrize(
    ("bounds", "fault"),
    [
        ((700, 900, 300, 1000), "inverted"),
        ((300, 900, 700, 800), "inverted"),
        ((200, 200, 200, 260), "empty"),
        ((200, 200, 260, 200), "empty"),
        ((-1440, 0, 0, 100), "off-screen"),
        ((0, 2560, 100, 2600), "off-screen"),
        ((1440, 0, 1500, 100), "off-screen"),
        (None, "no-bounds"),
        ([1, 2, 3], "no-bounds"),
        (["0", "0", "9", 9], "no-bounds"),
        ([[], [], [], []], "no-bounds"),
    ],
)
def test_views_without_a_box(tmp_path: Path, bounds: object, fault: str) -> None:
    """A box that cannot be used is none, says why, and costs the screen nothing."""
    node = nodes(tmp_path, view("b0b", bounds))["b0b"]
    assert (node.box, node.box_fault) == (None, fault)


def test_negative_corners_stay(tmp_path: Path) -> None:
    """A view that is half outside keeps its whole box; cutting is the family's business."""
    assert nodes(tmp_path, view("b0b", (-144, 2304, 144, 2816)))["b0b"].box == Box(-54, 864, 108, 192)


def test_odd_content(tmp_path: Path) -> None:
    """NULs leave texts but not the structure; null children are no views; descriptions are lists; visibility is kept."""
    spoken = view("c0c", text="B\0C", content_desc=["Share\0"], visibility="gone", visible_to_user=False)
    one = read_one(tmp_path, hierarchy(view("aaaa", (0, 0, 1440, 2560), None, spoken, None)))
    assert isinstance(one, Usable)
    [_, node] = one.screen.nodes
    assert (node.text, node.visible) == ("BC", False)
    assert dict(node.attributes) == {"content-desc": "Share", "visibility": "gone"}
    kept = json.loads(one.structure)["activity"]["root"]["children"]
    assert (kept[0], kept[1]["text"], kept[2]) == (None, "B\0C", None)


def test_pointers_of_several_views(tmp_path: Path) -> None:
    """Views that share a pointer, or have none, cannot be named: they are listed without a box."""
    nameless = view("x", (0, 0, 9, 9))
    del nameless["pointer"]
    found = screen(tmp_path, view("aaaa", (0, 0, 1440, 2560), view("b0b", (0, 0, 9, 9)), view("b0b", (0, 0, 9, 9)), nameless))
    assert [(n.key, n.box_fault) for n in found.nodes] == [
        ("aaaa", ""),
        ("b0b", "same-pointer"),
        ("b0b", "same-pointer"),
        ("@3", "no-pointer"),
    ]


def test_a_dialog_is_a_root(tmp_path: Path) -> None:
    """A root that is not the whole screen is a root: the app behind it is in the picture alone."""
    assert screen(tmp_path, view("aaaa", (80, 597, 1360, 1879))).nodes[0].box == Box(30, 223.875, 480, 480.75)


def test_half_a_character(tmp_path: Path) -> None:
    """A text that was cut inside an emoji is read, with U+FFFD for the half."""
    content = hierarchy(view("aaaa", text="X")).replace(b'"X"', b'"Hi \\ud83d"')
    one = read_one(tmp_path, content)
    assert isinstance(one, Usable)
    assert one.screen.nodes[0].text == "Hi \ufffd"


GOOD = hierarchy(view("aaaa"))
DEEP = b'{"activity": {"root": ' + b'{"pointer": "a", "children": [' * 200 + b"]}" * 200 + b"}}"


@pytest.mark.parametrize(
    ("content", "shown", "reason", "detail"),
    [
        (b"null", PICTURE, "null", "the file is null"),
        (b'{"activity": null}', PICTURE, "null", "activity.root is not a view"),
        (
            b"",
            PICTURE,
            "no-json",
            "The view hierarchy is no JSON: Input is a zero-length, empty document: line 1 column 1 (char 0)",
        ),
        (
            b'{"activity": ',
            PICTURE,
            "no-json",
            "The view hierarchy is no JSON: unexpected end of data: line 1 column 14 (char 13)",
        ),
        (hierarchy(view("aaaa", (0, 0, 9, 9), 7)), PICTURE, "no-view", "a child of 'aaaa' is int, neither a view nor null"),
        (hierarchy(view("aaaa", children=7)), PICTURE, "no-view", "children of 'aaaa' is int, not a list"),
        (DEEP, PICTURE, "no-view", "The view hierarchy cannot be written: Recursion limit reached"),
        (None, PICTURE, "no-hierarchy", "combined/336.json is not there"),
        (GOOD, None, "no-picture", "combined/336.jpg is not there"),
        (GOOD, b"<html>Not found</html>", "no-jpeg", "it begins with b'<html>No', 22 bytes in all"),
        (GOOD, PICTURE[:2], "no-jpeg", "it begins with b'\\xff\\xd8', 2 bytes in all"),
        (GOOD, PICTURE[:9000], "cut-off", "no end marker in 9,000 bytes of a picture of 540x960"),
        (GOOD, picture(960, 540), "odd-shape", "960x540"),
        (GOOD, picture(540, 720), "odd-shape", "540x720"),
    ],
)
def test_what_cannot_be_used(tmp_path: Path, content: bytes | None, shown: bytes | None, reason: str, detail: str) -> None:
    """Each fault of a screen has its name and says which value it was; the files that are there are pinned."""
    one = read_one(tmp_path, content, shown)
    assert isinstance(one, Rejected)
    assert (one.item, one.reason, one.detail) == ("336", reason, detail)
    assert len(one.files) == (content is not None) + (shown is not None)
    assert reason in rico.REASONS


@pytest.mark.parametrize("colour", ["black", "white", "#204060"])
def test_flat_pictures(tmp_path: Path, colour: str) -> None:
    """A picture of nothing is rejected, whatever the tree says is on it."""
    shown = picture(1080, 1920, colour)
    one = read_one(tmp_path, GOOD, shown)
    assert isinstance(one, Rejected)
    assert (one.reason, one.detail) == ("flat", f"one colour on 1080x1920, {len(shown):,} bytes")


def test_wrong_folders(tmp_path: Path) -> None:
    """A path that is no RICO says what was expected and what is there."""
    expected = f"Expected: {rico.EXPECTS}."
    assert rico.EXPECTS.startswith("the folder combined/ of <number>.json and <number>.jpg, ")
    with pytest.raises(BadInput) as told:
        rico.find(tmp_path / "no")
    assert str(told.value) == f"{tmp_path}/no is not there. {expected}"
    (tmp_path / "traces").mkdir()
    (tmp_path / "readme.txt").write_text("hello")
    with pytest.raises(BadInput) as told:
        rico.find(tmp_path)
    assert str(told.value) == f"{tmp_path} holds no screens of RICO. {expected} Found: readme.txt."
    with pytest.raises(BadInput, match=r"readme\.txt is no tar archive that can be read: "):
        rico.find(tmp_path / "readme.txt")
    with pytest.raises(BadInput, match="stands on no other corpus"):
        rico.find(tmp_path, base=tmp_path)


def told(one: Usable | Rejected) -> tuple[str, str]:
    return (one.screen.item, one.screen.structure) if isinstance(one, Usable) else (one.item, one.reason)


def test_folder_parent_and_archive_are_one(made_mobile: Path, tmp_path: Path) -> None:
    """The same screens are read from combined/, the folder it is in, and the archive, whatever the order of its members."""
    folder = made_mobile / "rico"
    found = rico.find(folder)
    assert (found.made, found.items) == (True, 8 + 1 + len(made_rico.BROKEN) + 1)
    listed = [told(one) for one in rico.read(found)]
    assert [told(one) for one in rico.read(rico.find(folder / "combined"))] == listed
    expected = [(str(item), reason) for item, reason in made_rico.BROKEN.items()] + [(made_rico.STRAY, "odd-name")]
    assert [one for one in listed if len(one[1]) < 64] == expected
    files = sorted((folder / "combined").iterdir())
    for order in (files, [f for f in files if f.suffix == ".json"] + [f for f in files if f.suffix == ".jpg"], files[::-1]):
        archive = tmp_path / "unique_uis.tar.gz"
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(folder / "MADE.txt", "MADE.txt")
            for file in order:
                tar.add(file, f"combined/{file.name}")
        in_archive = rico.find(archive)
        assert in_archive.made
        assert sorted(told(one) for one in rico.read(in_archive)) == sorted([*listed, ("MADE.txt", "odd-name")][:-1])


def tar_of(path: Path, *members: tuple[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


def test_archives_with_faults(tmp_path: Path) -> None:
    """The first of two members with one name counts; what has no other half comes last; a broken archive says after what."""
    members = [
        ("combined/7.jpg", PICTURE),
        ("combined/336.json", GOOD),
        ("combined/._336.json", b"of a Mac"),
        ("combined/336.json", b"null"),
        ("combined/336.jpg", PICTURE),
        ("combined/336.jpg", b""),
    ]
    archive = tar_of(tmp_path / "a.tar.gz", *members)
    assert [told(one)[0] for one in rico.read(rico.find(archive))] == ["336.json#2", "336", "336.jpg#2", "7"]
    whole = archive.read_bytes()
    archive.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(BadInput, match=r"breaks off after combined/\S+: .+ Get it again; what was read stays read\."):
        list(rico.read(rico.find(archive)))


def test_skip_and_only(made_mobile: Path) -> None:
    """Items that were read before are not read again, and just those asked for are."""
    found = rico.find(made_mobile / "rico")
    items = [told(one)[0] for one in rico.read(found)]
    assert [told(one)[0] for one in rico.read(found, skip=items[:5])] == items[5:]
    assert [told(one)[0] for one in rico.read(found, only=[items[3], items[1]])] == [items[1], items[3]]


def test_what_waits_goes_to_the_disk() -> None:
    """Files that wait for their other half are the same when they come back from the disk, in any order."""
    with Waiting(10) as waiting:
        for item, content in (("1", b"aaaaaa"), ("2", b"bbbbb"), ("3", b"c" * 40), ("4", b"dd")):
            waiting.put(item, "json", content)
        assert waiting.held <= 10
        assert (waiting.take("3"), waiting.take("1"), waiting.take("4"), waiting.take("2")) == (
            b"c" * 40,
            b"aaaaaa",
            b"dd",
            b"bbbbb",
        )
        assert list(waiting) == []


def test_real_screens(corpora: Path) -> None:
    """All 54 real screens are usable; every view without a box is inverted or empty, as counted by another program."""
    read = list(rico.read(rico.find(corpora / "rico")))
    screens = [one.screen for one in read if isinstance(one, Usable)]
    assert len(screens) == len(read) == 54
    faults = [node.box_fault for one in screens for node in one.nodes if node.box is None]
    assert (faults.count("inverted"), faults.count("empty"), len(faults)) == (114, 330, 444)
    seen = [node for one in screens for node in one.nodes if node.visible]
    assert all(node.box is not None for node in seen)  # visible to the user implies a box that can be used
    assert sum(one.width == 540 for one in screens) == 26
