"""Where in a serialised document the value of a divergence stands: places in its text.

Values are compared without blanks, case and characters that are not seen: a browser collapses, transforms and joins.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from channels.serialised import Attribute, Node, attributes, below, characters, text_runs

Span = tuple[int, int]
MOST_CHARACTERS = 200_000
"""Of an element's text: more is not a value that somebody reads."""
LABELLED_BY = ("aria-labelledby", "aria-labeledby")
_SAID_BY = {"checked": "checked", "unchecked": "checked", "open": "open", "closed": "open"}
"""What a state says, and the attribute that says so by being there or not."""


class Places(NamedTuple):
    """Where the value stands, and the other elements that are needed to see it."""

    spans: list[Span]
    others: list[Node]


def places(text: str, root: Node, node: Node, value: str, kind: str = "") -> Places:
    """The places of the value in the element, in the order of the text; else in the elements that its label is taken from.

    kind: `state` is said by attributes, and by their absence: then the whole opening tag is the place.
    """
    own = attributes(text, node)
    if kind == "state":
        return Places(_of_state(text, node, own, value), [])
    spans = _in_attributes(text, own, value)
    if spans and kind in {"aria", "title"}:
        return Places(spans, [])
    others = _labels(text, root, own)
    if others:
        labelled = [span for other in others for span in _in_label(text, other, value)]
        if labelled:
            return Places(sorted(labelled), others)
    return Places(sorted([*spans, *in_text(text, node, value)]), [])


def in_text(text: str, node: Node, value: str) -> list[Span]:
    """The places of the value in the element's text: a run that is all of it, else the runs that make it up together."""
    wanted = _folded(value)
    if not wanted:
        return []
    runs = list(text_runs(node))
    if sum(end - start for start, end in runs) > MOST_CHARACTERS:
        return []
    read = [_read(text, run) for run in runs]
    whole = [_span(run) for run in read if "".join(c for c, *_ in run) == wanted]
    if whole:
        return whole
    together = [found for run in read for found in run]
    at = "".join(c for c, *_ in together).find(wanted)
    if at >= 0:
        return _by_runs(runs, together[at : at + len(wanted)])
    return _by_runs(runs, _without_unseen(read, wanted))


def _in_attributes(text: str, own: Iterable[Attribute], value: str) -> list[Span]:
    """Values of attributes that are the value, all of them."""
    wanted = _folded(value)
    found = [attribute for attribute in own if wanted and _text_of(text, (attribute.opens, attribute.closes)) == wanted]
    return [(attribute.opens, attribute.closes) for attribute in found]


def _of_state(text: str, node: Node, own: list[Attribute], value: str) -> list[Span]:
    says = _SAID_BY.get(value)
    if says is None or node.tag not in {"input", "details", "dialog"} or _is_text_field(text, own, node):
        spans = [] if node.tag == "select" else _in_attributes(text, own, value)
        spans = spans or _in_select(text, node, value) or in_text(text, node, value)
        return spans or ([(node.start, node.opened)] if not _folded(value) else [])
    there = [(a.start + 1, a.end) for a in own if a.name.lower() == says]
    return there or [(node.start, node.opened)]


def _is_text_field(text: str, own: list[Attribute], node: Node) -> bool:
    kinds = [text[a.opens : a.closes].lower() for a in own if a.name.lower() == "type"]
    return node.tag == "input" and not (kinds and kinds[0] in {"checkbox", "radio"})


def _in_select(text: str, node: Node, value: str) -> list[Span]:
    """The options that are chosen as the document has it: those with `selected`, else the first that says it."""
    wanted = _folded(value)
    options = [child for child in below(node) if child.tag == "option"] if node.tag == "select" else []
    saying = [option for option in options if wanted and _said(text, option) and _said(text, option) in wanted]
    chosen = [option for option in saying if any(a.name.lower() == "selected" for a in attributes(text, option))]
    found = chosen or [option for option in saying if _said(text, option) == wanted][:1]
    return [run for option in found for run in text_runs(option)]


def _labels(text: str, root: Node, own: Iterable[Attribute]) -> list[Node]:
    ids = [name for a in own if a.name.lower() in LABELLED_BY for name in text[a.opens : a.closes].split()][:20]
    found: dict[str, Node] = {}
    for node in below(root) if ids else ():
        name = next((text[a.opens : a.closes] for a in attributes(text, node) if a.name.lower() == "id"), None)
        if name in ids:
            found.setdefault(name, node)
    return [found[name] for name in ids if name in found]


def _in_label(text: str, other: Node, value: str) -> list[Span]:
    """What of an element is a part of the name: its label, or its text."""
    wanted = _folded(value)
    for a in attributes(text, other):
        said = _text_of(text, (a.opens, a.closes))
        if a.name.lower() in {"aria-label", "alt", "title"} and said and said in wanted:
            return [(a.opens, a.closes)]
    runs = [run for run in text_runs(other) if (said := _text_of(text, run)) and said in wanted]
    return [_trimmed(text, run) for run in runs]


Character = tuple[str, int, int]


def _read(text: str, run: Span) -> list[Character]:
    """Characters that count, folded, each with its place."""
    return [(folded, start, end) for c, start, end in characters(text, *run) for folded in _folded(c)]


def _folded(value: str) -> str:
    if value.isascii():
        return "".join(value.split()).casefold()
    return "".join(c for c in value.casefold() if not c.isspace() and unicodedata.category(c) not in {"Cf", "Cc"})


def _text_of(text: str, run: Span) -> str:
    return "".join(c for c, *_ in _read(text, run))


def _said(text: str, node: Node) -> str:
    label = [a for a in attributes(text, node) if a.name.lower() == "label"]
    runs = [(a.opens, a.closes) for a in label] or list(text_runs(node))
    return "".join(_text_of(text, run) for run in runs)


def _span(run: list[Character]) -> Span:
    return run[0][1], run[-1][2]


def _trimmed(text: str, run: Span) -> Span:
    return _span(_read(text, run))


def _by_runs(runs: list[Span], found: list[Character]) -> list[Span]:
    """One span for each run of text that has any of these characters: from its first to its last."""
    spans: list[Span] = []
    places = iter(runs)
    here = next(places, None)
    for _, start, end in found:
        moved = False
        while here is not None and start >= here[1]:
            here, moved = next(places, None), True
        if spans and not moved:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _without_unseen(read: list[list[Character]], wanted: str) -> list[Character]:
    """Whole runs that make up the value in their order, where others between them are not seen; nothing where they do not."""
    found: list[Character] = []
    for run in read:
        said = "".join(c for c, *_ in run)
        if said and wanted.startswith(said, len(found)):
            found += run
    return found if len(found) == len(wanted) else []
