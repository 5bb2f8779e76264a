"""The crawl's own captures, written as others' tools read them, are what was captured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset

from builder._captured_row import Artifacts, row
from builder.captures_out import COLUMNS, export_captures
from builder.sources import Usable, mind2web
from crawler.filing import Archive, file
from domain.errors import BadInput, NotFound
from domain.visit import Visit
from store.blobs import Blobs
from store.database import Database
from tests.crawler.batch import visit_all
from tests.pages.server import serve

PAGE = """<!doctype html><meta charset=utf-8>
<style>body{margin:0;font:20px sans-serif} a,p,input{position:absolute;left:40px;margin:0}</style>
<p style="top:40px">Opening hours of the shop</p><a href="#" style="top:100px" aria-label="Buy now">Add to cart</a>
<p style="top:160px">Seven <b title="brass">brass</b> bells</p><input type=password value=hushhush style="top:220px">
<p style="top:280px">We open every day of the week at nine, and close when the last guest leaves.</p>"""


@pytest.fixture
def visited(database: Database, blobs: Blobs) -> Visit:
    """One page with one label that says something else than the button shows, visited and filed."""
    with serve(more={"/shop": lambda handler: handler.send(PAGE)}) as base:
        done = visit_all({"shop": f"{base}/shop"}, "playwright", viewport="1280x720@2")
    visit = file(Archive(database, blobs), done["shop"])
    assert visit.outcome == "captured"
    return visit


def _candidates(one: dict[str, Any], column: str) -> list[dict[str, Any]]:
    return [{**(decoded := orjson.loads(text)), "attributes": orjson.loads(decoded["attributes"])} for text in one[column]]


@pytest.mark.browser
def test_a_capture_is_a_row_that_our_reader_and_datasets_read(
    visited: Visit, database: Database, blobs: Blobs, tmp_path: Path
) -> None:
    """Picture, document, texts, boxes and the flagged element; in px of a screenshot with two px for each CSS px."""
    (capture,) = visited.captures
    done = export_captures(database, blobs, tmp_path)
    assert done.model_dump() == {
        "files": ("data/test_live-00000-of-00001.parquet",), "captures": 1, "flagged": 1, "left_out": {},
    }  # fmt: skip
    (one,) = pq.read_table(tmp_path / done.files[0]).to_pylist()
    assert tuple(one) == COLUMNS
    assert (one["action_uid"], one["annotation_id"], one["website"]) == (capture.id, visited.id, "shop")
    assert one["screenshot"]["bytes"] == blobs.get(capture.artifacts["screenshot"])
    assert one["raw_html"].encode() == blobs.get(capture.artifacts["dom"])
    (positive,) = _candidates(one, "pos_candidates")
    assert (positive["tag"], positive["attributes"]["aria_label"], positive["is_original_target"]) == ("a", "Buy now", True)
    x, y, width, height = map(float, positive["attributes"]["bounding_box_rect"].split(","))
    assert (x, y) == (80, 200)  # 40, 100 CSS px
    assert width > 100
    assert 40 < height < 60
    assert "hushhush" not in one["cleaned_html"]

    found = mind2web.find(tmp_path, base=None)
    assert (found.items, found.made) == (1, False)
    (usable,) = mind2web.read(found)
    assert isinstance(usable, Usable)
    screen = usable.screen
    assert (screen.item, screen.site, screen.split) == (capture.id, "shop", "test_live")
    texts = {node.text: node for node in screen.nodes if node.type == "text"}
    assert list(texts) == [
        "Opening hours of the shop", "Add to cart", "Seven", "brass", "bells", "••••••••",
        "We open every day of the week at nine, and close when the last guest leaves.",
    ]  # fmt: skip
    assert texts["Add to cart"].parent == positive["backend_node_id"]

    rows = load_dataset(str(tmp_path), split="test_live", cache_dir=str(tmp_path / "cache"))
    assert rows[0]["screenshot"].size == (screen.width, screen.height) == (2560, 1440)
    assert rows[0]["pos_candidates"] == one["pos_candidates"]


@pytest.mark.browser
@pytest.mark.usefixtures("visited")
def test_nothing_is_written_over_and_what_cannot_be_written_is_told(database: Database, blobs: Blobs, tmp_path: Path) -> None:
    """A folder in use, an unknown format, blobs that are lost; half files are never left."""
    export_captures(database, blobs, tmp_path / "out", limit=5)
    with pytest.raises(BadInput, match=r"holds test_live-00000-of-00001\.parquet already"):
        export_captures(database, blobs, tmp_path / "out")
    with pytest.raises(BadInput, match=r"^No format 'csv' for captures\. Known: mind2web\.$"):
        export_captures(database, blobs, tmp_path / "other", format="csv")
    with pytest.raises(NotFound, match=r"^There is no capture to export: 1 lost-blob\. docs/captures-out\.md says what"):
        export_captures(database, Blobs(str(tmp_path / "empty")), tmp_path / "lost")
    assert list((tmp_path / "lost" / "data").iterdir()) == []
    assert [path.name for path in (tmp_path / "out" / "data").iterdir()] == ["test_live-00000-of-00001.parquet"]


def test_an_empty_store_has_nothing_to_export(database: Database, blobs: Blobs, tmp_path: Path) -> None:
    """It says what to do."""
    with pytest.raises(NotFound, match=r"no visit has made one\. Visit pages first: crawler visit URL, or crawler run"):
        export_captures(database, blobs, tmp_path)


def test_a_reading_of_another_version_is_no_row() -> None:
    """Nor one that is no reading."""
    for content in (b'{"version": 99}', b"{}", b"[]", b"no json"):
        with pytest.raises(BadInput):
            row(None, None, Artifacts(b"", b"", content, content), set())  # type: ignore[arg-type]  # neither is looked at
