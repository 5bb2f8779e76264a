"""Strings in the form in which rules compare them: normalised, and cut into words, whole numbers and symbols.

Nothing here knows of names or labels; how two strings relate is in domain/text.py.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import regex

# Invisible marks that a reader never sees. ZWJ and ZWNJ are among them (they are \p{Cf}): they join glyphs of one
# word, so dropping them for comparison never glues two words.
INVISIBLE = regex.compile(r"[\p{Cf}\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFE00-\uFE0F\uFFA0]")
# NUL and its like are not drawn either; a tab or a line break is a blank and stays.
_CONTROL = regex.compile(r"[\p{Cc}--\s]", regex.V1)
_BLANKS = regex.compile(r"\s+")
# A number is one token with its sign, separators and decimal point, which may come first; a sign counts only where no word or
# digit is before it. What a letter follows is no number but a word ("21st"), and never a number cut short.
_NUMBER = r"(?<![\p{L}\p{N}\p{M}_.)\]])[-+\u2212\u00B1]?\.?\p{N}+(?:[.,:'\u2019\u066B\u066C/]\p{N}+)*(?![\p{L}\p{M}\p{N}_])"
# Scripts written without blanks are compared character by character; a dictionary would not make containment truer.
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]\p{M}*"
_WORD = r"(?:(?!" + UNSPACED + r")[\p{L}\p{M}\p{N}_])+(?:['\u2019\u02BC](?:(?!" + UNSPACED + r")[\p{L}\p{M}])+)*"
# Currency and mathematical symbols carry meaning (euro or dollar, per cent); punctuation and pictures beside words do not.
_SYMBOL = r"[\p{Sc}\p{Sm}%\u2030]"
TOKEN = regex.compile(f"{_NUMBER}|{UNSPACED}|{_WORD}|{_SYMBOL}")
IS_NUMBER = regex.compile(_NUMBER)
HAS_LETTERS_OR_DIGITS = regex.compile(r"[\p{L}\p{N}]")
_SIGN_FIRST = regex.compile(r"(?<![\p{L}\p{N}\p{M}\p{Sc}_.)\]])([-+\u00B1])(\p{Sc})(?=\.?\p{N})")
_MINUS = str.maketrans(
    {
        "\u2019": "'",
        "\u02bc": "'",
        "\u2212": "-",
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\ufe63": "-",
        "\uff0d": "-",
    }
)


def visible_characters(text: str) -> str:
    """The text without marks that are never drawn, blanks as one space, ends cut; case and form kept.

    For showing and for exact comparison (12:59 and 13:00 differ, -3.2 and 3.2 differ).
    """
    drawn: str = _CONTROL.sub("", INVISIBLE.sub("", text))
    return _BLANKS.sub(" ", drawn).strip()


def normalize(text: str) -> str:
    """NFKC, casefold, invisible marks out, blanks one. Idempotent."""
    text = visible_characters(unicodedata.normalize("NFKC", text))
    # Casefolding can decompose (U+1E9E, U+0390) and recomposing can yield a new foldable: twice reaches the fixed point.
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text.casefold())
    return visible_characters(text)


def plain(text: str) -> str:
    """Normalised: one minus and apostrophe, signs behind the currency ("-$5" is "$-5"), digits of every script as 0 to 9."""
    text = _SIGN_FIRST.sub(r"\2\1", normalize(text).translate(_MINUS))
    return text if text.isascii() else regex.sub(r"\p{Nd}", lambda m: str(unicodedata.decimal(m[0], m[0])), text)


def tokens(text: str) -> tuple[str, ...]:
    """Words, whole numbers and symbols of the normalised text; punctuation is left out. Empty for punctuation alone."""
    return tuple(TOKEN.findall(plain(text)))


def wordless(text: str) -> bool:
    """No letter and no digit: symbols, emoji, arrows, or nothing."""
    return HAS_LETTERS_OR_DIGITS.search(normalize(text)) is None


def run_of(short: Sequence[str], long: Sequence[str]) -> bool:
    """`short` stands in `long` as one unbroken run. The empty run stands in everything."""
    n = len(short)
    return any(tuple(long[i : i + n]) == tuple(short) for i in range(len(long) - n + 1))
