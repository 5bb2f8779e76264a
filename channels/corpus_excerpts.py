"""Excerpts of a corpus's structure: the node that a probe asks about, as the probe's edit makes it, what it asserts marked."""

from __future__ import annotations

import json
from typing import Any

from channels.excerpts import Excerpt, around, excerpt_of
from channels.found_values import in_text
from channels.serialised import attributes, below, parse
from channels.structures import html, view_hierarchy
from domain.errors import BadInput
from domain.probe import Edit

SAYING = ("class", "text", "visibility", "visible-to-user")
"""Fields of a view that a probe may ask about."""
NOT_IN_PART = "This structure is not shown in part; where the store has it, it is in the archive."


def excerpt_of_node(content: bytes, node: str, edit: Edit | None) -> Excerpt:
    """The node with this key in the structure, with the edit made. A problem where it is not there, or cannot be read."""
    try:
        if content.lstrip()[:1] == b"<":
            return _of_html(html.edited(html.normal(content), edit) if edit else content, node, edit.after if edit else "")
        if b'"activity"' in content:
            return _of_views(view_hierarchy.edited(content, edit) if edit else content, node, edit.rule if edit else "")
    except BadInput as error:
        return Excerpt((), str(error))
    return Excerpt((), NOT_IN_PART)


def _of_html(content: bytes, key: str, value: str) -> Excerpt:
    text = content.decode("utf-8", "replace")
    wanted, _, name = key.partition("@")
    for node in below(parse(text)):
        own = {a.name: a for a in attributes(text, node)}
        named = own.get(html.ID)
        if named is None or text[named.opens : named.closes] != wanted or (name and name not in own):
            continue
        spans = [(own[name].opens, own[name].closes)] if name else in_text(text, node, value)
        return excerpt_of(around(text, node, spans))
    return Excerpt((), f"The structure has no node {key!r}.")


def _of_views(content: bytes, pointer: str, rule: str) -> Excerpt:
    """The view as JSON, a field a line, without what is in it."""
    view = view_hierarchy.found(view_hierarchy.parsed(content), pointer)
    if view is None:
        return Excerpt((), f"The view hierarchy has no node {pointer!r}.")
    marked = SAYING[:2] if rule == "type-text" else SAYING[2:]
    pieces: list[tuple[str, bool]] = [("{\n", False)]
    for name in sorted(view):
        pieces += [("  ", False), (f"{json.dumps(name)}: {_short(view[name], name)}", name in marked), (",\n", False)]
    return excerpt_of([*pieces, ("}\n", False)])


def _short(value: Any, name: str) -> str:
    if name == "children" and isinstance(value, list):
        return f"[\u2026 {len(value)}]"
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= 200 else written[:200] + "\u2026"  # noqa: PLR2004 - what fits a line or two
