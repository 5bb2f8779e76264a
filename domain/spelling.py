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
        (r"(?<=[bcdgilmnptv])our(?=$|s|ed|ing|ite|able|al|er|hood|y$|ful|less|ly)", "or"),
        (r"^practis", "practic"),
        (r"(?<=[a-z]{2})is(?=e$|es$|ed$|er$|ers$|ing$|ation)", "iz"),
        (r"(?<=[ao]l)ys(?=e|ing)", "yz"),
        (r"(?<=man)oe(?=u)|(?<=am)oe(?=b)|(?<=f)oe(?=t)|(?<=rrh)oe(?=a)|^oe(?=st|so|de)|(?<=^c)oe(?=lia)|(?<=hom)oe(?=o)", "e"),
        (r"ae(?=[a-z]{2})", "e"),
        (r"(?<=[bgtv])re(?=$|s$)", "er"),
        (r"logue(?=$|s$)", "log"),
        (r"^jewellery$", "jewelry"),
        (r"(?<=[aeiou].*[aeiou])ll(?=ed$|ing$|er$|ers$|or$|ors$|ous|en$|ation|s?$)", "l"),
        (r"ll(?=ment|ful)", "l"),
        (r"ence$", "ense"),
        (r"gramme(?=$|s$)", "gram"),
        (r"(?<=dg)ement", "ment"),
        (r"(?<=^s?m)ould", "old"),
        (r"^grey", "gray"),
    )
)
# Words of their own, by how they begin.
_PAIRS = {
    "ageing": "aging", "aluminium": "aluminum", "artefact": "artifact", "chequer": "checker", "cheque": "check",
    "doughnut": "donut", "draught": "draft", "kerb": "curb", "plough": "plow", "pyjama": "pajama", "sceptic": "skeptic",
    "storeys": "stories", "storey": "story", "tyre": "tire", "whiskey": "whisky", "yoghurt": "yogurt",
}  # fmt: skip
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
        british = next((start for start in _PAIRS if word.startswith(start)), "")
        found.add(_PAIRS.get(british, "") + word.removeprefix(british))
    return found
