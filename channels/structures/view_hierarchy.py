"""RICO's view hierarchies: JSON, one object a view, found by its pointer. What is in one: docs/sources/rico.md.

Rules of editing: `type-text`, the view becomes a TextView with a text; `hide-node`, it is gone, and all that is in it is not
visible to the user. Everything else stays to the byte: NULs in texts, nulls among children, boxes that are none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import orjson

from domain.errors import BadInput
from domain.hierarchy import GONE, TEXT_ANCESTORS, VISIBLE, class_line, of_class_line
from domain.probe import Edit

RULES = ("type-text", "hide-node")
_HALVES = re.compile("[\ud800-\udfff]")


def parsed(content: bytes) -> Any:
    """The JSON value. Half of a surrogate pair (a text was cut) becomes U+FFFD. Raises BadInput where it is no JSON."""
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        try:
            mended = _HALVES.sub("\ufffd", json.dumps(json.loads(content), ensure_ascii=False))
            return orjson.loads(mended)
        except (ValueError, RecursionError):
            raise BadInput(f"The view hierarchy is no JSON: {error}") from error


def written(value: Any) -> bytes:
    """The value with sorted keys, no blanks, UTF-8. Raises BadInput where it is nested more than 254 deep."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        raise BadInput(f"The view hierarchy cannot be written: {error}") from error


def root_of(value: Any) -> dict[str, Any] | None:
    """The root view of a parsed hierarchy; None where it has none (the whole file is null, or no activity was read)."""
    activity = value.get("activity") if isinstance(value, dict) else None
    root = activity.get("root") if isinstance(activity, dict) else None
    return root if isinstance(root, dict) else None


def normal(content: bytes) -> bytes:
    """The hierarchy with sorted keys and no blanks. Raises BadInput where it is no JSON."""
    return written(parsed(content))


def edited(content: bytes, edit: Edit) -> bytes:
    """The hierarchy with the edit made. Raises BadInput: no such node, two of them, another value, an unknown rule."""
    value = parsed(content)
    node = found(value, edit.node)
    if node is None:
        raise BadInput(f"The view hierarchy has no node {edit.node!r}.")
    said = _says(node, edit.rule)
    if said != edit.before:
        raise BadInput(f"Node {edit.node!r} says {said!r}, not {edit.before!r}.")
    if edit.rule == "type-text":
        try:
            node["class"], node["text"] = of_class_line(edit.after)
        except ValueError as error:
            raise BadInput(f"{edit.rule} cannot make that of node {edit.node!r}: {error}") from error
        node["ancestors"] = list(TEXT_ANCESTORS)
    else:
        if edit.after != GONE:
            raise BadInput(f"{edit.rule} makes a node {GONE!r}, not {edit.after!r}.")
        node["visibility"] = GONE
        for inside in _views(node):
            inside["visible-to-user"] = False
    return written(value)


def says(content: bytes, node: str, rule: str) -> str | None:
    """`type-text`: the class, with the text behind it as JSON. `hide-node`: visible; else the node's visibility, or hidden.

    None where there is no such node. Raises BadInput where the rule is none, or several nodes have this pointer.
    """
    view = found(parsed(content), node)
    return None if view is None else _says(view, rule)


def _says(node: dict[str, Any], rule: str) -> str:
    if rule == "type-text":
        return class_line(str(node.get("class") or ""), str(node.get("text") or ""))
    if rule == "hide-node":
        if node.get("visible-to-user") is True:
            return VISIBLE
        visibility = node.get("visibility")
        return "hidden" if visibility in (VISIBLE, None) else str(visibility)
    raise BadInput(f"No rule {rule!r} for view hierarchies. Known: {', '.join(RULES)}.")


def _views(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The view and all in it, in the document's order; what is no view (null) is left out."""
    waiting = [root]
    while waiting:
        view = waiting.pop()
        yield view
        children = view.get("children")
        if isinstance(children, list):
            waiting += [child for child in reversed(children) if isinstance(child, dict)]


def found(value: Any, pointer: str) -> dict[str, Any] | None:
    """The view with this pointer in a parsed hierarchy; None: there is none. Raises BadInput where several have it."""
    root = root_of(value)
    views = [] if root is None else [view for view in _views(root) if view.get("pointer") == pointer]
    if len(views) > 1:
        raise BadInput(f"{len(views)} nodes of the view hierarchy have the pointer {pointer!r}.")
    return views[0] if views else None
