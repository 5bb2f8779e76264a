"""Views of a text, from what every machine reader tells apart to every mark: what two texts differ in, and how finely.

Two texts are told apart in the first view in which they differ. A reading decides between them only in that view: "17:03" or
"17:08" needs the digit, "Café" or "Cafe" the accent, "Buy" or "Buy now" neither.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import regex

from domain.text import visible_characters

View = Callable[[str], str]

_MARKED = regex.compile(r"([\p{Latin}\p{Greek}])\p{Mn}+")
_LETTER = regex.compile(r"[\p{L}\p{M}\p{N}]")
_BLANKS = regex.compile(r"\s+")
# What is no letter, digit or mark of one, and no sign that tells values apart: often lost by a reader, or made up.
_SMALL = regex.compile(r"[^\p{L}\p{M}\p{N}\p{Sc}\p{So}%+<>=]")
_IN_NUMBERS = regex.compile(
    r"(?<=\p{N})[.,]\s?(?=\p{N})|(?<=\p{N}):(?=\p{N})|(?<![\p{L}\p{N}])(?<![\p{L}\p{N}]\s)-(?=\s?[.,\p{Sc}]?\p{N})"
)
_STANDS_FOR = {".": "\ue000", ",": "\ue000", ":": "\ue001", "-": "\ue002"}
"""Point and comma are one: a pixel decides, and readers miss it. Private use, so that they are not taken for small."""
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
_DEGREES = regex.compile("\u00b0+")
"""A reader sees the sign and, once more, the character that is sign and letter in one (U+2103)."""
_QUOTES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4", "'") | dict.fromkeys("\u201c\u201d\u201e\u2033", '"')
)
# One drawing, several characters: nought and O, one, I and l in many faces; kana drawn like ideographs, small kana like large.
_ALIKE = str.maketrans(
    "01I" + "ロニカタエトハヘベペリー" + "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ",
    "Oll" + "口二力夕工卜八へべぺり一" + "あいうえおつやゆよわアイウエオツヤユヨワ",
)
# The same without case, where letters lose their strokes too, as accents are lost.
_ALIKE_UNCASED = _ALIKE | str.maketrans("0Oi1\u0131łđøð", "oolllldod")
_PAIRS = (("rn", "m"), ("vv", "w"))


def _forms(text: str) -> str:
    """One form of each character (full and half width, ligatures), one dash and one kind of quote; blanks as one space."""
    text = visible_characters(unicodedata.normalize("NFKC", text)).translate(_DASHES).translate(_QUOTES)
    return _DEGREES.sub("\u00b0", text)


def _tight(text: str) -> str:
    return _BLANKS.sub("", _forms(text))


def _keep(text: str) -> str:
    """Letters, digits, signs that tell values apart, and in numbers their dots, colons and minus; no blanks."""
    kept = _IN_NUMBERS.sub(lambda m: _STANDS_FOR[m[0][0]], text)
    return "".join(c for c in kept if "\ue000" <= c <= "\ue002" or not _SMALL.match(c))


def _unaccented(text: str) -> str:
    return unicodedata.normalize("NFC", _MARKED.sub(r"\1", unicodedata.normalize("NFD", text)))


def loose(text: str) -> str:
    """What any reader tells apart: no case, accents, blanks, punctuation; look-alikes as one. A number keeps what makes it."""
    folded = _unaccented(_keep(_forms(text)).casefold()).translate(_ALIKE_UNCASED)
    for pair, one in _PAIRS:
        folded = folded.replace(pair, one)
    return folded


VIEWS: tuple[View, ...] = (
    loose,
    lambda text: _keep(_forms(text)).casefold().translate(_ALIKE_UNCASED),
    lambda text: _keep(_forms(text)).translate(_ALIKE),
    lambda text: _tight(text).translate(_ALIKE),
    lambda text: _forms(text).translate(_ALIKE),
)
"""Loosest first: what any reader sees; with accents; with case; with punctuation; with blanks. Look-alikes are one in all."""


def looks_like(one: str, other: str) -> bool:
    """A reader may take one for the other."""
    return loose(one) == loose(other)


def telling_view(one: str, other: str) -> View | None:
    """The first view in which the two differ; None where they differ in none."""
    return next((view for view in VIEWS if view(one) != view(other)), None)


def base_letters(text: str) -> str:
    """The letters and digits of the text, without accents: what a reader must have in its alphabet."""
    return "".join(c for c in _unaccented(_forms(text)) if _LETTER.match(c))
