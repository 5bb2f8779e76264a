"""stale: what the structure said an element showed against what the screenshot shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.capture import Capture
from domain.text import normalize
from tests.domain.made import Raw, capture, changed, control, element, one, told

NUMBER = st.decimals(-10_000, 10_000, places=2)


def verdict(before: str, now: str) -> str:
    """What stale says of an element that showed `before` when the structure was read and shows `now`."""
    finding = one(changed(before, now), "stale")
    return f"{finding.verdict}: {finding.reason}"


def test_the_two_values() -> None:
    """The structural value is the text when the structure was read, the rendered one that beside the screenshot."""
    finding = one(changed("12:59", "13:00", name="clock", box=(1, 2, 3, 4)), "stale")
    assert (finding.verdict, finding.structural, finding.rendered) == ("flagged", "12:59", "13:00")
    assert (finding.grade, finding.element_id, finding.box) == ("disjoint", "clock", (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("12:59", "13:00"),
        ("7 items", "17 items"),
        ("1,234", "1,235"),
        ("3.2", "-3.2"),
        ("3.2", "\u22123.2"),
        ("\u20133.2 \u00b0C", "3.2 \u00b0C"),
        ("+0.42%", "-0.42%"),
        ("15", "1.5"),
        (".5 in", "5 in"),
        ("\u00b155", "55"),
        ("1.12.2025", "11.2.2025"),
        ("1.11.2", "11.1.2"),
        ("$67", "\u20ac67"),
        ("1,024 watching now", "987 watching now"),
        ("Nasdaq", "Dow Jones"),
        ("Nantes", "Paris"),
        ("None left", "Three left"),
        ("Loading bay 4", "Loading bay 5"),
        ("Arriving", "Departed"),
        ("a\u0308rger", "arger"),
        ("\u641c\u7d22", "\u8fd4\u56de"),
    ],
)
def test_flagged(before: str, now: str) -> None:
    """Signs, digits, decimal points and words count."""
    assert verdict(before, now) == "flagged: disagree"
    assert verdict(now, before) == "flagged: disagree"


@pytest.mark.parametrize(
    ("before", "now", "reason"),
    [
        ("12:59", "12:59", "agree"),
        ("Total", "TOTAL", "agree"),
        ("a  b", "a\u00a0b", "agree"),
        ("Donau\u00addampf", "Donaudampf", "agree"),
        ("cafe\u0301", "caf\u00e9", "agree"),
        ("\uff11\uff12", "12", "agree"),
        ("1,234", "1234", "format-only"),
        ("1.234,00", "1,234.00", "format-only"),
        ("1\u202f234", "1,234", "format-only"),
        ("12 %", "12%", "format-only"),
    ],
)
def test_clean(before: str, now: str, reason: str) -> None:
    """Case, blanks, marks that are not drawn and the way a number is written do not count."""
    assert verdict(before, now) == f"clean: {reason}"
    assert verdict(now, before) == f"clean: {reason}"


WAITING = [
    *(
        "Loading",
        "Loading...",
        "Loading\u2026",
        "LOADING",
        "Loading prices",
        "Loading prices \u2026",
        "Please wait",
        "Waiting...",
    ),
    *("Connecting", "Updating\u2026", "N/A", "n/a", "NA", "--", "-", "\u2014", "\u2026", "NaN", "null", "undefined", "None"),
    *("Bitte warten", "Laden\u2026", "Wird geladen...", "Chargement", "Cargando", "\u8aad\u307f\u8fbc\u307f\u4e2d"),
    *("\u52a0\u8f7d\u4e2d", "\ub85c\ub529 \uc911", "\u0417\u0430\u0433\u0440\u0443\u0437\u043a\u0430"),
]


@pytest.mark.parametrize("waiting", WAITING)
def test_place_holders(waiting: str) -> None:
    """A field that was not filled yet is not stale: a person decides."""
    assert verdict(waiting, "101.25") == "review: placeholder"


@pytest.mark.parametrize("waiting", ["Loading...", "N/A", "Please wait", "null"])
def test_place_holders_that_came_back(waiting: str) -> None:
    """Nor is one that waits again while the picture is taken."""
    assert verdict("101.25", waiting) == "review: placeholder"


@pytest.mark.parametrize(
    ("before", "now", "reason"),
    [
        ("", "101.25", "was-not-shown"),
        ("\u200b", "101.25", "was-not-shown"),
        ("101.25", "", "no-text"),
        ("7", "8", "too-short"),
        ("ab", "cd", "too-short"),
        ("101.25", "\u2713", "symbols-only"),
    ],
)
def test_too_little_to_tell(before: str, now: str, reason: str) -> None:
    """Nothing shown, a single character or a symbol is too little to be sure of."""
    assert verdict(before, now) == f"review: {reason}"


@given(NUMBER, NUMBER)
def test_amounts(before: object, now: object) -> None:
    """An amount is stale exactly if it is another amount, however it is grouped."""
    said = verdict(f"{before:,.2f} EUR", f"{now:.2f} EUR")
    assert said.startswith("flagged") is (f"{before:.2f}" != f"{now:.2f}")


@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30))
def test_never_flagged_without_a_difference(before: str, now: str) -> None:
    """Whatever the texts: what is flagged differs after normalisation too."""
    if verdict(before, now).startswith("flagged"):
        assert normalize(before) != normalize(now)


def test_hint_in_a_field() -> None:
    """The hint in an empty field is no value."""
    before = element("Search 12 shops", "input", flags={"line": 1, "hint": 1}, state=control("value", None, ""))
    now = element("Vienna", "input", flags={"line": 1}, state=control("value", None, "Vienna"))
    assert one(capture([before], [now]), "stale").reason == "placeholder"
    assert one(capture([now], [before]), "stale").reason == "placeholder"


def test_values_and_choices_are_texts() -> None:
    """What a field or a choice shows can be stale like any text; a tick has no text."""
    for what in ("value", "selected"):
        before = element("One", "select", flags={"line": 1}, state=control(what, "One", "One"))
        now = element("Two", "select", flags={"line": 1}, state=control(what, "One", "Two"))
        assert one(capture([before], [now]), "stale").verdict == "flagged"
    tick = element("", "input", flags={}, state=control("checked", served=False, live=True, type="checkbox"))
    assert told(capture([tick]), "stale") == {}


def test_passwords() -> None:
    """Nothing is said or kept of a password, also not where somebody made it readable between the readings."""
    masked = element("\u2022" * 7, "input", flags={"line": 1}, state=control("value", None, "\u2022" * 7, secret=True))
    longer = element("\u2022" * 8, "input", flags={"line": 1}, state=control("value", None, "\u2022" * 8, secret=True))
    readable = element("hunter2", "input", flags={"line": 1}, state=control("value", None, "hunter2"))
    for before, now in ((masked, longer), (masked, readable), (readable, masked)):
        finding = one(capture([before], [now]), "stale")
        assert (finding.verdict, finding.reason) == ("skipped", "secret")
        assert "hunter2" not in finding.model_dump_json()


def test_came_and_went() -> None:
    """A text that only one of the two channels has is told, and not compared."""
    price, other = element("101.25", name="price", key=1, path="a"), element("Back", name="other", key=2, path="b", tag="i")
    assert told(capture([other], [other, price]), "stale") == {"other": "clean: agree", "price": "skipped: appeared"}
    assert told(capture([other, price], [other]), "stale") == {"other": "clean: agree", "price": "skipped: gone"}


def nested(before: str, now: str, *, inner: tuple[str, str] | None = None, **other: object) -> Capture:
    """A line with a number in it: the line's text and that of the element inside it."""
    was, is_ = inner or (before, now)

    def page(outside: str, inside: str) -> list[Raw]:
        return [
            element(f"Bids {outside}", "p", name="line"),
            element(inside, "b", name="number", parent=0, **other),  # type: ignore[arg-type]
        ]

    return capture(page(before, was), page(now, is_))


