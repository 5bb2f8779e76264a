"""Abbreviations: words cut short, by their full stop or because they are well known without one.

ACT rule 2ee8b8 leaves labels and names with abbreviations to other rules: nobody speaks "Ave." letter by letter. Initialisms
written without stops (WCAG, W C A G) are words to that rule and are no abbreviations here.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

# Known without a full stop, by what they stand for.
_FULL = {
    "apt": "apartment", "approx": "approximately", "appt": "appointment", "apr": "april", "assn": "association",
    "asst": "assistant", "aug": "august", "ave": "avenue", "bldg": "building", "blvd": "boulevard",
    "cm": "centimetre centimeter",
    "co": "company", "corp": "corporation", "dec": "december", "dept": "department", "dr": "doctor drive", "est": "established",
    "etc": "etcetera", "ext": "extension", "feb": "february", "fri": "friday", "ft": "feet foot", "govt": "government",
    "hr": "hour", "hrs": "hours", "hwy": "highway", "inc": "incorporated", "info": "information", "intl": "international",
    "jan": "january", "jr": "junior", "jul": "july", "jun": "june", "kg": "kilogram kilograms", "km": "kilometre kilometer "
    "kilometres kilometers", "lb": "pound", "lbs": "pounds", "ltd": "limited", "max": "maximum", "mgmt": "management",
    "mgr": "manager", "mi": "miles", "min": "minutes minute minimum", "mins": "minutes", "misc": "miscellaneous",
    "mm": "millimetre millimeter", "mon": "monday", "mr": "mister", "mrs": "missus", "msg": "message", "mt": "mount mountain",
    "no": "number", "nov": "november", "nr": "number", "oct": "october", "oz": "ounce ounces", "pkg": "package",
    "prof": "professor",
    "gb": "gigabyte gigabytes", "kb": "kilobyte kilobytes", "mb": "megabyte megabytes", "mg": "milligram milligrams",
    "ml": "millilitre milliliter millilitres milliliters", "tb": "terabyte terabytes",
    "qty": "quantity", "rd": "road", "ref": "reference", "sat": "saturday", "sec": "seconds second section", "sep": "september",
    "sept": "september", "sq": "square", "sr": "senior", "st": "street saint", "sun": "sunday", "tel": "telephone",
    "temp": "temperature temporary", "thu": "thursday", "thurs": "thursday", "tue": "tuesday", "tues": "tuesday",
    "univ": "university", "vol": "volume", "vs": "versus", "wed": "wednesday", "wk": "week", "yr": "year", "yrs": "years",
}  # fmt: skip
_ABBREVIATED = {short: frozenset(full.split()) for short, full in _FULL.items()}
# With a stop these are abbreviations whatever stands beside them; others may be words at the end of a sentence.
_SURELY = frozenset(_ABBREVIATED) - {
    "apt",
    "co",
    "dec",
    "est",
    "max",
    "mi",
    "min",
    "mon",
    "no",
    "sat",
    "sec",
    "sun",
    "temp",
    "wed",
}
# Letters and a full stop that is no ellipsis.
_STOPPED = regex.compile(r"(?<![\p{L}\p{N}\p{M}])(\p{L}[\p{L}\p{M}'\u2019]+)\.(?!\.)")
# e.g., U.S., p.m.
_INITIALS = regex.compile(r"(?<![\p{L}\p{N}\p{M}.])\p{L}\.\s?(?:\p{L}\.\s?)*\p{L}\.(?!\.)")
# One letter and its stop, or that letter twice: J., p., pp.
_ONE_LETTER = regex.compile(r"(?<![\p{L}\p{N}\p{M}.'\u2019])(\p{L})\1?\.(?!\.)", regex.IGNORECASE)
_LEAST_CUT = 2
"""Letters that a stopped word leaves out at least; fewer is no shortening worth a stop."""


def abbreviates(name: str, label: str, said: Sequence[str], shown: Sequence[str]) -> bool:
    """One of the two holds an abbreviation. said, shown: their words."""
    return _shortened(label, shown, said) or _shortened(name, said, shown)


def _shortened(text: str, own: Sequence[str], other: Sequence[str]) -> bool:
    """This text holds an abbreviation: initials with stops, a stopped word cut from one of the other's, or a known one."""
    if _INITIALS.search(text):
        return True
    there = set(other) - set(own)
    if any(_ABBREVIATED.get(word, frozenset()) & there for word in own):
        return True
    if any(_cut_from(match[1].casefold(), word) for match in _ONE_LETTER.finditer(text) for word in there):
        return True
    for match in _STOPPED.finditer(text):
        short = match[1].casefold()
        if short in _SURELY or any(_cut_from(short, word) for word in there):
            return True
    return False


def _cut_from(short: str, word: str) -> bool:
    """Same first letter, the other letters in order, and some left out."""
    rest = iter(word)
    return len(word) >= len(short) + _LEAST_CUT and word[0] == short[0] and all(letter in rest for letter in short)
