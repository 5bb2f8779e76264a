"""What people type who see the same pixels is one text, and what is drawn otherwise is another."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.audit_match import difference
from domain.tokens import plain
from domain.typed import keyed

MADE_OF_OTHERS = [sign for code in range(sys.maxunicode + 1) if unicodedata.decomposition(sign := chr(code))]
"""All characters that Unicode takes apart."""
MARKS = [*"\u2060\u200b\u00ad\ufe0f\u061c\u2066\u2067\u2068\u2069\u034f\u3164\x00\x7f"]
"""Never drawn."""
DRAWN = st.sampled_from(
    "x13 -$/\u00bd\u2153\u00b2\u00b9\u207b\u207f\u2044\u2082\u2460\u33a1\u00d7\u0663\u00a8\u00b4\u0338\u0301\u1100\u1161"
)
"""What is compared by what stands beside it, or joins it."""
DENSE = st.text(st.sampled_from(["3", "\u00bd", "\u00b2", "\u00b3", "\u2044", " ", "\u2060"]), max_size=2)
"""Few signs, so that texts are often nearly the same."""


@pytest.mark.parametrize(
    ("shown", "typed"),
    [
        ("3 \u00d7 4", "3 x 4"),
        ("1920\u00d71080", "1920X1080"),
        ("\u2715", "x"),
        ("12\u223659", "12:59"),
        ("\u0663\u066b\u0665", "3.5"),
        ("\u0661\u066c\u0662\u0663\u0664", "1,234"),
        ("\u0665\u066a", "5%"),
        ("x\u00b2", "x^2"),
        ("25 m\u00b2", "25 m^2"),
        ("25 \u33a1", "25 m\u00b2"),
        ("10\u207b\u00b3", "10^-3"),
        ("2\u207f", "2^n"),
        ("5\u00b2", "5^2"),
        ("1\u00bd", "1 1/2"),
        ("1 \u00b9\u2044\u2082", "1 1/2"),
        ("5\u00b2\u2044\u2083", "5 2/3"),
        ("\u2460", "(1)"),
        ("\u2776", "(1)"),
        ("\u24eb", "(11)"),
        ("\u24d0", "(A)"),
        ("\u2474", "(1)"),
        ("\u00a9 2024", "(C) 2024"),
        ("20\u00ba", "20\u00b0"),
        ("n\u00ba 5", "N\u00b0 5"),
        ("\u2116 5", "N\u00b0 5"),
        ("Home \u203a Shop", "Home > Shop"),
        ("\u2264 5", "<= 5"),
        ("4 \u2022 5", "4 \u00b7 5"),
        ("a \u2502 b", "a | b"),
        ("CO\u2082", "CO2"),
        ("1\u02e2\u1d57", "1st"),
        ("\u2122", "TM"),
        ("a \u2215 b", "a / b"),
        ("\u061f", "?"),
    ],
)
def test_one_text(shown: str, typed: str) -> None:
    """By hand: what stands there, and what comes off a keyboard."""
    assert keyed(shown) == keyed(typed)


@pytest.mark.parametrize(
    ("shown", "other"),
    [
        ("\u2460", "1"),
        ("\u2776", "1"),
        ("\u24b6", "A"),
        ("x\u00b2", "x2"),
        ("m\u00b2", "m2"),
        ("\u33a1", "m2"),
        ("5\u00b2", "52"),
        ("2\u207f", "2n"),
        ("x\u207b\u00b9", "x-1"),
        ("5\u00ba", "5o"),
        ("5\u00ba", "50"),
        ("1\u00aa", "1a"),
        ("\u2116", "no"),
        ("1\u00bd", "11/2"),
        ("5\u00b2\u2044\u2083", "52/3"),
        ("3.5", "3,5"),
        ("\u0663\u066b\u0665", "35"),
        ("3 \u00d7 4", "3 * 4"),
        ("12\u223659", "12.59"),
        ("\u2264 5", "< 5"),
        ("4 \u00b7 5", "4.5"),
        ("5\u00b0", "5"),
        ("\u00a9", "c"),
        ("\u203a", "\u2039"),
        ("12:59", "13:00"),
        ("1,024", "1024"),
        ("5%", "5\u2030"),
    ],
)
def test_two_texts(shown: str, other: str) -> None:
    """By hand: who reads the one does not read the other."""
    assert keyed(shown) != keyed(other)


def test_what_is_raised_or_in_a_circle_is_never_the_plain_sign() -> None:
    """Each digit that Unicode has raised, and all that it has in a circle, wherever it stands."""
    drawn = [
        (sign, unicodedata.normalize("NFKC", sign))
        for sign in MADE_OF_OTHERS
        if unicodedata.decomposition(sign).startswith("<circle>")
        or (unicodedata.decomposition(sign).startswith("<super>") and unicodedata.normalize("NFKC", sign).isdigit())
    ]
    assert len(drawn) > 100
    for sign, bare in drawn:
        for before in ("", "x", "5", "a "):
            assert keyed(before + sign) != keyed(before + bare), (before, hex(ord(sign)))


def test_each_sign_is_compared_as_it_is_compared() -> None:
    """Comparing the form in which a sign is compared changes nothing, also beside a digit and before a mark that joins it."""
    signs = [*MADE_OF_OTHERS[::4], *"\u00d7\u203a\u2264\u2236\u2776\u24eb\u00a9\u2116"]
    assert [hex(ord(sign)) for sign in signs if keyed(text := keyed(f"5{sign}\u0338a")) != text] == []


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
@pytest.mark.parametrize(
    ("before", "after", "typed"),
    [
        ("Bake 3", "\u00bd hours", "Bake 3 1/2 hours"),
        ("3", "\u00b9\u2044\u2082", "3 1/2"),
        ("3\u00b9", "\u2044\u2082", "3 1/2"),
        ("x\u00b2", "\u00b3", "x^23"),
        ("x\u207b", "\u00b9", "x^-1"),
    ],
)
def test_what_nobody_sees_is_between_no_signs(mark: str, before: str, after: str, typed: str) -> None:
    """By hand: a mark beside a fraction or between raised digits is not there, and does not make 3 1/2 to 31/2."""
    assert keyed(f"{before}{mark}{after}") == keyed(before + after) == keyed(typed)


@given(st.lists(st.tuples(st.text(st.sampled_from(MARKS), max_size=2), DRAWN | st.characters()), max_size=8))
def test_invisible_marks_change_nothing(signs: list[tuple[str, str]]) -> None:
    """Wherever they stand, and however many: the text is the same one, and no difference from it is shown."""
    text, marked = "".join(sign for _, sign in signs), "".join(marks + sign for marks, sign in signs)
    assert keyed(marked) == keyed(text)
    assert all(piece.of == "both" for piece in difference(text, marked))


@given(st.tuples(DENSE, DENSE), st.tuples(DENSE, DENSE))
def test_two_texts_show_where_they_differ(ends: tuple[str, str], between: tuple[str, str]) -> None:
    """What counts as two has a piece of one of them alone, and what counts as one has none: texts with ends in common."""
    gold, typed = (part.join(ends) for part in between)
    assert any(piece.of != "both" for piece in difference(gold, typed)) == (keyed(gold) != keyed(typed))


@given(st.text(st.sampled_from("abx 019.,:/-%'\"^()<>=\n")))
def test_what_is_typed_is_as_rules_compare_it(text: str) -> None:
    """Nothing that a keyboard has, of numbers and times above all, is changed beyond what rules do."""
    assert keyed(text) == plain(text)


@given(st.text())
def test_compared_as_compared(text: str) -> None:
    """Comparing the form in which texts are compared changes nothing."""
    assert keyed(keyed(text)) == keyed(text)
