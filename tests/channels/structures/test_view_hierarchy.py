"""View hierarchies: written one way, edited in one place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.structures.view_hierarchy import edited, normal, says
from domain.errors import BadInput
from domain.probe import Edit
from tests.corpora.hierarchies import hierarchy, view

ICON = view(
    "b0b",
    (10, 10, 90, 90),
    **{"class": "android.widget.ImageView"},
    content_desc=["Share"],
)
CONTENT = normal(hierarchy(view("aaaa", (0, 0, 1440, 2560), None, ICON, view("c0c", (0, 0, 9, 9), text="Nul\0 here"))))


def edit(rule: str, node: str, before: str, after: str) -> Edit:
    return Edit(rule=rule, version=1, node=node, before=before, after=after)


def found(content: bytes, pointer: str) -> dict[str, Any]:
    waiting = [json.loads(content)["activity"]["root"]]
    while waiting:
        node = waiting.pop()
        if node["pointer"] == pointer:
            return dict(node)
        waiting += [child for child in node.get("children", []) if child]
    raise AssertionError(pointer)


def test_normal() -> None:
    """Sorted keys, no blanks, UTF-8; nulls among children and NULs in texts stay."""
    assert normal(b'{"b": [null, "a\\u0000\\u00e9"],\n "a": 1}') == '{"a":1,"b":[null,"a\\u0000é"]}'.encode()
    assert b'"children":[null,{' in CONTENT
    assert b'"Nul\\u0000 here"' in CONTENT


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_normal_is_idempotent(value: Any) -> None:
    """What is normal stays as it is, and holds the same values."""
    once = normal(json.dumps(value).encode("utf-8", "replace"))
    assert normal(once) == once
    assert json.loads(once) == value


def test_a_widget_becomes_a_text() -> None:
    """type-text changes class, superclasses and text of one view, and nothing else in the file."""
    change = edit("type-text", "b0b", "android.widget.ImageView", 'android.widget.TextView "Share \\"it\\""')
    assert says(CONTENT, "b0b", "type-text") == change.before
    after = edited(CONTENT, change)
    assert says(after, "b0b", "type-text") == change.after
    assert found(after, "b0b") == found(CONTENT, "b0b") | {
        "class": "android.widget.TextView",
        "ancestors": ["android.view.View", "java.lang.Object"],
        "text": 'Share "it"',
    }
    back = json.loads(after)
    back["activity"]["root"]["children"][1] = found(CONTENT, "b0b")
    assert back == json.loads(CONTENT)
    assert normal(after) == after


def test_a_view_is_hidden_with_all_in_it() -> None:
    """hide-node: gone, and neither it nor what is in it is visible to the user; its parts keep a visibility of their own."""
    content = normal(hierarchy(view("aaaa", (0, 0, 9, 9), view("b0b", (0, 0, 9, 9), None, view("c0c")), view("d0d"))))
    assert says(content, "b0b", "hide-node") == "visible"
    after = edited(content, edit("hide-node", "b0b", "visible", "gone"))
    assert [says(after, node, "hide-node") for node in ("aaaa", "b0b", "c0c", "d0d")] == [
        "visible",
        "gone",
        "hidden",
        "visible",
    ]
    assert (found(after, "b0b")["visibility"], found(after, "b0b")["visible-to-user"]) == ("gone", False)
    assert (found(after, "c0c")["visibility"], found(after, "c0c")["visible-to-user"]) == ("visible", False)


def test_what_a_view_says() -> None:
    """The class, with a text that is one behind it; visibility by what the user sees; nothing of a view that is not there."""
    assert says(CONTENT, "c0c", "type-text") == 'android.widget.TextView "Nul\\u0000 here"'
    assert says(normal(hierarchy(view("aaaa", text=" \0"))), "aaaa", "type-text") == "android.widget.TextView"
    assert (
        says(normal(hierarchy(view("aaaa", visibility="invisible", visible_to_user=False))), "aaaa", "hide-node") == "invisible"
    )
    assert says(CONTENT, "ffff", "type-text") is None
    assert says(b"null", "aaaa", "hide-node") is None


@pytest.mark.parametrize(
    ("content", "change", "said"),
    [
        (CONTENT, edit("hide-node", "ffff", "visible", "gone"), "The view hierarchy has no node 'ffff'."),
        (b"null", edit("hide-node", "aaaa", "visible", "gone"), "The view hierarchy has no node 'aaaa'."),
        (
            CONTENT,
            edit("type-text", "b0b", "android.widget.Switch", "android.widget.TextView"),
            "Node 'b0b' says 'android.widget.ImageView', not 'android.widget.Switch'.",
        ),
        (CONTENT, edit("hide-node", "b0b", "gone", "gone"), "Node 'b0b' says 'visible', not 'gone'."),
        (CONTENT, edit("hide-node", "b0b", "visible", "away"), "hide-node makes a node 'gone', not 'away'."),
        (
            CONTENT,
            edit("type-text", "b0b", "android.widget.ImageView", "android.widget.TextView Share"),
            "type-text cannot make that of node 'b0b': Expecting value: line 1 column 1 (char 0)",
        ),
        (CONTENT, edit("swap-text", "b0b", "x", "y"), "No rule 'swap-text' for view hierarchies. Known: type-text, hide-node."),
        (
            normal(hierarchy(view("aaaa", (0, 0, 9, 9), view("b0b"), view("b0b")))),
            edit("hide-node", "b0b", "visible", "gone"),
            "2 nodes of the view hierarchy have the pointer 'b0b'.",
        ),
        (
            b"{",
            edit("hide-node", "b0b", "visible", "gone"),
            "The view hierarchy is no JSON: unexpected end of data: line 1 column 2 (char 1)",
        ),
    ],
)
def test_edits_that_cannot_be_made(content: bytes, change: Edit, said: str) -> None:
    """An edit that does not fit is refused and says why; nothing is guessed."""
    with pytest.raises(BadInput) as told:
        edited(content, change)
    assert str(told.value) == said


def test_every_real_view_can_be_edited(corpora: Any) -> None:
    """On real screens: hidden or made a text, a view says what the edit says, and the bytes differ."""
    for path in sorted((corpora / "rico/combined").glob("*.json"))[::6]:
        content = normal(path.read_bytes())
        assert normal(content) == content
        waiting = [json.loads(content)["activity"]["root"]]
        while waiting:
            node = waiting.pop()
            waiting += [child for child in node.get("children", []) if child]
            for rule, after in (("type-text", 'android.widget.TextView "Möbel"'), ("hide-node", "gone")):
                before = says(content, node["pointer"], rule)
                assert before is not None
                changed = edited(content, edit(rule, node["pointer"], before, after))
                assert says(changed, node["pointer"], rule) == after
                assert changed != content or before == after
