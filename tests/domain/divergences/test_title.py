"""title: the title attribute against the text an element shows."""

from __future__ import annotations

from typing import Any

import pytest

from domain.capture import LINE_LIMIT
from tests.domain.made import capture, changed, element, one, told


def titled(text: str, title: str, tag: str = "a", **other: Any) -> str:
    """What title says of an element on a page that stands still."""
    finding = one(capture([element(text, tag, title=title, **other)]), "title")
    return f"{finding.verdict}: {finding.reason}"


def test_the_two_values() -> None:
    """The structural value is the attribute, the rendered one the text."""
    finding = one(capture([element("yesterday", "time", title="28 November 2026")]), "title")
    assert (finding.verdict, finding.structural, finding.rendered) == ("flagged", "28 November 2026", "yesterday")


@pytest.mark.parametrize(
    ("text", "title", "verdict"),
    [
        ("Quarterly rep\u2026", "Quarterly report 2024", "clean: agree"),
        ("Quarterly rep...", "Quarterly report 2024", "clean: agree"),
        ("Quarterly report 2024", "Quarterly report 2024", "clean: agree"),
        ("7 min", "17 min", "flagged: disagree"),
        ("1.2k", "1,204", "flagged: disagree"),
        ("1.234,00", "1,234.00", "clean: format-only"),
        ("-3.2", "3.2", "flagged: disagree"),
        ("\u22123.2", "-3.2", "clean: agree"),
        ("\u00d7", "Close", "review: symbols-only"),
        ("Close", "\u00d7", "review: symbols-only"),
        ("Close", "", "skipped: blank-name"),
    ],
)
def test_strings(text: str, title: str, verdict: str) -> None:
    """A title that repeats a cut text is benign; a number is a whole with its sign."""
    assert titled(text, title) == verdict


@pytest.mark.parametrize(
    ("tag", "attributes", "verdict"),
    [
        ("a", {"href": ""}, "flagged: disagree"),
        ("span", {}, "flagged: disagree"),
        ("td", {}, "flagged: disagree"),
        ("abbr", {}, "review: expands-an-abbreviation"),
        ("dfn", {}, "review: expands-an-abbreviation"),
        ("iframe", {}, "skipped: names-a-group"),
        ("object", {}, "skipped: names-a-group"),
        ("nav", {}, "skipped: names-a-group"),
        ("img", {}, "skipped: names-a-group"),
        ("input", {}, "skipped: text-is-a-value"),
        ("input", {"type_": "submit"}, "flagged: disagree"),
        ("textarea", {}, "skipped: text-is-a-value"),
    ],
)
def test_which_elements(tag: str, attributes: dict[str, str], verdict: str) -> None:
    """Frames and groups have a title of their own, a field's text is a value, an abbreviation differs by design."""
    assert titled("NATO summit", "Atlantic alliance", tag, **attributes) == verdict


def test_plain_elements_that_hold_more() -> None:
    """On a plain element that holds a control, several lines or a long text, a title describes the whole of it."""
    for flags in ({"own": 1}, {"own": 1, "line": 1, "focusable": 1}):
        assert titled("Add to cart", "Buy now", "div", flags=flags) == "skipped: names-a-group"
    assert titled("x" * (LINE_LIMIT + 1), "Buy now", "div") == "skipped: names-a-group"


def test_only_what_held_still() -> None:
    """A title beside a text that changed during the visit is nothing that was ever shown together."""
    assert one(changed("7 min", "8 min", title="9 minutes"), "title").reason == "moved"


def test_an_abbreviation_that_agrees() -> None:
    """An abbreviation whose title is its text is as clean as any."""
    assert titled("Dr Brown", "Brown", "abbr") == "clean: agree"


def test_the_name_came_or_went() -> None:
    """A name that was given or taken away during the visit is told, and not compared."""
    without, named = element("Add to cart", "button"), element("Add to cart", "button", title="Buy now")
    assert one(capture([without], [named]), "title").reason == "moved"
    assert one(capture([named], [without]), "title").reason == "moved"


def test_without_a_title() -> None:
    """An element without the attribute is none of its business."""
    assert told(capture([element("Add to cart", "button", aria_label="Buy now")]), "title") == {}


def test_a_title_and_a_label() -> None:
    """An element with both is looked at by both, each for itself."""
    found = capture([element("Add to cart", "button", name="x", aria_label="Add to cart now", title="Buy")])
    assert told(found, "aria") == {"x": "clean: agree"}
    assert told(found, "title") == {"x": "flagged: disagree"}
