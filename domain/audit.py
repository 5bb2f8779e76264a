"""What an annotator is asked and may answer. Pixels only: nothing here knows what a structure says or what gold is proposed.

An item is everything that the desk, a sheet or a model may know of a probe: a picture under a number that tells nothing, a
region on it, and a question that is the same for all probes of its sort. A test names every field, so that none is added
unnoticed. Source: paper, "Gold-label audit" ("who see only the screenshot and never the structure").
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from domain.controls import unfit
from domain.record import Record
from domain.typed import keyed

Ask = Literal["transcribe", "type", "visibility", "checked", "open"]
Answer = Literal["value", "absent", "unreadable", "unsure"]
"""value: what stands there. absent: there is nothing of that sort. unreadable: something is there that cannot be made out.
unsure: it can be seen, and the annotator cannot decide."""
AnnotatorKind = Literal["human", "model"]
"""Never mixed in one table."""
ItemId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22}$")]
"""Random: 128 bits, so that it can be neither guessed nor worked out from what it stands for."""
AnnotatorName = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
LONGEST = 2000
"""Characters of a transcription."""

CHOICES: dict[Ask, tuple[str, ...]] = {
    "transcribe": (),
    "type": ("text", "icon", "image", "switch", "checkbox"),
    "visibility": ("visible",),
    "checked": ("checked", "unchecked"),
    "open": ("open", "closed"),
}
"""Values to choose from, by what is asked: all that there are, never those of one probe. Empty: it is written."""
WORDS: dict[Ask, str] = {
    "transcribe": "What text stands in the marked region? Write it as it is shown.",
    "type": "What is in the marked region?",
    "visibility": "Is one thing visible that the marked region fits?",
    "checked": "Is the control in the marked region checked?",
    "open": "Is what is marked open or closed?",
}
ASKS: dict[str, Ask] = {
    "text": "transcribe",
    "value": "transcribe",
    "type": "type",
    "visibility": "visibility",
    "checked": "checked",
    "open": "open",
}
"""By a probe's variable."""


class Region(Record):
    """Image px of the picture, from its top left."""

    x: float = Field(ge=0)
    y: float = Field(ge=0)
    width: float = Field(gt=0)
    height: float = Field(gt=0)


class AuditItem(Record):
    """One question as an annotator gets it, whoever that is."""

    item: ItemId
    ask: Ask
    question: str
    choices: tuple[str, ...] = Field(description="to choose from; empty: the text is written")
    width: int = Field(ge=1, description="of the picture, image px")
    height: int = Field(ge=1, description="of the picture, image px")
    region: Region


class Label(Record):
    """What an annotator answers. value: only with the answer `value`: the text as it stands there, or one of the choices.

    A value that is nothing once it is compared (blanks, marks that are never drawn) is none, and stands as null.
    """

    answer: Answer
    value: str | None = Field(default=None, max_length=LONGEST)

    @field_validator("value")
    @classmethod
    def _seen(cls, value: str | None) -> str | None:
        return value if value and keyed(value) else None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.answer == "value") != (self.value is not None):
            raise ValueError("a value goes with the answer 'value', where it is not blank, and with no other")
        return self


class Judgement(Record):
    """One annotator's answer to one item, as it is stored."""

    item: ItemId
    annotator: AnnotatorName
    kind: AnnotatorKind
    label: Label
    when: datetime = Field(description="UTC, when it was given")
    seconds: float | None = Field(default=None, ge=0, description="from the item being shown to the answer; null: not measured")
    place: Literal[1, 2, 3] = Field(description="1 and 2: two people who do not see each other; 3: adjudication, by a third")


def item_of(item: str, variable: str, size: tuple[int, int], region: Region) -> AuditItem:
    """The question about a region of a picture of this size. variable: the probe's."""
    ask = ASKS[variable]
    return AuditItem(
        item=item, ask=ask, question=WORDS[ask], choices=CHOICES[ask], width=size[0], height=size[1], region=region
    )


def refused(item: AuditItem, label: Label) -> str | None:
    """Why the label is no answer to the item's question; None where it is one."""
    if why := unfit(label.value):
        return f"value: {why}"
    if label.answer == "value" and item.choices and label.value not in item.choices:
        return f"{str(label.value)[:80]!r} is not to choose from: {', '.join(item.choices)}"
    return None
