"""Mind2Web is read as it is published, and whatever is wrong with a row or a file is told by name."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builder.sources import Rejected, Usable, mind2web
from builder.sources._mind2web_rows import Candidate, box_of, corners, page_fault, rect_of
from channels.structures import html
from domain.errors import BadInput
from domain.geometry import Box
from tests.corpora.mind2web import SCHEMA, candidate, make, uid, write
from tests.corpora.mind2web_dump import TASK, make_dump, write_dump

Row = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pages, a train file, and a row of each kind that cannot be used."""
    return make(tmp_path_factory.mktemp("mind2web"), 4)


@pytest.fixture(scope="module")
def rows(made: Path) -> list[Row]:
    """The rows of the test files, as they were written."""
    return [row for file in sorted(made.glob("data/test_task-*")) for row in pq.read_table(file).to_pylist()]


def _read(path: Path, **more: Any) -> tuple[list[Usable], list[Rejected]]:
    read = list(mind2web.read(mind2web.find(path, base=None), **more))
    return [one for one in read if isinstance(one, Usable)], [one for one in read if isinstance(one, Rejected)]


def test_pages_are_read_with_their_picture_structure_and_boxes(made: Path, rows: list[Row]) -> None:
    """Hashes are of the picture's bytes and of the normal structure; a text has the box of the nearest candidate around it."""
    found = mind2web.find(made, base=None)
    assert (found.made, found.items, found.notes) == (True, 16, ())
    usable, _ = _read(made)
    assert [one.screen.item for one in usable] == [uid(n) for n in range(4)]
    for one, row in zip(usable, rows, strict=False):
        screen = one.screen
        assert one.picture == row["screenshot"]["bytes"]
        assert screen.screenshot == hashlib.sha256(one.picture).hexdigest()
        assert screen.structure == hashlib.sha256(one.structure).hexdigest()
        assert one.structure == html.normal(row["cleaned_html"].encode())
        assert (screen.site, screen.split, screen.made, screen.format) == (row["website"], "test_task", True, "html")
        (file,) = screen.files
        assert file.sha256 == hashlib.sha256((made / file.name).read_bytes()).hexdigest()
        assert file.name.startswith("data/test_task-0000")
    boxes = {
        (one := orjson.loads(text))["backend_node_id"]: orjson.loads(one["attributes"])["bounding_box_rect"]
        for text in rows[1]["neg_candidates"]
    }
    heading = next(node for node in usable[1].screen.nodes if node.text == "Districts in figures")
    assert heading.box == Box(*map(float, boxes[heading.parent].split(",")))
    assert (heading.type, heading.box_fault, html.says(usable[1].structure, heading.key, "swap-text")) == (
        "text",
        "",
        heading.text,
    )


def test_every_broken_row_is_rejected_with_its_reason_and_the_rest_is_read(made: Path) -> None:
    """One of each kind that `tests/corpora` writes; what was wrong is told to the place."""
    usable, rejected = _read(made)
    assert len(usable) == 4
    assert Counter(one.reason for one in rejected) == {
        "no-screenshot": 2, "bad-screenshot": 1, "no-html": 1, "bad-html": 1, "broken-json": 1, "no-boxes": 1, "wrong-size": 1,
        "duplicate": 1, "no-uid": 1, "train-split": 2,
    }  # fmt: skip
    told = {one.reason: one.detail for one in rejected}
    height = usable[1].screen.height
    assert told["wrong-size"] == f"The page is 1280 x 99999 px by its own box, the picture 1280 x {height}."
    assert told["broken-json"] == "neg_candidates[3].attributes is no JSON: unexpected end of data: line 1 column 18 (char 17)"
    assert told["no-boxes"] == "None of 1 candidates has a box that can be used."
    assert told["bad-screenshot"].startswith("The picture is broken: ")
    assert set(told) <= set(mind2web.REASONS)


def test_faults_of_boxes_are_kept_with_their_nodes(made: Path) -> None:
    """Page 0 has a box of no area and one that says hidden; neither is a box, and a text in one has none either."""
    usable, _ = _read(made)
    faults = Counter(node.box_fault for node in usable[0].screen.nodes if node.type != "text")
    assert (faults["zero"], faults["hidden"]) == (1, 1)
    assert {node.box for node in usable[0].screen.nodes if node.box_fault} == {None}
    assert any(node.box and node.box.x + node.box.width > 1280 for node in usable[2].screen.nodes)


