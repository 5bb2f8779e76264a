"""README.md: the card of a release, for people, with the metadata that Hugging Face reads on top of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined

from builder.assembled import Assembled
from builder.audit_report import kappa, share
from builder.audit_splits import PEOPLE
from builder.formats.croissant import SPDX, parquet_files
from builder.formats.plots import COMPOSITION, SEVERITY
from builder.severity import SeverityReport
from builder.telling import CONDITIONS, GOLD, PAPER, banners, citation, licences
from domain.families import NAMES, family_named
from domain.release import AuditUse, Manifest
from domain.severity import MEASURES

CARD = "README.md"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
"""Hugging Face's classes: fewer rows than, name."""
PLOTS = {COMPOSITION: "Probes by family and source", SEVERITY: "How far apart the two values are, edited beside natural"}
"""Path -> what it shows."""
TINY = 0.001
"""A smaller number is written with its exponent."""
LOADING = """\
import datasets
probes = datasets.load_dataset("PATH", "{family}", split="test")      # rows with images

import pyarrow.parquet
table = pyarrow.parquet.read_table("PATH/{file}")

import duckdb
duckdb.sql("select family, gold, structural from 'PATH/data/*/*.parquet'")

import mlcroissant
records = mlcroissant.Dataset("PATH/croissant.json").records("{family}")

import json
with open("PATH/probes.jsonl", encoding="utf-8") as lines:
    rows = [json.loads(line) for line in lines]"""


def _constant(release: Assembled) -> Iterator[str]:
    """What one could answer without looking: families whose gold or structural value is the same in all probes."""
    golds: dict[str, set[str]] = defaultdict(set)
    structurals: dict[str, set[str]] = defaultdict(set)
    for row in release.rows():
        golds[row.family].add(row.gold)
        structurals[row.family].add(row.structural)
    for family in (name for name in NAMES if name in golds):
        n = release.manifest.counts.families[family]
        if n > 1 and len(golds[family]) == 1:
            yield f"Gold is `{min(golds[family])}` in all {n} probes of {family}: whoever always says so is right in all."
        elif n > 1 and len(structurals[family]) == 1:
            value = min(structurals[family])
            yield f"The structure says `{value}` in all {n} probes of {family}: whoever never says so is right in all."


@dataclass(frozen=True, slots=True)
class FamilyLine:
    """One family in the card's tables."""

    name: str
    platform: str
    variables: tuple[str, ...]
    conditions: tuple[str, ...]
    probes: int
    specified: int
    screens: int
    gold: str


def write(release: Assembled, folder: Path) -> None:
    """Writes README.md. Parquet files and plots lie in the folder already: it names those that are there."""
    (folder / CARD).write_text(card(release, folder), encoding="utf-8", newline="\n")


def card(release: Assembled, folder: Path) -> str:
    """The whole text of the card: metadata, then the page."""
    manifest = release.manifest
    tables = [*parquet_files(folder)]
    page = (
        _environment()
        .get_template("card.md.j2")
        .render(
            m=manifest,
            banners=banners(manifest),
            paper=PAPER,
            families=list(_families(manifest)),
            specified=sum(quota.count for quota in manifest.spec.families.values()),
            conditions=sorted(CONDITIONS.items()),
            plots=[{"path": path, "said": said} for path, said in PLOTS.items() if (folder / path).is_file()],
            severity="\n".join(_severity(release.severity)),
            loading=LOADING.format(family=tables[0][0], file=tables[0][1]) if tables else "",
            citation=citation(manifest),
            constant=list(_constant(release)),
            audit="\n".join(_audit(manifest.audit)),
            clean=_clean(manifest.audit),
        )
    )
    head = yaml.safe_dump(_metadata(manifest, tables), sort_keys=False, allow_unicode=True, width=1_000)
    return f"---\n{head}---\n\n{page.strip()}\n"


def _metadata(manifest: Manifest, tables: list[tuple[str, str]]) -> dict[str, Any]:
    given = licences(manifest)
    one = given[0].lower() if len(given) == 1 and SPDX.fullmatch(given[0]) else ""
    terms = {"license": one} if one else {"license": "other", "license_name": "by-source", "license_link": CARD}
    total = manifest.counts.total
    tags = ["gui-agents", "screenshots", "benchmark", *(["partial"] * manifest.partial), *(["made-data"] * bool(manifest.made))]
    return {
        **terms,
        "pretty_name": f"Parallax {manifest.name}",
        "task_categories": ["visual-question-answering"],
        "tags": tags,
        "size_categories": [next((name for limit, name in SIZES if total < limit), "n>1M")],
        "configs": [{"config_name": family, "data_files": [{"split": "test", "path": path}]} for family, path in tables],
    }


