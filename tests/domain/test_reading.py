"""Readings of the page script, parsed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import BadInput
from domain.geometry import Box
from domain.reading import ControlState, parse
from tests.domain.made import control, element, report


def test_every_column_arrives() -> None:
    """Nothing that the page script reports of an element is lost or mixed up."""
    raw = element(
        "101.25", "b", name="price", key=7, parent=-1, frame=2, box=(1, 2, 3, 4), covered=0.5, flags={"own": 1, "partial": 1}
    )
    raw |= {"tb": [1, 2, 2, 4], "s": "html > body > b:nth-child(1)"}
    snapshot = parse(report(raw, title="T", url="https://example.org/x", nodes=9, truncated=1))
    (found,) = snapshot.elements
    assert (found.key, found.parent, found.frame, found.tag, found.path) == (7, -1, 2, "b", "html > body > b:nth-child(1)")
    assert (found.text, found.why_unseen, found.covered) == ("101.25", "", 0.5)
    assert (found.box, found.text_box) == (Box(1, 2, 3, 4), Box(1, 2, 2, 4))
    assert found.attributes == {"id": "price"}
    assert found.element_id == "price"
    assert found.flags == {"own": 1, "partial": 1}
    assert found.state is None
    assert (snapshot.title, snapshot.url, snapshot.nodes, snapshot.truncated) == ("T", "https://example.org/x", 9, 1)
    assert (snapshot.width, snapshot.height, snapshot.scale, snapshot.scroll_y, snapshot.page_ms) == (1280, 720, 1, 0, 1000.0)


def test_states_arrive() -> None:
    """A control's start value and live value are kept apart, also where the document says nothing; a secret stays one."""
    snapshot = parse(
        report(
            element(state=control("value", None, "x")),
            element(state=control("checked", served=False, live=True, type="checkbox")),
            element(state=control("value", None, "\u2022\u2022", type="password", secret=True)),
        )
    )
    assert [e.state for e in snapshot.elements] == [
        ControlState("value", "text", None, "x"),
        ControlState("checked", "checkbox", served=False, live=True),
        ControlState("value", "password", None, "\u2022\u2022", secret=True),
    ]


def test_what_is_left_out_is_unseen() -> None:
    """An element of which the script says neither visibility nor place counts as not rendered, never as seen."""
    (found,) = parse(report({"k": 1, "p": -1, "f": 0, "t": "p", "s": "p"})).elements
    assert (found.why_unseen, found.box, found.text, found.covered) == ("not-rendered", None, "", 0)


def test_short_readings_are_read() -> None:
    """The reading after the pixels has only what the bracket compares: no tag, no path, no attributes."""
    raw = report()
    raw["elements"] = [{"k": 5, "p": -1, "f": 0, "x": "12:59", "b": [0, 0, 10, 10], "v": ""}]
    (found,) = parse(raw).elements
    assert (found.key, found.tag, found.path, found.attributes, found.text) == (5, "", "", {}, "12:59")


def test_rounding_below_nothing() -> None:
    """A size that rounding has made negative is none: a reading is not lost for a hundredth of a pixel."""
    (found,) = parse(report(element(box=(1, 2, -0.01, -0.01)))).elements
    assert found.box == Box(1, 2, 0, 0)


@pytest.mark.parametrize("version", [None, 0, 2, "1"])
def test_other_versions_are_refused(version: object) -> None:
    """A stored reading of another version is told, with the version that is known, and not misread."""
    with pytest.raises(BadInput, match="known: 1"):
        parse(report() | {"version": version})


@given(st.lists(st.integers(1, 10**6), unique=True, max_size=20))
def test_every_element_is_found_by_its_key(keys: list[int]) -> None:
    """Nodes are found again by their identity."""
    snapshot = parse(report(*(element(key=key) for key in keys)))
    assert {key: snapshot.elements[i].key for key, i in snapshot.by_key.items()} == {key: key for key in keys}


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_any_text_is_kept_as_it_is(text: str) -> None:
    """Texts and attributes come through JSON unchanged, NUL and halves of surrogate pairs too."""
    (found,) = parse(json.loads(json.dumps(report(element(text, title=text))))).elements
    assert found.text == text
    assert found.attributes["title"] == text
