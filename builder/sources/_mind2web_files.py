"""Parquet files of Mind2Web, a few rows at a time: memory grows with the largest row group, not with the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builder.assembled import file_digest
from builder.sources._mind2web_rows import COLUMNS, Unreadable, candidates, corners
from domain.errors import BadInput
from domain.identity import writable
from domain.probe import FileRef

BATCH = 2
"""Rows decoded at once: a row has a picture of a few MB and tens of thousands of characters."""
PEEKED = 8
"""First rows of a file that are looked at to see what its boxes are."""
BUFFER = 2**20
"""Bytes read at once of a column, instead of all of it."""
_NAME = re.compile(r"(?P<split>[A-Za-z_]+)-(?P<number>\d{5})-of-(?P<all>\d{5})(?:-[^.]*)?\.parquet")


@dataclass(frozen=True, slots=True)
class Shard:
    """One Parquet file. name: relative to the corpus. rows: as its footer says."""

    path: Path
    name: str
    split: str
    rows: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of one row group: rows that are asked for (position to item), and items that are refused by their name alone."""

    number: int
    rows: Mapping[int, str] = field(default_factory=dict)
    refused: tuple[tuple[str, str, str], ...] = ()


Rows = Callable[[Mapping[int, str]], Iterator[tuple[str, Mapping[str, Any]]]]


def shards(path: Path) -> tuple[list[Shard], list[str]]:
    """The Parquet files at a path, sorted by name, and what is to be said of them. Empty where there is none.

    Raises BadInput where one is no Parquet or lacks columns: all that are missing are named.
    """
    files = [path] if path.is_file() else sorted(path.glob("data/*.parquet")) or sorted(path.glob("*.parquet"))
    base = root_of(path)
    found, faults = [], []
    for file in files:
        try:
            with pq.ParquetFile(file) as opened:
                names, rows = set(opened.schema_arrow.names), opened.metadata.num_rows
        except (pa.ArrowException, OSError) as error:
            faults.append(f"{file.name} is no Parquet file: {str(error).splitlines()[0]}")
            continue
        if lost := [column for column in COLUMNS if column not in names]:
            faults.append(f"{file.name} lacks the column{'s' * (len(lost) > 1)} {', '.join(lost)}")
        named = _NAME.fullmatch(file.name)
        found.append(Shard(file, file.relative_to(base).as_posix(), named["split"] if named else "", rows))
    if faults:
        raise BadInput(f"{path}: {'; '.join(faults)}. Multimodal-Mind2Web has {', '.join(COLUMNS)}, and more.")
    return found, [*_lost(files), *(f"{one.name}: its name tells no split" for one in found if not one.split)]


def root_of(path: Path) -> Path:
    """The corpus's folder, whether that, its folder `data` or one file was given: names of files are relative to it."""
    folder = path.parent if path.is_file() else path
    return folder.parent if folder.name == "data" else folder


def _lost(files: list[Path]) -> list[str]:
    named = [match for file in files if (match := _NAME.fullmatch(file.name))]
    there = Counter((match["split"], int(match["all"])) for match in named)
    return [f"split {split}: {n} of its {every} files are here" for (split, every), n in sorted(there.items()) if n < every]


def file_ref(path: Path, name: str) -> FileRef:
    """The file's size and hash; it is read once, in pieces."""
    return FileRef(name=name, size=path.stat().st_size, sha256=file_digest(path))


def row_groups(shard: Shard, asked: Callable[[str], bool], seen: set[str]) -> Iterator[tuple[Rows, Wanted]]:
    """Row group after row group: how to read its rows, and which are wanted. Names alone are read first.

    seen: items of all rows before; grows. A row without a name is called by its file and row.
    """
    with pq.ParquetFile(shard.path, buffer_size=BUFFER, pre_buffer=False) as file:
        row = 0
        for number in range(file.num_row_groups):
            rows: dict[int, str] = {}
            refused = []
            try:
                uids = file.read_row_group(number, columns=["action_uid"], use_threads=False).column(0).to_pylist()
            except (pa.ArrowException, OSError) as error:
                item = f"{shard.name}#{number}"
                if asked(item):
                    told = str(error).splitlines()[0]
                    refused.append((item, "broken-file", f"Row group {number}: {told}"))
                uids = []
            for at, uid in enumerate(uids):
                item = writable(str(uid)) if uid else f"{shard.name}#row{row + at}"
                twice, again = item in seen, f"{item}#row{row + at}"
                seen.add(item)
                if twice:
                    if asked(again):
                        refused.append(
                            (again, "duplicate", f"Row {row + at} of {shard.name} has an action_uid of a row before.")
                        )
                elif not uid:
                    if asked(item):
                        refused.append((item, "no-uid", f"Row {row + at} of {shard.name} has no action_uid."))
                elif asked(item):
                    rows[at] = item
            row += file.metadata.row_group(number).num_rows
            yield partial(_rows, file, number), Wanted(number, rows, tuple(refused))


def _rows(file: pq.ParquetFile, number: int, wanted: Mapping[int, str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    at = 0
    for batch in file.iter_batches(batch_size=BATCH, row_groups=[number], columns=list(COLUMNS), use_threads=False):
        for i in range(batch.num_rows):
            if (item := wanted.get(at)) is not None:
                yield item, batch.slice(i, 1).to_pylist()[0]
            at += 1


def proof_of_corners(shard: Shard) -> str:
    """Empty, or how many boxes of the file's first rows prove that they are written as corners."""
    rects = []
    columns = ["pos_candidates", "neg_candidates"]
    try:
        with pq.ParquetFile(shard.path, buffer_size=BUFFER, pre_buffer=False) as file:
            for batch in file.iter_batches(batch_size=PEEKED, columns=columns, use_threads=False):
                for row in batch.to_pylist():
                    for column in columns:
                        try:
                            rects += [one.rect for one in candidates(column, row[column]) if one.rect is not None]
                        except Unreadable:
                            continue
                break
    except (pa.ArrowException, OSError):
        return ""
    n = corners(rects)
    return f"All {n} boxes looked at in {shard.name} end right of and below where they begin, read as x1,y1,x2,y2." if n else ""
