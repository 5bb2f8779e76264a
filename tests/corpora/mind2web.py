"""A made Multimodal-Mind2Web: pages written for it, drawn by Chromium, in the publisher's layout and with its defects."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from tests.corpora.mind2web_pages import STYLES, Element, cleaned, numbered, page, page_html, walk
from tests.corpora.render import Page, Rendered, render

PAGES = 33
"""Enough for 120 web-text probes at four a page, and some to spare."""
FILES = 2
SCHEMA = pa.schema(
    [
        ("action_uid", pa.string()), ("raw_html", pa.string()), ("cleaned_html", pa.string()), ("operation", pa.string()),
        ("pos_candidates", pa.list_(pa.string())), ("neg_candidates", pa.list_(pa.string())), ("website", pa.string()),
        ("domain", pa.string()), ("subdomain", pa.string()), ("annotation_id", pa.string()), ("confirmed_task", pa.string()),
        ("screenshot", pa.struct([("bytes", pa.binary()), ("path", pa.string())])), ("action_reprs", pa.list_(pa.string())),
        ("target_action_index", pa.string()), ("target_action_reprs", pa.string()),
    ]
)  # fmt: skip
MADE = "Rendered by Parallax's tests in the layout of Multimodal-Mind2Web. Made pages, no evidence about the world. CC0-1.0.\n"
Row = dict[str, Any]


def make(folder: Path, pages: int = PAGES, *, defects: bool = True) -> Path:
    """Writes data/test_task-0000N-of-00002-<hash>.parquet, and with defects a train file too. Gives the folder back."""
    (folder / "data").mkdir(parents=True, exist_ok=True)
    (folder / "MADE.txt").write_text(MADE)
    drawn = list(_drawn(pages, defects))
    rows = [_row(n, root, shot, defects and n % 3 == 0) for n, (root, shot) in enumerate(drawn)]
    if defects:
        rows += _broken(rows, drawn)
        write(folder, "train", 1, [_changed(row, action_uid=f"train-{i}") for i, row in enumerate(rows[:2])])
    write(folder, "test_task", FILES, rows)
    return folder


def write(folder: Path, split: str, files: int, rows: Sequence[Row], schema: pa.Schema = SCHEMA) -> None:
    """The rows in so many files of a split, named as the publisher's are."""
    each = -(-len(rows) // files)
    for i in range(files):
        part = rows[i * each : (i + 1) * each]
        mark = hashlib.sha256("".join(str(row["action_uid"]) for row in part).encode()).hexdigest()[:16]
        path = folder / "data" / f"{split}-{i:05d}-of-{files:05d}-{mark}.parquet"
        pq.write_table(pa.Table.from_pylist(part, schema), path, row_group_size=8)


def uid(n: int) -> str:
    """Of page n; shaped like the publisher's."""
    h = hashlib.sha256(f"page {n}".encode()).hexdigest()
    return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:32]}"


def _drawn(pages: int, defects: bool) -> Iterator[tuple[Element, Rendered]]:
    roots = [numbered(page(n, traps=defects and n % 2 == 0), 100 + n * 7) for n in range(pages)]
    asked = [
        Page(uid(n), page_html(root, STYLES[n % len(STYLES)]), 1280, 720, whole=True, picture="jpeg" if n % 2 else "png")
        for n, root in enumerate(roots)
    ]
    return zip(roots, render(asked), strict=True)


def _row(n: int, root: Element, shot: Rendered, faults: bool) -> Row:
    """faults: no positives, a box of no area, one that says hidden: all of them in usable rows of the publisher."""
    elements = list(walk(root))
    target = elements[-1].key
    rects = {one.key: ",".join(f"{value:g}" for value in shot.boxes[one.key]) for one in elements}
    if faults:
        rects[elements[-1].key], rects[elements[-2].key] = "640,300,0,0", "-1,-1,-1,-1"
    candidates = {one.key: candidate(one.key, one.tag, rects[one.key]) for one in elements}
    site = f"made{n % 24 + 1:02d}"
    return {
        "action_uid": uid(n),
        "raw_html": None,
        "cleaned_html": cleaned(root),
        "operation": orjson.dumps({"op": "CLICK", "original_op": "CLICK", "value": ""}).decode(),
        "pos_candidates": [] if faults else [candidates[target]],
        "neg_candidates": [value for key, value in candidates.items() if faults or key != target],
        "website": site,
        "domain": "Made",
        "subdomain": "Rendered for tests",
        "annotation_id": f"task-{n // 3}",
        "confirmed_task": f"Find what page {n} says",
        "screenshot": {"bytes": shot.picture, "path": None},
        "action_reprs": ["[button]  Search -> CLICK", "[link]  More -> CLICK"]
        if n % 2
        else ["[button]  Go -> CLICK\n[link]  More -> CLICK"],
        "target_action_index": "0",
        "target_action_reprs": "[button]  Search -> CLICK",
    }


def candidate(key: str, tag: str, rect: str, **more: str) -> str:
    """One candidate: JSON in which `attributes` is JSON again."""
    attributes = {"backend_node_id": key, "bounding_box_rect": rect, "data_pw_testid_buckeye_candidate": "1", **more}
    return orjson.dumps({"attributes": orjson.dumps(attributes).decode(), "backend_node_id": key, "tag": tag}).decode()


def _changed(row: Row, **values: Any) -> Row:
    return {**row, **values}


def _broken(rows: Sequence[Row], drawn: Sequence[tuple[Element, Rendered]]) -> list[Row]:
    """One row of each kind that cannot be used, between them none that can."""
    first, second = rows[0], rows[1]
    half = drawn[1][1].picture
    return [
        _changed(first, action_uid=uid(1000), screenshot=None),
        _changed(first, action_uid=uid(1001), screenshot={"bytes": None, "path": "lost.jpg"}),
        _changed(first, action_uid=uid(1002), screenshot={"bytes": half[: len(half) // 2], "path": None}),
        _changed(first, action_uid=uid(1003), cleaned_html=None),
        _changed(first, action_uid=uid(1004), cleaned_html=first["cleaned_html"][:-9]),
        _changed(
            first, action_uid=uid(1005), neg_candidates=[*first["neg_candidates"][:3], '{"attributes": "{\\"backend_node_id"}']
        ),
        _changed(first, action_uid=uid(1006), pos_candidates=[], neg_candidates=[candidate("1", "div", "-1,-1,-1,-1")]),
        _changed(
            second, action_uid=uid(1007), neg_candidates=[candidate("9", "html", "0,0,1280,99999"), *second["neg_candidates"]]
        ),
        _changed(second),
        _changed(second, action_uid=None),
    ]
