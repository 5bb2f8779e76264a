"""Finding, and detect(): every kind asked of every element of a capture.

Pure: the same capture and policy give the same findings, with no browser and no site visited.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

import regex
from pydantic import Field

from domain.capture import Capture, Pair, pairs
from domain.divergences import KINDS
from domain.record import Record
from domain.text import (
    PolicyName,
    grade,
    visible_characters,
    wordless,
)

Verdict = Literal["flagged", "clean", "review", "skipped"]
"""flagged: the channels disagree. clean: they agree. review: only a person can tell. skipped: not comparable, see reason."""

MIN_CHARACTERS = 2
MIN_LETTERS = 3
"""Two characters are a value where digits or ideographs are among them; two letters ("aA", "OK") may be a symbol."""
MAX_COVERED = 0.5
"""Share of an element's pieces of text that may lie under something else before it counts as not seen."""
MIN_INK = 0.002
"""Share of pixels: a region with less ink than this shows nothing that a person could read."""


class Finding(Record):
    """What one kind says of one element. One per element and kind considered; nothing is dropped silently."""

    path: str = Field(description="CSS path from the document; ' >>> ' enters a frame or a shadow root")
    element_id: str | None = Field(default=None, description="the element's id attribute")
    kind: str = Field(description="aria, title, stale or state")
    verdict: Verdict
    reason: str = Field(description="named rule that decided, e.g. disagree, off-viewport, too-short (docs/verdicts.md)")
    structural: str | None = Field(default=None, description="what the structure asserts")
    rendered: str | None = Field(default=None, description="what the pixels show")
    grade: str | None = Field(default=None, description="how the two strings relate; None where there is no pair")
    box: tuple[float, float, float, float] | None = Field(
        default=None, description="x, y, width, height in CSS px on the viewport"
    )
    lines: tuple[tuple[float, float, float, float], ...] = Field(
        default=(), description="the lines of the rendered text, boxes as above, in reading order: what the pixel check reads"
    )
    sub_kind: str | None = Field(default=None, description="aria: the attribute that names, aria-label or aria-labelledby")
    role: str | None = Field(default=None, description="by the browser's accessibility tree, where it was asked")
    name: str | None = Field(default=None, description="accessible name, by the same")
    name_source: str | None = Field(default=None, description="where that name came from: aria-label, contents, title ...")
    row: str | None = Field(
        default=None,
        description="first words of the table row or list item it is in: what that is known by, wherever it stands",
    )


@dataclass(frozen=True, slots=True)
class Skipped:
    """A kind has nothing to say of this element, for this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the structure asserts beside what the screen shows. doubt: why only a person can tell, empty where not."""

    structural: str
    rendered: str
    disagree: bool
    doubt: str = ""
    sub_kind: str | None = None


class Kind(Protocol):
    """A divergence kind: two pure functions of a pair."""

    NAME: str
    VERSION: int

    def applies(self, pair: Pair) -> bool | Skipped:
        """False: this element is none of its business. Skipped: it is, and there is a reason not to look further."""
        ...

    def compare(self, pair: Pair, policy: PolicyName) -> Comparison | Skipped:
        """Asked of pairs that are seen, whole, and settled. Skipped: under this policy there is nothing to compare."""
        ...


@cache
def kinds() -> tuple[Kind, ...]:
    """The registered kinds, in their order."""
    return tuple(importlib.import_module(f"domain.divergences.{name}") for name in KINDS)


def rules_version(policy: PolicyName) -> str:
    """Names the rules that made a finding; another version may find otherwise."""
    return " ".join([f"policy={policy}", *(f"{k.NAME}={k.VERSION}" for k in kinds())])


_LETTERS = regex.compile(r"\p{L}")
_DIGITS = regex.compile(r"\p{N}")
_WHOLE_WORD_SCRIPTS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")


def shows_too_little(text: str) -> str:
    """Why a text is too little to be sure of, or "": symbols alone, a single character, one or two letters ("aA", "B")."""
    shown = visible_characters(text)
    if wordless(shown):
        return "symbols-only"
    letters, digits = len(_LETTERS.findall(shown)), len(_DIGITS.findall(shown))
    dense = bool(digits or _WHOLE_WORD_SCRIPTS.search(shown))
    enough = letters + digits >= (MIN_CHARACTERS if dense else MIN_LETTERS)
    return "" if enough else "too-short"


def _filtered(pair: Pair, kind: str) -> str:
    """Why an element is no candidate, or "": it must be seen, in the viewport, settled, and hold what is compared."""
    shown = pair.shown
    if shown is None:
        return "gone"
    if shown.why_unseen:
        return shown.why_unseen
    named = kind in {"aria", "title"}
    if named and not pair.moved and not visible_characters(shown.text) and not shown.flags.get("icons"):
        return "no-text"  # whatever lies over it: there is nothing to hold the name against
    if shown.covered >= MAX_COVERED:
        return "covered"
    if not pair.settled:
        return "unsettled"
    return "moved" if named and pair.moved else ""


