"""What an audit found: agreement, validity and consensus, per kind of annotator; and every item that is disputed.

What each number means: docs/audit-numbers.md. Source: paper, "Gold-label audit".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from domain.agreement import Kappa, McNemar, Rate, agreement, kappa, mcnemar, rate
from domain.audit import AnnotatorKind, AnnotatorName, Answer, ItemId, Judgement, Region
from domain.audit_judged import ANNOTATOR_KINDS, BOTH, Judged
from domain.audit_match import Piece, Says, category, difference
from domain.audit_model import AnsweringModel
from domain.divergences import KINDS
from domain.families import HEADLINE, NAMES
from domain.probe import Digest
from domain.record import Record

DEFINITION = "audit/3"
"""Of the numbers below. Raised when one of them would come out otherwise; domain.audit_earlier has the one before."""
UNDECIDED: frozenset[str] = frozenset({"unreadable", "unsure"})
"""What an annotator answers who does not say what stands there."""
Scope = Literal["all", "headline", "family", "kind"]


class Validity(Record):
    """One annotator's first labels beside gold. Without what they could not read: of that, validity knows nothing."""

    annotator: AnnotatorName
    labels: int = Field(ge=0, description="all first labels of this annotator")
    valid: Rate = Field(description="that match gold, of those that are not `unreadable`")
    structural: int = Field(ge=0, description="labels that are the structure's value")
    absent: int = Field(ge=0, description="labels `absent`, matching or not")
    unreadable: int = Field(ge=0)
    unsure: int = Field(ge=0, description="stay in validity, as no match")


class Table(Record):
    """All numbers of one part of the audit, for one kind of annotators. Over first labels; adjudication stands beside."""

    scope: Scope
    name: str = Field(description="all, headline, the family, or the natural kind")
    items: int = Field(ge=0, description="of this part, answered or not")
    pairs: int = Field(ge=0, description="items with both first labels: the n of all that compares two")
    agreement: Rate = Field(description="raw: both labels are the same, whatever gold is")
    kappa: Kappa = Field(description="on the labels' values: each text is a category, and absent, unreadable, unsure are")
    kappa_coded: Kappa = Field(description="the same, with texts as match, other, unreadable, unsure; choices stay values")
    consensus: Rate = Field(description="both labels match gold, of the pairs")
    same_other: int = Field(ge=0, description="pairs that agree on something else than gold, be it unreadable or unsure")
    same_undecided: int | None = Field(
        default=None,
        ge=0,
        exclude_if=lambda count: count is None,
        description="of these, pairs that agree on unreadable or on unsure, which says nothing against gold; left out before "
        "audit/3",
    )
    validity: tuple[Validity, ...] = Field(description="by annotator, by name; whoever has a label here")
    mcnemar: McNemar | None = Field(
        description="whether one of two annotators matches gold more often, over pairs that both could read; "
        "null: not all pairs are of the same two"
    )
    adjudicated: Rate = Field(description="adjudications that match gold, of all that there are")


class Given(Record):
    """One label as it is shown beside gold."""

    annotator: AnnotatorName
    answer: Answer
    value: str | None
    says: Says
    difference: tuple[Piece, ...] = Field(description="from gold, word by word; empty where no text was written")


class Disputed(Record):
    """An item whose first labels differ, or agree on something else than gold."""

    between: Literal["annotators", "gold"] = Field(
        description="gold: both annotators say the same, and it is not gold; unreadable or unsure says nothing against gold"
    )
    item: ItemId
    probe: str
    family: str
    kind: str | None
    variable: str
    gold: str
    structural: str
    picture: Digest
    region: Region
    labels: tuple[Given, Given]
    adjudication: Given | None

    @property
    def undecided(self) -> bool:
        """Neither could read it, or neither could decide."""
        return self.between == "gold" and self.labels[0].answer in UNDECIDED


class KindReport(Record):
    """What one kind of annotators found: humans and models are never in one table."""

    annotators: AnnotatorKind
    names: tuple[AnnotatorName, ...] = Field(description="who gave a first label")
    models: Mapping[AnnotatorName, AnsweringModel] = Field(
        default_factory=dict,
        exclude_if=lambda models: not models,
        description="what answered under a model's name; left out where nobody noted it",
    )
    tables: tuple[Table, ...] = Field(description="all, headline, each family, each natural kind that there is")
    disputed: tuple[Disputed, ...] = Field(description="by family, natural kind and probe")


class AuditReport(Record):
    """What `builder audit report` says."""

    audit: str
    release: str | None = Field(default=None, description="whose rows were judged")
    definition: str = DEFINITION
    items: int = Field(ge=0)
    kinds: tuple[KindReport, ...] = Field(description="human, then model: those of whom there is a label")