def test_innermost() -> None:
    """Of elements inside one another only the innermost that changed is flagged; what is around it says so."""
    assert told(nested("12", "13"), "stale") == {"line": "skipped: not-innermost", "number": "flagged: disagree"}


def test_innermost_at_any_depth() -> None:
    """That holds through elements between them that have no text of their own to tell."""

    def page(number: str) -> list[Raw]:
        return [
            element(f"Bids {number}", "div", name="outer", flags={"line": 1}),
            element(f"Bids {number}", "p", name="middle", parent=0, flags={"line": 1}),
            element(number, "b", name="inner", parent=1),
        ]

    assert told(capture(page("12"), page("13")), "stale") == {
        "outer": "skipped: not-innermost",
        "middle": "skipped: not-innermost",
        "inner": "flagged: disagree",
    }


def test_own_text_changed() -> None:
    """Where the text around an unchanged element changed, the element around it is the innermost."""
    said = told(nested("12", "13", inner=("GMT", "GMT")), "stale")
    assert said == {"line": "flagged: disagree", "number": "clean: agree"}


def test_two_numbers_in_a_line() -> None:
    """Each of two changed elements in one line is flagged, the line is not."""

    def page(bid: str, ask: str) -> list[Raw]:
        return [
            element(f"Bid {bid} ask {ask}", name="line"),
            element(bid, "b", name="bid", parent=0),
            element(ask, "b", name="ask", parent=0),
        ]

    assert told(capture(page("101.25", "101.50"), page("101.40", "101.60")), "stale") == {
        "line": "skipped: not-innermost",
        "bid": "flagged: disagree",
        "ask": "flagged: disagree",
    }


