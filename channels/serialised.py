"""A document as a browser writes it down, taken apart into elements that know where they stand in its text.

A serialised document needs no parser that mends: every element that can hold something is closed, every value is in quotes and
escaped. A parser for strangers' HTML would move what a script has put where such HTML cannot have it (a `div` in a `p`), and
the element at a path would be another. So tags are matched as they stand, in time that grows with the length of the text.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

ENTER = " >>> "
"""Enters a shadow root or a frame."""
MOST_ELEMENTS = 200_000
"""A capture has a quarter of that at most; what comes behind them is not looked at."""
MOST_BROKEN = 4
"""Tags that do not end. Each is looked for to the end of the text, and a browser writes none: only text that poses as tags."""
COMMENT = "!"
_BLANKS = ("", " ", "\n", "=")
"""What may stand behind a < that is none of a tag."""
_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()  # noqa: SIM905
)
_RAW = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext"})
"""What is in these is written as it is, and holds no elements."""
_TAG = re.compile(
    r"""<(?:!--(?P<comment>.*?)-->|![^>]*+>
    |/(?P<end>[A-Za-z][^\s/>]*+)\s*+>
    |(?P<tag>[A-Za-z][^\s/>]*+)(?P<attributes>(?:\s++[^\s>/][^\s=>/]*+(?:="[^"]*+"|='[^']*+'|=[^\s"'>]*+)?+)*+)\s*+(?P<closed>/?)>)""",
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"""\s++(?P<name>[^\s>/][^\s=>/]*+)(?:=(?:"(?P<value>[^"]*+)"|'(?P<other>[^']*+)'|(?P<bare>[^\s"'>]*+)))?+"""
)
_STEP = re.compile(r"([^\s:]+)(?::nth-child\((\d+)\))?")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


@dataclass(slots=True, eq=False)
class Node:
    """An element, or a comment (tag "!"), as places in the text: `<p>` from start to opened, `</p>` from closing to end."""

    tag: str
    start: int
    opened: int
    parent: Node | None
    closing: int = 0
    end: int = 0
    children: list[Node] = field(default_factory=list)
    shadow: Node | None = None
    """The `<template shadowrootmode>` of its open shadow root; not one of its children."""

    def elements(self) -> list[Node]:
        """Its children as a path counts them."""
        return [child for child in self.children if child.tag != COMMENT]

    def ancestors(self) -> Iterator[Node]:
        """Those around it, nearest first, a shadow root's template among them."""
        node = self.parent
        while node is not None and node.tag:
            yield node
            node = node.parent


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: from start to end it stands in the text with the blank before it, its value from opens to closes."""

    name: str
    start: int
    opens: int
    closes: int
    end: int


def parse(text: str) -> Node:
    """The document, a node with the tag "" that holds all others. Nothing is an error: what is no tag is text."""
    root = Node("", 0, 0, None)
    node, open_tags, count, broken, at = root, Counter[str](), 0, 0, 0
    while (at := text.find("<", at)) >= 0 and count < MOST_ELEMENTS and broken < MOST_BROKEN:
        found = _TAG.match(text, at)
        if found is None:
            broken, at = broken + (text[at + 1 : at + 2] not in _BLANKS), at + 1
            continue
        start, at = at, found.end()
        if (end := found["end"]) is not None:
            if open_tags[end]:
                node = _close(node, end, start, at, open_tags)
            continue
        tag = found["tag"]
        child = Node(tag or COMMENT, start, at, node, at, at)
        if tag == "template" and node.shadow is None and 'shadowrootmode="' in found["attributes"]:
            node.shadow = child
        else:
            node.children.append(child)
        count += 1
        if tag is None or tag in _VOID or found["closed"]:
            continue
        if tag in _RAW:
            closing = re.compile(f"</{tag}\\s*+>", re.IGNORECASE).search(text, at)
            child.closing, child.end = (closing.start(), closing.end()) if closing else (len(text), len(text))
            at = child.end
            continue
        open_tags[tag] += 1
        node = child
    while node is not root:
        node.closing = node.end = len(text)
        node = node.parent or root
    root.closing = root.end = len(text)
    return root


def _close(node: Node, tag: str, start: int, end: int, open_tags: Counter[str]) -> Node:
    """The node around the nearest open one with this tag, which ends here, with all that is open in it."""
    while True:
        open_tags[node.tag] -= 1
        node.closing, node.end = (start, end) if node.tag == tag else (start, start)
        around = node.parent
        assert around is not None, "only what is open is closed"  # noqa: S101 - the counter has told
        if node.tag == tag:
            return around
        node = around


def locate(root: Node, path: str) -> tuple[Node | None, str]:
    """The element at the path, or the frame element in which the document ends, and what of the path lies beyond.

    None: there is no such element.
    """
    node, parts = root, path.split(ENTER)
    for number, part in enumerate(parts):
        if number:
            if node.shadow is None:
                return (node, ENTER.join(parts[number:])) if node.tag in {"iframe", "frame", "object", "embed"} else (None, "")
            node = node.shadow
        for step in part.split(" > "):
            found = _child(node, step)
            if found is None:
                return None, ""
            node = found
    return node, ""


def _child(node: Node, step: str) -> Node | None:
    match = _STEP.fullmatch(step)
    if match is None:
        return None
    inside = node.elements()
    if match[2] is None:
        return next((child for child in inside if child.tag == match[1]), None)
    number = int(match[2])
    child = inside[number - 1] if 0 < number <= len(inside) else None
    # A path has local names; a document writes a prefix where there is one.
    return child if child is not None and child.tag.rpartition(":")[2] == match[1] else None


def attributes(text: str, node: Node) -> list[Attribute]:
    """Those of the element's opening tag, in their order."""
    found = []
    for match in _ATTRIBUTE.finditer(text, node.start + 1 + len(node.tag), node.opened):
        said = next((name for name in ("value", "other", "bare") if match[name] is not None), None)
        opens, closes = match.span(said) if said else (match.end(), match.end())
        found.append(Attribute(match["name"], match.start(), opens, closes, match.end()))
    return found


def below(node: Node) -> Iterator[Node]:
    """All elements in it, those of shadow roots too, in the order of the document."""
    stack = [node]
    while stack:
        here = stack.pop()
        stack += [child for child in reversed(_inside(here)) if child.tag != COMMENT]
        if here is not node:
            yield here


def text_runs(node: Node) -> Iterator[tuple[int, int]]:
    """(start, end) of every run of text in it, in the order of the document; not of scripts, styles, and shadow roots."""
    if node.tag in _RAW:
        return
    stack = [_Open(node.opened, iter(_inside(node)), node.closing)]
    while stack:
        here = stack[-1]
        child = next(here.rest, None)
        end = here.closing if child is None else child.start
        if here.at < end:
            yield here.at, end
        if child is None:
            stack.pop()
            continue
        here.at = child.end
        if child.tag not in _RAW and child.tag != COMMENT and child is not (child.parent and child.parent.shadow):
            stack.append(_Open(child.opened, iter(_inside(child)), child.closing))


@dataclass(slots=True)
class _Open:
    """An element that is being read: up to where, and what is still to come in it."""

    at: int
    rest: Iterator[Node]
    closing: int


def _inside(node: Node) -> list[Node]:
    # A shadow root is written first in its host, and is none of its text.
    return node.children if node.shadow is None else [node.shadow, *node.children]


def characters(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Every character that is written there, entities undone, with the place of what stands for it."""
    marks = [(start, start), *(match.span() for match in _ENTITY.finditer(text, start, end)), (end, end)]
    for (_, before), (begin, after) in pairwise(marks):
        for at in range(before, begin):
            yield text[at], at, at + 1
        if begin < after:
            written = html.unescape(text[begin:after])
            yield from ((character, begin, after) for character in written)
