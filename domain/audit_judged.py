"""One item of an audit with what it stands for: whose labels say what of the probe's two values. Annotators never see it."""

from __future__ import annotations

from pydantic import Field

from domain.audit import AnnotatorKind, ItemId, Judgement, Region
from domain.audit_match import Says, coded, says
from domain.probe import Digest
from domain.record import Record

ANNOTATOR_KINDS: tuple[AnnotatorKind, ...] = ("human", "model")
BOTH = 2
"""First labels of an item, by people or by models, when it is whole."""


class Judged(Record):
    """One item of an audit with what it stands for and all that was answered. Annotators never see it."""

    item: ItemId
    probe: str = Field(description="its id")
    family: str
    kind: str | None = Field(default=None, description="of web-natural; else null")
    variable: str
    gold: str
    structural: str
    splits: tuple[str, ...] = Field(default=(), description="that its row of the release has; empty without a release")
    picture: Digest = Field(description="blob that the annotators saw, PNG")
    region: Region = Field(description="on that picture, image px")
    judgements: tuple[Judgement, ...] = Field(description="of all kinds of annotators and all places, in any order")

    def first(self, kind: AnnotatorKind) -> tuple[Judgement, ...]:
        """The labels before adjudication of this kind of annotators, by the annotator's name: at most two."""
        found = (one for one in self.judgements if one.kind == kind and one.place in {1, 2})
        return tuple(sorted(found, key=lambda one: one.annotator))

    def adjudication(self, kind: AnnotatorKind) -> Judgement | None:
        """What the third of this kind said."""
        return next((one for one in self.judgements if one.kind == kind and one.place not in {1, 2}), None)

    def says(self, one: Judgement) -> Says:
        """Which of the probe's values the label is."""
        return says(self.variable, self.gold, self.structural, one.label)

    def coded(self, one: Judgement) -> str:
        """The label as a category without its text."""
        return coded(self.variable, one.label, self.says(one))

    def paired(self, kind: AnnotatorKind) -> bool:
        """Both first labels of this kind are there."""
        return len(self.first(kind)) == BOTH

    def confirmed(self, kind: AnnotatorKind) -> bool:
        """Consensus: both first labels of this kind are there and match gold. Adjudication changes nothing of it."""
        return self.paired(kind) and all(self.says(one) == "gold" for one in self.first(kind))
