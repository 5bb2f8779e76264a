"""Words of a text, as the probes' column `words` has them: runs of letters and digits, every sign between them aside."""

from __future__ import annotations

import re
import string
import unicodedata

from store.tables import SIGNS

_APART = re.compile(f"{SIGNS}|\0")
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def query_of(given: str) -> str:
    """The text as Postgres asks for it (tsquery): every word, case aside, the last as the beginning of one. Empty: no word.

    A database of locale C, as the embedded one is, knows upper case in ASCII alone; so each word is asked for in the forms
    that people write: menü, Menü, MENÜ. A letter and its accent are one character, as pages write them, however they are typed.
    """
    words = _APART.sub(" ", unicodedata.normalize("NFC", given)).split()
    last = len(words) - 1
    return " & ".join(_forms(word, ":*" if place == last else "") for place, word in enumerate(words))


def _forms(word: str, suffix: str) -> str:
    forms = {form.translate(_LOWER) for form in (word, word.lower(), word.upper(), word.title())}
    return "(" + " | ".join(f"'{form}'{suffix}" for form in sorted(forms)) + ")"
