"""One screen of RICO from its two files, or why it is none. With CLAY's labels on its nodes where they are given."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from builder.sources import Rejected, Usable
from builder.sources._rico_files import COMBINED, Pair
from builder.sources._views import DEVICE_HEIGHT, DEVICE_WIDTH, NotAView, nodes_of
from channels.jpeg import ends, flat, jpeg_size
from channels.structures.view_hierarchy import parsed, root_of, written
from domain.errors import BadInput
from domain.probe import FileRef
from domain.screen import Screen

VIEW_HIERARCHY = "view_hierarchy"
"""Format of RICO's structures, labelled or not."""
WRONG: Mapping[str, str] = {
    "no-picture": "there is a hierarchy, but no picture of this number",
    "no-hierarchy": "there is a picture, but no hierarchy of this number",
    "odd-name": "the file's name is not a number with .json or .jpg",
    "same-name": "the archive holds a file of this name a second time; the first one counts",
    "no-json": "the hierarchy is no JSON",
    "null": "the hierarchy is null, or has no root view: there was no screen when it was read",
    "no-view": "something in the hierarchy is neither a view nor null",
    "no-jpeg": "the picture is no JPEG",
    "cut-off": "the picture ends before its end marker, or cannot be decoded",
    "odd-shape": "the picture is not upright 9:16, so the hierarchy's 1440 x 2560 are not on it",
    "flat": "between the system's bars the picture is of one colour, whatever the hierarchy has: black, or not yet drawn",
}
SLACK = 0.01
"""How far the picture's ratio of width to height may be from 9:16."""


class _NotUsable(Exception):
    """reason: a key of WRONG."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def screen_of(
    pair: Pair,
    *,
    source: str,
    made: bool,
    labels: Mapping[str, str] | None = None,
    files: tuple[FileRef, ...] = (),
    split: str = "",
) -> Usable | Rejected:
    """The screen. labels: pointer -> the human label. files: of the labels. split: of the labels' publisher."""
    refs = tuple(
        FileRef(name=f"{COMBINED}/{pair.item}.{kind}", size=len(content), sha256=_sha256(content))
        for kind, content in (("json", pair.hierarchy), ("jpg", pair.picture))
        if content is not None
    )
    if pair.hierarchy is None:
        return Rejected(pair.item, "no-hierarchy", f"{COMBINED}/{pair.item}.json is not there", refs)
    if pair.picture is None:
        return Rejected(pair.item, "no-picture", f"{COMBINED}/{pair.item}.jpg is not there", refs)
    try:
        width, height = _size(pair.picture)
        value, root = _hierarchy(pair.hierarchy)
        try:
            nodes = nodes_of(root, width, height, labels)
            structure = written(value)
        except (NotAView, BadInput) as error:
            raise _NotUsable("no-view", str(error)) from error
    except _NotUsable as error:
        return Rejected(pair.item, error.reason, str(error), refs)
    screen = Screen(
        source=source,
        item=pair.item,
        site=_app(value, pair.item),
        made=made,
        screenshot=refs[1].sha256,
        structure=_sha256(structure),
        format=VIEW_HIERARCHY,
        width=width,
        height=height,
        nodes=nodes,
        files=refs + files,
        split=split,
    )
    return Usable(screen, pair.picture, structure)


def _size(picture: bytes) -> tuple[int, int]:
    """The picture's size, image px, once it is one that can be used."""
    size = jpeg_size(picture)
    if size is None:
        raise _NotUsable("no-jpeg", f"it begins with {picture[:8]!r}, {len(picture):,} bytes in all")
    width, height = size
    if not ends(picture):
        raise _NotUsable("cut-off", f"no end marker in {len(picture):,} bytes of a picture of {width}x{height}")
    if not height or abs(width / height * DEVICE_HEIGHT / DEVICE_WIDTH - 1) > SLACK:
        raise _NotUsable("odd-shape", f"{width}x{height}")
    try:
        if flat(picture, size):
            raise _NotUsable("flat", f"one colour on {width}x{height}, {len(picture):,} bytes")
    except BadInput as error:
        raise _NotUsable("cut-off", str(error)) from error
    return size


def _hierarchy(content: bytes) -> tuple[Any, dict[str, Any]]:
    """(the whole value, its root view)."""
    try:
        value = parsed(content)
    except BadInput as error:
        raise _NotUsable("no-json", str(error)) from error
    root = root_of(value)
    if root is None:
        what = "the file is null" if value is None else "activity.root is not a view"
        raise _NotUsable("null", what)
    return value, root


def _app(value: Any, item: str) -> str:
    """The app's package; the screen's number where the hierarchy does not tell."""
    name = value.get("activity_name")
    return (name.partition("/")[0] if isinstance(name, str) else "") or f"screen {item}"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
