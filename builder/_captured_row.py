"""One capture of the crawl as a row of Multimodal-Mind2Web. Which column holds what: docs/captures-out.md."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import orjson

from domain.errors import BadInput
from domain.geometry import Box
from domain.reading import Element, Snapshot, parse
from domain.text import visible_characters
from domain.visit import CaptureRecord, Visit

ROOT = "html"
HIDDEN = "-1,-1,-1,-1"
KEPT = ("aria-label", "title", "alt", "role", "placeholder", "type", "value", "name")
"""Attributes that the publisher keeps in cleaned HTML; dashes become underscores."""
NEEDED = ("screenshot", "dom", "served", "before")
"""Artifacts without which a capture is no row."""
_TAG = re.compile(r"[a-z][a-z0-9_.-]*")
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Artifacts:
    """What was stored of one capture, as bytes."""

    screenshot: bytes
    dom: bytes
    served: bytes
    before: bytes


@dataclass(slots=True)
class _Item:
    """An element on its way into the row. key: its backend_node_id there."""

    key: str
    tag: str
    path: str
    box: str
    attributes: dict[str, str]
    text: str
    children: list[_Item]


def row(visit: Visit, capture: CaptureRecord, artifacts: Artifacts, flagged: Collection[str]) -> dict[str, Any]:
    """The row. flagged: CSS paths of the elements in which structure and pixels diverge; these are the positives.

    Text and attributes are those of the structure (S0), boxes those beside the screenshot, in its px. Raises BadInput where a
    reading is of another version or no JSON.
    """
    served, before = _snapshot(artifacts.served), _snapshot(artifacts.before)
    size = (visit.viewport.width * visit.viewport.scale, visit.viewport.height * visit.viewport.scale)
    root = _tree(served, before, visit.viewport.scale, size)
    found = [one for one in _walk(root) if one.tag != "text"]
    positives = [one for one in found if one.path in flagged]
    return {
        "action_uid": capture.id,
        "raw_html": artifacts.dom.decode("utf-8", "replace"),
        "cleaned_html": _written(root),
        "operation": orjson.dumps({"op": "NONE", "original_op": "NONE", "value": ""}).decode(),
        "pos_candidates": [_candidate(one, is_original_target=True, is_top_level_target=True) for one in positives],
        "neg_candidates": [_candidate(one) for one in found if one.path not in flagged],
        "website": visit.site,
        "domain": "live",
        "subdomain": visit.url,
        "annotation_id": visit.id,
        "confirmed_task": "",
        "screenshot": {"bytes": artifacts.screenshot, "path": None},
        "action_reprs": [],
        "target_action_index": "0",
        "target_action_reprs": "",
    }


def _snapshot(content: bytes) -> Snapshot:
    try:
        return parse(orjson.loads(content))
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"The stored reading cannot be read: {type(error).__name__} {error}.") from error


def _tree(served: Snapshot, before: Snapshot, scale: float, size: tuple[float, float]) -> _Item:
    root = _Item("1", ROOT, "", f"0,0,{size[0]:g},{size[1]:g}", {}, "", [])
    items: list[_Item] = []
    for i, element in enumerate(served.elements):
        at = before.by_key.get(element.key)
        box = before.elements[at].box if at is not None else None
        tag = element.tag if _TAG.fullmatch(element.tag) and element.tag not in {"text", ROOT} else "div"
        item = _Item(str(i + 2), tag, element.path, _rect(box, scale), _attributes(element), element.text, [])
        items.append(item)
        (items[element.parent] if 0 <= element.parent < i else root).children.append(item)
    last = len(items) + 2
    for item in items:
        item.children, last = _with_texts(item, last)
    return root


def _with_texts(item: _Item, number: int) -> tuple[list[_Item], int]:
    """The children, and between them the pieces of the element's own text: what of it is no child's. number: of the next id."""
    rest, out = item.text, []
    for child in item.children:
        own, found, after = rest.partition(child.text) if child.text else ("", "", rest)
        if found:
            own, rest = visible_characters(_NOT_XML.sub("", own)), after
            if own:
                out.append(_Item(str(number), "text", "", "", {}, own, []))
                number += 1
        out.append(child)
    own = visible_characters(_NOT_XML.sub("", rest))
    if own:
        out.append(_Item(str(number), "text", "", "", {}, own, []))
        number += 1
    return out, number


def _attributes(element: Element) -> dict[str, str]:
    secret = element.state is not None and element.state.secret
    return {
        name.replace("-", "_"): _NOT_XML.sub("", element.attributes[name])
        for name in KEPT
        if element.attributes.get(name) and not (secret and name == "value")
    }


def _rect(box: Box | None, scale: float) -> str:
    if box is None or not box.area:
        return HIDDEN
    return ",".join(f"{round(value * scale, 2):g}" if abs(value) < 1e5 else f"{value * scale:.0f}" for value in box.as_list())  # noqa: PLR2004


def _written(root: _Item) -> str:
    out: list[str] = []
    stack: list[_Item | str] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
        elif item.tag == "text":
            out.append(f"<text backend_node_id={quoteattr(item.key)}>{escape(item.text)}</text>")
        else:
            named = "".join(f" {name}={quoteattr(value)}" for name, value in item.attributes.items())
            out.append(f"<{item.tag} backend_node_id={quoteattr(item.key)}{named}>")
            stack.append(f"</{item.tag}>")
            stack.extend(reversed(item.children))
    return "".join(out)


def _walk(root: _Item) -> Sequence[_Item]:
    out, stack = [], [root]
    while stack:
        item = stack.pop()
        out.append(item)
        stack.extend(reversed(item.children))
    return out


def _candidate(item: _Item, **more: bool) -> str:
    attributes = {"backend_node_id": item.key, "bounding_box_rect": item.box, "path": item.path, **item.attributes}
    inner = orjson.dumps(attributes).decode()
    return orjson.dumps({"attributes": inner, "backend_node_id": item.key, "tag": item.tag, **more}).decode()
