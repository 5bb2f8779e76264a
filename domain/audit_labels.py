"""The labels of an audit as a release ships them: numbered people, no names, no times; and the numbers that follow from them.

docs/release.md, "Audits".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal

from pydantic import Field

from domain.audit import AnnotatorKind, AnnotatorName, Answer, Judgement, Label, Region
from domain.audit_judged import Judged
from domain.audit_report import Table
from domain.record import Record
from domain.released import ReleasedProbe

_PERSON = re.compile(r"human-([0-9]+)")
_DIGITS = 9
_NO_ITEM, _NO_TIME = "0" * 22, datetime(1970, 1, 1, tzinfo=UTC)


class ReleasedLabel(Record):
    """One annotator's label."""

    annotator: AnnotatorName = Field(
        description="of people: human-1, human-2, ..., the same one in all rows; of models: its name"
    )
    kind: AnnotatorKind
    place: Literal[1, 2, 3] = Field(description="1 and 2: who did not see each other; 3: adjudication")
    answer: Answer
    value: str | None = Field(description="with the answer `value` alone")
    seconds: float | None = Field(ge=0, description="from the item being shown to the answer; null: not measured")


class ReleasedLabels(Record):
    """What was said of one row of the release: a line of the file. No label: it was asked about, and nobody answered."""

    probe: str = Field(description="its id")
    labels: tuple[ReleasedLabel, ...] = Field(description="people's before models', by place")


def numbers_of(items: Iterable[Judged]) -> dict[str, str]:
    """What each person is called: by name those who gave a first label, then those who only adjudicated."""
    given = [one for item in items for one in item.judgements if one.kind == "human"]
    first = {one.annotator for one in given if one.place in {1, 2}}
    order = [*sorted(first), *sorted({one.annotator for one in given} - first)]
    return {name: f"human-{number}" for number, name in enumerate(order, 1)}


def labels_of(item: Judged, numbers: Mapping[str, str]) -> ReleasedLabels:
    """The item's labels without names of people."""
    given = sorted(item.judgements, key=lambda one: (one.kind, one.place))
    return ReleasedLabels(
        probe=item.probe,
        labels=tuple(
            ReleasedLabel(
                annotator=numbers.get(one.annotator, one.annotator),
                kind=one.kind,
                place=one.place,
                answer=one.label.answer,
                value=one.label.value,
                seconds=one.seconds,
            )
            for one in given
        ),
    )


def judged_again(row: ReleasedProbe, given: ReleasedLabels) -> Judged:
    """The row with its labels, as numbers are worked out of; whom `unpadded` gives their names back.

    Raises ValueError where they are no labels, such as two at one place.
    """
    places = [(one.kind, one.place) for one in given.labels]
    if len(set(places)) < len(places) or len({one.annotator for one in given.labels}) < len(given.labels):
        raise ValueError("two labels are by one annotator, or at one place")
    judgements = [
        Judgement(
            item=_NO_ITEM,
            annotator=_padded(one.annotator) if one.kind == "human" else one.annotator,
            kind=one.kind,
            label=Label(answer=one.answer, value=one.value),
            when=_NO_TIME,
            seconds=one.seconds,
            place=one.place,
        )
        for one in given.labels
    ]
    return Judged(
        item=_NO_ITEM,
        probe=row.id,
        family=row.family,
        kind=row.kind,
        variable=row.variable,
        gold=row.gold,
        structural=row.structural,
        splits=row.splits,
        picture=row.screenshot,
        region=Region(x=0, y=0, width=1, height=1),
        judgements=tuple(judgements),
    )


def renamed(tables: Sequence[Table], names: Mapping[str, str]) -> tuple[Table, ...]:
    """The tables with other names of annotators; those that `names` lacks stay."""
    return tuple(
        one.model_copy(
            update={
                "validity": tuple(
                    of.model_copy(update={"annotator": names.get(of.annotator, of.annotator)}) for of in one.validity
                )
            }
        )
        for one in tables
    )


def unpadded(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Tables over `judged_again`, with people's numbers as they stand in the release."""
    names = {of.annotator for one in tables for of in one.validity}
    return renamed(tables, {name: f"human-{int(match[1])}" for name in names if (match := _PERSON.fullmatch(name))})


def _padded(annotator: str) -> str:
    """So that human-10 comes after human-2: which rater is the first goes by name."""
    match = _PERSON.fullmatch(annotator)
    if match is None:
        raise ValueError(f"{annotator!r} is no number of a person: human-1, human-2, ...")
    return f"human-{int(match[1]):0{_DIGITS}}"
