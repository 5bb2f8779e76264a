"""Element lists: one way to write them, and an edit that changes the type of one element and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.structures import structure
from channels.structures.element_list import edited, normal, says
from domain.errors import BadInput
from domain.probe import Edit

ELEMENTS: list[dict[str, Any]] = [
    {"type": "icon", "id": "b", "bbox": [1, 2, 3, 4]},
    {"id": "a", "type": "text", "bbox": [0, 0, 10.0, 5.5], "name": "Größe", "parent": None},
]
CONTENT = json.dumps(ELEMENTS, indent=4).encode()
SWAP = Edit(rule="swap-type", version=1, node="b", before="icon", after="text")


def test_normal() -> None:
    """Canonical JSON: keys sorted, no blanks, shortest numbers, UTF-8. The order of the elements is the source's."""
    wanted = (
        '[{"bbox":[1,2,3,4],"id":"b","type":"icon"},{"bbox":[0,0,10,5.5],"id":"a","name":"Größe","parent":null,"type":"text"}]'
    )
    assert normal(CONTENT) == wanted.encode()
    assert normal(b"[]") == b"[]"


elements = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6),
            "type": st.sampled_from(["icon", "text"]),
            "bbox": st.tuples(*[st.integers(0, 50)] * 2, *[st.integers(50, 9_000)] * 2),
        },
        optional={"name": st.text(st.characters(exclude_categories=["Cs"]))},
    ),
    unique_by=lambda one: one["id"],
    max_size=5,
)


@given(elements)
def test_normal_is_one_way(given_elements: list[dict[str, Any]]) -> None:
    """However it was written, the normal form is one, says the same, and is its own normal form."""
    forms = {normal(json.dumps(given_elements, indent=indent, ensure_ascii=indent is None).encode()) for indent in (None, 2)}
    assert len(forms) == 1
    (form,) = forms
    assert normal(form) == form
    assert json.loads(form) == json.loads(json.dumps(given_elements))


@given(elements.filter(bool))
def test_edit(given_elements: list[dict[str, Any]]) -> None:
    """An edit changes what the list says of its node and nothing else; the edit back gives the same bytes again."""
    before = normal(json.dumps(given_elements).encode())
    node, old = given_elements[-1]["id"], given_elements[-1]["type"]
    edit = Edit(rule="swap-type", version=1, node=node, before=old, after={"icon": "text", "text": "icon"}[old])
    after = edited(before, edit)
    assert says(after, node, "swap-type") == edit.after
    assert normal(after) == after
    differing = [(a, b) for a, b in zip(json.loads(before), json.loads(after), strict=True) if a != b]
    assert [a | {"type": edit.after} for a, _ in differing] == [b for _, b in differing]
    assert len(differing) == 1
    assert edited(after, edit.model_copy(update={"before": edit.after, "after": edit.before})) == before


def test_says() -> None:
    """What the list says of a node; None where it has no such node."""
    assert says(CONTENT, "a", "swap-type") == "text"
    assert says(CONTENT, "c", "swap-type") is None
    assert structure("element_list").says(CONTENT, "b", "swap-type") == "icon"
    with pytest.raises(BadInput, match="knows the rule swap-type, not swap-text"):
        says(CONTENT, "a", "swap-text")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"node": "c"}, "The element list has no element 'c'."),
        ({"before": "text"}, "Element 'b' says type 'icon', not 'text'."),
        ({"after": ""}, "Element 'b' cannot be of no type."),
        ({"rule": "hide-node"}, "An element list knows the edit swap-type/1, not hide-node/1."),
        ({"version": 2}, "An element list knows the edit swap-type/1, not swap-type/2."),
    ],
)
def test_edits_that_do_not_fit(changed: dict[str, Any], message: str) -> None:
    """An edit of another node, another value, another rule or another version is refused."""
    with pytest.raises(BadInput) as caught:
        edited(CONTENT, SWAP.model_copy(update=changed))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The element list cannot be read: Expecting value: line 1 column 1 (char 0)"),
        (b"\xff", "The element list cannot be read: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
        (b"{}", "An element list is a JSON list, not dict."),
        (b"[" * 100_000, "The element list cannot be read: "),
        (b'["a"]', "Element 0 of the list is no object but 'a'."),
        (b'[{"id":"a","type":"text"}]', "Element 0 of the list has no bbox."),
        (b'[{"id":"a","type":"","bbox":[0,0,1,1]}]', "Element 0 of the list has no type but ''."),
        (b'[{"id":7,"type":"text","bbox":[0,0,1,1]}]', "Element 0 of the list has no id but 7."),
        (b'[{"id":"a","type":"text","bbox":[5,0,1,1]}]', "Element 0 of the list has no box of [left, top, right, bottom]"),
        (b'[{"id":"a","type":"text","bbox":[0,0,1,true]}]', "Element 0 of the list has no box of"),
        (b'[{"id":"a","type":"text","bbox":[0,0,1,NaN]}]', "Element 0 of the list has no box of"),
        (
            b'[{"id":"a","id":"b","type":"text","bbox":[0,0,1,1]}]',
            "The element list cannot be read: a key is there twice: 'id'",
        ),
        (b'[{"id":"a","type":"text","bbox":[0,0,1,1],"n":9007199254740993}]', "cannot be written as canonical JSON"),
        (b'[{"id":"\\ud800","type":"text","bbox":[0,0,1,1]}]', "cannot be written as canonical JSON"),
    ],
)
def test_malformed(content: bytes, message: str) -> None:
    """What is no element list is refused, with the element and what is wrong with it."""
    with pytest.raises(BadInput) as caught:
        normal(content)
    assert message in str(caught.value)


def test_ids_are_there_once() -> None:
    """Two elements of one id would make an edit ambiguous."""
    with pytest.raises(BadInput, match="Element 1 of the list has the id 'b' of one before it"):
        normal(json.dumps([ELEMENTS[0], ELEMENTS[0]]).encode())
