"""Whether a label says what gold says, and whether two labels are one. docs/audit-numbers.md.

Texts are compared as the rules compare them, and as a keyboard writes them (domain.typed): form, case, blanks and the sort of
quote or dash aside. Numbers and times stay as they stand: 1,024 is not 1024, 12:59 not 13:00, 5% not 5.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Literal

import regex
from pydantic import Field

from domain.audit import ASKS, CHOICES, Label
from domain.families.mobile_stale import GOLD as NOT_VISIBLE
from domain.record import Record
from domain.tokens import visible_characters
from domain.typed import keyed

Says = Literal["gold", "structural", "other", "absent", "unreadable", "unsure"]
"""What a label says beside the two values of the probe. absent: and neither of them is an absence."""

_WORDS = regex.compile(r"\S+")


class Piece(Record):
    """Part of two texts laid side by side."""

    of: Literal["both", "gold", "label"]
    text: str = Field(description="as it is written; of both: as gold writes it")


def category(label: Label) -> str:
    """What agreement and kappa count: "value:" and the text as it is compared; or absent, unreadable, unsure."""
    return f"value:{keyed(label.value)}" if label.value is not None else label.answer


def says(variable: str, gold: str, structural: str, label: Label) -> Says:
    """Which of the probe's values the label is.

    An absence is the value of what is not visible, and of a field that is empty. What the annotator could not read or decide
    is neither value.
    """
    if _is(variable, gold, label):
        return "gold"
    if _is(variable, structural, label):
        return "structural"
    return "other" if label.answer == "value" else label.answer


def coded(variable: str, label: Label, said: Says) -> str:
    """A category that forgets which text was written: match, other, unreadable, unsure. Choices stay what they are.

    Texts differ from item to item, so nearly every one is a category by itself; this asks how much of kappa comes from that.
    """
    if CHOICES[ASKS[variable]]:
        return category(label)
    return "match" if said == "gold" else said if said in {"unreadable", "unsure"} else "other"


def difference(gold: str, label: str) -> tuple[Piece, ...]:
    """Both texts side by side, word by word, for people. Without pieces of `gold` or `label` they count as one."""
    ours, theirs = (_WORDS.findall(visible_characters(text)) for text in (gold, label))
    if keyed(gold) == keyed(label):
        return (Piece(of="both", text=" ".join(ours)),) if ours else ()
    found: list[Piece] = []
    same = SequenceMatcher(None, [keyed(word) for word in ours], [keyed(word) for word in theirs], autojunk=False)
    for what, i, i_end, j, j_end in same.get_opcodes():
        if what == "equal":
            found.append(Piece(of="both", text=" ".join(ours[i:i_end])))
            continue
        found += [Piece(of="gold", text=" ".join(ours[i:i_end]))] if i_end > i else []
        found += [Piece(of="label", text=" ".join(theirs[j:j_end]))] if j_end > j else []
    return tuple(found)


def _is(variable: str, value: str, label: Label) -> bool:
    if label.answer == "absent":
        return not keyed(value) or (ASKS[variable] == "visibility" and value == NOT_VISIBLE)
    return label.value is not None and keyed(label.value) == keyed(value)
