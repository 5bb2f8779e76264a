"""A release: what it is to hold (ReleaseSpec), what it lacks (Short), how it came about (Funnel), what it holds (Manifest)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from domain.audit import AnnotatorKind, AnnotatorName
from domain.audit_model import AnsweringModel
from domain.audit_report import Table
from domain.divergences import KINDS
from domain.probe import Digest, FileRef
from domain.record import Record
from domain.released import Redistribution

SCHEMA_VERSION = 1
"""Of the release folder: rows, manifest, names of files. Raised when a reader of the old one could not read the new one."""
LARGEST = 10_000_000
AUDIT_SPLITS: Mapping[AnnotatorKind, tuple[str, str]] = {
    "human": ("clean", "headline-clean"),
    "model": ("clean-model", "headline-clean-model"),
}
"""Parts of a release that an audit makes, by whose first two labels both match gold: of any row, and of one of the headline.
A release has those of one kind: `AuditUse.annotators`."""
Count = Annotated[int, Field(ge=1, le=LARGEST, strict=True)]
ReleaseName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]


class FamilyQuota(Record):
    """How many probes of one family, and which of those that there are may be taken."""

    count: Count = Field(description="probes")
    kinds: Mapping[str, Count] | None = Field(default=None, description="probes by kind, in all `count`; null: any kind")
    per_screen: Count | None = Field(default=None, description="at most so many of one screen; null: any number")
    screens: Count | None = Field(default=None, description="of exactly so many distinct screens; null: of any number")
    sources: tuple[str, ...] | None = Field(default=None, description="only of these; null: of any")
    sites: tuple[str, ...] | None = Field(
        default=None, min_length=1, exclude_if=lambda sites: sites is None, description="only of these; left out: of any"
    )

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        if faults := [*self._faults_of_kinds(), *self._faults_of_screens()]:
            raise ValueError("; ".join(faults))
        return self

    def _faults_of_kinds(self) -> Iterator[str]:
        if self.kinds is None:
            return
        if self.screens is not None:
            yield "kinds and screens cannot both be asked for"
        if strangers := sorted(self.kinds.keys() - set(KINDS)):
            yield f"kinds: there is no {', '.join(strangers)}. Known: {', '.join(KINDS)}"
        if (total := sum(self.kinds.values())) != self.count:
            yield f"kinds add up to {total}, and count is {self.count}"

    def _faults_of_screens(self) -> Iterator[str]:
        if self.screens is None:
            return
        if self.screens > self.count:
            yield f"{self.screens} screens cannot share {self.count} probes: each needs one"
        if self.per_screen is not None and self.screens * self.per_screen < self.count:
            most = self.screens * self.per_screen
            yield f"{self.screens} screens with at most {self.per_screen} each hold {most} probes, not {self.count}"


class ReleaseSpec(Record):
    """What a release is to hold. The same probes and spec give the same release, on any machine."""

    name: ReleaseName = Field(description="the release's name for good: lower case, digits, '.', '_', '-'")
    title: str = Field(min_length=1, description="for people")
    seed: int = Field(strict=True, description="of the order in which probes are taken")
    made: Literal["take", "leave"] = Field(
        default="take",
        description="probes of screens rendered for tests: take them like others (and say so), or leave them out",
    )
    families: Mapping[str, FamilyQuota] = Field(min_length=1)


class Short(Record):
    """One thing of which there is less than asked for."""

    family: str
    what: Literal["probes", "kind", "screens"]
    kind: str | None = None
    wanted: int
    there: int = Field(description="what can be had with all caps kept")

    def __str__(self) -> str:
        what = f"probes of kind {self.kind}" if self.what == "kind" else self.what
        return f"{self.family}: {self.wanted} {what} wanted, {self.there} there"


class SourceFunnel(Record):
    """How a source's items became screens. Of the crawl, items are captures."""

    read: int
    usable: int
    rejected: Mapping[str, int] = Field(default_factory=dict, description="items by reason (docs/sources)")