def _finding(
    pair: Pair, kind: Kind, verdict: Verdict, reason: str, capture: Capture, *, comparison: Comparison | None = None
) -> Finding:
    element = pair.element
    accessible = capture.names.get(pair.shown.key) if pair.shown is not None else None
    box = element.box.as_list() if element.box and pair.shown is not None else None
    return Finding(
        path=element.path,
        element_id=element.element_id,
        kind=kind.NAME,
        verdict=verdict,
        reason=reason,
        structural=comparison.structural if comparison else None,
        rendered=comparison.rendered if comparison else None,
        grade=grade(comparison.structural, comparison.rendered) if comparison else None,
        box=(box[0], box[1], box[2], box[3]) if box else None,
        lines=tuple((b.x, b.y, b.width, b.height) for b in pair.shown.lines) if pair.shown is not None and comparison else (),
        sub_kind=comparison.sub_kind if comparison else None,
        role=accessible.role if accessible else None,
        name=accessible.name if accessible else None,
        name_source=accessible.source if accessible else None,
        row=pair.row or None,
    )


def judge(pair: Pair, kind: Kind, capture: Capture, policy: PolicyName) -> Finding | None:
    """What one kind says of one pair; None where the element is none of its business."""
    applies = kind.applies(pair)
    if applies is False:
        return None
    if isinstance(applies, Skipped):
        return _finding(pair, kind, "skipped", applies.reason, capture)
    reason = _filtered(pair, kind.NAME)
    if reason:
        return _finding(pair, kind, "skipped", reason, capture)
    comparison = kind.compare(pair, policy)
    if isinstance(comparison, Skipped):
        return _finding(pair, kind, "skipped", comparison.reason, capture)
    verdict, why = _weighed(pair, comparison, capture)
    return _finding(pair, kind, verdict, why, capture, comparison=comparison)


def _weighed(pair: Pair, comparison: Comparison, capture: Capture) -> tuple[Verdict, str]:
    """(verdict, reason) of two values that were compared."""
    if not comparison.disagree:
        return "clean", comparison.doubt or "agree"
    if comparison.doubt:
        return "review", comparison.doubt
    shown = pair.element
    if shown.flags.get("partial"):
        return "review", "partly-visible"
    if shown.covered > 0:
        return "review", "partly-covered"
    if shown.flags.get("veil"):
        return "review", "perhaps-hidden"
    if capture.ink is not None and shown.text and (box := shown.text_box or shown.box) is not None:
        ink = capture.ink(box)
        if ink is not None and ink < MIN_INK:
            return "skipped", "no-ink"
    return "flagged", "disagree"


def _mark_inner_changes(found: Sequence[Pair], stale: Kind, capture: Capture, policy: PolicyName) -> None:
    """Tells each changed element whether one inside it accounts for the change. Children come after parents: go backwards.

    A change too small to be reported (one digit of a number whose digits have elements of their own) does not account for it:
    the number is then the innermost element that can be told.
    """
    for pair in reversed(found):
        several_lines = "line" not in pair.element.flags
        for inner in pair.inner:
            accounts = inner.changed_inside or (inner.moved and _reportable(inner, stale, capture, policy))
            # A badge that appears changes the line it is in; in a block of many lines it is nobody's value but its own.
            if accounts or (several_lines and inner.moved and _was_blank(inner)):
                pair.changed_inside = True


def _was_blank(pair: Pair) -> bool:
    return pair.serialized is not None and not visible_characters(pair.serialized.text)


def _reportable(pair: Pair, stale: Kind, capture: Capture, policy: PolicyName) -> bool:
    finding = judge(pair, stale, capture, policy)
    if finding is not None and finding.verdict == "skipped" and pair.shown is not None and pair.shown.why_unseen:
        return False  # what is hidden now does not account for what is seen to have changed around it
    return (
        finding is not None
        and finding.verdict != "clean"
        and finding.reason not in {"too-short", "symbols-only", "was-not-shown"}
    )


def detect(capture: Capture, policy: PolicyName = "tokens", found: tuple[Pair, ...] | None = None) -> tuple[Finding, ...]:
    """One finding per element and kind considered, in document order. found: the capture's pairs, where they are at hand."""
    found = pairs(capture) if found is None else found
    by_name = {kind.NAME: kind for kind in kinds()}
    _mark_inner_changes(found, by_name["stale"], capture, policy)
    judged = (judge(pair, kind, capture, policy) for pair in found for kind in by_name.values())
    return tuple(finding for finding in judged if finding is not None)


def tallies(findings: Iterable[Finding]) -> dict[str, dict[str, int]]:
    """kind -> "verdict" for flagged and clean, "verdict: reason" for the others -> how many."""
    counted: dict[str, Counter[str]] = {}
    for f in findings:
        label = f.verdict if f.verdict == "flagged" or f.reason == "agree" else f"{f.verdict}: {f.reason}"
        counted.setdefault(f.kind, Counter())[label] += 1
    return {kind: dict(sorted(labels.items())) for kind, labels in sorted(counted.items())}
