"""CLAY's labels on RICO's views: joined by pointer, refused where they do not match. No row here is CLAY's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.sources import Rejected, Usable, clay, rico
from builder.sources._clay_labels import FAULTS, NAMES, read_labels, read_names, read_splits
from domain.errors import BadInput
from tests.corpora import clay as made_clay
from tests.corpora import rico as made_rico
from tests.corpora.hierarchies import hierarchy, picture, view, write

HEADER = "screen_id,node_id,label\n"
SCREEN = hierarchy(view("1", (0, 0, 1440, 2560), view("aaaa", (0, 0, 9, 9)), view("b0b", (0, 0, 9, 9)), view("c0c")))
PICTURE = picture()


def csv(folder: Path, text: str) -> Path:
    path = folder / "clay_labels.csv"
    path.write_bytes(text.encode())
    return path


def read(folder: Path, rows: str) -> list[Usable | Rejected]:
    """Screen 336 with views 1, aaaa, b0b and c0c, and these rows."""
    write(folder / "rico", "336", SCREEN, PICTURE)
    return list(clay.read(clay.find(csv(folder, HEADER + rows), base=folder / "rico")))


def labels(one: Usable | Rejected) -> dict[str, str | None]:
    assert isinstance(one, Usable), one
    return {node.key: node.label for node in one.screen.nodes}


@pytest.mark.parametrize("form", ["{}", "0.1.2|{}"])
def test_joined_by_pointer(tmp_path: Path, form: str) -> None:
    """A row names a view by its pointer, alone or behind its place in the tree; a view without a row has no label."""
    rows = "".join(f"336,{form.format(node)},{label}\n" for node, label in (("1", -1), ("b0b", 0), ("aaaa", 2)))
    [one] = read(tmp_path, rows)
    assert labels(one) == {"1": "ROOT", "aaaa": "PICTOGRAM", "b0b": "BACKGROUND", "c0c": None}
    assert isinstance(one, Usable)
    assert [file.name for file in one.screen.files] == ["combined/336.json", "combined/336.jpg", "clay_labels.csv"]
    assert (one.screen.source, one.screen.item) == ("clay", "336")


@pytest.mark.parametrize(
    ("rows", "fault", "line"),
    [
        ("336,b0b,21336,c0c,4\n", "glued", 3),
        ("336,b0b\n", "short", 3),
        ("one,b0b,4\n", "screen", 3),
        ("99999999999,b0b,4\n", "screen", 3),
        ("336,node,4\n", "pointer", 3),
        ("336,,4\n", "pointer", 3),
        ("336,b0b,24\n", "unknown-label", 3),
        ("336,b0b,TEXT\n", "unknown-label", 3),
        ("\n", "short", 3),
    ],
)
def test_lines_that_do_not_count(tmp_path: Path, rows: str, fault: str, line: int) -> None:
    """A bad line costs itself, never its neighbours; the first ones are named by number."""
    found = read_labels(csv(tmp_path, HEADER + "336,aaaa,2\n" + rows + "336,c0c,4\n"))
    assert found.of(336) == {"aaaa": "PICTOGRAM", "c0c": "TEXT"}
    assert (found.rows, found.faults, found.lines) == (3, {fault: 1}, {fault: (line,)})
    assert set(found.faults) <= set(FAULTS)


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "336,aaaa,2\n336,c0c,4",
        "\ufeff" + HEADER + "336,aaaa,2\n336,c0c,4\n",
        (HEADER + "336,aaaa,2\n336,c0c,4\n").replace("\n", "\r\n"),
        'screen_id,node_id,label\n"336","aaaa","2"\n"336","c0c","4"\n',
        "label,screen_id,node_id\n2,336,aaaa\n4,336,c0c\n",
        HEADER + "336,aaaa,2\n7,aaaa,3\n336,c0c,4\n",
    ],
    ids=["no last newline", "byte order mark", "CRLF", "quoted", "other order", "scattered"],
)
def test_ways_to_write_the_same(tmp_path: Path, text: str) -> None:
    """However the rows are written, they say the same, and nothing is called wrong."""
    found = read_labels(csv(tmp_path, text))
    assert found.of(336) == {"aaaa": "PICTOGRAM", "c0c": "TEXT"}
    assert not found.faults


def test_rows_that_say_it_again_or_otherwise(tmp_path: Path) -> None:
    """A repeated row is counted once; a node with two labels has none."""
    found = read_labels(csv(tmp_path, HEADER + "336,aaaa,2\n336,b0b,1\n336,aaaa,2\n336,b0b,4\n"))
    assert found.of(336) == {"aaaa": "PICTOGRAM"}
    assert found.faults == {"again": 1, "contradicts": 1}
    assert found.of(337) == {}


def test_minus_one_is_the_root() -> None:
    """-1 is ROOT, a valid node; the invalid label is 0. The map is the published one: 25 names."""
    assert (NAMES[-1], NAMES[0], NAMES[2], NAMES[8], NAMES[9], NAMES[23]) == (
        "ROOT", "BACKGROUND", "PICTOGRAM", "CHECK_BOX", "SWITCH", "NUMBER_STEPPER",
    )  # fmt: skip
    assert len(NAMES) == 25


def test_another_label_map_is_refused(tmp_path: Path) -> None:
    """Where the map beside the rows calls a number otherwise, nothing is read."""
    lines = [f"{number}: {name}" for number, name in NAMES.items()]
    lines[1], lines[2] = "0: IMAGE", "1: BACKGROUND"
    (tmp_path / "label_map.txt").write_text("\n".join(lines))
    with pytest.raises(BadInput) as told:
        read_names(tmp_path)
    assert str(told.value) == (
        f"{tmp_path}/label_map.txt is not the published label map: 0 is IMAGE, expected BACKGROUND, "
        "1 is BACKGROUND, expected IMAGE. Labels would mean something else; nothing was read."
    )
    (tmp_path / "label_map.txt").write_text("ROOT\n")
    with pytest.raises(BadInput, match=r"label_map\.txt, line 1: 'ROOT' is not <number>: <NAME>\."):
        read_names(tmp_path)


def test_wrong_files(tmp_path: Path) -> None:
    """What is no CLAY says what was expected and what was found."""
    write(tmp_path / "rico", "336", SCREEN, PICTURE)
    base = tmp_path / "rico"
    expected = f"Expected: {clay.EXPECTS}."
    for path, said in (
        (tmp_path, f"{tmp_path} holds no clay_labels.csv. {expected}"),
        (tmp_path / "x.csv", f"{tmp_path}/x.csv is not there. {expected}"),
    ):
        with pytest.raises(BadInput) as told:
            clay.find(path, base=base)
        assert str(told.value) == said
    file = csv(tmp_path, "id,node,class\n336,aaaa,2\n")
    with pytest.raises(BadInput) as told:
        clay.find(file, base=base)
    assert str(told.value) == f"{file} begins with 'id,node,class'. Expected: screen_id,node_id,label."
    csv(tmp_path, HEADER + "336,x y,2\n")
    with pytest.raises(BadInput) as told:
        clay.find(file, base=base)
    assert str(told.value).startswith(f"{file}: none of 1 lines is a row of screen, node and label; 1 x a line has a node that")
    csv(tmp_path, HEADER + "336,aaaa,2\n")
    with pytest.raises(BadInput, match="ingest RICO first, or give its path with --base"):
        clay.find(file)


def test_labels_of_another_numbering_are_refused(tmp_path: Path) -> None:
    """A file of which next to nothing matches is refused with the numbers."""
    with pytest.raises(BadInput) as told:
        read(tmp_path, "".join(f"336,{at:x},4\n" for at in range(0x10, 0x38)))
    assert str(told.value) == (
        f"{tmp_path}/clay_labels.csv does not match {tmp_path}/rico/combined: 0 of 40 labels on 1 screens name a view by its "
        "pointer. Is it CLAY's file, and this the RICO that it labels?"
    )
    with pytest.raises(BadInput, match="none of RICO's first 1 screens has labels"):
        read(tmp_path, "9,aaaa,4\n")


def test_a_screen_that_does_not_match(tmp_path: Path) -> None:
    """One screen whose labels name other views is rejected by itself; one that RICO lacks, too."""
    write(tmp_path / "rico", "7", SCREEN, PICTURE)
    matching = "".join(f"336,{node},4\n" for node in ("1", "aaaa", "b0b", "c0c"))
    one, other, lacking = read(tmp_path, "7,aaaa,4\n7,f1,4\n7,f2,4\n" + matching + "99,aaaa,4\n")
    assert isinstance(one, Rejected)
    assert (one.item, one.reason, one.detail) == ("7", "labels-do-not-match", "1 of 3 labels name one of 4 views")
    assert isinstance(other, Usable)
    assert isinstance(lacking, Rejected)
    assert (lacking.item, lacking.reason, lacking.detail) == ("99", "not-in-rico", "1 labels")


def test_splits_are_not_glued(tmp_path: Path) -> None:
    """The split files end without a newline; each is read by itself."""
    (tmp_path / "split_train_id.txt").write_text("1\n10")
    (tmp_path / "split_test_id.txt").write_text("2\n20")
    assert read_splits(tmp_path) == {"1": "train", "10": "train", "2": "test", "20": "test"}


def test_the_made_corpus(made_mobile: Path) -> None:
    """Every usable screen has its labels as they were drawn, and every broken one its reason; made is said."""
    found = clay.find(made_mobile / "clay", base=made_mobile / "rico")
    assert found.made
    rows = len((made_mobile / "clay/clay_labels.csv").read_text().splitlines()) - 1
    assert found.notes[0] == f"{rows:,} rows on {8 + len(made_rico.BROKEN) + 2} screens"
    assert sum(f"1 x a line {FAULTS[fault]}" in " ".join(found.notes) for fault in made_clay.FAULTS) == len(made_clay.FAULTS)
    assert found.notes[-1].endswith("least on screen 70011: 0.0%")
    read = list(clay.read(found))
    usable = [one for one in read if isinstance(one, Usable)]
    for one, described in zip(usable, made_rico.made(8, defects=True), strict=True):
        drawn = {made_rico.pointer(described, at): v.label for at, v in enumerate(made_rico.views(described.root))}
        assert {key: label for key, label in labels(one).items() if label is not None}.items() <= drawn.items()
        assert sum(label is None for label in labels(one).values()) <= 1
    rejected = {one.item: one.reason for one in read if isinstance(one, Rejected)}
    others = {str(made_rico.OTHERWISE): "labels-do-not-match", str(made_clay.NOT_IN_RICO): "not-in-rico"}
    assert rejected == {str(item): reason for item, reason in made_rico.BROKEN.items()} | others
    assert set(rejected.values()) <= set(clay.REASONS)
    assert {one.screen.split for one in usable} == {"train", "dev", "test"}


def test_skip_and_only(made_mobile: Path) -> None:
    """Screens that were read are not read again, and of just those asked for none else appears."""
    found = clay.find(made_mobile / "clay", base=made_mobile / "rico")
    items = [one.screen.item for one in clay.read(found) if isinstance(one, Usable)]
    assert [one.screen.item for one in clay.read(found, skip=items[:6]) if isinstance(one, Usable)] == items[6:]
    assert [one.screen.item for one in clay.read(found, only=items[2:4]) if isinstance(one, Usable)] == items[2:4]


def test_real_splits(corpora: Path) -> None:
    """The published map is ours; the splits hold 59,555 screens; 50 of the 54 sample screens are among them."""
    assert read_names(corpora / "clay")
    splits = read_splits(corpora / "clay")
    assert len(splits) == 59555
    sample = {pair.item for pair in rico.pairs(rico.find(corpora / "rico")) if hasattr(pair, "item")}
    assert sorted(sample - splits.keys()) == ["33616", "33627", "33690", "33691"]
