"""Check: what a machine reader made of the pixels of a divergence, and whether they show the rendered value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import regex
from pydantic import Field
from rapidfuzz.distance import Levenshtein

from domain.lookalikes import View, loose, telling_view
from domain.record import Record
from domain.text import visible_characters

CheckVerdict = Literal["confirmed", "contradicted", "unreadable"]
"""confirmed: the pixels show the rendered value. contradicted: they show the structural one, or something else.
unreadable: the reader cannot tell."""


class Check(Record):
    """One reader's look at one divergence."""

    reader: str = Field(
        description="which reader and model, with versions: rapidocr-3.10.0/PP-OCRv6_rec_small; also of what it need not read"
    )
    read: str = Field(description="the text it read, lines joined by a blank; empty where it read nothing")
    confidence: float = Field(ge=0, le=1, description="the reader's own, of its least sure line; 0 where it read nothing")
    verdict: CheckVerdict
    reason: str = Field(description="named rule that decided (docs/pixel-check.md)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line as a reader read it. confidence: 0 to 1, its own, of the whole line; 0 where it read nothing.

    characters: the same for each character of the text, where the reader tells; else empty.
    """

    text: str
    confidence: float
    characters: tuple[float, ...] = ()


class Judgement(NamedTuple):
    verdict: CheckVerdict
    reason: str


REASONS: Mapping[str, CheckVerdict] = {
    "same": "confirmed",
    "alike": "confirmed",
    "part": "confirmed",
    "beside": "confirmed",
    "near": "confirmed",
    "mark": "confirmed",
    "structural": "contradicted",
    "other-text": "contradicted",
    "undecided": "unreadable",
    "unsure": "unreadable",
    "nothing-read": "unreadable",
    "no-ink": "unreadable",
    "no-place": "unreadable",
    "script": "unreadable",
    "no-text-to-read": "unreadable",
    "too-long": "unreadable",
    "drawn-otherwise": "unreadable",
}
"""Every reason with its verdict; docs/pixel-check.md says what each means."""

SURE = 0.9
"""A character read with less confidence than this may be another. Measured: misread ones are below 0.8 with few exceptions."""
TOLD = 0.6
"""Where the two values differ, at least one of the characters that tell them apart was read with this confidence."""
LEAST_SURE = 0.5
"""A line whose characters are read with less than this on the average is noise."""
SLIPS = 20
"""One unsure character in so many may be wrong in a text that is otherwise read."""
BESIDE = 6
"""Characters of something else that a line's region may hold, at both ends together."""
SEEN_SHARE = 0.6
"""Share of a text cut by an ellipsis that must have been read."""
LEAST_PART = 4
"""Characters beside an ellipsis that is seen and that nobody had announced."""
ELLIPSIS = regex.compile(r"\s*(?:\u2026|\.{2,}|\u22ef|\u00b7{3})\s*$")
ELLIPSIS_BEFORE = regex.compile(r"^\s*(?:\u2026|\.{2,}|\u22ef|\u00b7{3})\s*(?=\S)")


def judge(read: Sequence[Line], rendered: str, structural: str) -> Judgement:
    """Whether what was read is the rendered value, the structural one or something else. Pure; lines in reading order.

    What tells the two values apart must have been read: where they differ by a digit, the digit; by an accent, the accent.
    """
    lines = [line for line in read if visible_characters(line.text)]
    if not lines:
        return _because("nothing-read")
    view = telling_view(rendered, structural)
    if view is None:
        return _because("undecided")
    text = " ".join(line.text for line in lines)
    seen, wanted, other = view(text), view(rendered), view(structural)
    if min(line.confidence for line in lines) < LEAST_SURE:
        return _because("unsure")
    if seen and seen in (wanted, other):
        return _because(_which(lines, rendered, structural, shows_rendered=seen == wanted))
    if _shows_a_part(text, rendered, structural, view):
        return _because("part")
    if _beside(text, wanted, other, view):
        return _because("beside")
    if ELLIPSIS.search(text) and wanted.startswith(view(ELLIPSIS.sub("", text))):
        return _because("unsure")  # too little of it is shown
    slips = _slips(lines, rendered)
    if slips and _only_slips(slips, rendered, structural, text):
        return _because("near")
    sure = [slip for slip in slips if slip.confidence >= SURE]
    # One letter may be one that the reader does not know; one that it misses it does not know that it misses.
    if len(sure) > 1 or any(slip.exact and slip.read for slip in sure):
        return _because("other-text")
    return _because("unsure")


def _which(lines: Sequence[Line], rendered: str, structural: str, *, shows_rendered: bool) -> str:
    """The reason, where the reading is one of the two values: what tells it from the other must have been read surely."""
    against = _slips(lines, structural if shows_rendered else rendered)
    if against and max(slip.confidence for slip in against) < TOLD:
        return "unsure"
    if not shows_rendered:
        return "structural"
    return "same" if visible_characters(" ".join(line.text for line in lines)) == visible_characters(rendered) else "alike"


def _because(reason: str) -> Judgement:
    return Judgement(REASONS[reason], reason)


def _shows_a_part(text: str, rendered: str, structural: str, view: View) -> bool:
    """An ellipsis cuts what is shown, and the rest of it is how the rendered value begins (or ends), not the structural one."""
    mark = next((mark for mark in (ELLIPSIS, ELLIPSIS_BEFORE) if mark.search(rendered) or mark.search(text)), None)
    if mark is None:
        return False
    seen, whole, other = (view(mark.sub("", value)) for value in (text, rendered, structural))
    if mark is ELLIPSIS_BEFORE:
        seen, whole, other = seen[::-1], whole[::-1], other[::-1]
    announced = mark.search(rendered) is not None
    if len(seen) < (SEEN_SHARE * len(whole) if announced else LEAST_PART):
        return False
    # What the page script calls seen may go on a glyph or two longer than what is drawn before the ellipsis.
    shows = whole.startswith(seen) or (announced and seen.startswith(whole) and len(seen) - len(whole) <= 2)  # noqa: PLR2004
    return bool(seen) and shows and not other.startswith(seen[: len(whole)])


def _beside(text: str, wanted: str, other: str, view: View) -> bool:
    """The rendered value, whole, with a little of a neighbour's ink at the ends: words of their own, never a part of a word."""
    words = text.split()
    trimmed = [
        words[start:end]
        for start in range(len(words))
        for end in range(len(words), start, -1)
        if sum(map(len, words[:start] + words[end:])) <= BESIDE
    ]
    found = {view(" ".join(part)) for part in trimmed}
    return bool(wanted) and wanted in found and other not in found


class _Slip(NamedTuple):
    """One place where the reading differs from a value. confidence: the reader's, there.

    exact: a digit or a sign is concerned. read: something was read there that should not be, not only left out.
    """

    confidence: float
    exact: bool
    read: bool


_EXACT = regex.compile(r"[\p{N}\p{Sc}+\-%]")


def _slips(lines: Sequence[Line], value: str) -> list[_Slip]:
    """Where the reading differs from the value by more than a look-alike, small punctuation or a blank."""
    seen, sure = [], []
    for line in lines:
        each = line.characters if len(line.characters) == len(line.text) else (line.confidence,) * len(line.text)
        for c, confidence in zip(line.text, each, strict=True):
            for folded in loose(c):
                seen.append(folded)
                sure.append(confidence)
    wanted = [(folded, c) for c in value for folded in loose(c)]
    found = []
    for op in Levenshtein.editops("".join(seen), "".join(folded for folded, _ in wanted)):
        here = sure[op.src_pos] if op.tag != "insert" else min(sure[max(0, op.src_pos - 1) : op.src_pos + 1], default=0.0)
        concerned = ("" if op.tag == "insert" else seen[op.src_pos]) + ("" if op.tag == "delete" else wanted[op.dest_pos][1])
        found.append(_Slip(here, bool(_EXACT.search(concerned)), op.tag != "insert"))
    return found


def _only_slips(slips: Sequence[_Slip], rendered: str, structural: str, text: str) -> bool:
    """A few unsure letters apart it is the rendered value, and far from the structural one."""
    wanted, seen = loose(rendered), loose(text)
    if len(slips) > len(wanted) // SLIPS or any(slip.exact or slip.confidence >= SURE for slip in slips):
        return False
    return Levenshtein.distance(seen, loose(structural)) > 2 * len(slips) + 1
