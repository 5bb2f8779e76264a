"""The label in name algorithm, step by step, and what W3C's rule leaves to others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.label_in_name import Relation, relation, words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Next page", ("next", "page")),
        ("  Next\u00a0\u2003page\n", ("next", "page")),
        ("NEXT", ("next",)),
        ("STRASSE Stra\u00dfe", ("strasse", "strasse")),
        ("Rooms (2 (of 5)) left", ("rooms", "left")),
        ("item(s)", ("item",)),
        ("(all of it)", ()),
        ("one ) two ( three", ("one", "two", "three")),
        ("[hh:mm] {x}", ("hh", "mm", "x")),
        ("non-standard", ("non", "standard")),
        ("don't", ("don", "t")),
        ("1,234.50", ("1", "234", "50")),
        ("-3 \u00b0C", ("3", "c")),
        ("\u00bd \u2460 \u00b2", ("1", "2", "1", "2")),
        ("\uff30\uff52\uff49\uff43\uff45", ("price",)),
        ("\ufb01le", ("file",)),
        ("caf\u00e9", ("cafe",)),
        ("na\u00efve", ("nai", "ve")),
        ("\U0001f680 Launch \u2139\ufe0f\u2122", ("launch",)),
        ("Sun\u00adflower foo\u200bbar", ("sunflower", "foobar")),
        ("\u00d7 \u2026 \u00bb $ %", ()),
        ("", ()),
        # By the dictionaries of ICU, as any native reader cuts them.
        ("\u6771\u4eac\u90fd", ("\u6771\u4eac", "\u90fd")),
        ("\u767b\u5f55\u8d26\u6237", ("\u767b\u5f55", "\u8d26\u6237")),
        (
            "\u0e04\u0e49\u0e19\u0e2b\u0e32\u0e2a\u0e34\u0e19\u0e04\u0e49\u0e32",
            ("\u0e04\u0e19\u0e2b\u0e32", "\u0e2a\u0e19\u0e04\u0e32"),
        ),
    ],
)
def test_words(text: str, parts: tuple[str, ...]) -> None:
    """Brackets and pictures out, case folded, taken apart; what is no letter and no number parts words."""
    assert words(text) == parts


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [
        ("Next page of the list", "Next page", "contained"),
        ("anything", "\u2026", "contained"),
        ("anything", "X", "contained"),
        ("anything", "\u00d7", "contained"),
        ("Close", "x Close", "symbol"),
        ("Close", "Close x", "symbol"),
        ("Close", "x Open", "not-contained"),
        ("page next", "next page", "not-contained"),
        ("just ice", "justice", "not-contained"),
        ("WCAG", "W C A G", "not-contained"),
        ("Page two", "Page 2", "not-contained"),
        ("University Avenue", "University Ave.", "abbreviation"),
        ("University Ave.", "University Avenue", "abbreviation"),
        ("University Avenue", "University Ave", "abbreviation"),
        ("Doctor Jones", "Dr. Jones", "abbreviation"),
        ("Doctor Jones", "Dr Jones", "abbreviation"),
        ("Monday 3 January", "Mon 3 Jan", "abbreviation"),
        ("United States", "U.S.", "abbreviation"),
        ("Books by Ann Miller", "Books by A. Miller", "abbreviation"),
        ("Pages 5 to 7", "pp. 5 to 7", "abbreviation"),
        ("5 gigabytes", "5 GB", "abbreviation"),
        ("Books by Ann", "Books by B. Miller", "not-contained"),
        ("Vitamin bottle", "Vitamin B", "not-contained"),
        ("Continue shopping", "Conts. shopping", "not-contained"),
        ("Discover Italy", "Discover It", "not-contained"),
        ("Read everything", "Read more.", "not-contained"),
        ("Next page", "Next...", "contained"),
        ("non-standard", "nonstandard", "spelling"),
        ("nonstandard", "Non\u2010standard thing", "spelling"),
        ("E-mail them", "Email us", "spelling"),
        ("020-7946", "0207946", "not-contained"),
        ("Choose a color", "Choose a colour", "spelling"),
        ("Organizations", "Organisation", "not-contained"),
        ("Organization list", "Organisation", "spelling"),
        ("Canceled", "Cancelled", "spelling"),
        ("Theater", "Theatre", "spelling"),
        ("naive", "na\u00efve", "spelling"),
        ("Our behavior", "Our behaviour", "spelling"),
        ("Colorful paint", "Colourful paints", "spelling"),
        ("Encyclopedia", "Encyclopaedia", "spelling"),
        ("Fetal care", "Foetal care", "spelling"),
        ("Meager", "Meagre", "spelling"),
        ("Fulfill an order", "Fulfil order", "spelling"),
        ("Jewelry", "Jewellery", "spelling"),
        ("Your enrollment", "Your enrolment", "spelling"),
        ("The judgment", "The judgement", "spelling"),
        ("Check book", "Chequebook and cheque", "spelling"),
        ("Order tires", "Order tyres", "spelling"),
        ("Mold and dust", "Mould and dust", "spelling"),
        ("pets", "poets", "not-contained"),
        ("singing", "singeing", "not-contained"),
        ("calling", "caling", "not-contained"),
        ("cold", "could", "not-contained"),
        ("story", "stories", "not-contained"),
        ("filed", "filled", "not-contained"),
        ("four", "for", "not-contained"),
        ("size", "sise", "not-contained"),
    ],
)
def test_relation(name: str, label: str, expected: Relation) -> None:
    """Contained word for word; else left to others where an abbreviation or a spelling parts them; else not contained."""
    assert relation(name, label) == expected


@given(st.text(), st.text())
def test_every_pair_has_one(name: str, label: str) -> None:
    """No text is too odd, and a label stands in itself."""
    assert relation(name, label)
    assert relation(label, label) == "contained"
