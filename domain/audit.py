"""What an annotator is asked and may answer. Pixels only: nothing here knows what a structure says or what gold is proposed.

An item is everything that the desk, a sheet or a model may know of a probe: a picture under a number that tells nothing, a
region on it, and a question that is the same for all probes of its sort. A test names every field, so that none is added
unnoticed. Source: paper, "Gold-label audit" ("who see only the screenshot and never the structure").
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from domain.controls import unfit
from domain.geometry import Box
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
_NOISE = 6
"""Decimals of a px behind which numbers have nothing but what binary fractions make of them."""

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
    """Whole image px of the picture, from its top left."""

    x: int = Field(ge=0)
    y: int = Field(ge=0)
    width: int = Field(gt=0)
    height: int = Field(gt=0)

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, given: Any) -> Any:
        """Pages have boxes with fractions and corpora have none, so the numbers alone would tell which an item is of.

        What has fractions is widened here to the pixels that it touches, when an audit is opened and whenever one is read that
        was opened before this: what is stored stays as it is. Marks and crops are made around those pixels anyway.
        """
        if not isinstance(given, dict) or not all(_measured(given.get(name)) for name in ("x", "y", "width", "height")):
            return given
        (x, width), (y, height) = (_touched(given["x"], given["width"]), _touched(given["y"], given["height"]))
        return {**given, "x": x, "y": y, "width": width, "height": height}

    @classmethod
    def around(cls, box: Box) -> Self:
        """The pixels that a box in image px touches. Raises ValueError where there are none, or one is off its top or left."""
        return cls.model_validate({"x": box.x, "y": box.y, "width": box.width, "height": box.height})


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


def _measured(number: Any) -> bool:
    return isinstance(number, int | float) and math.isfinite(number)


def _touched(start: float, length: float) -> tuple[int, int]:
    """The first pixel, and how many: one at least, but of no length none. Binary noise is no part of a pixel."""
    first = math.floor(round(start, _NOISE))
    return first, max(1, math.ceil(round(start + length, _NOISE)) - first) if length > 0 else 0


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
