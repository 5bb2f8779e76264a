"""Label in name: is the visible label part of the accessible name, word for word?

Source: ACT rule 2ee8b8 "Visible label is part of accessible name", text of 22 July 2026: its label in name algorithm, and the
two conditions of its applicability that look at the strings. In our own words, step by step, in docs/policies.md.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

import regex
from icu4py.breakers import WordBreaker

from domain.abbreviations import abbreviates
from domain.spelling import spelt_otherwise
from domain.tokens import INVISIBLE, UNSPACED, run_of

Relation = Literal["contained", "symbol", "abbreviation", "spelling", "not-contained"]
"""symbol: contained if a lone x beside the words stands for a picture, which only a person can tell."""

_IN_BRACKETS = regex.compile(r"\([^()]*\)")
# Pictures are no letters, even those that Unicode takes apart into letters (information source, trade mark).
_PICTURE = regex.compile(r"\p{Extended_Pictographic}")
_NO_WORD = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
_MARKS = regex.compile(r"\p{M}+")
_HAS_UNSPACED = regex.compile(UNSPACED)
_CROSS = frozenset({"x", "\u0445"})
"""Letters drawn as a cross: x, and the Cyrillic letter of the same form. Alone they mean "close" and are no word."""


def words(text: str, *, marks: bool = True) -> tuple[str, ...]:
    """The words of a label or a name, in order; empty where it holds no letter and no digit.

    marks: accents part words, as the rule has it; False leaves them out, which tells whether they alone make a difference.
    """
    text = INVISIBLE.sub("", text)
    while (shorter := _IN_BRACKETS.sub("", text)) != text:
        text = shorter
    text = unicodedata.normalize("NFKD", _PICTURE.sub(" ", text).casefold())
    found: list[str] = []
    for piece in _NO_WORD.sub(" ", text).split():
        if _HAS_UNSPACED.search(piece):
            # Accents and vowels of these scripts are part of the words that the dictionaries know.
            whole = WordBreaker(unicodedata.normalize("NFC", piece), "")
            found += filter(None, (_MARKS.sub("", unicodedata.normalize("NFKD", word)) for word in whole))
        else:
            found += _MARKS.sub(" " if marks else "", piece).split()
    return tuple(found)


def relation(name: str, label: str) -> Relation:
    """How the visible label stands to the accessible name. The first that holds."""
    said, shown = words(name), words(label)
    if (len(shown) == 1 and shown[0] in _CROSS) or run_of(shown, said):
        return "contained"
    if abbreviates(name, label, said, shown):
        return "abbreviation"
    if spelt_otherwise(name, label, words(name, marks=False), words(label, marks=False)):
        return "spelling"
    rest = tuple(shown[1:] if shown[0] in _CROSS else shown[:-1] if shown[-1] in _CROSS else shown)
    return "symbol" if rest != shown and run_of(rest, said) else "not-contained"


def label_in_name(name: str, label: str) -> bool:
    """The policy: the name contains the label."""
    return relation(name, label) == "contained"


def one_letter(label: str) -> bool:
    """The label is a single letter: a word, or the picture of one ("B" for bold), which only a person can tell."""
    shown = words(label)
    return len(shown) == 1 and len(shown[0]) == 1 and shown[0].isalpha()
