"""Annotations of ScreenSpot-Pro as its files hold them: each either fit for use, as far as it alone can tell, or rejected."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import regex

from builder.sources import Rejected
from domain.probe import FileRef
from domain.text import visible_characters

REASONS: Mapping[str, str] = {
    "bad-file": "the annotation file is no JSON list",
    "bad-row": "the annotation is no object, or lacks what is needed, or has it in another form",
    "duplicate-id": "an annotation before this one, of this file or another, has its id",
    "unknown-type": "ui_type is neither icon nor text",
    "bad-path": "img_filename leads out of the images' folder, or cannot be a name",
    "bad-box": "bbox is not four whole numbers",
    "xywh": "the file's boxes are x, y, width, height: some are possible only so, and none only as left, top, right, bottom",
    "normalised": "the file's boxes are shares of the picture between 0 and 1, not px",
    "inverted-box": "right is left of left, or bottom above top",
    "empty-box": "the box has no width or no height",
    "negative-box": "the box begins left of the picture or above it",
    "off-picture": "the box ends outside the picture, by img_size",
}
TYPES = ("icon", "text")
ID = regex.compile(r"[A-Za-z0-9_-]{1,128}")
"""Dots and longer names break loaders that put one file a sample into an archive."""
CORNERS, SIDES, LONGEST = 4, 2, 100_000
_SHOWN = 80

Box4 = tuple[int, int, int, int]
Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Annotation:
    """One target. picture: name relative to images/. box: left, top, right, bottom, px. size: width, height, px, as told.

    at: its place in the file, from 0.
    """

    item: str
    file: FileRef
    at: int
    picture: str
    box: Box4
    size: Size
    type: str
    application: str
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Row:
    """What an annotation file has at one place, with the numbers of its box where these are numbers."""

    item: str
    at: int
    fields: Mapping[str, Any]
    fault: tuple[str, str] | None = None
    box: tuple[float, ...] = ()
    size: Size = (0, 0)


def files_of(folder: Path) -> list[Path]:
    """The annotation files, by name. One that begins with a dot is of an operating system's own making."""
    return sorted((one for one in folder.glob("*.json") if not one.name.startswith(".")), key=lambda one: one.name)


def annotations_in(folder: Path) -> list[Annotation | Rejected]:
    """Every annotation of every file, in the order of file names and rows; about a kB each. A broken file is one Rejected."""
    found: list[Annotation | Rejected] = []
    seen: Counter[str] = Counter()
    for path in files_of(folder):
        content = path.read_bytes()
        ref = FileRef(name=f"annotations/{path.name}", size=len(content), sha256=hashlib.sha256(content).hexdigest())
        rows = _rows(path.stem, content)
        if isinstance(rows, str):
            found.append(Rejected(ref.name, "bad-file", f"{ref.name}: {rows}", (ref,)))
            continue
        form = _form(rows)
        for row in rows:
            seen[row.item] += 1
            found.append(_judged(row, form, ref, seen[row.item]))
    return found


