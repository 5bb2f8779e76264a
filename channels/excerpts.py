"""Excerpts: the stored document around one element, as text in which the value that the structure asserts is marked.

What comes out is strangers' text. It is meant to be escaped by whoever shows it, piece by piece.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import orjson

from channels.found_values import Span, places
from channels.serialised import ENTER, Node, attributes, locate, parse

AROUND = 4
"""Opening tags of what is around the element."""
LONGEST = 3000
"""Characters of the element itself; of more, its beginning and what is around the marks."""
NEAR = 250
"""Characters on each side of a mark that are kept of a long element."""
ATTRIBUTE = 160
"""Characters of an attribute's value; of a longer one its beginning, unless the mark is in it."""
MOST_UNITS = 20_000_000
"""Characters of a document that is taken apart; a visit stores 16,000,000 at most."""
MOST_MARKS = 5
INDENT = "  "
GAP = "\u2026"
NOT_SERIALISED = (
    "The serialised document does not hold what is inside this frame or shadow root: this is the element as it was read."
)
NOT_THERE = "The element was not in the document when that was read."
NOT_LITERAL = "The value does not stand there as such: the browser made it of what does (a list, a style, a name put together)."


Piece = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Runs of text in their order, each with whether it is the value. problem: why there is none, or no mark; else empty."""

    pieces: tuple[tuple[str, bool], ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Artifacts:
    """What a capture has stored of its structure, as bytes. Empty for what there is not."""

    dom: bytes
    frames: bytes = b""
    served: bytes = b""
    before: bytes = b""


def excerpt(stored: Artifacts, path: str, value: str, kind: str = "") -> Excerpt:
    """The document around the element that is at the path at S1, as it stood at S0, the value marked wherever it stands in it.

    kind: state says "checked" and "open" of attributes. A problem where the element is not in the document.
    """
    dom, served, before = stored.dom, _elements(stored.served), _elements(stored.before)
    frame = next((f for f in _frames(stored.frames) if path.startswith(f["path"] + ENTER)), None)
    if frame is not None:
        dom, path = str(frame["dom"]).encode("utf-8", "surrogatepass"), path.removeprefix(frame["path"] + ENTER)
        served, before = (frame[when]["reading"]["elements"] for when in ("served", "before"))
    path = _path_then(served, before, path)
    if len(dom) > MOST_UNITS:
        return Excerpt((), "The document is too large to be shown in part; it is in the archive.")
    text = dom.decode("utf-8", "replace")
    root = parse(text)
    node, beyond = locate(root, path)
    if node is None or beyond:
        element = next((e for e in served if e.get("s") == path), None)
        return Excerpt((), NOT_THERE) if element is None else _read(element, value)
    found = places(text, root, node, value, kind)
    pieces = around(text, node, found.spans)
    for other in found.others:
        pieces += [(f"\n\n{GAP}\n", False), *around(text, other, found.spans)]
    return excerpt_of(pieces, "" if found.spans else NOT_LITERAL)


def excerpt_of(pieces: list[Piece], problem: str = "") -> Excerpt:
    """Neighbours that are alike made one, none of them empty."""
    runs = groupby((piece for piece in pieces if piece[0]), key=itemgetter(1))
    return Excerpt(tuple(("".join(text for text, _ in run), marked) for marked, run in runs), problem)


def around(text: str, node: Node, spans: list[Span]) -> list[Piece]:
    """The element between the tags of what is around it, what is beside it left out."""
    all_outer = list(node.ancestors())
    outer = all_outer[:AROUND][::-1]
    inner = [*outer[1:], node]
    pieces: list[Piece] = [(f"{GAP}\n", False)] if len(all_outer) > len(outer) else []
    for depth, (tag, held) in enumerate(zip(outer, inner, strict=False)):
        pieces += [(INDENT * depth, False), *_tag(text, tag, []), ("\n", False)]
        if text[tag.opened : held.start].strip():
            pieces.append((f"{INDENT * (depth + 1)}{GAP}\n", False))
    pieces += [(INDENT * len(outer), False), *_element(text, node, spans), ("\n", False)]
    for depth, (tag, held) in reversed(list(enumerate(zip(outer, inner, strict=False)))):
        if text[held.end : tag.closing].strip():
            pieces.append((f"{INDENT * (depth + 1)}{GAP}\n", False))
        pieces.append((f"{INDENT * depth}{text[tag.closing : tag.end]}\n", False))
    return pieces


def _tag(text: str, node: Node, spans: list[Span]) -> list[Piece]:
    """The opening tag, long values of attributes cut."""
    kept: list[Span] = []
    at = node.start
    for attribute in attributes(text, node):
        marked = any(start < attribute.closes and end > attribute.opens for start, end in spans)
        if attribute.closes - attribute.opens > ATTRIBUTE and not marked:
            kept.append((at, attribute.opens + ATTRIBUTE))
            at = attribute.closes
    return _pieces(text, [*kept, (at, node.opened)], spans)


def _element(text: str, node: Node, spans: list[Span]) -> list[Piece]:
    """All of it, or where that is long its opening tag, its beginning, and what is near the marks."""
    inside = [span for span in spans if span[0] >= node.opened]
    if node.end - node.opened <= LONGEST:
        return _tag(text, node, spans) + _pieces(text, [(node.opened, node.end)], inside)
    kept: list[Span] = [(node.opened, node.opened + NEAR)]
    for start, end in inside[:MOST_MARKS]:
        begin, stop = max(node.opened, start - NEAR), min(node.closing, end + NEAR)
        if begin <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(stop, kept[-1][1]))
        else:
            kept.append((begin, stop))
    return _tag(text, node, spans) + _pieces(text, [*kept, (node.closing, node.end)], inside)


def _pieces(text: str, kept: list[Span], spans: list[Span]) -> list[Piece]:
    """What is kept of the text, a gap between two parts, marked where the spans are."""
    pieces: list[Piece] = []
    for number, (start, stop) in enumerate(kept):
        if number and start > kept[number - 1][1]:
            pieces.append((GAP, False))
        at = start
        for begin, end in spans:
            begin, end = max(begin, at), min(end, stop)  # noqa: PLW2901 - what of it is kept
            if begin < end:
                pieces += [(text[at:begin], False), (text[begin:end], True)]
                at = end
        pieces.append((text[at:stop], False))
    return pieces


def _path_then(served: Any, before: Any, path: str) -> str:
    """Where the element stood at S0 that is at the path at S1: it may have been moved meanwhile."""
    key = next((e["k"] for e in before if e.get("s") == path), None)
    return next((e["s"] for e in served if e["k"] == key and e.get("s")), path)


def _frames(content: bytes) -> list[dict[str, Any]]:
    """Frames of other sites, inner ones before those that hold them."""
    found = orjson.loads(content)["frames"] if content else []
    return sorted(found, key=lambda frame: -len(frame["path"]))


def _elements(reading: bytes) -> list[dict[str, Any]]:
    found = orjson.loads(reading)["elements"] if reading else []
    return found if isinstance(found, list) else []


def _read(element: Mapping[str, Any], value: str) -> Excerpt:
    """The element written out of the reading: its tag, its attributes, the text that was seen of it."""
    tag = str(element.get("t", ""))
    names = {str(name): str(said) for name, said in element.get("a", {}).items()}
    written = "".join(f' {name}="{html.escape(said)}"' for name, said in names.items())
    text = f"<{tag}{written}>{html.escape(str(element.get('x', '')), quote=False)}</{tag}>"
    root = parse(text)
    node = root.children[0]
    found = places(text, root, node, value)
    return excerpt_of(_element(text, node, found.spans), NOT_SERIALISED)
