"""The Parquet files hold the rows of probes.jsonl and no others, with the pictures and structures of the blobs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builder.assembled import screen_of
from builder.formats.parquet import COLUMNS, LARGE, NAME, box_on_image
from builder.verifying.problems import Problem, cut
from channels.crops import Picture
from channels.pixels import crop, open_picture
from channels.views import window
from domain.errors import BadInput
from domain.released import ReleasedProbe

AT_ONCE = 16
"""Rows read at a time: with their pictures they are large."""
TableRow = dict[str, Any]


class Tables:
    """Reads each family's file beside the rows, which come in the same order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: dict[str, Iterator[TableRow]] = {}
        self._next: dict[str, TableRow | None] = {}
        self._broken: set[str] = set()

    def take(self, row: ReleasedProbe, problems: list[Problem]) -> TableRow | None:
        """The table's row for this one, its small columns compared; None where there is none."""
        family = row.family
        if family not in self._rows:
            self._rows[family] = self._read(family, problems)
            self._advance(family, problems)
        while (there := self._next[family]) is not None and there["id"] < row.id:
            problems.append(
                Problem(file=_file(family), probe=str(there["id"]), what="the row is not in the rows of the release")
            )
            self._advance(family, problems)
        if there is None or there["id"] != row.id:
            if family not in self._broken:
                problems.append(Problem(file=_file(family), probe=row.id, what="the row is missing"))
            return None
        problems += _small(row, there)
        self._advance(family, problems)
        return there

    def end(self) -> Iterator[Problem]:
        """Rows that are left in the tables, and tables of families that have no rows."""
        for family in sorted(self._rows):
            problems: list[Problem] = []
            while (there := self._next[family]) is not None:
                what = "the row is not in the rows of the release"
                problems.append(Problem(file=_file(family), probe=str(there["id"]), what=what))
                self._advance(family, problems)
            yield from problems
        for place in sorted((self._folder / "data").glob("*/*")):
            if place.name != NAME or place.parent.name not in self._rows:
                yield Problem(file=place.relative_to(self._folder).as_posix(), what="no family of the release has this table")

    def _advance(self, family: str, problems: list[Problem]) -> None:
        try:
            self._next[family] = next(self._rows[family], None)
        except (pa.ArrowException, OSError) as error:
            self._next[family] = None
            self._broken.add(family)
            problems.append(Problem(file=_file(family), what="the table cannot be read", found=cut(error)))

    def _read(self, family: str, problems: list[Problem]) -> Iterator[TableRow]:
        place = self._folder / _file(family)
        if not place.is_file():
            self._broken.add(family)
            problems.append(Problem(file=_file(family), what="the family has rows and no table"))
            return iter(())
        return _rows_of(place, family, self._broken, problems)


def _rows_of(place: Path, family: str, broken: set[str], problems: list[Problem]) -> Iterator[TableRow]:
    with pq.ParquetFile(place) as file:
        columns = {field.name: field.type for field in file.schema_arrow}
        if columns != dict(COLUMNS):
            broken.add(family)
            wrong = sorted(name for name in columns.keys() | COLUMNS.keys() if columns.get(name) != COLUMNS.get(name))
            problems.append(
                Problem(
                    file=_file(family),
                    what="columns are missing, of another type, or too many",
                    expected=cut({name: str(COLUMNS[name]) for name in wrong if name in COLUMNS}),
                    found=cut({name: str(columns[name]) for name in wrong if name in columns}),
                )
            )
            return
        for batch in file.iter_batches(batch_size=AT_ONCE):
            yield from batch.to_pylist()


def _file(family: str) -> str:
    return f"data/{family}/{NAME}"


def _small(row: ReleasedProbe, there: TableRow) -> Iterator[Problem]:
    """Every column that is not a picture or a structure."""
    record = row.model_dump(mode="json")
    came = record["provenance"]
    source, item = screen_of(row)
    box = box_on_image(row)
    expected = {
        **record,
        **{name: came.get(name) for name in ("site", "url", "label")},
        "source": source,
        "item": item,
        "screenshot_sha256": row.screenshot,
        "structure_sha256": row.structure,
        "box": {"x": box.x, "y": box.y, "width": box.width, "height": box.height},
    }
    for name in COLUMNS:
        if name in LARGE:
            continue
        found = there[name]
        if name in {"channels", "provenance"}:
            try:
                found = json.loads(found)
            except (TypeError, ValueError):
                found = there[name]
        if found != expected[name]:
            what = f"{name} is not the one in the rows"
            yield Problem(file=_file(row.family), probe=row.id, what=what, expected=cut(expected[name]), found=cut(found))


def check_content(
    row: ReleasedProbe, there: TableRow, picture: bytes | None, structures: dict[str, bytes]
) -> Iterator[Problem]:
    """Pictures, pixel by pixel, and structures. picture: the blob; None: the release does not hold it, and the table may not.

    structures: column -> the blob, where the release holds it.
    """

    def wrong(what: str, expected: str = "", found: str = "") -> Problem:
        return Problem(file=_file(row.family), probe=row.id, what=what, expected=expected, found=found)

    for name in ("structure", "structure_swap"):
        expected = structures[name].decode("utf-8", "replace") if name in structures else None
        if there[name] != expected:
            yield wrong(f"{name} is not the blob", *(_size(one) for one in (expected, there[name])))
    if picture is None:
        for name in ("image", "crop"):
            if there[name] is not None:
                yield wrong(f"{name} is there, and the release does not hold the picture")
        return
    try:
        whole = open_picture(picture)
        shown = None if row.view is None else window(whole, row.view, row.region)
    except BadInput:
        return  # said of the blob
    part = crop(whole, row.region, row.provenance.scale)
    if not (shown is None and (there["image"] or {}).get("bytes") == picture):
        yield from _pictures(row, "image", whole if shown is None else shown, there["image"])
    yield from _pictures(row, "crop", part, there["crop"])


def _pictures(row: ReleasedProbe, name: str, expected: Picture | None, there: dict[str, Any] | None) -> Iterator[Problem]:
    content = (there or {}).get("bytes")
    what, found = f"{name} does not show what is shown of the blob", "no picture"
    try:
        seen = open_picture(content) if content else None
    except BadInput as error:
        seen, found = None, str(error)
    if seen is None or expected is None:
        if seen is not expected or content:
            yield Problem(
                file=_file(row.family), probe=row.id, what=what, expected="a picture" if expected else "none", found=found
            )
        return
    if seen.size != expected.size:
        sizes = ("{}x{} px".format(*one.size) for one in (expected, seen))
        yield Problem(file=_file(row.family), probe=row.id, what=what, **dict(zip(("expected", "found"), sizes, strict=True)))
    elif seen.tobytes() != expected.tobytes():
        pairs = zip(expected.tobytes(), seen.tobytes(), strict=True)
        at = next(i for i, (one, other) in enumerate(pairs) if one != other) // 3
        x, y = at % seen.width, at // seen.width
        values = (str(one.getpixel((x, y))) for one in (expected, seen))
        what = f"{what}, first at pixel {x},{y}"
        yield Problem(file=_file(row.family), probe=row.id, what=what, **dict(zip(("expected", "found"), values, strict=True)))


def _size(text: str | None) -> str:
    return "none" if text is None else f"{len(text)} characters"
