"""state: what a control started with against what it shows."""

from __future__ import annotations

import pytest

from tests.domain.made import Raw, capture, control, element, one, told


def field(state: Raw, text: str = "", tag: str = "input", **other: Raw) -> Raw:
    """A control that can be seen."""
    return element(text, tag, name="it", flags={"line": 1, "focusable": 1}, state=state, **other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "text", "structural", "rendered", "verdict"),
    [
        (control("value", "1", "2"), "2", "1", "2", "flagged"),
        (control("value", None, "2"), "2", "", "2", "flagged"),
        (control("value", "1", ""), "", "1", "", "flagged"),
        (control("value", "1", "1"), "1", "1", "1", "clean"),
        (control("value", None, ""), "", "", "", "clean"),
        (control("value", "a  b", " a b\u200b"), "a b", "a  b", " a b\u200b", "clean"),
        (control("value", "-5", "5"), "5", "-5", "5", "flagged"),
        (control("checked", served=False, live=True, type="checkbox"), "", "unchecked", "checked", "flagged"),
        (control("checked", served=True, live=False, type="radio"), "", "checked", "unchecked", "flagged"),
        (control("checked", served=True, live=True, type="radio"), "", "checked", "checked", "clean"),
        (control("selected", "One", "Two", type="one"), "Two", "One", "Two", "flagged"),
        (control("selected", "One, Two", "One", type="multiple"), "One", "One, Two", "One", "flagged"),
        (control("open", served=False, live=True, type="details"), "Inside", "closed", "open", "flagged"),
        (control("open", served=True, live=False, type="details"), "More", "open", "closed", "flagged"),
    ],
)
def test_values(state: Raw, text: str, structural: str, rendered: str, verdict: str) -> None:
    """The start value in the document beside the live one; ticks and openings in words; blanks do not count, signs do."""
    finding = one(capture([field(state, text)]), "state")
    assert (finding.verdict, finding.structural, finding.rendered) == (verdict, structural, rendered)


@pytest.mark.parametrize("type_", ["range", "color", "date", "time", "month", "week", "datetime-local", "file"])
def test_drawn_otherwise(type_: str) -> None:
    """A slider, colour or date does not show its value as such: a difference is for a person, no difference is clean."""
    assert told(capture([field(control("value", "1", "2", type=type_))]), "state") == {"it": "review: drawn-otherwise"}
    assert told(capture([field(control("value", "1", "1", type=type_))]), "state") == {"it": "clean: agree"}


def test_passwords_are_nobody_s_business() -> None:
    """Nothing is said or kept of a password."""
    finding = one(
        capture([field(control("value", None, "\u2022\u2022", type="password", secret=True), "\u2022\u2022")]), "state"
    )
    assert (finding.verdict, finding.reason, finding.structural, finding.rendered) == ("skipped", "secret", None, None)


def test_only_what_held_still() -> None:
    """A control that changed during the visit is no matter of its start value."""
    before, now = field(control("value", "1", "2"), "2"), field(control("value", "1", "3"), "3")
    assert told(capture([before], [now]), "state") == {"it": "skipped: moved"}


def test_unsettled() -> None:
    """A tick that changes while the picture is taken is on the picture or not: nothing is said of it."""
    off = field(control("checked", served=True, live=False, type="checkbox"))
    on = field(control("checked", served=True, live=True, type="checkbox"))
    assert told(capture([off], [off], [on]), "state") == {"it": "skipped: unsettled"}


def test_came_and_went() -> None:
    """A control that only one of the two channels has is told, and not compared."""
    state = control("value", "1", "2")
    other = element("Back", key=9, path="other")
    box = element("2", "input", key=1, path="box", name="it", state=state)
    assert told(capture([other], [other, box]), "state") == {"it": "skipped: appeared"}
    assert told(capture([other, box], [other]), "state") == {"it": "skipped: gone"}


def test_what_is_no_control() -> None:
    """An element without a state is none of its business."""
    assert told(capture([element("Add to cart", "button")]), "state") == {}