def _families(manifest: Manifest) -> Iterator[FamilyLine]:
    """The families that the release has or should have, in the order of the paper."""
    for name in NAMES:
        quota = manifest.spec.families.get(name)
        probes = manifest.counts.families.get(name, 0)
        if quota is None and not probes:
            continue
        family = family_named(name)
        yield FamilyLine(
            name=name,
            platform=family.PLATFORM,
            variables=family.VARIABLES,
            conditions=family.CONDITIONS,
            probes=probes,
            specified=quota.count if quota else 0,
            screens=manifest.counts.screens.get(name, 0),
            gold=GOLD[name],
        )


def _audit(audit: AuditUse | None) -> Iterator[str]:
    """A table for each kind of annotators, in lines of Markdown: never both in one."""
    for number, (name, model) in enumerate(audit.models.items() if audit else (), 1):
        yield f"{'' if number > 1 else chr(10)}- model annotator {number} (`{name}`): {_cell(str(model))}"
    for kind, tables in audit.tables.items() if audit else ():
        yield f"\n**By {'people' if kind == 'human' else 'models'}**\n"
        yield "| part | asked | by two | raw agreement | kappa | both match gold | validity, each |"
        yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
        for one in tables:
            valid = ", ".join(f"{of.annotator} {share(of.valid)}" for of in one.validity) or "n/a (n=0)"
            cells = (one.name, one.items, one.pairs, share(one.agreement), kappa(one.kappa), share(one.consensus), valid)
            yield f"| {' | '.join(map(str, cells))} |"


def _clean(audit: AuditUse | None) -> str:
    """Whose labels count, and which splits the audit makes, in a sentence or two."""
    if audit is None:
        return ""
    where = f" Every label: `{audit.labels.name}`." if audit.labels else ""
    whose = f"Labels of {PEOPLE[audit.annotators]} count; {audit.pairs} rows have two. " if audit.annotators else ""
    clean = ", ".join(f"`{name}` {n}" for name, n in audit.clean.items())
    said = f"Confirmed by both annotators (splits): {clean}." if clean else "No row was confirmed by two annotators."
    return f"{whose}{said}{where}"


def _severity(report: Mapping[str, Any] | None) -> Iterator[str]:
    """A table for all natural pairs and for each kind, in lines of Markdown."""
    if report is None:
        return
    told = SeverityReport.model_validate(report)
    yield f"Edited pairs: {told.synthetic}. Natural pairs: {told.natural}. Definition of the measures: `{told.definition}`."
    for one in told.comparisons:
        which = f"natural of kind {one.kind}" if one.kind else "all natural"
        yield f"\n**Edited ({one.synthetic_n}) beside {which} ({one.natural_n})**\n"
        yield "| measure | median, edited | median, natural | natural 5 to 95 % | edited inside | KS | p |"
        yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        for name in MEASURES:  # in this order, whatever that of the file is
            m = one.measures[name]
            band = f"{_number(m.natural_low)} to {_number(m.natural_high)}"
            values = (_number(value) for value in (m.synthetic_median, m.natural_median))
            yield f"| {name} | {' | '.join(values)} | {band} | {_number(m.coverage)} | {_number(m.ks)} | {_number(m.p)} |"


def _number(value: float | None) -> str:
    """Three digits; what there is nothing to work out of is n/a."""
    return "n/a" if value is None else f"{value:.3f}" if value >= TINY or value == 0 else f"{value:.1e}"


def _cell(text: str) -> str:
    """Text as it may stand in a cell of a table."""
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())


def _reasons(counts: Mapping[str, int]) -> str:
    """Reasons with their counts, the most frequent first."""
    return ", ".join(f"{n} {reason}" for reason, n in sorted(counts.items(), key=lambda one: (-one[1], one[0]))) or "none"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("builder"),
        autoescape=False,  # noqa: S701 - Markdown; what others wrote goes through `cell`
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"cell": _cell, "reasons": _reasons}
    return environment