def test_split_digits() -> None:
    """A number whose digits have elements of their own is flagged as the number, not digit by digit."""

    def page(number: str) -> list[Raw]:
        digits = [element(digit, "i", name=f"digit{i}", parent=0) for i, digit in enumerate(number)]
        return [element(number, "span", name="number", flags={"line": 1}), *digits]

    assert told(capture(page("1299"), page("1300")), "stale") == {
        "number": "flagged: disagree",
        "digit0": "clean: agree",
        "digit1": "review: too-short",
        "digit2": "review: too-short",
        "digit3": "review: too-short",
    }


def test_a_group_of_lines_is_not_asked() -> None:
    """An element without a text of its own, holding more than a line, is none of its business."""
    block = element("One\nTwo", "div", flags={})
    assert told(capture([block]), "stale") == {}


@pytest.mark.parametrize(
    ("before", "now"),
    [("▲ 0.42%", "▼ 0.42%"), ("★★★☆☆ 3 reviews", "★★★★☆ 3 reviews"), ("(5.00)", "5.00"), ("-5.00", "5.00"), ("0.52", "52")],
)
def test_signs_that_are_values(before: str, now: str) -> None:
    """An arrow, stars, an accountant's brackets, a sign, a decimal point: to lose one is to show another value."""
    assert one(changed(before, now), "stale").verdict == "flagged"


def test_a_value_that_appears_in_a_block_of_lines_is_not_the_blocks() -> None:
    """ "State: / File: " gets its first value: nothing of the block is stale. In one line, "Inbox" becomes "Inbox 3"."""
    lines: dict[str, int] = {"own": 1}
    before = [element("State:\nFile:", "div", name="block", key=1, flags=lines), element("", "b", key=2, parent=0)]
    now = [
        element("State: Operational\nFile:", "div", name="block", key=1, flags=lines),
        element("Operational", "b", key=2, parent=0),
    ]
    assert told(capture(before, now), "stale")["block"] == "skipped: not-innermost"
    before = [element("Inbox", "a", name="line", key=1), element("", "b", key=2, parent=0)]
    now = [element("Inbox 3", "a", name="line", key=1), element("3", "b", key=2, parent=0)]
    assert told(capture(before, now), "stale")["line"] == "flagged: disagree"