def report(
    audit: str, judged: Iterable[Judged], *, release: str | None = None, models: Mapping[str, AnsweringModel] | None = None
) -> AuditReport:
    """The report over all items of an audit. Their order changes nothing. models: what answered, by the annotator's name."""
    items = sorted(judged, key=_order)
    kinds = {one.kind for item in items for one in item.judgements}
    return AuditReport(
        audit=audit,
        release=release,
        items=len(items),
        kinds=tuple(_of_kind(kind, items, models or {}) for kind in ANNOTATOR_KINDS if kind in kinds),
    )


def table(scope: Scope, name: str, items: Sequence[Judged], kind: AnnotatorKind) -> Table:
    """The numbers of these items for this kind of annotators."""
    first = [(item, item.first(kind)) for item in items]
    pairs = [(item, found[0], found[1]) for item, found in first if len(found) == BOTH]
    values = [(category(a.label), category(b.label)) for _, a, b in pairs]
    said = [(item.says(a), item.says(b)) for item, a, b in pairs]
    consensus = sum(a == b == "gold" for a, b in said)
    names = sorted({one.annotator for _, found in first for one in found})
    paired = {one.annotator for _, a, b in pairs for one in (a, b)} or names  # a label that stands alone is in no test
    third = [item.says(one) for item in items if (one := item.adjudication(kind))]
    return Table(
        scope=scope,
        name=name,
        items=len(items),
        pairs=len(pairs),
        agreement=agreement(values),
        kappa=kappa(values),
        kappa_coded=kappa([(item.coded(a), item.coded(b)) for item, a, b in pairs]),
        consensus=rate(consensus, len(pairs)),
        same_other=sum(a == b and said[i] != ("gold", "gold") for i, (a, b) in enumerate(values)),
        same_undecided=sum(a == b and a in UNDECIDED for a, b in values),
        validity=tuple(
            _validity(name, [(one, item.says(one)) for item, found in first for one in found if one.annotator == name])
            for name in names
        ),
        mcnemar=mcnemar((a == "gold", b == "gold") for a, b in said if "unreadable" not in {a, b})
        if len(paired) == BOTH
        else None,
        adjudicated=rate(third.count("gold"), len(third)),
    )


def _of_kind(kind: AnnotatorKind, items: Sequence[Judged], models: Mapping[str, AnsweringModel]) -> KindReport:
    who = {one.annotator for item in items for one in item.judgements if one.kind == kind}
    return KindReport(
        annotators=kind,
        models={name: models[name] for name in sorted(who & models.keys())},
        names=tuple(sorted({one.annotator for item in items for one in item.first(kind)})),
        tables=tuple(table(scope, name, [item for item in items if holds(item)], kind) for scope, name, holds in _parts(items)),
        disputed=tuple(found for item in items if (found := _disputed(item, kind))),
    )


def _parts(items: Sequence[Judged]) -> Iterator[tuple[Scope, str, Callable[[Judged], bool]]]:
    yield "all", "all", lambda _: True
    if any(item.family in HEADLINE for item in items):
        yield "headline", "headline", lambda item: item.family in HEADLINE
    for family in sorted({item.family for item in items}, key=_family):
        yield "family", family, lambda item, family=family: item.family == family  # type: ignore[misc] # bound now
    for kind in sorted({item.kind for item in items if item.kind}, key=_kind):
        yield "kind", kind, lambda item, kind=kind: item.kind == kind  # type: ignore[misc] # bound now


def _validity(name: str, labels: Sequence[tuple[Judgement, Says]]) -> Validity:
    answers = Counter(one.label.answer for one, _ in labels)
    said = Counter(what for _, what in labels)
    return Validity(
        annotator=name,
        labels=len(labels),
        valid=rate(said["gold"], len(labels) - answers["unreadable"]),
        structural=said["structural"],
        absent=answers["absent"],
        unreadable=answers["unreadable"],
        unsure=answers["unsure"],
    )


def _disputed(item: Judged, kind: AnnotatorKind) -> Disputed | None:
    found = item.first(kind)
    if len(found) != BOTH or item.confirmed(kind):
        return None
    a, b = found
    third = item.adjudication(kind)
    return Disputed(
        between="gold" if category(a.label) == category(b.label) else "annotators",
        **item.model_dump(include=set(Disputed.model_fields) & set(Judged.model_fields)),
        labels=(_given(item, a), _given(item, b)),
        adjudication=_given(item, third) if third else None,
    )


def _given(item: Judged, one: Judgement) -> Given:
    value = one.label.value
    return Given(
        annotator=one.annotator,
        answer=one.label.answer,
        value=value,
        says=item.says(one),
        difference=() if value is None else difference(item.gold, value),
    )


def _order(item: Judged) -> tuple[tuple[int, str], tuple[int, str], str, str]:
    return _family(item.family), _kind(item.kind or ""), item.probe, item.item


def _family(name: str) -> tuple[int, str]:
    return NAMES.index(name) if name in NAMES else len(NAMES), name


def _kind(name: str) -> tuple[int, str]:
    kinds = tuple(KINDS)
    return kinds.index(name) if name in kinds else len(kinds), name
