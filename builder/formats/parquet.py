"""data/<family>/test-00000-of-00001.parquet: the rows as tables, pictures and structures inside, one configuration a family.

The files say how Hugging Face's `datasets` is to read them, so that it gives pictures, not bytes. The bytes of these files
differ between versions of the libraries that write them: they are in no digest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builder.assembled import Assembled, blobs_of, screen_of
from builder.threads import in_threads
from channels.pixels import JPEG_MARK, crop, open_picture
from channels.views import encode, window
from domain.families import NAMES
from domain.geometry import Box
from domain.released import ReleasedProbe, canonical

NAME = "test-00000-of-00001.parquet"
GROUP_ROWS, GROUP_BYTES = 100, 32_000_000
"""A row group has no more of either, but one row: whoever reads a row reads its group."""

BOX = pa.struct([(name, pa.float64()) for name in ("x", "y", "width", "height")])
VIEW = pa.struct([*((name, pa.int32()) for name in ("x", "y", "width", "height")), ("mark", pa.bool_())])
EDIT = pa.struct([("rule", pa.string()), ("version", pa.int32()), *((n, pa.string()) for n in ("node", "before", "after"))])
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
TEXTS = pa.list_(pa.string())
COLUMNS: Mapping[str, pa.DataType] = {
    "id": pa.string(),
    "family": pa.string(),
    "kind": pa.string(),
    "platform": pa.string(),
    "variable": pa.string(),
    "options": TEXTS,
    "gold": pa.string(),
    "structural": pa.string(),
    "image": IMAGE,
    "crop": IMAGE,
    "box": BOX,
    "structure": pa.large_string(),
    "structure_swap": pa.large_string(),
    "region": BOX,
    "view": VIEW,
    "edit": EDIT,
    "splits": TEXTS,
    "made": pa.bool_(),
    "partial": pa.bool_(),
    "release": pa.string(),
    "redistribution": pa.string(),
    "source": pa.string(),
    "site": pa.string(),
    "item": pa.string(),
    "url": pa.string(),
    "label": pa.string(),
    "screenshot_sha256": pa.string(),
    "structure_sha256": pa.string(),
    "channels": pa.string(),
    "provenance": pa.string(),
}
"""docs/release.md says what each holds. image, crop and the structures are null in a recipe that is not filled in."""
LARGE = frozenset({"image", "crop", "structure", "structure_swap"})


def write(release: Assembled, folder: Path) -> None:
    """One file for each family that has rows, sorted by id."""
    for family in NAMES:
        if release.manifest.counts.families.get(family):
            place = folder / "data" / family / NAME
            place.parent.mkdir(parents=True, exist_ok=True)
            _write_family(release, family, place)


def _write_family(release: Assembled, family: str, place: Path) -> None:
    schema = pa.schema(list(COLUMNS.items()), metadata={"huggingface": json.dumps({"info": {"features": features()}})})
    small = [name for name in COLUMNS if name not in LARGE]
    group: list[dict[str, Any]] = []
    size = 0
    with pq.ParquetWriter(place, schema, compression="zstd", use_dictionary=small) as writer:
        for row in in_threads(_work(release, family), release.workers):
            group.append(row)
            size += _size(row)
            if len(group) >= GROUP_ROWS or size >= GROUP_BYTES:
                writer.write_table(pa.Table.from_pylist(group, schema))
                group, size = [], 0
        if group:
            writer.write_table(pa.Table.from_pylist(group, schema))


def _work(release: Assembled, family: str) -> Iterator[Callable[[], dict[str, Any]]]:
    return (partial(table_row, release, row) for row in release.rows(family))


def table_row(release: Assembled, row: ReleasedProbe) -> dict[str, Any]:
    """The row as COLUMNS has it."""
    record = json.loads(canonical(row))
    provenance = record["provenance"]
    source, item = screen_of(row)
    return {
        **{name: record[name] for name in COLUMNS if name in record and name not in {*LARGE, "channels", "provenance"}},
        **{name: provenance.get(name) for name in ("site", "url", "label")},
        "source": source,
        "item": item,
        "screenshot_sha256": row.screenshot,
        "structure_sha256": row.structure,
        "channels": _text(record["channels"]),
        "provenance": _text(provenance),
        "box": _as_struct(box_on_image(row)),
        **_content(release, row),
    }


def box_on_image(row: ReleasedProbe) -> Box:
    """The region on what is shown: image px from its top left."""
    scale = row.provenance.scale
    left, top = (row.view.x, row.view.y) if row.view else (0, 0)
    region = row.region
    return Box(region.x * scale - left, region.y * scale - top, region.width * scale, region.height * scale)


def features() -> dict[str, Any]:
    """The columns in the words of `datasets`, of any version."""
    return {name: {"_type": "Image"} if kind == IMAGE else _feature(kind) for name, kind in COLUMNS.items()}


def _feature(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    if pa.types.is_list(kind):
        return {"feature": _feature(kind.value_type), "_type": "Sequence"}
    names = {pa.float64(): "float64", pa.bool_(): "bool"}
    return {"dtype": names.get(kind, str(kind)), "_type": "Value"}


def _content(release: Assembled, row: ReleasedProbe) -> dict[str, Any]:
    """Picture, crop and structures; nothing of a recipe, unless it was filled in (builder/rebuild.py)."""
    if row.redistribution != "full" and not all(release.place(digest).is_file() for digest in blobs_of(row)):
        return dict.fromkeys(LARGE)
    picture = release.blob(row.screenshot)
    image = open_picture(picture)
    shown = picture if row.view is None else encode(window(image, row.view, row.region))
    part = crop(image, row.region, row.provenance.scale)
    swap = row.channels.get("swap")
    return {
        "image": {"bytes": shown, "path": row.id + (".jpg" if shown.startswith(JPEG_MARK) else ".png")},
        "crop": None if part is None else {"bytes": encode(part), "path": f"{row.id}-crop.png"},
        "structure": release.blob(row.structure).decode("utf-8", "replace"),
        "structure_swap": release.blob(swap.structure).decode("utf-8", "replace") if swap else None,
    }


def _size(row: Mapping[str, Any]) -> int:
    """Bytes, near enough."""
    pictures = sum(len(row[name]["bytes"]) for name in ("image", "crop") if row[name])
    return pictures + sum(len(row[name] or "") for name in ("structure", "structure_swap"))


def _as_struct(box: Box) -> dict[str, float]:
    return {"x": box.x, "y": box.y, "width": box.width, "height": box.height}


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
