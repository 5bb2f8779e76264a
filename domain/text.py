"""How a name and a text relate: graded, and whether they materially disagree under a policy.

Source: paper, "Natural-conflict families" ("the normalized strings share no containment relation"). What containment
means is decided in docs/decisions/0002.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import regex

from domain.cut_text import repeats_cut_text
from domain.label_in_name import label_in_name
from domain.numbers import arrows, same_but_format, same_numbers
from domain.tokens import normalize, run_of, tokens, visible_characters, wordless

__all__ = [
    "POLICIES",
    "Grade",
    "PolicyName",
    "grade",
    "materially_disagree",
    "normalize",
    "repeats_cut_text",
    "same_but_format",
    "tokens",
    "visible_characters",
    "wordless",
]

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

_ALWAYS = regex.compile(r"[|\u00a6\u2016\p{Block=Arrows}\p{Block=Geometric_Shapes}\p{Block=Supplemental_Arrows_A}]")
_SIGN = regex.compile(r"\p{Sm}")
_AMOUNT = regex.compile(r"[\p{N}\p{Sc}]")
_SPELT = (
    (regex.compile("[&\uff06\ufe60]"), regex.compile(r"(?i)\b(?:and|und|et|y|e|en|og|och|ja|ve|oraz|\u0438)\b")),
    (regex.compile("[%\uff05\ufe6a]"), regex.compile(r"(?i)\b(?:percent|per cent|prozent|pour cent|por ciento|procent)\b")),
)
_CENTS = regex.compile(r"(\p{Nd}+) (\p{Nd}{2})(?!\p{Nd})")


def grade(structural: str, rendered: str) -> Grade:
    """How the structural value (a name) relates to the rendered one (a label). The first that holds, from near to far."""
    if structural == rendered:
        return "equal"
    structural, rendered = _spelt_alike(structural, rendered), _spelt_alike(rendered, structural)
    name, label = _words(structural), _words(rendered)
    if _point_apart(structural, rendered):
        return "overlap" if set(name) & set(label) else "disjoint"
    if name == label:
        return "equal" if name or normalize(structural) == normalize(rendered) else "disjoint"
    if label and run_of(label, name):
        return "label-in-name"
    if name and run_of(name, label):
        return "name-in-label"
    if same_but_format(structural, rendered):
        return "format-only"
    if sorted(name) == sorted(label):
        return "same-tokens"
    if (name and _in_order(name, label)) or (label and _in_order(label, name)):
        return "ordered-subsequence"
    if same_numbers(structural, rendered):
        return "numeric"
    return "overlap" if set(name) & set(label) else "disjoint"


def _words(text: str) -> tuple[str, ...]:
    """The tokens without signs that only decorate: arrows, strokes, and a plus, a cross or a bracket beside no number."""
    found = tokens(regex.sub(r">\s*$", "", text))

    def counts(at: int) -> bool:
        beside = found[max(0, at - 1) : at] + found[at + 1 : at + 2]
        return _SIGN.fullmatch(found[at]) is None or any(_AMOUNT.search(t) for t in beside)

    return tuple(word for at, word in enumerate(found) if not _ALWAYS.fullmatch(word) and counts(at))


def _spelt_alike(text: str, other: str) -> str:
    """The text with "&" and "%" as the words that the other has there, and raised cents ("19 99") as it writes them."""
    for sign, words in _SPELT:
        if sign.search(text) and not sign.search(other) and (word := words.search(other)):
            text = sign.sub(f" {word[0]} ", text)
    return _CENTS.sub(lambda m: next((n for n in (f"{m[1]}.{m[2]}", f"{m[1]},{m[2]}") if n in other), m[0]), text)


def _point_apart(first: str, second: str) -> bool:
    """Both have arrows, and these do not point the same way: a rise beside a fall. An arrow on one side alone says nothing."""
    left, right = arrows(first), arrows(second)
    return bool(left and right) and left != right


def _in_order(short: Sequence[str], long: Sequence[str]) -> bool:
    rest = iter(long)
    return all(token in rest for token in short)


def _tokens_contained(structural: str, rendered: str) -> bool:
    return grade(structural, rendered) in {"equal", "label-in-name", "name-in-label"}


def _characters_contained(structural: str, rendered: str) -> bool:
    name, label = normalize(structural), normalize(rendered)
    return name in label or label in name


# Named policies for aria and title: when do a name and a label agree? Adding one is one line here and one in docs/policies.md.
POLICIES: dict[PolicyName, Callable[[str, str], bool]] = {
    "tokens": _tokens_contained,
    "paper": _characters_contained,
    "label-in-name": label_in_name,
}


def materially_disagree(structural: str, rendered: str, policy: PolicyName = "tokens") -> bool:
    """Neither value contains the other, as the policy understands containing. Symmetric under tokens and paper."""
    return not POLICIES[policy](structural, rendered)
