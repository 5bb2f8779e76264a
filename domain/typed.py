"""A text as a keyboard writes it, for comparing what people transcribe with gold and with one another. docs/audit-numbers.md.

On top of what rules compare (domain.tokens): signs that no keyboard has become what one types for them, where all would type
the same; and what is drawn otherwise than the plain sign (a raised or an encircled digit) stays another text.
"""

from __future__ import annotations

import functools
import unicodedata

import regex

from domain.tokens import plain, visible_characters

_RAISED = regex.compile(
    # Not before a fraction's stroke: there it is the upper half.
    "[\u207a\u207b]?[\u2070\u2071\u00b9\u00b2\u00b3\u2074-\u2079\u207f]+(?![\u2044\u00b9\u00b2\u00b3\u2070-\u207f])"
)
_FRACTION = regex.compile("(?<=\\p{Nd})(?=[\u00bc-\u00be\u2150-\u215f\u2189]|[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+\u2044)")
# Numbers and words in circles, and signs made of several letters (a raised digit may be among them).
_DRAWN = regex.compile("[\u2460-\u24ff\u2776-\u2793\u3200-\u33ff\U0001f100-\U0001f265]")
_KEYS = {
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u02ba\u05f4\u301d\u301e\u301f",
    "'": "\u2018\u201a\u201b\u2032\u2035\u02b9\u02bb\u05f3`\u00b4",
    "<": "\u2039",
    ">": "\u203a",
    "-": "\u2014\u2015\u2043\u02d7\u2500",
    "/": "\u2044\u2215",
    ":": "\u2236\ua789",
    "x": "\u00d7\u2a2f\u2715\u2716",
    "*": "\u2217",
    "~": "\u223c\u02dc",
    "|": "\u2223\u2502\u2758",
    "\u00b7": "\u2022\u2027\u2219\u22c5\u30fb",
    ".": "\u066b",
    ",": "\u066c\u060c",
    ";": "\u061b",
    "?": "\u061f",
    "%": "\u066a",
    "\u00b0": "\u00ba\u02da\u2218",
    "n\u00b0": "\u2116",
    "^a": "\u00aa",
    "<=": "\u2264\u2266\u2a7d",
    ">=": "\u2265\u2267\u2a7e",
    "(c)": "\u00a9",
    "(r)": "\u00ae",
    "(p)": "\u2117",
}
"""What one types, and for which signs. Minus, hyphens and the apostrophe are `plain`'s."""
_TABLE = str.maketrans({sign: key for key, signs in _KEYS.items() for sign in signs})


@functools.lru_cache(maxsize=8192)  # each value is asked for in every table that it is part of
def keyed(text: str) -> str:
    """The text as rules compare it and a keyboard writes it. Two texts are one where this is the same. Idempotent."""
    while (again := _once(text)) != text:  # what one types may join a mark that stood beside the sign
        text = again
    return text


def _once(text: str) -> str:
    text = visible_characters(text)  # first: what stands beside a raised digit or a fraction is what is seen beside it
    text = _DRAWN.sub(lambda found: _spelt(found[0]), text)
    apart = _FRACTION.sub(" ", _RAISED.sub(r"^\g<0>", text))
    return plain(apart.translate(_TABLE)).translate(_TABLE)


def _spelt(sign: str) -> str:
    """What one types for a sign in a circle, or for letters in one square; else the sign."""
    form, _, codes = unicodedata.decomposition(sign).partition(" ")
    parts = "".join(chr(int(code, 16)) for code in codes.split())
    number = unicodedata.numeric(sign, None)
    if form == "<circle>":
        return f"({parts})"
    if form == "<square>":
        return parts
    return f"({number:.0f})" if not form and number is not None else sign
