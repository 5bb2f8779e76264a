"""What a release comes to: its manifest, counted from its rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.assembled import screen_of
from builder.terms import terms_of
from domain.probe import FileRef
from domain.release import Blobs, Counts, FamilyFunnel, Funnel, Manifest, ReleaseSpec, SourceFunnel, SourceUse
from domain.released import ReleasedProbe
from domain.selection import Selection


@dataclass(slots=True)
class Tally:
    """Counts rows."""

    total: int = 0
    made: Counter[str] = field(default_factory=Counter)
    """By source."""
    by: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    screens: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))
    """By family."""

    def add(self, row: ReleasedProbe) -> None:
        """One row more."""
        source = row.provenance.source
        self.total += 1
        self.made[source] += row.made
        for name, value in (
            ("families", row.family),
            ("kinds", row.kind),
            ("sources", source),
            ("platforms", row.platform),
            ("redistribution", row.redistribution),
        ):
            if value is not None:
                self.by[name][value] += 1
        self.by["splits"].update(row.splits)
        self.screens[row.family].add(screen_of(row))

    def counts(self) -> Counts:
        """Names in order."""
        names = ("families", "kinds", "sources", "platforms", "redistribution", "splits")
        return Counts(
            total=self.total,
            screens={family: len(screens) for family, screens in sorted(self.screens.items())},
            **{name: dict(sorted(self.by[name].items())) for name in names},
        )

    def sources(self) -> dict[str, SourceUse]:
        """What is of each source, and on what terms."""
        screens = set().union(*self.screens.values())
        items = Counter(source for source, _ in screens)
        used = {}
        for source, probes in sorted(self.by["sources"].items()):
            terms = terms_of(source, made=self.made[source] == probes)
            used[source] = SourceUse(
                probes=probes,
                items=items[source],
                made=self.made[source],
                licence=terms.licence,
                note=terms.note,
                redistribution=terms.redistribution,
                homepage=terms.homepage,
                citation=terms.citation,
            )
        return used


def manifest_of(
    spec: ReleaseSpec, selection: Selection, tally: Tally, *, digest: str, rows: FileRef, blobs: Blobs, funnel: Funnel
) -> Manifest:
    """The manifest of the rows that were counted."""
    return Manifest(
        name=spec.name,
        title=spec.title,
        digest=digest,
        partial=selection.partial,
        shortages=selection.shortages,
        made=tally.made.total(),
        counts=tally.counts(),
        sources=tally.sources(),
        blobs=blobs,
        funnel=funnel,
        spec=spec,
        files=(rows,),
    )


def funnel_of(
    selection: Selection, sources: Mapping[str, SourceFunnel], passed_over: Mapping[str, Mapping[str, int]]
) -> Funnel:
    """What was left out on the way, step by step. passed_over: by family, nodes that gave no probe, by reason."""
    released = Counter(one.family for one in selection.chosen)
    families = {
        family: FamilyFunnel(
            drawn=selection.offered[family],
            passed_over=dict(sorted(passed_over.get(family, {}).items())),
            not_chosen=dict(sorted(selection.rejected.get(family, {}).items())),
            released=released[family],
        )
        for family in sorted({*selection.offered, *passed_over})
    }
    return Funnel(sources=dict(sorted(sources.items())), families=families)
