"""What an audit says of a release's rows: which of them are clean, and the numbers that its manifest has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from domain.audit import AnnotatorKind
from domain.audit_judged import ANNOTATOR_KINDS, Judged
from domain.audit_labels import ReleasedLabels, labels_of, numbers_of, renamed
from domain.audit_model import AnsweringModel
from domain.audit_report import DEFINITION, report
from domain.errors import Refused
from domain.families import HEADLINE
from domain.probe import Probe
from domain.release import AUDIT_SPLITS, AuditUse
from store.audit_results import judged, status
from store.audit_sources import models_of
from store.database import Database
from store.releases import released_probes

_ASKED = ("screenshot", "view", "region", "variable", "gold", "structural")
"""What a probe must have as the row that was audited had it: else it is another question."""
PEOPLE: Mapping[AnnotatorKind, str] = {"human": "people", "model": "models"}
"""Who they are, in words."""


@dataclass(frozen=True, slots=True)
class Audited:
    """An audit as it stands, for one export. kind: whose labels make rows clean."""

    name: str
    kind: AnnotatorKind
    items: Mapping[str, Judged]
    """By the probe's id."""
    asked: Mapping[str, tuple[Any, ...]]
    """What was asked about the probe with this id."""
    models: Mapping[str, AnsweringModel] = field(default_factory=dict)
    """What answered, by the annotator's name."""
    open: bool = False
    """It takes answers still."""

    def pairs(self, kind: AnnotatorKind) -> int:
        """Items with both first labels of this kind."""
        return sum(one.paired(kind) for one in self.items.values())

    def warnings(self) -> Iterator[str]:
        """What whoever cuts a release should know of whose labels count."""
        found, total = self.pairs(self.kind), len(self.items)
        if self.open:
            yield (
                f"Audit {self.name} is still open: what is answered, taken back or adjudicated from now on is not in this "
                f"release, which is never changed. Close it first: builder audit close {self.name}"
            )
        if found < total:
            yield (
                f"Audit {self.name}: only {found} of its {total} items have two labels of {PEOPLE[self.kind]}, which make rows "
                f"clean here; the other {total - found} cannot be. A release is never changed: have them answered first."
            )
        for other in ANNOTATOR_KINDS:
            if other != self.kind and (more := self.pairs(other)) > found:
                yield f"{more} of its items have two labels of {PEOPLE[other]}: by these with --annotators {other}."

    def judged(self, probe: Probe) -> Judged | None:
        """The item that asked about this very probe; None where none did."""
        return self.items.get(probe.id) if self.asked.get(probe.id) == _asked(probe) else None

    def splits(self, probe: Probe) -> frozenset[str]:
        """Names of the parts that the probe belongs to by the audit."""
        found = self.judged(probe)
        if found is None or not found.confirmed(self.kind):
            return frozenset()
        clean, headline = AUDIT_SPLITS[self.kind]
        return frozenset({clean, headline} if probe.family in HEADLINE else {clean})


def audited(database: Database, name: str, kind: AnnotatorKind | None = None) -> Audited:
    """The audit with all labels that there are now. kind: whose make rows clean; None: people's where two answered any item.

    Raises NotFound, and Refused where no item has two labels of this kind: no row could be clean.
    """
    audit = status(database, name)
    items = {one.probe: one for one in judged(database, name)}
    asked = {row.id: _asked(row) for row in released_probes(database, audit.release) if row.id in items}
    of_people = Audited(name, "human", items, asked, models_of(database, name), audit.closed is None)
    found = replace(of_people, kind=kind or ("human" if of_people.pairs("human") else "model"))
    if not found.pairs(found.kind):
        raise Refused(_no_pair(found, chosen=kind is not None))
    return found


def _no_pair(audit: Audited, *, chosen: bool) -> str:
    who, total = PEOPLE[audit.kind] if chosen else "people or of models", len(audit.items)
    others = [other for other in ANNOTATOR_KINDS if other != audit.kind and audit.pairs(other)]
    instead = [f"cut it by those of {PEOPLE[one]}, {audit.pairs(one)} items (--annotators {one})" for one in others]
    ways = ", or ".join(["Have them answered (builder audit status)", *instead, "cut the release without --audit"])
    return f"Audit {audit.name}: none of its {total} items has two labels of {who}, so no row could be clean. {ways}."


def use_of(audit: Audited, probes: Iterable[Probe]) -> AuditUse:
    """The numbers over these rows of a release. People are numbered, models have their names."""
    rows = list(probes)
    found = [one for row in rows if (one := audit.judged(row))]
    said = report(audit.name, found, models=audit.models)
    numbers = numbers_of(found)
    return AuditUse(
        name=audit.name,
        definition=DEFINITION,
        annotators=audit.kind,
        pairs=sum(one.paired(audit.kind) for one in found),
        items=len(found),
        unasked=len(rows) - len(found),
        clean=dict(sorted(Counter(split for row in rows for split in audit.splits(row)).items())),
        tables={kind.annotators: renamed(kind.tables, numbers) for kind in said.kinds},
        models={name: model for kind in said.kinds for name, model in kind.models.items()},
    )


def released_labels(audit: Audited, probes: Iterable[Probe]) -> Iterator[ReleasedLabels]:
    """What was said of each of these rows that was asked about, in their order. People are numbered as in the tables."""
    found = [one for row in probes if (one := audit.judged(row))]
    numbers = numbers_of(found)
    return (labels_of(one, numbers) for one in found)


def _asked(probe: Probe) -> tuple[Any, ...]:
    return tuple(getattr(probe, name) for name in _ASKED)