def squeezed(name: str) -> str:
    """A file's name without what eyes cannot tell apart: kinds of blanks, forms of characters, case."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _rows(stem: str, content: bytes) -> list[_Row] | str:
    """The rows, or what is wrong with the file."""
    try:
        listed = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return f"no UTF-8 at byte {error.start}"
    except json.JSONDecodeError as error:
        return f"no JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError) as error:  # a number of too many digits, lists in lists without end
        return f"no JSON that can be read: {type(error).__name__}"
    if not isinstance(listed, list):
        return f"a list of annotations was expected, not {_short(listed)}"
    return [_row(stem, at, fields) for at, fields in enumerate(listed)]


def _row(stem: str, at: int, fields: Any) -> _Row:
    place = f"{stem}[{at}]"
    if not isinstance(fields, dict):
        return _Row(place, at, {}, ("bad-row", f"no object but {_short(fields)}"))
    box, size = _numbers(fields.get("bbox"), CORNERS), _numbers(fields.get("img_size"), SIDES)
    width, height = (int(n) for n in size) if size and all(_whole(n) and 0 < n <= LONGEST for n in size) else (0, 0)
    name = fields.get("id")
    if not (isinstance(name, str) and ID.fullmatch(name)):
        fault = "bad-row", f"no id of letters, digits, - and _: {_short(name)}"
        return _Row(place, at, fields, fault, box, (width, height))
    return _Row(name, at, fields, _fault_of_form(fields, known_size=width > 0), box, (width, height))


def _fault_of_form(fields: Mapping[str, Any], *, known_size: bool) -> tuple[str, str] | None:
    for name in ("img_filename", "bbox", "img_size", "ui_type", "application"):
        if name not in fields:
            return "bad-row", f"no {name}"
    if not (isinstance(fields["application"], str) and visible_characters(fields["application"])):
        return "bad-row", f"application is no name: {_short(fields['application'])}"
    if fields["ui_type"] not in TYPES:
        return "unknown-type", f"ui_type is {_short(fields['ui_type'])}"
    if not _safe(fields["img_filename"]):
        return "bad-path", f"img_filename is {_short(fields['img_filename'])}"
    return None if known_size else ("bad-row", f"img_size is no width and height: {_short(fields['img_size'])}")


def _safe(name: Any) -> bool:
    """Whether this names a file below a folder: relative, no way up, nothing that no file system takes."""
    if not isinstance(name, str) or not name or "\\" in name or any(unicodedata.category(c) in {"Cc", "Cs"} for c in name):
        return False
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and path.as_posix() == name


def _form(rows: list[_Row]) -> tuple[str, str] | None:
    """What all boxes of the file are where they are not what they should be: reason and evidence."""
    told = [row for row in rows if row.box and row.size[0]]
    if told and all(0 <= n <= 1 for row in told for n in row.box) and any(not _whole(n) for row in told for n in row.box):
        return "normalised", f"all {len(told)} boxes of the file lie between 0 and 1"
    corners = [_as_corners(row.box, row.size) for row in told]
    extents = [_as_extent(row.box, row.size) for row in told]
    only_extent = sum(e and not c for c, e in zip(corners, extents, strict=True))
    only_corners = sum(c and not e for c, e in zip(corners, extents, strict=True))
    if only_extent and not only_corners:
        what = f"{only_extent} of the file's {len(told)} boxes are possible only as x, y, width, height"
        return "xywh", f"{what}, and none only as left, top, right, bottom"
    return None


def _as_corners(box: tuple[float, ...], size: Size) -> bool:
    left, top, right, bottom = box
    return 0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]


def _as_extent(box: tuple[float, ...], size: Size) -> bool:
    x, y, width, height = box
    return x >= 0 and y >= 0 and width > 0 and height > 0 and x + width <= size[0] and y + height <= size[1]


def _judged(row: _Row, form: tuple[str, str] | None, ref: FileRef, nth: int) -> Annotation | Rejected:
    item = row.item if nth == 1 else f"{row.item}#{nth}"
    fault = row.fault or (("duplicate-id", f"the {nth}. annotation with this id") if nth > 1 else None) or _box_fault(row, form)
    if fault is not None:
        return Rejected(item, fault[0], f"{ref.name}[{row.at}]: {fault[1]}", (ref,))
    fields = row.fields
    left, top, right, bottom = (int(n) for n in row.box)
    told = {name: fields.get(name) for name in ("instruction", "platform", "group")}
    return Annotation(
        item=item,
        file=ref,
        at=row.at,
        picture=fields["img_filename"],
        box=(left, top, right, bottom),
        size=row.size,
        type=fields["ui_type"],
        application=visible_characters(fields["application"]),
        attributes={name: visible_characters(value) for name, value in told.items() if isinstance(value, str)},
    )


def _box_fault(row: _Row, form: tuple[str, str] | None) -> tuple[str, str] | None:
    box, size = row.box, f"{row.size[0]}x{row.size[1]}"
    if not box:
        return "bad-box", f"bbox is {_short(row.fields.get('bbox'))}"
    if form is not None:
        return form[0], f"{form[1]}; here {_short([*box])} in {size}"
    if not all(_whole(n) for n in box):
        return "bad-box", f"bbox is {_short([*box])}"
    left, top, right, bottom = box
    told = f"{_short([*box])} in {size}"
    if right < left or bottom < top:
        return "inverted-box", told
    if right == left or bottom == top:
        return "empty-box", told
    if left < 0 or top < 0:
        return "negative-box", told
    return ("off-picture", told) if right > row.size[0] or bottom > row.size[1] else None


def _numbers(value: Any, n: int) -> tuple[float, ...]:
    """So many numbers, or none where it is no list of these."""
    return tuple(value) if isinstance(value, list) and len(value) == n and all(map(_number, value)) else ()


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")


def _whole(value: Any) -> bool:
    return _number(value) and value == int(value)


def _short(value: Any) -> str:
    """A wrong value as JSON with escapes, so that blanks of every kind are told apart."""
    told = json.dumps(value, ensure_ascii=True)
    return told if len(told) <= _SHOWN else told[: _SHOWN - 3] + "..."
