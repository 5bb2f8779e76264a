"""The views of a RICO hierarchy as nodes: boxes in image px, with what is wrong with those that are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from domain.geometry import Box
from domain.screen import Node

DEVICE_WIDTH, DEVICE_HEIGHT = 1440, 2560
"""What bounds are in, whatever the picture's size."""
FAULTS: Mapping[str, str] = {
    "no-bounds": "the view has no bounds, or they are not four numbers",
    "inverted": "the right or the lower edge is before the other",
    "empty": "no width or no height",
    "off-screen": "all of it is outside of the device's screen",
    "same-pointer": "another view of the screen has this pointer too, so neither can be named",
    "no-pointer": "the view has no pointer, so it cannot be named",
}
"""Why a node has no box (`Node.box_fault`); docs/sources/rico.md."""

Placed = tuple[Box | None, str]
"""The box, or why there is none."""
_UNSPOKEN = [None]
"""A content-desc of a view that has none."""
_NOWHERE: Placed = (None, "no-bounds")
_NOTHING: Mapping[str, str] = {}


class NotAView(ValueError):
    """Something among the children is neither a view nor null. The message says where."""


def nodes_of(root: dict[str, Any], width: int, height: int, labels: Mapping[str, str] | None = None) -> tuple[Node, ...]:
    """All views below and with the root, in the document's order; nulls are left out. width, height: of the picture, image px.

    labels: pointer -> the human label. Raises NotAView.
    """
    across, down = width / DEVICE_WIDTH, height / DEVICE_HEIGHT
    label = (labels or {}).get
    boxes: dict[tuple[object, ...], Placed] = {}  # wrappers have the box of what they wrap
    known, new = boxes.get, tuple.__new__  # a third of the time of Node(...)
    found: list[Node] = []
    waiting: list[tuple[Any, str | None]] = [(root, None)]
    while waiting:
        view, parent = waiting.pop()
        if not isinstance(view, dict):
            raise NotAView(f"a child of {parent!r} is {type(view).__name__}, neither a view nor null")
        get = view.get
        try:
            placed = known(bounds := tuple(get("bounds")))  # type: ignore[arg-type]
        except TypeError:  # null, a number, or lists inside
            placed = _NOWHERE
        if placed is None:
            placed = boxes[bounds] = _box(bounds, across, down)
        box, fault = placed
        key = get("pointer")
        if not isinstance(key, str) or not key:
            key, box, fault = f"@{len(found)}", None, "no-pointer"
        if children := get("children"):
            try:
                waiting += [(child, key) for child in reversed(children) if child is not None]
            except TypeError as error:
                raise NotAView(f"children of {key!r} is {type(children).__name__}, not a list") from error
        text, ancestors, visible = get("text"), get("ancestors"), get("visible-to-user")
        spoken, name, seen = get("content-desc"), get("resource-id"), get("visibility")
        plain = not name and seen == "visible" and (not spoken or spoken == _UNSPOKEN)
        fields = (
            key,
            box,
            _plain(text) if text else "",
            get("class") or "",
            label(key),
            visible if visible is True or visible is False else None,
            parent,
            tuple(ancestors) if ancestors else (),
            _NOTHING if plain else _attributes(spoken, name, seen),
            fault,
        )
        found.append(new(Node, fields))
    return tuple(found) if len({node.key for node in found}) == len(found) else _told_apart(found)


def _box(bounds: tuple[Any, ...], across: float, down: float) -> Placed:
    try:
        left, top, right, bottom = bounds
        if right < left or bottom < top:
            return None, "inverted"
        if right == left or bottom == top:
            return None, "empty"
        if right <= 0 or bottom <= 0 or left >= DEVICE_WIDTH or top >= DEVICE_HEIGHT:
            return None, "off-screen"
        return Box(left * across, top * down, (right - left) * across, (bottom - top) * down), ""
    except (TypeError, ValueError):
        return _NOWHERE


def _plain(text: object) -> str:
    """Without NULs, which no database can hold; the structure keeps them. Empty where it is no text."""
    return text.replace("\0", "") if isinstance(text, str) else ""


def _attributes(spoken: object, name: object, seen: object) -> Mapping[str, str]:
    """Of content-desc, resource-id and a visibility other than visible those that the view has."""
    if isinstance(spoken, list):
        spoken = spoken[0] if spoken else None
    told = {}
    if spoken:
        told["content-desc"] = _plain(spoken)
    if isinstance(name, str):
        told["resource-id"] = name
    if isinstance(seen, str) and seen != "visible":
        told["visibility"] = seen
    return told


def _told_apart(nodes: list[Node]) -> tuple[Node, ...]:
    """Those whose pointer others have too are without a box."""
    times = Counter(node.key for node in nodes)
    return tuple(n if times[n.key] == 1 else n._replace(box=None, box_fault="same-pointer") for n in nodes)
