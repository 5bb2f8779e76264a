"""One word in two spellings: hyphenated or not, with accents or without, British or American.

ACT rule 2ee8b8 does not apply where a word of the label is in the name under another spelling or hyphenation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import regex

from domain.tokens import run_of

_HYPHENATED = regex.compile(r"(?<![\p{L}\p{N}])\p{L}[\p{L}\p{M}\p{N}]*(?:[-\u2010\u2011]\p{L}[\p{L}\p{M}\p{N}]*)+")
_HYPHEN = regex.compile(r"[-\u2010\u2011]")
# From British to American; only ever asked whether two words of two texts become one, so a form that is no word does no harm.
_AMERICAN = tuple(
    (regex.compile(pattern), to)
    for pattern, to in (
        (r"(?<=[bdlnmpvt])our(?=$|s|ed|ing|ite|able|al|er|hood)", "or"),
        (r"(?<=[a-z]{2})is(?=e$|es$|ed$|er$|ers$|ing$|ation)", "iz"),
        (r"(?<=al)ys(?=e|ing)", "yz"),
        (r"(?<=[bt])re(?=$|s$)", "er"),
        (r"logue(?=$|s$)", "log"),
        (r"(?<=[aeiou].*[aeiou])ll(?=ed$|ing$|er$|ers$|ation)", "l"),
        (r"ence$", "ense"),
        (r"gramme(?=$|s$)", "gram"),
        (r"^grey", "gray"),
    )
)
_LEAST = 4
"""Letters of a word whose spelling is looked at."""


def spelt_otherwise(name: str, label: str, said: Sequence[str], shown: Sequence[str]) -> bool:
    """A word stands in both under another spelling or hyphenation. said, shown: their words, without accents."""
    if run_of(shown, said):
        return True  # accents alone part them
    if _joined(name) & set(shown) or _joined(label) & set(said):
        return True
    ours, theirs = set(shown) - set(said), set(said) - set(shown)
    return bool(_american(ours) & _american(theirs))


def _joined(text: str) -> set[str]:
    """The hyphenated words of a text, as they are without their hyphens."""
    return {_HYPHEN.sub("", word) for word in _HYPHENATED.findall(text.casefold())}


def _american(words: Iterable[str]) -> set[str]:
    found = set()
    for word in words:
        if len(word) < _LEAST or not word.isascii():
            continue
        for pattern, to in _AMERICAN:
            word = pattern.sub(to, word)  # noqa: PLW2901 - one step after the other
        found.add(word)
    return found
