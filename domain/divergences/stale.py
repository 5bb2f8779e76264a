"""stale: the structure says what the element showed when it was read; the screenshot shows what it shows now.

Applies to elements with a text of their own. Conflict where the text differs: signs, digits and decimal points count,
format alone (1,234 and 1234) and case do not. Source: paper, appendix "Web-natural, live-site mining".
"""

from __future__ import annotations

import regex

from domain.capture import Pair
from domain.divergence import Comparison, Skipped, shows_too_little
from domain.text import PolicyName, normalize, repeats_cut_text, same_but_format, visible_characters, wordless

NAME = "stale"
VERSION = 3
# What stands in a field before its first value: the field is not stale, it was not filled yet.
# A word may follow one that says so ("Loading prices"); it does not continue it (a city called Nantes is not "nan").
_WAITING = regex.compile(
    r"(?:(?:loading|please wait|wait|waiting|connecting|fetching|updating|refreshing|initiali[sz]ing|pending"
    r"|lade|laden|wird geladen|bitte warten|chargement|cargando|carregando|caricamento"
    r"|загрузка|読み込み中|加载中|載入中|로딩 중)(?:[\s.\u2026:!-]+\p{L}+)?|n/?a|none|null|undefined|nan)[\s.\u2026:!-]*"
)


def applies(pair: Pair) -> bool | Skipped:
    """The innermost changed element only: what is around it changed because of it."""
    text = "own" in pair.element.flags or (pair.element.state is not None and pair.element.state.what in {"value", "selected"})
    if pair.shown is None:
        return Skipped("gone") if text and pair.element.text else False
    if not text and not ("line" in pair.element.flags and (pair.element.text or pair.moved)):
        return False
    if any(side is not None and side.state is not None and side.state.secret for side in (pair.serialized, pair.shown)):
        return Skipped("secret")  # also where a password was made readable in between
    if pair.serialized is None:
        return Skipped("appeared") if pair.shown.text else False
    if pair.moved and pair.changed_inside:
        return Skipped("not-innermost")
    return True


def compare(pair: Pair, policy: PolicyName) -> Comparison:  # noqa: ARG001 - inequality, under every policy
    """The structural value is the text at S0; the rendered one stands beside the screenshot."""
    structural = pair.serialized.text if pair.serialized else ""
    rendered = pair.shown.text if pair.shown else ""
    alike = _marks(structural) == _marks(rendered)
    if not pair.moved or (alike and normalize(structural) == normalize(rendered)):
        return Comparison(structural, rendered, disagree=False)
    if alike and same_but_format(structural, rendered):
        return Comparison(structural, rendered, disagree=False, doubt="format-only")
    if _cut_otherwise(pair, structural, rendered):
        return Comparison(structural, rendered, disagree=False, doubt="cut-otherwise")
    return Comparison(structural, rendered, disagree=True, doubt=_doubt(pair, structural, rendered))


# Pictures (an arrow up or down, stars), raised digits, an accountant's brackets around a number are values, not format.
_MARKS = regex.compile(r"[\p{So}\p{No}]|^\s*\(|\)\s*$")


def _marks(text: str) -> list[str]:
    return [mark.strip() for mark in _MARKS.findall(text)]


def _cut_otherwise(pair: Pair, structural: str, rendered: str) -> bool:
    """A column became wider or narrower, a clamp was opened: more or less is seen of one text."""
    if repeats_cut_text(rendered, structural) or repeats_cut_text(structural, rendered):
        return True
    return all(side is not None and side.flags.get("cut") for side in (pair.serialized, pair.shown)) and (
        repeats_cut_text(rendered.rstrip("\u2026"), structural) or repeats_cut_text(structural.rstrip("\u2026"), rendered)
    )


def _doubt(pair: Pair, structural: str, rendered: str) -> str:
    if not visible_characters(structural):
        return "was-not-shown"
    if pair.element.flags.get("hint") or (pair.serialized is not None and pair.serialized.flags.get("hint")):
        return "placeholder"
    if _WAITING.fullmatch(normalize(structural)) or wordless(structural):
        return "placeholder"
    if not visible_characters(rendered):
        return "no-text"
    if pair.serialized is not None and pair.serialized.flags.get("partial"):
        return "partly-visible"  # clipped words of S0 were not read: what is whole now may be what it was
    if _WAITING.fullmatch(normalize(rendered)):
        return "placeholder"
    if pair.shifted:
        return "shifted"
    if pair.other_record:
        return "another-record"
    return shows_too_little(rendered)
