"""Mind2Web's raw dump: for each task the browser's own snapshot of the document before each action, and its screenshot.

    task/<annotation_id>/processed/dom_content.json    [{"action_uid", "before": {"dom": <DOMSnapshot.captureSnapshot>}}]
    task/<annotation_id>/processed/screenshot.json     [{"action_uid", "before": {"screenshot": <base64>}}]

The snapshot has no cleaned HTML; one is written of it in the same form: elements and texts that have a box, under their
backend_node_id. Every text has a box of its own here. Snapshots as MHTML, traces and videos are not read.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.sax.saxutils import escape, quoteattr

import orjson

from builder.sources._mind2web_rows import Action, Candidate, Unreadable
from domain.text import visible_characters

DOM, SHOTS = "dom_content.json", "screenshot.json"
LARGEST = 512 * 2**20
"""Bytes of one JSON file. It is read whole, and takes a few times its size of memory: a larger one is left out and said."""
ELEMENT_NODE, TEXT_NODE = 1, 3
KEPT = ("aria-label", "title", "alt", "role", "placeholder", "type", "value", "input_value", "name")
"""What the publisher keeps in cleaned HTML, where dashes are underscores."""
_NAME = re.compile(r"[a-z][a-z0-9_.]*(?:-[a-z0-9_.]+)*")
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def tasks(path: Path) -> list[Path]:
    """Folders `processed` of tasks that hold both files, sorted by name. path: the dump, its `task` folder, or one task."""
    found = {file.parent for pattern in ("", "*/", "task/*/") for file in path.glob(f"{pattern}processed/{SHOTS}")}
    return sorted(folder for folder in found if (folder / DOM).is_file())


def actions(folder: Path) -> Iterator[tuple[str, Action | Unreadable]]:
    """Every action of one task once, in the file's order: its uid, and the action or what is wrong with it.

    Raises Unreadable `broken-json` or `too-large` for a file that cannot be read as a whole.
    """
    shots = {str(entry.get("action_uid")): entry for entry in _listed(folder / SHOTS)}
    for entry in _listed(folder / DOM):
        uid = str(entry.get("action_uid") or "")
        try:
            yield uid, _action(uid, entry, shots.get(uid))
        except Unreadable as fault:
            yield uid, fault


def _listed(file: Path) -> list[Mapping[str, Any]]:
    if file.stat().st_size > LARGEST:
        raise Unreadable("too-large", f"{file.name} has {file.stat().st_size} bytes, more than {LARGEST}.")
    try:
        entries = orjson.loads(file.read_bytes())
    except orjson.JSONDecodeError as error:
        raise Unreadable("broken-json", f"{file.name} is no JSON: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Unreadable("broken-json", f"{file.name} is not a list of objects.")
    return entries


def _action(uid: str, entry: Mapping[str, Any], shot: Mapping[str, Any] | None) -> Action:
    if not uid:
        raise Unreadable("no-uid", "The action has no action_uid.")
    encoded = ((shot or {}).get("before") or {}).get("screenshot")
    if not encoded or not isinstance(encoded, str):
        raise Unreadable("no-screenshot", f"{SHOTS} has no screenshot before this action.")
    try:
        picture = base64.b64decode(encoded.partition("base64,")[2] or encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unreadable("bad-screenshot", f"The screenshot is no base64: {error}.") from error
    snapshot = (entry.get("before") or {}).get("dom")
    try:
        url, cleaned, found = _cleaned(snapshot)
    except (KeyError, IndexError, TypeError, ValueError, RecursionError) as error:
        raise Unreadable("bad-html", f"before.dom is no DOM snapshot: {type(error).__name__} {error}.") from error
    try:
        site = (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:  # a bracket that does not close
        site = ""
    return Action(uid, site, url, "", picture, cleaned, found)


def _cleaned(snapshot: Any) -> tuple[str, bytes, tuple[Candidate, ...]]:
    """(url, XML, candidates) of the first document of a snapshot, as the DevTools protocol describes it."""
    strings: Sequence[str] = snapshot["strings"]
    document = snapshot["documents"][0]
    tree, layout = document["nodes"], document["layout"]
    rects = {node: tuple(bounds) for node, bounds in zip(layout["nodeIndex"], layout["bounds"], strict=True)}
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(tree["parentIndex"]):
        children.setdefault(parent, []).append(node)
    out: list[str] = []
    found: list[Candidate] = []

    def opened(node: int) -> str:
        """Writes the beginning of the element and gives its tag; "" for what is left out, with or without its children."""
        kind, key = tree["nodeType"][node], str(tree["backendNodeId"][node])
        if node not in rects:
            return ""
        if kind == TEXT_NODE:
            text = visible_characters(_NOT_XML.sub("", strings[tree["nodeValue"][node]]))
            if text:
                _listed_box(found, key, "text", rects[node])
                out.append(f"<text backend_node_id={quoteattr(key)}>{escape(text)}</text>")
            return ""
        tag = str(strings[tree["nodeName"][node]]).lower()
        if kind != ELEMENT_NODE or not _NAME.fullmatch(tag) or tag == "text":
            return ""
        named = tree["attributes"][node]
        pairs = {strings[name]: strings[value] for name, value in zip(named[::2], named[1::2], strict=True)}
        kept = "".join(
            f" {name.replace('-', '_')}={quoteattr(_NOT_XML.sub('', pairs[name]))}" for name in KEPT if pairs.get(name)
        )
        _listed_box(found, key, tag, rects[node])
        out.append(f"<{tag} backend_node_id={quoteattr(key)}{kept}>")
        return tag

    # A stack of our own: documents nest deeper than Python calls.
    stack: list[tuple[int, str]] = [(node, "") for node in reversed(children.get(-1, []))]
    while stack:
        node, closing = stack.pop()
        if closing:
            out.append(closing)
            continue
        tag = opened(node)
        if tag:
            stack.append((-1, f"</{tag}>"))
        stack.extend((child, "") for child in reversed(children.get(node, [])))
    return str(strings[document["documentURL"]]), "".join(out).encode(), tuple(found)


def _listed_box(found: list[Candidate], key: str, tag: str, bounds: tuple[Any, ...]) -> None:
    x, y, width, height = map(float, bounds)
    found.append(Candidate(key, tag, (x, y, width, height), f"{x:g},{y:g},{width:g},{height:g}"))
