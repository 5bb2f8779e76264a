"""Numbers in texts: the same amount written otherwise, digits beside number words, arrows that point up or down."""

from __future__ import annotations

import regex

from domain.tokens import HAS_LETTERS_OR_DIGITS, IS_NUMBER, TOKEN, normalize, plain, tokens

# Thousands; or hundreds above the last three digits, as in India. The same separator throughout.
_GROUPED = regex.compile(r"(?!0)(?:\p{N}{1,3}([.,])\p{N}{3}(?:\1\p{N}{3})*|\p{N}{1,2}(?:,\p{N}{2})+,\p{N}{3})")
_SEPARATORS = {ord("'"): ",", 0x2019: ",", 0x066C: ",", 0x066B: "."}
# Arrows and triangles up and down beside a number say which way it went.
_UP, _DOWN = "\u25b2\u25b4\u2191\u2b06\U0001f53a\U0001f53c\u2197", "\u25bc\u25be\u2193\u2b07\U0001f53b\U0001f53d\u2198"
_LEFT, _RIGHT = "\u25c0\u25c2\u2190\u2b05\u21d0", "\u25b6\u25b8\u2192\u27a1\u21d2"
_POINTS = regex.compile(f"[{_UP}{_DOWN}{_LEFT}{_RIGHT}]")
# A falling arrow is how a minus is drawn, a rising one a plus; not between two numbers.
_SIGN = regex.compile(rf"(?<!\p{{N}}\s*)([{_UP}{_DOWN}])\s*(?=\.?\p{{N}})")

_CURRENCY = regex.compile(r"\p{Sc}")


def arrows(text: str) -> tuple[str, ...]:
    """up, down, left and right, as the text's arrows and triangles point."""
    return tuple(
        "up" if m in _UP else "down" if m in _DOWN else "left" if m in _LEFT else "right" for m in _POINTS.findall(text)
    )


def same_but_format(first: str, second: str) -> bool:
    """Both say the same numbers and words and differ only in how these are written (1,234 and 1234)."""
    left, right = _values(first), _values(second)
    return left == right and bool(left)


def same_numbers(first: str, second: str) -> bool:
    """Both hold the same numbers in the same order, as digits or, beside a text with digits, as English words ("two")."""
    left, right = numbers(first), numbers(second)
    if left and left == right:
        return True
    if not left and not right:
        return False
    return bool(spelt := _spelt(first)) and spelt == _spelt(second)


def numbers(text: str) -> tuple[str, ...]:
    """The numbers of a text as they are written in digits, without grouping."""
    return tuple(v for v in _values(text) if HAS_LETTERS_OR_DIGITS.search(v) and v.lstrip("-")[:1].isdigit())


def _values(text: str) -> tuple[str, ...]:
    # "12 %" and "12%", "$ 5" and "$5" are the same already: tokens do not keep blanks.
    text = _SIGN.sub(lambda m: "-" if m[1] in _DOWN else "", plain(text))
    text = regex.sub(r"(?<=\p{N}) (?=\p{N}{3}(?!\p{N}))", "", text)
    return _currency_first([_digits_only(t) if IS_NUMBER.fullmatch(t) else t for t in TOKEN.findall(text)])


def _currency_first(values: list[str]) -> tuple[str, ...]:
    """Where every number has its currency behind it, as languages other than English write it, the currency before it."""
    at = [i for i, value in enumerate(values) if IS_NUMBER.fullmatch(value)]
    behind = [i for i in at if _CURRENCY.fullmatch("".join(values[i + 1 : i + 2]))]
    if not at or behind != at or _CURRENCY.fullmatch("".join(values[at[0] - 1 : at[0]])):
        return tuple(values)
    for i in at:
        values[i], values[i + 1] = values[i + 1], values[i]
    return tuple(values)


def _digits_only(token: str) -> str:
    """A number without what writes it: grouping gone, decimal part and sign kept.

    A lone separator with one to three digits before it and three behind groups ("1,234"); any other lone one is the decimal
    point. What is grouped in no known way (1.12.2025, 10.0.0.11) stays as it is.
    """
    sign = "".join(c for c in token[:1] if c in "-\u00b1")
    body = token.lstrip("+-\u00b1").translate(_SEPARATORS)
    last = max(body.rfind("."), body.rfind(","))
    if last < 0 or any(c in ":/" for c in body):
        return sign + body
    if _GROUPED.fullmatch(body):
        return sign + regex.sub("[.,]", "", body)
    head, tail = body[:last], body[last + 1 :]
    if body[last] in head or not (not head or head.isdecimal() or _GROUPED.fullmatch(head)):
        return sign + body
    return f"{sign}{regex.sub('[.,]', '', head) or '0'}.{tail}"


_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19,
}  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}


def _spelt(text: str) -> tuple[str, ...]:
    """The numbers of a text, English number words among them: "two thousand twenty-one" is 2021, "two zero" is 2, 0."""
    found: list[str] = []
    total, part, last = 0, 0, 0  # last: the least value that the next word must stay below to go on with this number
    open_ = False
    for token in (*tokens(normalize(text)), ""):
        if token in _SCALES and open_ and last:
            scale = _SCALES[token]
            if scale == _SCALES["hundred"]:
                part *= scale
            else:
                total, part = total + part * scale, 0
            last = scale
            continue
        value = _UNITS.get(token, _TENS.get(token))
        if value is not None:
            if open_ and not 0 < value < last:
                found.append(str(total + part))
                total, part = 0, 0
            part, open_ = part + value, True
            last = 10 if token in _TENS else 1
            continue
        if open_:
            found.append(str(total + part))
            total, part, last, open_ = 0, 0, 0, False
        if IS_NUMBER.fullmatch(token):
            found.append(_digits_only(token))
    return tuple(found)
