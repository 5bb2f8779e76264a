"""html: Mind2Web's cleaned HTML, which is XML. Elements are named by `backend_node_id`; text stands in leaves `<text>`.

The normal form is Canonical XML 1.0 without comments (W3C): attributes sorted, one way to escape, UTF-8, blanks as they are.

A node is a backend_node_id ("8705": what its `<text>` says), or one with an attribute ("8692@aria_label").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from domain.errors import BadInput
from domain.probe import Edit
from domain.text import visible_characters

ID = "backend_node_id"
TEXT = "text"
RULE = "swap-text"


class Element(NamedTuple):
    """One element with an id, as the structure has it. text: of a leaf `<text>`, as it is drawn; else "". parent: its id."""

    key: str
    tag: str
    text: str
    parent: str | None
    attributes: dict[str, str]


def normal(content: bytes) -> bytes:
    """Canonical XML. Raises BadInput where it is not well-formed, or has a document type, which might hide entities."""
    return _written(_parsed(content))


def says(content: bytes, node: str, rule: str) -> str | None:
    """The text of the node, or its attribute's value, without what is never drawn and blanks as one; None: no such node."""
    _known(rule)
    found = _find(_parsed(content), node)
    return _value(found[0], _attribute(node)) if len(found) == 1 else None


def edited(content: bytes, edit: Edit) -> bytes:
    """With the text, or the attribute's value, replaced. Raises BadInput where the node is not there or says something else."""
    _known(edit.rule)
    root, attribute = _parsed(content), _attribute(edit.node)
    found = _find(root, edit.node)
    if len(found) != 1:
        raise BadInput(f"Node {edit.node!r} is {'not there' if not found else f'there {len(found)} times'}: nothing is edited.")
    said = _value(found[0], attribute)
    if said != edit.before:
        raise BadInput(f"Node {edit.node!r} says {said!r}, not {edit.before!r}: nothing is edited.")
    try:
        if attribute:
            found[0].set(attribute, edit.after)
        else:
            found[0].text = edit.after
    except ValueError as error:
        raise BadInput(f"{edit.after!r} cannot be written into the structure: {error}.") from error
    return _written(root)


def elements(content: bytes) -> Iterator[Element]:
    """Every element that has an id, in document order. Raises BadInput as `normal` does."""
    for element in _parsed(content).iter(etree.Element):
        key = element.get(ID)
        if key:
            parent = next((up.get(ID) for up in element.iterancestors() if up.get(ID)), None)
            attributes = {str(name): str(value) for name, value in element.items() if name != ID}
            yield Element(key, str(element.tag), _value(element, "") or "", parent, attributes)


def _parsed(content: bytes) -> etree._Element:
    # A parser serves one thread at a time and costs nothing to make.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BadInput(f"The structure is not well-formed: {str(error) or 'it is empty'}.") from error
    if root.getroottree().docinfo.doctype:
        raise BadInput("The structure has a document type; that may hide entities, and cleaned HTML has none.")
    return root


def _written(root: etree._Element) -> bytes:
    return bytes(etree.tostring(root, method="c14n", with_comments=False))


def _known(rule: str) -> None:
    if rule != RULE:
        raise BadInput(f"No rule {rule!r} edits html. Known: {RULE}.")


def _attribute(node: str) -> str:
    return node.partition("@")[2]


def _find(root: etree._Element, node: str) -> list[etree._Element]:
    key, _, attribute = node.partition("@")
    found = [element for element in root.iter(etree.Element) if element.get(ID) == key]
    return [element for element in found if (element.get(attribute) is not None if attribute else _is_text(element))]


def _is_text(element: etree._Element) -> bool:
    """A leaf that holds text. SVG has `<text>` with children: those are drawn piece by piece."""
    return element.tag == TEXT and len(element) == 0


def _value(element: etree._Element, attribute: str) -> str | None:
    if attribute:
        value = element.get(attribute)
        return None if value is None else visible_characters(str(value))
    return visible_characters(element.text or "") if _is_text(element) else None
