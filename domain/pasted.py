"""A host or an address as people paste it: out of a sentence, a mail, a table. What stood around it is no part of it."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")
"""Characters without a shape that Unicode does not count among the invisible (Cf)."""
_JOINERS = "\u200c\u200d"
"""Invisible, but Persian and Indic words and some emoji are spelt with them."""
_IN_EMOJI = re.compile("[\ufe0e\ufe0f]")
_PART_OF_URLS = "/#@\\-\u2026"
"""Punctuation by which an address may end, or that is refused there; all other is the sentence's."""
_LITERAL = re.compile(r"\[[0-9a-f.]*:[0-9a-f:.]*\]", re.IGNORECASE)
_NEVER_IN_URLS = re.compile('["<>`\u2026]')


def unwrapped(text: str) -> str:
    """Without what surrounds it: blanks, what cannot be seen, quotes, brackets, and the punctuation behind it.

    A bracket at the end stays where its partner is in the text: Foo_(bar). So does one around an IPv6 address.
    """
    start, end = 0, len(text)
    while start < end and _opens(text[start]) and not _LITERAL.match(text, start) and text[start : start + 2] != "*.":
        start += 1
    while start < end and _ends(text[start:end]):
        end -= 1
    return text[start:end]


def may_end(character: str) -> bool:
    """Whether an address that ends with this, bare as it is, is read with it."""
    return not _ends(character)


def fault_of(text: str) -> str | None:
    """What in it no address can hold as it is, for a sentence: "a blank"; None: nothing."""
    if re.search(r"[\s\x00-\x1f\x7f-\x9f]", text):
        return "a blank or a control character (in a path: %20)"
    if found := next((one for one in text if one not in _JOINERS and is_unseen(one) and not _IN_EMOJI.match(one)), None):
        return f"the invisible character U+{ord(found):04X}"
    if found := next(iter(_NEVER_IN_URLS.findall(text)), None):
        return f"{found} (in a path: {''.join(f'%{byte:02X}' for byte in found.encode())})"
    return None


def is_unseen(character: str) -> bool:
    """Whether it has no shape: marks of direction, of width zero, fillers."""
    return unicodedata.category(character) == "Cf" or bool(_UNSEEN.match(character))


def _opens(character: str) -> bool:
    kind = unicodedata.category(character)
    punctuation = kind in {"Ps", "Pe", "Pd"} or (kind == "Po" and not character.isascii() and character != "\u2026")
    return punctuation or _is_wrapping(character, kind) or character in ",;:!?*"


def _ends(text: str) -> bool:
    """Whether the last character is none of the address."""
    last = text[-1]
    kind = unicodedata.category(last)
    if kind == "Pe":
        of_all = [unicodedata.category(one) for one in text]
        return of_all.count("Pe") > of_all.count("Ps")
    return _is_wrapping(last, kind) or (kind in {"Ps", "Po", "Pd"} and last not in _PART_OF_URLS)


def _is_wrapping(character: str, kind: str) -> bool:
    """A blank, something unseen, a quote, or the line of a table. kind: its category."""
    return character.isspace() or kind in {"Cc", "Pi", "Pf"} or character in "\"'`<>|" or is_unseen(character)