def test_one_file_or_the_data_folder_is_the_same_corpus(made: Path) -> None:
    """Names of files stay relative to the corpus, so that the same rows are pinned alike."""
    file = next(iter(sorted(made.glob("data/test_task-*"))))
    for path in (file, made / "data"):
        usable, _ = _read(path)
        assert usable[0].screen.files[0].name == f"data/{file.name}"
        assert usable[0].screen.made
    assert mind2web.find(file, base=None).notes == ("split test_task: 1 of its 2 files are here",)


def test_items_that_were_read_are_not_read_again(made: Path) -> None:
    """skip and only, by action_uid; a rejected row is an item as well."""
    every = {one.screen.item for one in _read(made)[0]} | {one.item for one in _read(made)[1]}
    assert len(every) == 16
    assert _read(made, skip=every) == ([], [])
    usable, rejected = _read(made, only={uid(2), uid(1004)})
    assert [one.screen.item for one in usable] == [uid(2)]
    assert [one.item for one in rejected] == [uid(1004)]
    assert len(_read(made, skip={uid(0)})[0]) == 3


def _written(folder: Path, rows: Sequence[Row], schema: pa.Schema = SCHEMA, split: str = "test_task") -> Path:
    (folder / "data").mkdir(exist_ok=True)
    write(folder, split, 1, rows, schema)
    return folder


def test_a_missing_column_is_named(tmp_path: Path, rows: list[Row]) -> None:
    """All that are missing, before anything is read."""
    schema = SCHEMA.remove(SCHEMA.get_field_index("cleaned_html"))
    schema = schema.remove(schema.get_field_index("neg_candidates"))
    _written(tmp_path, [{name: rows[0][name] for name in schema.names}], schema)
    name = next((tmp_path / "data").iterdir()).name
    with pytest.raises(BadInput) as caught:
        mind2web.find(tmp_path, base=None)
    assert str(caught.value) == (
        f"{tmp_path}: {name} lacks the columns cleaned_html, neg_candidates. Multimodal-Mind2Web has action_uid, website, "
        "screenshot, cleaned_html, pos_candidates, neg_candidates, and more."
    )


def test_corners_instead_of_sizes_are_proven_by_the_whole_file(tmp_path: Path, rows: list[Row]) -> None:
    """Every box of the rows written as x1,y1,x2,y2: the file is refused row by row, and no row is read wrongly."""

    def swapped(text: str) -> str:
        one = orjson.loads(text)
        x, y, width, height = map(float, orjson.loads(one["attributes"])["bounding_box_rect"].split(","))
        return candidate(one["backend_node_id"], one["tag"], f"{x:g},{y:g},{x + width:g},{y + height:g}")

    columns = ("pos_candidates", "neg_candidates")
    changed = [{**row, **{name: [swapped(text) for text in row[name]] for name in columns}} for row in rows[1:3]]
    usable, rejected = _read(_written(tmp_path, changed))
    assert usable == []
    assert [one.reason for one in rejected] == ["boxes-xyxy"] * 2
    name = f"data/{next((tmp_path / 'data').iterdir()).name}"
    counted = rejected[0].detail.split()[1]
    assert rejected[0].detail == (
        f"All {counted} boxes looked at in {name} end right of and below where they begin, read as x1,y1,x2,y2."
    )
    assert int(counted) > 50


@pytest.mark.parametrize(
    ("change", "reason", "detail"),
    [
        (lambda _: {"pos_candidates": ["[1, 2]"]}, "broken-json", "pos_candidates[0] is list, not an object."),
        (
            lambda _: {"neg_candidates": ["{not json}"]},
            "broken-json",
            "neg_candidates[0] is no JSON: unexpected character, expected a string key: line 1 column 2 (char 1)",
        ),
        (
            lambda row: {"cleaned_html": "<!DOCTYPE html>" + row["cleaned_html"]},
            "bad-html",
            "The structure has a document type;",
        ),
        (lambda _: {"cleaned_html": ""}, "no-html", "cleaned_html is empty."),
        (lambda _: {"screenshot": {"bytes": b"GIF89a", "path": None}}, "bad-screenshot", "The picture is broken:"),
        (lambda _: {"pos_candidates": None, "neg_candidates": None}, "no-boxes", "None of 0 candidates has a box"),
    ],
)
def test_each_malformed_row_is_told_exactly(
    tmp_path: Path, rows: list[Row], change: Callable[[Row], Row], reason: str, detail: str
) -> None:
    """One fault at a time, in a row that is whole otherwise."""
    usable, rejected = _read(_written(tmp_path, [{**rows[1], **change(rows[1])}]))
    assert (usable, [one.reason for one in rejected]) == ([], [reason])
    assert rejected[0].detail.startswith(detail)


