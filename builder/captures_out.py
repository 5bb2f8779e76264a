"""export-captures: the crawl's own captures in the layout of Multimodal-Mind2Web, so that others' tools read them."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import Field

from builder._captured_row import NEEDED, Artifacts, row
from domain.errors import BadInput, NotFound
from domain.identity import writable
from domain.record import Record
from store.blobs import Blobs
from store.captures import captures
from store.database import Database
from store.divergences import divergences

Layout = Literal["mind2web"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
SPLIT = "test_live"
GROUP_ROWS = 8
"""Rows held at once, each with a screenshot of about a megabyte and its document."""
FILE_BYTES = 250_000_000
"""A file that has grown to this is followed by another, as the publisher's are."""
PARTIAL = ".partial"

TEXTS = ("pos_candidates", "neg_candidates", "action_reprs")
"""Columns that hold lists of texts."""
COLUMNS = (
    "action_uid", "raw_html", "cleaned_html", "operation", "pos_candidates", "neg_candidates", "website", "domain", "subdomain",
    "annotation_id", "confirmed_task", "screenshot", "action_reprs", "target_action_index", "target_action_reprs",
)  # fmt: skip
"""The publisher's fifteen."""


def _schema() -> pa.Schema:
    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    types = {"screenshot": picture, **dict.fromkeys(TEXTS, pa.list_(pa.string()))}
    text = {"dtype": "string", "_type": "Value"}
    # So that `datasets` decodes the column as a picture. Sequence: what older versions know, too.
    features = {"screenshot": {"_type": "Image"}, **{key: {"feature": text, "_type": "Sequence"} for key in TEXTS}}
    told = {"info": {"features": {name: features.get(name, text) for name in COLUMNS}}}
    fields = [(name, types.get(name, pa.string())) for name in COLUMNS]
    return pa.schema(fields, metadata={"huggingface": json.dumps(told)})


class Exported(Record):
    """What was written."""

    files: tuple[str, ...] = Field(description="relative to the folder")
    captures: int = Field(ge=0, description="rows: one a capture")
    flagged: int = Field(ge=0, description="candidates that are positive: elements with a flagged divergence")
    left_out: dict[str, int] = Field(description="reason -> captures that are no row")


def export_captures(
    database: Database,
    blobs: Blobs,
    folder: Path,
    *,
    format: str = "mind2web",  # noqa: A002 - the option's name
    limit: int | None = None,
    site: str | None = None,
    on_row: Callable[[], None] = lambda: None,
) -> Exported:
    """Writes folder/data/test_live-NNNNN-of-MMMMM.parquet, oldest visit first. Files get their names when all are whole.

    A capture whose artifacts were pruned, or whose readings cannot be read, is left out and counted. Raises BadInput on a
    format that is not known or a folder that holds such files already, NotFound where there is no capture to write.
    """
    if format not in LAYOUTS:
        raise BadInput(f"No format {format!r} for captures. Known: {', '.join(LAYOUTS)}.")
    data = folder / "data"
    if there := sorted(data.glob(f"{SPLIT}-*.parquet")):
        raise BadInput(f"{data} holds {there[0].name} already. Give another folder, or remove what is there.")
    left: Counter[str] = Counter()
    partial = data / PARTIAL
    partial.mkdir(parents=True, exist_ok=True)
    try:
        written, flagged, total = _write(partial, _rows(database, blobs, site, left), limit, on_row)
        if not total:
            raise NotFound(_nothing(left))
        names = [f"{SPLIT}-{i:05d}-of-{len(written):05d}.parquet" for i in range(len(written))]
        for path, name in zip(written, names, strict=True):
            path.replace(data / name)
    finally:
        # Half a file is no Parquet: nobody could read it.
        shutil.rmtree(partial)
    return Exported(
        files=tuple(f"data/{name}" for name in names), captures=total, flagged=flagged, left_out=dict(sorted(left.items()))
    )


def _nothing(left: Mapping[str, int]) -> str:
    """What to tell where no capture became a row. left: reason -> those left out."""
    again = "crawler visit URL, or crawler run --list FILE"
    if not left:
        return f"There is no capture to export: no visit has made one. Visit pages first: {again}"
    told = ", ".join(f"{n} {why}" for why, n in sorted(left.items()))
    return f"There is no capture to export: {told}. docs/captures-out.md says what to do about each; or visit again: {again}"


def _rows(database: Database, blobs: Blobs, site: str | None, left: Counter[str]) -> Iterator[dict[str, Any]]:
    for visit, capture in captures(database, site=site):
        if visit.outcome != "captured":
            left["no-evidence"] += 1
            continue
        if lost := [name for name in NEEDED if name not in capture.artifacts]:
            left["pruned" if any(name in capture.pruned for name in lost) else "no-artifacts"] += 1
            continue
        try:
            artifacts = Artifacts(**{name: blobs.get(capture.artifacts[name]) for name in NEEDED})
            found = divergences(database, capture=capture.id, verdict="flagged")
            yield row(visit, capture, artifacts, {one.finding.path for one in found})
        except NotFound:
            left["lost-blob"] += 1
        except BadInput:
            left["unreadable"] += 1


def _write(
    folder: Path, rows: Iterator[dict[str, Any]], limit: int | None, on_row: Callable[[], None]
) -> tuple[list[Path], int, int]:
    """The files, how many positives and how many rows are in them."""
    files: list[Path] = []
    schema = _schema()
    writer: pq.ParquetWriter | None = None
    flagged = total = 0
    wanted = islice(rows, limit)
    try:
        while group := list(islice(wanted, GROUP_ROWS)):
            if writer is None or files[-1].stat().st_size >= FILE_BYTES:
                if writer is not None:
                    writer.close()
                files.append(folder / f"{len(files):05d}.parquet")
                writer = pq.ParquetWriter(files[-1], schema, compression="zstd")
            writer.write_table(pa.Table.from_pylist([_clean(one) for one in group], schema))
            flagged += sum(len(one["pos_candidates"]) for one in group)
            total += len(group)
            for _ in group:
                on_row()
    finally:
        if writer is not None:
            writer.close()
    return files, flagged, total


def _clean(one: dict[str, Any]) -> dict[str, Any]:
    return {name: writable(value) if isinstance(value, str) else value for name, value in one.items()}
