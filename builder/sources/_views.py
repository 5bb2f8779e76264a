"""The views of a RICO hierarchy as nodes: boxes in image px, with what is wrong with those that are none."""

from __future__ import annotations

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
    known = boxes.get
    found: list[Node] = []
    keys: set[str] = set()
    again: set[str] = set()
    waiting: list[tuple[dict[str, Any], str | None]] = [(root, None)]
    while waiting:
        view, parent = waiting.pop()
        get = view.get
        bounds = get("bounds")
        placed = known(at := tuple(bounds)) if isinstance(bounds, list) else _NOWHERE
        if placed is None:
            placed = boxes[at] = _box(at, across, down)
        box, fault = placed
        key = get("pointer")
        if not isinstance(key, str) or not key:
            key, box, fault = f"@{len(found)}", None, "no-pointer"
        elif key in keys:
            again.add(key)
        keys.add(key)
        if children := get("children"):
            waiting += _views(children, key)
        text, ancestors, visible = get("text"), get("ancestors"), get("visible-to-user")
        found.append(
            Node(
                key,
                box,
                _plain(text) if text else "",
                get("class") or "",
                label(key),
                visible if visible is True or visible is False else None,
                parent,
                tuple(ancestors) if ancestors else (),
                _attributes(view),
                fault,
            )
        )
    return _told_apart(found, again) if again else tuple(found)


def _views(children: object, parent: str) -> list[tuple[dict[str, Any], str]]:
    """The views among the children, last first, for a stack."""
    if not isinstance(children, list):
        raise NotAView(f"children of {parent!r} is {type(children).__name__}, not a list")
    for at, child in enumerate(children):
        if child is not None and not isinstance(child, dict):
            raise NotAView(f"child {at} of {parent!r} is {type(child).__name__}, neither a view nor null")
    return [(child, parent) for child in reversed(children) if child is not None]


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


def _attributes(view: dict[str, Any]) -> Mapping[str, str]:
    """Of content-desc, resource-id and a visibility other than visible those that the view has."""
    get = view.get
    spoken, name, seen = get("content-desc"), get("resource-id"), get("visibility")
    if isinstance(spoken, list):  # one element, as a rule null
        spoken = spoken[0] if spoken else None
    if not spoken and not name and seen == "visible":
        return _NOTHING
    told = {}
    if spoken:
        told["content-desc"] = _plain(spoken)
    if isinstance(name, str):
        told["resource-id"] = name
    if isinstance(seen, str) and seen != "visible":
        told["visibility"] = seen
    return told


def _told_apart(nodes: list[Node], again: set[str]) -> tuple[Node, ...]:
    return tuple(
        Node(n.key, None, n.text, n.type, n.label, n.visible, n.parent, n.ancestors, n.attributes, "same-pointer")
        if n.key in again
        else n
        for n in nodes
    )
