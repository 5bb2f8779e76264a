"""The two values of a divergence, made fit to be looked at: cut where they are long, marked where they differ.

Characters that cannot be seen are written out, so that nothing in a page's text can turn, hide or move the text around it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher

import regex
from markupsafe import Markup, escape

CLIP = 400
"""Characters of a value shown at once."""
FULL = 20_000
"""Characters of a value on a page at all; the store has the rest."""
LEAD = 80
"""Characters to see before the first difference of long values that begin alike."""
ALIKE = 0.25
"""Less of the tokens in common than this: marking single tokens would be confetti, so all is marked."""

# A joiner holds emoji and Indic and Persian letters together, and tags make a flag: these are seen by what they do.
_UNSEEN = regex.compile(r"\U0001F3F4[\U000E0020-\U000E007F]+(*SKIP)(*FAIL)|(?![\n\t\u200C\u200D])[\p{C}\p{Zl}\p{Zp}]")
_TOKEN = regex.compile(
    r"(?V1)[\p{Han}\p{Hiragana}\p{Katakana}]|[[\p{L}\p{M}\p{N}_]--[\p{Han}\p{Hiragana}\p{Katakana}]]+|\s+|\X", regex.DOTALL
)


@dataclass(frozen=True, slots=True)
class Value:
    """One value as a page shows it."""

    shown: Markup | None
    """None where there is no value; the empty string is a value."""
    full: Markup | None = None
    """All of it, where `shown` is a part."""
    length: int = 0
    """Characters."""
    left_out: int = 0
    """Characters that are not in `full` either."""


def visible(text: str) -> Markup:
    """The text as HTML, with controls, format characters and what is unassigned written as their code points."""
    parts: list[Markup] = []
    at = 0
    for match in _UNSEEN.finditer(text):
        character = match.group()
        parts.append(escape(text[at : match.start()]))
        name = unicodedata.name(character, "control character")
        parts.append(Markup('<span class="unseen" title="{}">U+{:04X}</span>').format(name, ord(character)))
        at = match.end()
    parts.append(escape(text[at:]))
    return Markup("").join(parts)


def flat(text: str) -> str:
    """The text for an attribute or a title, where nothing can be marked: U+FFFD for what cannot be seen."""
    return _UNSEEN.sub("\ufffd", text)


def pair(structural: str | None, rendered: str | None) -> tuple[Value, Value]:
    """Both values, with <mark> around what one has and the other has not."""
    start = _start(structural or "", rendered or "")
    ours, theirs = (structural or "")[start : start + CLIP], (rendered or "")[start : start + CLIP]
    marked, also_marked = _marked(ours, theirs)
    return _value(structural, marked, start), _value(rendered, also_marked, start)


def _start(structural: str, rendered: str) -> int:
    """Where to begin showing: at the start, or shortly before the first difference where that is far into long values."""
    if max(len(structural), len(rendered)) <= CLIP:
        return 0
    shorter = min(len(structural), len(rendered))
    alike = next((i for i in range(shorter) if structural[i] != rendered[i]), shorter)
    return max(0, alike - LEAD) if alike > CLIP - LEAD else 0


def _value(text: str | None, marked: Markup, start: int) -> Value:
    if text is None:
        return Value(None)
    if start == 0 and len(text) <= CLIP:
        return Value(marked, length=len(text))
    gap = Markup('<span class="gap">\u2026</span>')
    shown = Markup("").join([gap if start else "", marked, gap if len(text) > start + CLIP else ""])
    return Value(shown, visible(text[:FULL]), len(text), max(0, len(text) - FULL))


def _marked(structural: str, rendered: str) -> tuple[Markup, Markup]:
    ours, theirs = _TOKEN.findall(structural), _TOKEN.findall(rendered)
    keys, other_keys = [t.casefold() for t in ours], [t.casefold() for t in theirs]
    if keys == other_keys:  # then the case is all there is to see
        keys, other_keys = ours, theirs
    matcher = SequenceMatcher(None, keys, other_keys, autojunk=False)
    shared = [(i, j, n) for i, j, n in matcher.get_matching_blocks() if n]
    common = sum(1 for i, _, n in shared for t in ours[i : i + n] if not t.isspace())
    most = max(sum(1 for t in tokens if not t.isspace()) for tokens in (ours, theirs))
    if common < ALIKE * most:
        shared = []
    same, also_same = set[int](), set[int]()
    for i, j, n in shared:
        same.update(range(i, i + n))
        also_same.update(range(j, j + n))
    return _with_marks(ours, same), _with_marks(theirs, also_same)


def _with_marks(tokens: list[str], same: set[int]) -> Markup:
    """The tokens as HTML; runs of those that differ in one <mark>, blanks between two of them included."""
    differs = [i not in same for i in range(len(tokens))]
    for i in range(1, len(tokens) - 1):
        differs[i] = differs[i] or (tokens[i].isspace() and differs[i - 1] and differs[i + 1])
    parts: list[Markup] = []
    at = 0
    while at < len(tokens):
        end = at
        while end < len(tokens) and differs[end] == differs[at]:
            end += 1
        text = visible("".join(tokens[at:end]))
        parts.append(Markup("<mark>{}</mark>").format(text) if differs[at] else text)
        at = end
    return Markup("").join(parts)