def test_a_damaged_file_is_told_and_the_other_files_are_read(tmp_path: Path, made: Path) -> None:
    """Bytes overwritten in the middle of one; its footer is whole."""
    (tmp_path / "data").mkdir()
    first, second = sorted(made.glob("data/test_task-*"))
    content = bytearray(first.read_bytes())
    content[5000:200_000] = b"\0" * 195_000
    (tmp_path / "data" / first.name).write_bytes(content)
    (tmp_path / "data" / second.name).write_bytes(second.read_bytes())
    usable, rejected = _read(tmp_path)
    assert "broken-file" in {one.reason for one in rejected}
    assert {one.files[0].name for one in rejected if one.files} >= {f"data/{second.name}"}
    assert len(usable) + len(rejected) > 6


def test_a_wrong_folder_says_what_was_expected_and_what_was_found(tmp_path: Path) -> None:
    """Nothing there; something else; the data set without pictures; no Parquet."""
    expects = mind2web.EXPECTS
    for name, end in (("", "found an empty folder."), ("notes", "found notes/.")):
        (tmp_path / name).mkdir(exist_ok=True)
        with pytest.raises(BadInput) as caught:
            mind2web.find(tmp_path, base=None)
        assert str(caught.value) == f"{tmp_path}: expected {expects}; {end}"
    with pytest.raises(BadInput, match="there is no such folder"):
        mind2web.find(tmp_path / "nowhere", base=None)
    with pytest.raises(BadInput, match="leave out the base"):
        mind2web.find(tmp_path, base=tmp_path)
    (tmp_path / "train").mkdir()
    with pytest.raises(BadInput, match="this looks like the original Mind2Web, which has no pictures"):
        mind2web.find(tmp_path, base=None)
    (tmp_path / "test_task-00000-of-00001.parquet").write_bytes(b"PAR1 no PAR1")
    with pytest.raises(BadInput, match=r"test_task-00000-of-00001\.parquet is no Parquet file: "):
        mind2web.find(tmp_path, base=None)


def test_the_raw_dump_is_read_from_the_browser_s_own_snapshot(tmp_path: Path) -> None:
    """Every text has a box of its own, in px of the whole page: 40 px from the left, at the tops that the page gives."""
    make_dump(tmp_path)
    (note,) = mind2web.find(tmp_path, base=None).notes
    assert note.startswith("1 tasks of the raw dump: train and test are together in it")
    (usable,), (rejected,) = _read(tmp_path)
    assert (rejected.item, rejected.reason) == ("act-2", "no-screenshot")
    screen = usable.screen
    assert (screen.item, screen.width, screen.split, screen.url) == ("act-1", 1280, "", "about:blank")
    assert [file.name for file in screen.files] == [
        f"task/{TASK}/processed/dom_content.json",
        f"task/{TASK}/processed/screenshot.json",
    ]
    texts = {node.text: node for node in screen.nodes if node.type == "text"}
    assert list(texts) == ["Tickets cost", "twelve", "crowns", "Open until nine", "Nobody sees this"]
    first, last = texts["Tickets cost"].box, texts["Open until nine"].box
    assert first is not None
    assert last is not None
    assert (round(first.y), round(last.y), 40 <= first.x < 80) == (40, 1900, True)
    parent = next(node for node in screen.nodes if node.key == texts["Open until nine"].parent)
    assert (parent.type, parent.attributes) == ("p", {"aria_label": "hours"})
    assert html.normal(usable.structure) == usable.structure


@pytest.mark.parametrize(
    ("dom", "shots", "reason", "detail"),
    [
        ({"no": "list"}, [], "broken-json", "dom_content.json is not a list of objects."),
        ([{"before": {}}], [], "no-uid", "The action has no action_uid."),
        (
            [{"action_uid": "a"}],
            [{"action_uid": "a", "before": {"screenshot": "%%"}}],
            "bad-screenshot",
            "The screenshot is no base64",
        ),
        (
            [{"action_uid": "a"}],
            [{"action_uid": "a", "before": {"screenshot": "aGk="}}],
            "bad-html",
            "before.dom is no DOM snapshot",
        ),
    ],
)
def test_a_broken_dump_is_told(tmp_path: Path, dom: Any, shots: Any, reason: str, detail: str) -> None:
    """A file as a whole, or the action."""
    write_dump(tmp_path, dom, shots)
    usable, (rejected,) = _read(tmp_path)
    assert (usable, rejected.reason) == ([], reason)
    assert rejected.detail.startswith(detail)