class FamilyFunnel(Record):
    """How nodes became probes of the release."""

    drawn: int = Field(description="probes there were to choose from")
    passed_over: Mapping[str, int] = Field(
        default_factory=dict, description="nodes that gave no probe, by reason (docs/families)"
    )
    not_chosen: Mapping[str, int] = Field(default_factory=dict, description="probes that are not in the release, by reason")
    released: int = 0


class Funnel(Record):
    """What was left out on the way to the release, and why: everything is accounted for."""

    sources: Mapping[str, SourceFunnel] = Field(default_factory=dict)
    families: Mapping[str, FamilyFunnel] = Field(default_factory=dict)


class SourceUse(Record):
    """What the release holds of one source, and on what terms."""

    probes: int
    items: int = Field(description="screens that they are of")
    made: int = Field(description="how many of the probes are of screens rendered for tests")
    licence: str = Field(description="SPDX id, or unknown")
    note: str = Field(description="where that is known from")
    redistribution: Redistribution
    homepage: str = ""
    citation: str = ""


class Counts(Record):
    """How many probes, by what they are."""

    total: int
    families: Mapping[str, int]
    kinds: Mapping[str, int] = Field(description="of web-natural")
    sources: Mapping[str, int]
    platforms: Mapping[str, int]
    redistribution: Mapping[str, int]
    splits: Mapping[str, int]
    screens: Mapping[str, int] = Field(description="distinct screens, by family")


class Blobs(Record):
    """The content-addressed files of the release."""

    count: int
    bytes: int


class AuditUse(Record):
    """What an audit says of the rows of a release, as it stood when the release was cut (docs/audit-numbers.md)."""

    name: str = Field(description="of the audit")
    definition: str = Field(description="of the numbers")
    annotators: AnnotatorKind | None = Field(
        default=None, exclude_if=lambda kind: kind is None, description="whose labels make rows clean; left out before audit/2"
    )
    pairs: int | None = Field(
        default=None,
        ge=0,
        exclude_if=lambda pairs: pairs is None,
        description="rows with two labels of these annotators: only these can be clean; left out before audit/2",
    )
    items: int = Field(ge=0, description="rows that were asked about")
    unasked: int = Field(ge=0, description="rows that were not: taken down, not to be shown, or other than the audited ones")
    clean: Mapping[str, int] = Field(description="rows by split that the audit makes: clean, headline-clean, ...")
    tables: Mapping[AnnotatorKind, tuple[Table, ...]] = Field(
        description="over the rows that were asked about; people are numbered, in the order of their names"
    )
    models: Mapping[AnnotatorName, AnsweringModel] = Field(
        default_factory=dict,
        exclude_if=lambda models: not models,
        description="what answered under a model's name; left out where nobody noted it",
    )
    labels: FileRef | None = Field(
        default=None,
        exclude_if=lambda labels: labels is None,
        description="the file with every label that these numbers rest on; left out of releases cut before there was one",
    )


class Manifest(Record):
    """What a release holds: manifest.json. Nothing in it depends on when or where it was written."""

    name: ReleaseName
    title: str
    schema_version: int = SCHEMA_VERSION
    digest: Digest = Field(description="of the release (docs/decisions/0015-release-digest.md)")
    partial: bool = Field(description="true: fewer probes than specified; `shortages` says which")
    shortages: tuple[Short, ...]
    made: int = Field(description="how many of the probes are of screens rendered for tests: no evidence about the world")
    counts: Counts
    sources: Mapping[str, SourceUse]
    blobs: Blobs
    funnel: Funnel
    spec: ReleaseSpec
    files: tuple[FileRef, ...] = Field(description="what the digest is over, beside the blobs; all files: checksums.txt")
    audit: AuditUse | None = Field(
        default=None, exclude_if=lambda audit: audit is None, description="who judged its gold; left out where nobody did"
    )
