"""Views of a text: what a machine reader may take for one another is one, what tells values apart is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.lookalikes import VIEWS, looks_like, loose, telling_view


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("O0l1I", "0O1lI"),
        ("Add to cart", "ADDTOCART"),
        ("modern", "modem"),
        ("Café “Été”", "Cafe 'Ete'"),
        ("\uff11\uff12\uff1a\uff13\uff10", "12:30"),
        ("ﬁne", "fine"),
        ("1,234.50", "1.234,50"),
        ("ロニカ", "口二力"),
        ("Ça va?", "ca va"),
        ("25.0°C", "25.0°\u2103"),
    ],
)
def test_alike(one: str, other: str) -> None:
    """What a reader confuses is one in the loosest view: nought and O, case, blanks, rn and m, accents, width, kana."""
    assert looks_like(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("17:03", "17:08"),
        ("-3.2", "3.2"),
        ("+0.42%", "-0.42%"),
        ("1.23", "12.3"),
        ("$5", "€5"),
        ("17:03", "1703"),
        ("form", "from"),
        ("ガ", "カ"),
        ("5 %", "5"),
    ],
)
def test_apart(one: str, other: str) -> None:
    """A digit, a sign, a point's place, a currency, two letters in another order, a voiced kana: never one, in no view."""
    assert all(view(one) != view(other) for view in VIEWS)


def test_told_apart_as_coarsely_as_can_be() -> None:
    """Two texts that differ in an accent are told apart by accents; in a blank, by blanks; in nothing drawn, by nothing."""
    assert telling_view("Buy", "Sell") is VIEWS[0]
    assert telling_view("Año", "Ano") is VIEWS[1]
    assert telling_view("Open", "OPEN") is VIEWS[2]
    assert telling_view("Well, done", "Well done") is VIEWS[3]
    assert telling_view("to day", "today") is VIEWS[4]
    assert telling_view("a\u200bb", "ab") is None


@given(st.text(max_size=40))
def test_views_are_nested(text: str) -> None:
    """What is the same in a fine view is the same in a coarser one: a change of blanks is no change of letters."""
    assert loose(text) == loose(f" {text} ")
    assert VIEWS[4](text) == VIEWS[4](VIEWS[4](text))
