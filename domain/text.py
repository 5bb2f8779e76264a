"""Strings as the rules compare them: normalisation, tokens, and whether two values materially disagree.

Source: paper, "Natural-conflict families" ("the normalized strings share no containment relation"). What containment
means is decided in docs/decisions/0002.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Literal

import regex

PolicyName = Literal["tokens", "paper", "label-in-name"]
Grade = Literal[
    "equal",
    "label-in-name",
    "name-in-label",
    "ordered-subsequence",
    "same-tokens",
    "format-only",
    "numeric",
    "overlap",
    "disjoint",
]

# Invisible marks that a reader never sees. ZWJ and ZWNJ are among them (they are \p{Cf}): they join glyphs of one
# word, so dropping them for comparison never glues two words.
_INVISIBLE = regex.compile(r"[\p{Cf}\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFE00-\uFE0F\uFFA0]")
# NUL and its like are not drawn either; a tab or a line break is a blank and stays.
_CONTROL = regex.compile(r"[\p{Cc}--\s]", regex.V1)
_BLANKS = regex.compile(r"\s+")
# A number is one token with its sign, separators and decimal point, which may come first; a sign counts only where no word or
# digit is before it. What a letter follows is no number but a word ("21st"), and never a number cut short.
_NUMBER = r"(?<![\p{L}\p{N}\p{M}_.)\]])[-+\u2212\u00B1]?\.?\p{N}+(?:[.,:'\u2019\u066B\u066C/]\p{N}+)*(?![\p{L}\p{M}\p{N}_])"
# Scripts written without blanks are compared character by character; a dictionary would not make containment truer.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]\p{M}*"
_WORD = r"(?:(?!" + _UNSPACED + r")[\p{L}\p{M}\p{N}_])+(?:['\u2019\u02BC](?:(?!" + _UNSPACED + r")[\p{L}\p{M}])+)*"
# Currency and mathematical symbols carry meaning (euro or dollar, per cent); punctuation and pictures beside words do not.
_SYMBOL = r"[\p{Sc}\p{Sm}%\u2030]"
_TOKEN = regex.compile(f"{_NUMBER}|{_UNSPACED}|{_WORD}|{_SYMBOL}")
_IS_NUMBER = regex.compile(_NUMBER)
_HAS_LETTERS_OR_DIGITS = regex.compile(r"[\p{L}\p{N}]")
# Thousands; or hundreds above the last three digits, as in India. The same separator throughout.
_GROUPED = regex.compile(r"(?!0)(?:\p{N}{1,3}([.,])\p{N}{3}(?:\1\p{N}{3})*|\p{N}{1,2}(?:,\p{N}{2})+,\p{N}{3})")
_SEPARATORS = {ord("'"): ",", 0x2019: ",", 0x066C: ",", 0x066B: "."}
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
    drawn: str = _CONTROL.sub("", _INVISIBLE.sub("", text))
    return _BLANKS.sub(" ", drawn).strip()


def normalize(text: str) -> str:
    """NFKC, casefold, invisible marks out, blanks one. Idempotent."""
    text = visible_characters(unicodedata.normalize("NFKC", text))
    # Casefolding can decompose (U+1E9E, U+0390) and recomposing can yield a new foldable: twice reaches the fixed point.
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text.casefold())
    return visible_characters(text)


def _plain(text: str) -> str:
    """Normalised, with one minus, one apostrophe, and the digits of every script as 0 to 9."""
    text = normalize(text).translate(_MINUS)
    return text if text.isascii() else regex.sub(r"\p{Nd}", lambda m: str(unicodedata.decimal(m[0], m[0])), text)


def tokens(text: str) -> tuple[str, ...]:
    """Words, whole numbers and symbols of the normalised text; punctuation is left out. Empty for punctuation alone."""
    return tuple(_TOKEN.findall(_plain(text)))


def wordless(text: str) -> bool:
    """No letter and no digit: symbols, emoji, arrows, or nothing."""
    return _HAS_LETTERS_OR_DIGITS.search(normalize(text)) is None


def _run_of(short: Sequence[str], long: Sequence[str]) -> bool:
    """`short` stands in `long` as one unbroken run. The empty run stands in everything."""
    n = len(short)
    return any(tuple(long[i : i + n]) == tuple(short) for i in range(len(long) - n + 1))


def _in_order(short: Sequence[str], long: Sequence[str]) -> bool:
    rest = iter(long)
    return all(token in rest for token in short)


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


def same_but_format(first: str, second: str) -> bool:
    """Both say the same numbers and words and differ only in how these are written (1,234 and 1234)."""
    left, right = _values(first), _values(second)
    return left == right and bool(left)


def _values(text: str) -> tuple[str, ...]:
    # "12 %" and "12%", "$ 5" and "$5" are the same already: tokens do not keep blanks.
    text = regex.sub(r"(?<=\p{N}) (?=\p{N}{3}(?!\p{N}))", "", _plain(text))
    return tuple(_digits_only(t) if _IS_NUMBER.fullmatch(t) else t for t in _TOKEN.findall(text))


def grade(structural: str, rendered: str) -> Grade:
    """How the structural value (a name) relates to the rendered one (a label). The first that holds, from near to far."""
    if structural == rendered:
        return "equal"
    name, label = tokens(structural), tokens(rendered)
    if name == label:
        return "equal" if name or normalize(structural) == normalize(rendered) else "disjoint"
    if label and _run_of(label, name):
        return "label-in-name"
    if name and _run_of(name, label):
        return "name-in-label"
    if same_but_format(structural, rendered):
        return "format-only"
    if sorted(name) == sorted(label):
        return "same-tokens"
    if (name and _in_order(name, label)) or (label and _in_order(label, name)):
        return "ordered-subsequence"
    if _numbers(structural) and _numbers(structural) == _numbers(rendered):
        return "numeric"
    return "overlap" if set(name) & set(label) else "disjoint"


def _numbers(text: str) -> tuple[str, ...]:
    return tuple(v for v in _values(text) if _HAS_LETTERS_OR_DIGITS.search(v) and v.lstrip("-")[:1].isdigit())


def repeats_cut_text(structural: str, rendered: str) -> bool:
    """The rendered text is cut by an ellipsis, at its end or in its middle, and the structural one is the full text."""
    parts = regex.split(r"\s*(?:\u2026|\.\.\.)\s*", visible_characters(rendered), maxsplit=1)
    if len(parts) == 1 or not parts[0]:
        return False
    full, head, tail = normalize(structural), normalize(parts[0]), normalize(parts[1])
    return full.startswith(head) and full[len(head) :].endswith(tail)


def _tokens_contained(structural: str, rendered: str) -> bool:
    return grade(structural, rendered) in {"equal", "label-in-name", "name-in-label"}


def _characters_contained(structural: str, rendered: str) -> bool:
    name, label = normalize(structural), normalize(rendered)
    return name in label or label in name


def _label_in_name(structural: str, rendered: str) -> bool:
    return _run_of(tokens(rendered), tokens(structural))


# Named policies for aria and title: when do a name and a label agree? Adding one is one line here and one in docs/policies.md.
POLICIES: dict[PolicyName, Callable[[str, str], bool]] = {
    "tokens": _tokens_contained,
    "paper": _characters_contained,
    "label-in-name": _label_in_name,
}


def materially_disagree(structural: str, rendered: str, policy: PolicyName = "tokens") -> bool:
    """Neither value contains the other, as the policy understands containing. Symmetric under tokens and paper."""
    return not POLICIES[policy](structural, rendered)
