"""The audit of the paper's 735 probes, generated from counts that give every figure which the paper prints."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from domain.audit import AnnotatorKind, Judgement, Label, Region
from domain.audit_judged import Judged

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
NATURAL = (("aria", 55), ("title", 105), ("stale", 65))
"""Natural probes by kind, in the order in which they are made; 42 of the stale ones are in consensus."""
TYPES = ("icon", "text")
VARIABLES = {
    "web-text": "text", "mobile-widget": "type", "mobile-visible": "visibility", "mobile-stale": "visibility",
    "desktop-graphic": "type", "web-natural": "text",
}  # fmt: skip

GOLD, OTHER, THIRD, UNREADABLE = "gold", "other", "third", "unreadable"
COUNTS: dict[str, tuple[tuple[int, str, str], ...]] = {
    "web-text": ((109, GOLD, GOLD), (4, GOLD, OTHER), (4, OTHER, GOLD), (2, OTHER, OTHER), (1, OTHER, THIRD)),
    "mobile-widget": ((47, GOLD, GOLD), (1, GOLD, OTHER), (1, OTHER, GOLD), (1, OTHER, THIRD)),
    "mobile-visible": ((30, GOLD, GOLD),),
    "mobile-stale": ((114, GOLD, GOLD), (18, GOLD, OTHER), (4, OTHER, GOLD), (114, OTHER, OTHER)),
    "desktop-graphic": ((46, GOLD, GOLD), (4, GOLD, OTHER), (7, OTHER, GOLD), (1, OTHER, OTHER), (2, OTHER, THIRD)),
    "web-natural": (
        (182, GOLD, GOLD),
        (5, GOLD, OTHER),
        (4, OTHER, GOLD),
        (14, GOLD, UNREADABLE),
        (12, UNREADABLE, GOLD),
        (2, UNREADABLE, UNREADABLE),
        (4, OTHER, UNREADABLE),
        (2, UNREADABLE, OTHER),
    ),
}
"""Family -> how many rows, what the first annotator says, what the second says."""


def judged(
    number: int,
    *labels: Label | None,
    family: str = "web-text",
    kind: str | None = None,
    variable: str = "text",
    values: tuple[str, str] = ("Save", "Send"),
    who: AnnotatorKind = "human",
    names: Sequence[str] = ("ada", "ben", "cyn"),
) -> Judged:
    """An item with these labels at places 1, 2 and 3. values: gold and structural."""
    item = f"{number:022d}"
    return Judged(
        item=item,
        probe=f"{family}-{number:012x}",
        family=family,
        kind=kind,
        variable=variable,
        gold=values[0],
        structural=values[1],
        picture=hashlib.sha256(item.encode()).hexdigest(),
        region=Region(x=1, y=2, width=30, height=10),
        judgements=tuple(
            Judgement(item=item, annotator=names[place - 1], kind=who, label=label, when=WHEN, place=place)
            for place, label in ((1, labels[0]), (2, labels[1]), (3, labels[2] if len(labels) > 2 else None))
            if label is not None
        ),
    )


def written(value: str) -> Label:
    """The answer that this stands there."""
    return Label(answer="value", value=value)


def paper(who: AnnotatorKind = "human") -> Iterator[Judged]:
    """735 items, each with two labels of the same two annotators."""
    number = 0
    for family, counts in COUNTS.items():
        left = sorted(_kinds(family), key=lambda kind: kind == "stale")  # 140 of the first 160 in consensus, 42 of the last
        consensus = iter(left[:140] + left[160:202])
        apart = iter(left[140:160] + left[202:])
        for count, first, second in counts:
            for _ in range(count):
                kind = next(consensus if first == second == GOLD else apart) if left else None
                values = _values(family, number)
                labels = (_label(family, values, said) for said in (first, second))
                yield judged(number, *labels, family=family, kind=kind, variable=VARIABLES[family], values=values[:2], who=who)
                number += 1


def _kinds(family: str) -> list[str]:
    return [kind for kind, count in NATURAL for _ in range(count)] if family == "web-natural" else []


def _values(family: str, number: int) -> tuple[str, str, str]:
    """Gold, structural, and something else."""
    if family == "mobile-stale":
        return "not visible", "visible", ""
    if family == "mobile-visible":
        return "visible", "not visible", ""
    if family == "mobile-widget":
        return ("icon", "image", "switch")[number % 3], "text", "checkbox"
    if family == "desktop-graphic":
        return TYPES[number % 2], TYPES[1 - number % 2], "image"
    return f"{number:,}.50 EUR", f"{number:,}.05 EUR", f"{number:,}.55 EUR"


def _label(family: str, values: tuple[str, str, str], said: str) -> Label:
    if said == UNREADABLE:
        return Label(answer="unreadable")
    value = dict(zip((GOLD, OTHER, THIRD), values, strict=True))[said]
    return Label(answer="absent") if family.startswith("mobile-") and value == "not visible" else written(value)
