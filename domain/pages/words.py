"""Texts folded, so that variants of spelling meet, and phrases looked for in them."""

from __future__ import annotations

import functools
import unicodedata

import regex

_BLANKS = regex.compile(r"[\s\p{Cf}]+")
_MARKS = regex.compile(r"(?<=\p{Latin})\p{M}+")
_EDGES = regex.compile(r"^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$")


def folded(text: str) -> str:
    """Lower case, one kind of blank and apostrophe, no accents on Latin letters."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'").casefold()
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", _BLANKS.sub(" ", plain)))).strip()


def bare(text: str) -> str:
    """Folded, without punctuation and pictures at its ends."""
    return _EDGES.sub("", folded(text))


class Phrases:
    """Expressions over folded text, parted by semicolons or lines; ASCII ones match whole words only.

    One pattern, made when it is first asked: half a second that few commands need.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @functools.cached_property
    def _pattern(self) -> regex.Pattern[str]:
        split = [p.strip() for p in regex.split(r";|\n", self._text) if p.strip()]
        return regex.compile("|".join(rf"(?:\b(?:{folded(p)})\b)" if p.isascii() else f"(?:{folded(p)})" for p in split))

    def search(self, plain: str) -> regex.Match[str] | None:
        """The first passage of folded text that is one of them."""
        return self._pattern.search(plain)

    def fullmatch(self, plain: str) -> regex.Match[str] | None:
        """Where the whole of the folded text is one of them."""
        return self._pattern.fullmatch(plain)


def first(phrases: Phrases, *texts: str) -> str:
    """The first passage that is one of the phrases, as folded; empty where there is none."""
    for text in texts:
        if found := phrases.search(folded(text)):
            return str(found[0])
    return ""


def leads(found: regex.Match[str], plain: str) -> bool:
    """Whether a passage is what a text says: at least half of it, or its first sentence."""
    if len(found[0]) >= 0.5 * len(plain):
        return True
    return found.start() == 0 and plain[found.end() : found.end() + 1] in {
        ".",
        "!",
        ",",
        ":",
        ";",
        "?",
        "\u3002",
        "\uff01",
        "\u2013",
        "\u2014",
    }
