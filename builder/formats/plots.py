"""plots/*.png: what the release is made of, and how far apart the two values of its probes are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from builder.assembled import Assembled
from builder.severity import SeverityReport, pair_of, values_of
from channels.composition_plot import Bar, composition_plot
from channels.severity_plot import severity_plot
from domain.families import NAMES

COMPOSITION, SEVERITY = "plots/composition.png", "plots/severity.png"


def write(release: Assembled, folder: Path) -> None:
    """Composition always; severity where the release has its report. The same bytes each time, with the same library."""
    (folder / "plots").mkdir(exist_ok=True)
    (folder / COMPOSITION).write_bytes(composition_plot(list(_bars(release))))
    if release.severity is not None:
        (folder / SEVERITY).write_bytes(_severity(release, SeverityReport.model_validate(release.severity)))


def _bars(release: Assembled) -> Iterator[Bar]:
    """A bar a family; of one with kinds, a bar a kind."""
    parts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    made: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in release.rows():
        key = row.family, row.kind or ""
        parts[key][row.provenance.source] += 1
        made[key][row.provenance.source] += row.made
    spec = release.manifest.spec.families
    for family in NAMES:
        quota = spec.get(family)
        kinds = quota.kinds if quota is not None else None
        there = {kind for name, kind in parts if name == family}
        if kinds is None and "" not in there and there:  # kinds, and none asked for: of each what there is
            kinds = dict.fromkeys(there, 0)
        if kinds is not None:
            for kind in sorted(kinds.keys() | there):
                yield Bar(f"{family}: {kind}", parts[family, kind], made[family, kind], kinds.get(kind) or None)
        elif quota is not None or there:
            yield Bar(family, parts[family, ""], made[family, ""], quota.count if quota is not None else None)


def _severity(release: Assembled, report: SeverityReport) -> bytes:
    synthetic, natural = (values_of(map(pair_of, release.rows(family))) for family in (report.synthetic, report.natural))
    bands = {
        name: None if one.natural_low is None or one.natural_high is None else (one.natural_low, one.natural_high)
        for name, one in report.comparisons[0].measures.items()
    }
    return severity_plot(synthetic, natural, bands, (report.synthetic, report.natural))
