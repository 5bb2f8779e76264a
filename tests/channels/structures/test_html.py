"""Cleaned HTML has one way to be written, and an edit changes one value of it and nothing else."""

from __future__ import annotations

import pytest

from channels.structures import html, structure
from domain.errors import BadInput
from domain.probe import Edit

PAGE = b"""<?xml version="1.0"?><!-- a comment --><html backend_node_id='1'>
  <body lang="en" backend_node_id="2"><a backend_node_id="3" title="T" aria_label='Go &amp; see'><text backend_node_id="4">
   Fish &amp;  chips&#160;</text></a><text backend_node_id="5"/></body></html>"""
NORMAL = (
    '<html backend_node_id="1">\n  <body backend_node_id="2" lang="en">'
    '<a aria_label="Go &amp; see" backend_node_id="3" title="T">'
    '<text backend_node_id="4">\n   Fish &amp;  chips\u00a0</text></a><text backend_node_id="5"></text></body></html>'
)


WRITABLE = (
    "'bell\\x07' cannot be written into the structure: All strings must be XML compatible: Unicode or ASCII, no NULL bytes or "
    "control characters."
)


def _edit(node: str, before: str, after: str, rule: str = "swap-text") -> Edit:
    return Edit(rule=rule, version=1, node=node, before=before, after=after)


def test_the_normal_form_is_canonical_xml_and_its_own_normal_form() -> None:
    """By hand: attributes sorted, double quotes, no comment, no declaration, empty elements written out, blanks kept."""
    assert structure("html") is html
    assert html.normal(PAGE).decode() == NORMAL
    assert html.normal(NORMAL.encode()).decode() == NORMAL


def test_a_node_says_its_text_as_it_is_drawn_and_an_attribute_its_value() -> None:
    """Blanks are one, the no-break one too; ends are cut."""
    assert html.says(PAGE, "4", "swap-text") == "Fish & chips"
    assert html.says(PAGE, "3@aria_label", "swap-text") == "Go & see"
    assert html.says(PAGE, "5", "swap-text") == ""
    for absent in ("3", "9", "3@role", ""):  # an element without a text of its own, none, none, none
        assert html.says(PAGE, absent, "swap-text") is None


@pytest.mark.parametrize(
    ("edit", "was", "now"),
    [
        (_edit("4", "Fish & chips", "Salt < pepper"), "\n   Fish &amp;  chips\u00a0", "Salt &lt; pepper"),
        (_edit("3@aria_label", "Go & see", 'Say "no"'), "Go &amp; see", "Say &quot;no&quot;"),
    ],
)
def test_an_edit_changes_one_value_and_no_other_byte(edit: Edit, was: str, now: str) -> None:
    """The normal form with one string replaced; it says so afterwards, and undoing gives what was said before."""
    edited = html.edited(NORMAL.encode(), edit)
    assert edited.decode() == NORMAL.replace(was, now)
    assert html.says(edited, edit.node, edit.rule) == edit.after
    back = html.edited(edited, _edit(edit.node, edit.after, edit.before))
    assert html.says(back, edit.node, edit.rule) == edit.before


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (_edit("9", "a", "b"), "Node '9' is not there: nothing is edited."),
        (_edit("4", "Fish", "b"), "Node '4' says 'Fish & chips', not 'Fish': nothing is edited."),
        (_edit("4", "Fish & chips", "b", "type-text"), "No rule 'type-text' edits html. Known: swap-text."),
        (
            _edit("4", "Fish & chips", "bell\x07"),
            WRITABLE,
        ),
    ],
)
def test_an_edit_that_cannot_be_made_is_told(edit: Edit, message: str) -> None:
    """Nothing is edited then."""
    with pytest.raises(BadInput) as caught:
        html.edited(PAGE, edit)
    assert str(caught.value) == message


def test_an_id_that_two_texts_have_is_edited_in_neither() -> None:
    """Which one was meant cannot be told."""
    twice = b'<a backend_node_id="1"><text backend_node_id="2">x</text><text backend_node_id="2">x</text></a>'
    with pytest.raises(BadInput, match=r"^Node '2' is there 2 times: nothing is edited\.$"):
        html.edited(twice, _edit("2", "x", "y"))


BOMB = b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
OUTSIDE = b'<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/hostname">]><a>&f;</a>'


@pytest.mark.parametrize("content", [BOMB, OUTSIDE, b'<!DOCTYPE html SYSTEM "http://127.0.0.1:9/x.dtd"><html/>'])
def test_no_entity_is_made_and_no_file_is_opened(content: bytes) -> None:
    """A document type is refused before anything in it is looked up."""
    with pytest.raises(BadInput, match=r"^The structure has a document type; that may hide entities"):
        html.normal(content)


@pytest.mark.parametrize("content", [b"", b"  ", b"<a><b></a>", b"\x00", b"<a>&nbsp;</a>", b"plain", b"<a/>" * 2])
def test_what_is_no_xml_is_bad_input(content: bytes) -> None:
    """Never another error."""
    with pytest.raises(BadInput, match=r"^The structure is not well-formed: "):
        html.normal(content)


def test_deep_trees_do_not_break_the_reader() -> None:
    """A hundred thousand elements inside each other: refused, or read; no crash."""
    deep = b"<a>" * 100_000 + b"</a>" * 100_000
    with pytest.raises(BadInput, match="not well-formed: Excessive depth in document"):
        html.normal(deep)


def test_svg_text_with_pieces_is_no_leaf() -> None:
    """Its pieces are drawn one by one; it says nothing as a whole."""
    svg = b'<svg backend_node_id="1"><text backend_node_id="2">a<tspan backend_node_id="3">b</tspan></text></svg>'
    assert html.says(svg, "2", "swap-text") is None
    assert [(one.key, one.text, one.parent) for one in html.elements(svg)] == [("1", "", None), ("2", "", "1"), ("3", "", "2")]
