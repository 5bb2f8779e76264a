"""When a label is gold: what annotators can see and type, and what must not be lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from domain.audit import Label
from domain.audit_match import category, coded, difference, says
from domain.typed import keyed

ABSENT, UNREADABLE, UNSURE = Label(answer="absent"), Label(answer="unreadable"), Label(answer="unsure")


def written(value: str) -> Label:
    """The answer that this stands there."""
    return Label(answer="value", value=value)


@pytest.mark.parametrize(
    ("gold", "typed"),
    [
        ("Sign in", "  sign IN "),
        ("Caf\u00e9\u2003Z\u00fcrich", "cafe\u0301 z\u00fcrich"),
        ("two\nlines", "two lines"),
        ("\u22121.07%", "-1.07%"),
        ("9\u201312 Uhr", "9-12 uhr"),
        ("\u201cQuoted\u201d \u2014 it\u2019s", '"Quoted" - it\'s'),
        ("\uff11\uff12\uff1a\uff15\uff19", "12:59"),
        ("1\u00bd cups", "1 1/2 cups"),
        ("5\u00b2 = 25", "5^2 = 25"),
        ("-$5", "$-5"),
        ("Loading\u2026", "loading..."),
    ],
)
def test_the_same_text(gold: str, typed: str) -> None:
    """Case, form, blanks, and signs that no keyboard has are no difference."""
    assert says("text", gold, "else", written(typed)) == "gold"
    assert category(written(gold)) == category(written(typed))


@pytest.mark.parametrize(
    ("gold", "typed"),
    [
        ("12:59", "13:00"), ("12:59", "12.59"), ("1,024", "1024"), ("1,024", "1.024"), ("5%", "5"), ("-3.2", "3.2"),
        ("+3.2", "3.2"), ("$5", "\u20ac5"), ("0.10", "0.1"), ("007", "7"), ("5\u00b2", "52"), ("1\u00bd", "11/2"),
        ("1 024", "1024"), ("3 items", "three items"), ("Save", "Save as"), ("Save.", "Save"),
    ],
)  # fmt: skip
def test_another_text(gold: str, typed: str) -> None:
    """Numbers and times stay as they are written; so do words and punctuation."""
    assert says("text", gold, "else", written(typed)) == "other"
    assert category(written(gold)) != category(written(typed))


@pytest.mark.parametrize(
    ("variable", "gold", "structural", "label", "expected"),
    [
        ("visibility", "not visible", "visible", ABSENT, "gold"),
        ("visibility", "not visible", "visible", written("visible"), "structural"),
        ("visibility", "visible", "not visible", written("visible"), "gold"),
        ("visibility", "visible", "not visible", ABSENT, "structural"),
        ("value", "", "Berlin", ABSENT, "gold"),
        ("value", "Berlin", "", ABSENT, "structural"),
        ("value", "Berlin", "Bonn", ABSENT, "absent"),
        ("text", "not visible", "visible", ABSENT, "absent"),
        ("text", "Send", "Save", written("save"), "structural"),
        ("text", "Send", "Save", UNREADABLE, "unreadable"),
        ("type", "icon", "text", written("switch"), "other"),
        ("checked", "checked", "unchecked", UNSURE, "unsure"),
    ],
)
def test_what_it_says(variable: str, gold: str, structural: str, label: Label, expected: str) -> None:
    """An absence is gold of what is not visible and of an empty field, and of nothing else."""
    assert says(variable, gold, structural, label) == expected


def test_codes() -> None:
    """Texts are coded by what they say of gold; what was chosen stays as it is."""
    assert [coded("text", written("Save"), said) for said in ("gold", "structural", "other")] == ["match", "other", "other"]
    assert [coded("text", ABSENT, "absent"), coded("text", UNREADABLE, "unreadable")] == ["other", "unreadable"]
    assert coded("type", written("icon"), "gold") == "value:icon"


def test_difference_is_shown() -> None:
    """What gold has and the label has not, and the other way round, word by word, in their own writing."""
    pieces = difference("Balance: $67,412.08 today", "balance: $67,398.55")
    assert [(piece.of, piece.text) for piece in pieces] == [
        ("both", "Balance:"),
        ("gold", "$67,412.08 today"),
        ("label", "$67,398.55"),
    ]
    assert [piece.of for piece in difference("9 \u2013 12", "9 - 12")] == ["both"]
    assert [(piece.of, piece.text) for piece in difference("", "Berlin")] == [("label", "Berlin")]


@pytest.mark.parametrize(
    "value", ["", " \n", "\u200b", "\u00a0\u2003", "\u00ad\ufeff", "\ufe0f", "\u3164", "\x00", "\u200e \u2060"]
)
def test_nothing_is_no_text(value: str) -> None:
    """What nobody can see is not what stands there; beside another answer it is as if nothing were written."""
    with pytest.raises(ValidationError, match="a value goes with the answer 'value', where it is not blank"):
        Label(answer="value", value=value)
    beside = Label(answer="absent", value=value)
    assert (beside, category(beside)) == (ABSENT, "absent")
    assert Label(answer="value", value=f"{value}0").value == f"{value}0"


@given(st.text(max_size=20))
def test_a_text_is_never_an_absence(value: str) -> None:
    """Whatever is taken as a text is a category that is something, and never matches an empty field."""
    try:
        label = Label(answer="value", value=value)
    except ValidationError:
        assert not keyed(value)
        return
    assert category(label) != "value:"
    assert says("value", "", "Berlin", label) != "gold"


@given(st.text(), st.text())
def test_differences_are_those_that_count(gold: str, typed: str) -> None:
    """The pieces show a difference where the two texts count as two, and none where they count as one."""
    shown = any(piece.of != "both" for piece in difference(gold, typed))
    assert shown == (keyed(gold) != keyed(typed))