def test_boxes_are_read_as_they_are_written() -> None:
    """Four numbers or none; sizes, not corners."""
    assert rect_of("587,596.59375,93,54") == (587, 596.59375, 93, 54)
    for text in ("", "1,2,3", "1,2,3,4,5", "a,b,c,d", "nan,0,1,1", "inf,0,1,1"):
        assert rect_of(text) is None
    assert box_of((10, 20, 30, 40)) == (Box(10, 20, 30, 40), "")
    assert [box_of(rect)[1] for rect in (None, (-1.0, -1.0, -1.0, -1.0), (5, 5, -3, 4), (5, 5, 0, 4))] == [
        "malformed", "hidden", "inverted", "zero",
    ]  # fmt: skip
    assert box_of((-5, 2, 10, 10)) == (Box(-5, 2, 10, 10), "")


def test_corners_are_proven_by_fifty_boxes_without_exception() -> None:
    """One that is further right than it is wide disproves them; few prove nothing."""
    boxes = [(100.0 + i, 50.0 + i, 300.0 + i, 90.0 + i) for i in range(60)]
    assert corners(boxes) == 60
    assert corners(boxes[:49]) == 0
    assert corners([*boxes, (900, 10, 100, 20)]) == 0
    assert corners([(0, 0, 1280, 7000)] * 80) == 0


@pytest.mark.parametrize(
    ("size", "fault"),
    [
        ((1280, 2000), ""),
        ((1280, 1999), ""),  # a fraction of a px
        ((1400, 2500), ""),  # the page overflows its root
        ((1280, 900), "The page is 1280 x 2000.5 px by its own box, the picture 1280 x 900."),
        ((2560, 4001), "The page is 1280 x 2000.5 px by its own box, the picture 2560 x 4001."),
    ],
)
def test_a_picture_of_another_page_or_scale_is_told(size: tuple[int, int], fault: str) -> None:
    """By the root's box; without one by the share of boxes below the picture's end."""
    page = Candidate("1", "html", (0, 0, 1280, 2000.5), "")
    assert page_fault([page], *size) == fault
    rows = [Candidate(str(i), "p", (0, 100.0 * i, 50, 20), "") for i in range(10)]
    assert page_fault(rows, 1280, 650) == "3 of 10 boxes begin below a picture of 1280 x 650."
    assert page_fault(rows, 1280, 800) == ""


def test_the_real_page_is_read_and_every_text_has_a_box(corpora: Path) -> None:
    """468 candidates, all found in the structure; 1280 x 7412 px. Counts by an independent look at the file."""
    usable, rejected = _read(corpora / "mind2web")
    assert (len(usable), rejected) == (1, [])
    screen = usable[0].screen
    assert (screen.item, screen.site, screen.split) == ("c69cbea4-7231-42f7-b5fc-e0fac8f781e9", "thumbtack", "test_domain")
    assert (screen.width, screen.height, screen.made) == (1280, 7412, False)
    texts = [node for node in screen.nodes if node.type == "text"]
    assert (len(screen.nodes), len(texts), sum(node.box is None for node in texts)) == (1211, 335, 0)
    faults = Counter(node.box_fault for node in screen.nodes if node.type != "text")
    assert (faults[""], faults["zero"], faults["hidden"]) == (466, 2, 0)
    past = [node for node in screen.nodes if node.type != "text" and node.box and node.box.x + node.box.width > 1280]
    assert len(past) == 143


def test_the_boxes_of_1338_real_actions_are_what_they_are_said_to_be(corpora: Path) -> None:
    """Sizes, not corners; of the targets 81 are missing, two have no area, two end right of 1280 px."""
    lines = (corpora / "mind2web" / "as_found" / "cross_task_blocks.jsonl").read_bytes().splitlines()
    actions = [[tuple(box) for box in orjson.loads(line)["bbox"]] for line in lines]
    boxes = [box for action in actions for box in action]
    assert (len(actions), sum(not action for action in actions)) == (1338, 81)
    assert corners(boxes) == 0
    faults = Counter(box_of(rect_of(",".join(map(str, box))))[1] for box in boxes)
    assert faults["zero"] == 2
    assert set(faults) == {"", "zero"}
    assert sum(any(x + width > 1280 for x, _, width, _ in action) for action in actions) == 2
