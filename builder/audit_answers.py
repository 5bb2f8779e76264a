"""Files that go out to an annotator and come back: a sheet, and the answers to it. docs/audit-offline.md."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from domain.audit import AnnotatorName, Answer, AuditItem, ItemId
from domain.audit_clock import Seconds
from domain.record import Record

SHEET: Literal["parallax-audit-sheet/1"] = "parallax-audit-sheet/1"
ANSWERS: Literal["parallax-audit-answers/1"] = "parallax-audit-answers/1"


class SheetItem(AuditItem):
    """An item with where its picture lies in the folder of the sheet."""

    picture: str


class Sheet(Record):
    """items.json: all that a sheet asks."""

    format: Literal["parallax-audit-sheet/1"] = SHEET
    audit: str
    annotator: AnnotatorName
    until: datetime = Field(description="UTC; answers that come later may find their places taken")
    items: tuple[SheetItem, ...]


class GivenAnswer(Record):
    """One line of answers.json."""

    item: ItemId
    answer: Answer
    value: str | None = None
    seconds: Seconds = None
    when: datetime | None = Field(default=None, description="by the annotator's clock; it is not stored")


class SheetAnswers(Record):
    """answers.json: what comes back."""

    format: Literal["parallax-audit-answers/1"] = ANSWERS
    audit: str
    annotator: AnnotatorName
    answers: tuple[GivenAnswer, ...]
