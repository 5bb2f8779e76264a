"""What a text on a page may be swapped for: another string of the same page and the same broad type.

Source: paper, "Edited families" (a structure that says another on-page string). How each type is told, and how one of
several is taken: docs/distractors.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

import regex

from domain.calendar_words import JOINED, MONTH, WEEKDAY
from domain.lookalikes import looks_like
from domain.screen import rank
from domain.text import grade, materially_disagree, normalize, wordless
from domain.tokens import UNSPACED, plain

Type = Literal["e-mail", "url", "time", "date", "percentage", "price", "number", "short-label", "phrase", "sentence"]

# Digits of every script are 0 to 9 by then, no-break and thin spaces plain ones, and every minus a hyphen.
_GROUPED = r"\d{1,3}(?:[.,' \u066c]\d{2,3})+(?:[.,\u066b]\d{1,3})?"
_N = rf"[-+~\u00b1]?(?:{_GROUPED}|\d+(?:[.,\u066b]\d+)?|[.,]\d+)"
_SHORT = r"(?:[ ]?(?:k|m|b|bn|mio|mrd|tsd|thousand|million|billion)\.?)?"
_CURRENCY = (
    r"(?:(?:us|ca|au|c|a|nz|hk|s|r|mx)?\p{Sc}|r\$|usd|eur|gbp|chf|jpy|cny|cad|aud|inr|sek|nok|dkk|pln|czk|huf|ron|brl|mxn|try|zar"
    r"|kr|zł|kč|ft|fr|rs|rm|tl|\u043b\u0432|\u0440\u0443\u0431|円|元|원)\.?"
)
_CENTS = r"(?:,-|,--|\.-|,\u2013)?"
_CLOCK = r"(?:[01]?\d|2[0-4])[:.h][0-5]\d(?::[0-5]\d)?"
_HALF = r"[ap]\.?m\.?"
_ZONE = r"(?:[ ]?(?:uhr|h|utc|gmt|est|edt|cst|cdt|mst|mdt|pst|pdt|cet|cest|bst))?"
_ONE_TIME = (
    rf"(?:(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:[ ]?{_HALF})?{_ZONE}"
    rf"|\d{{1,2}}(?:[.:][0-5]\d)?[ ]?{_HALF}{_ZONE}"
    rf"|{_CLOCK}[ ]?(?:uhr|h)|\d{{1,2}}[ ]?(?:uhr|h[ ]?[0-5]\d)|\d{{1,2}}時(?:\d{{1,2}}分)?)"
)
_YEAR = r"(?:1[89]|20|21)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:\.|st|nd|rd|th|er|º|ª)?"
# Atomic, and every word and number whole: there is one way to read a text, however long it is.
_PARTS = rf"(?>(?:{MONTH}|{WEEKDAY}|{JOINED})(?!\p{{L}})|(?:{_YEAR}|'\d\d|{_DAY})(?!\d)|[ ,/-])"
_ONE_DATE = (
    rf"(?:{_YEAR}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])\.?"
    rf"|(?:0?[1-9]|[12]\d|3[01])[-/.][ ]?(?:0?[1-9]|[12]\d|3[01])[-/.][ ]?(?:{_YEAR}|\d\d)"
    rf"|(?:{_YEAR}[年년][ ]?)?\d{{1,2}}[月월][ ]?(?:\d{{1,2}}[日일])?"
    rf"|(?=.*\b{MONTH}(?!\p{{L}}))(?=.*\d){_PARTS}++)"
)
_RANGE = r"(?:[ ]?(?:-|to|bis|a|à|until)[ ]?|[ ]?/[ ]?)"


def _several(one: str) -> str:
    return rf"{one}(?:{_RANGE}{one})?"


PATTERNS: tuple[tuple[Type, regex.Pattern[str]], ...] = (
    ("e-mail", regex.compile(r"(?:mailto:)?[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")),
    (
        "url",
        regex.compile(
            r"(?:https?|ftp)://\S+|www\.\S+\.\S+"
            r"|(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev|app|info|biz|eu|uk|de|fr|es|it|nl|jp|cn|ca|au|us|ch|at|be|se|no|dk|fi|pl|br|in|example)"
            r"(?:/\S*)?"
        ),
    ),
    ("time", regex.compile(_several(_ONE_TIME))),
    ("date", regex.compile(_several(_ONE_DATE))),
    ("percentage", regex.compile(rf"(?:{_N}[ ]?[%\u2030\u066a]|[%\u066a][ ]?{_N})")),
    (
        "price",
        regex.compile(
            _several(rf"(?:[-+]?{_CURRENCY}[ ]?{_N}{_SHORT}{_CENTS}|{_N}{_SHORT}{_CENTS}[ ]?{_CURRENCY})")
            + r"(?:[ ]?/[ ]?\p{L}+)?"
        ),
    ),
    ("number", regex.compile(rf"\(?#?{_N}{_SHORT}\)?")),
)
"""The first that the whole text is, in this order; written in lower case. What is none of these is words."""

APART = ("overlap", "disjoint")
"""How a distractor's words relate to the text's: not by containment, order, or the way in which a number is written."""
LONGEST = 80
"""Characters: a longer text is words, whatever they are; addresses excepted."""
ADDRESSES = ("e-mail", "url")
LABEL_WORDS, PHRASE_WORDS = 3, 10
"""Words: up to so many are a short label, a phrase; more are a sentence. Two characters of an unspaced script are a word."""
BANDS = (1 / 3, 1 / 2)
"""Differences of length, as a share of the longer: a distractor of the first band goes before one of the second or of none."""

_END = regex.compile(r"[.!?\u3002\uff01\uff1f\u061f\u0964]['\")\u201d\u2019\u00bb]*$")
_UNSPACED = regex.compile(UNSPACED)
_WORDS = regex.compile(r"\S*[\p{L}\p{N}]\S*")
_SPACES = regex.compile(r"\s+")


@lru_cache(4096)
def type_of(text: str) -> Type | None:
    """The broad type of a text; None of one that has neither letter nor digit."""
    if wordless(text):
        return None
    written = _SPACES.sub(" ", plain(text))
    found = next(
        (name for name, pattern in PATTERNS if (len(written) <= LONGEST or name in ADDRESSES) and pattern.fullmatch(written)),
        None,
    )
    if found:
        return found
    unspaced = len(_UNSPACED.findall(written))
    words = len(_WORDS.findall(_UNSPACED.sub(" ", written))) + (unspaced + 1) // 2
    if words > PHRASE_WORDS or (words >= LABEL_WORDS and _END.search(written)):
        return "sentence"
    return "short-label" if words <= LABEL_WORDS else "phrase"


def choose(text: str, others: Iterable[str], *, seed: int, key: str) -> str | None:
    """One of the other strings that is of the same type and says something else; None where there is none.

    Something else: not equal after normalisation, neither holds the other in words or in characters, no number in another form,
    and no reader takes one for the other. Of those the nearest band of length (BANDS), in it the first by hash of seed, key and
    string: neither the order of the others counts nor how often one is there. key: names what is swapped.
    """
    wanted = type_of(text)
    if wanted is None:
        return None
    alike = {other for other in others if other != text and type_of(other) == wanted}
    # In order first, compared second: comparing costs more.
    ordered = sorted(alike, key=lambda other: (_band(text, other), rank(seed, "distractor", key, other)))
    return next((other for other in ordered if _says_else(text, other)), None)


def _says_else(text: str, other: str) -> bool:
    return (
        normalize(text) != normalize(other)
        and grade(other, text) in APART
        and materially_disagree(other, text, "paper")
        and not looks_like(text, other)
    )


def _band(text: str, other: str) -> int:
    apart = abs(len(text) - len(other)) / max(len(text), len(other))
    return next((i for i, most in enumerate(BANDS) if apart <= most), len(BANDS))
