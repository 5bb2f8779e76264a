"""audit_labels.jsonl: the numbers of the manifest's audit and its splits are worked out again from the labels themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from builder.assembled import LABELS, MANIFEST, ROWS
from builder.verifying.problems import Problem, cut
from domain.audit import AnnotatorKind
from domain.audit_earlier import KNOWN, as_of
from domain.audit_judged import Judged
from domain.audit_labels import ReleasedLabels, judged_again, unpadded
from domain.audit_report import Table, report
from domain.families import HEADLINE
from domain.release import AUDIT_SPLITS, AuditUse, Manifest
from domain.released import ReleasedProbe, canonical

_OF_AUDITS = frozenset(name for names in AUDIT_SPLITS.values() for name in names)


class Labelled:
    """The labels of a release, beside its rows. Those that the manifest does not name are not looked at."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._place, self._audit = folder / LABELS, manifest.audit
        self._lines: dict[str, ReleasedLabels] = {}
        self._judged: list[Judged] = []
        self.problems: list[Problem] = []
        if self._use is not None and self._place.is_file():
            self.problems = list(self._read())

    @property
    def _use(self) -> AuditUse | None:
        return self._audit if self._audit is not None and self._audit.labels is not None else None

    def add(self, row: ReleasedProbe) -> Iterator[Problem]:
        """One row more: whether it is clean follows from its labels."""
        given, use = self._lines.pop(row.id, None), self._use
        if use is None or not self._place.is_file():
            return
        expected: set[str] = set()
        if given is not None:
            try:
                item = judged_again(row, given)
            except ValueError as error:
                yield Problem(file=LABELS, probe=row.id, what="they are no labels", found=cut(error))
                return
            self._judged.append(item)
            if use.annotators is not None and item.confirmed(use.annotators):
                expected = set(AUDIT_SPLITS[use.annotators][: 2 if row.family in HEADLINE else 1])
        if expected != (found := _OF_AUDITS & set(row.splits)):
            what = "its splits are not what its labels come to"
            yield Problem(file=ROWS, probe=row.id, what=what, expected=_listed(expected), found=_listed(found))

    def check(self, hashes: Mapping[str, str]) -> Iterator[Problem]:
        """After the last row: the file, and every number of the manifest that rests on it."""
        yield from self.problems
        use = self._use
        if use is None or use.labels is None:
            if LABELS in hashes:
                yield Problem(file=LABELS, what=f"{MANIFEST} names no labels of an audit")
            return
        if not self._place.is_file():
            yield Problem(file=LABELS, what="the file is missing", expected=use.labels.sha256)
            return
        for name, expected, found in (
            ("name", LABELS, use.labels.name),
            ("sha256", hashes.get(LABELS, ""), use.labels.sha256),
            ("size", self._place.stat().st_size, use.labels.size),
        ):
            if expected != found:
                what = f"audit.labels.{name} is another"
                yield Problem(file=MANIFEST, what=what, expected=str(expected), found=str(found))
        for probe in sorted(self._lines):
            yield Problem(file=LABELS, probe=probe, what="no such row is in the release")
        if use.definition in KNOWN:  # others come out otherwise, and are not ours to work out
            yield from self._numbers(use)

    def _numbers(self, use: AuditUse) -> Iterator[Problem]:
        said = report(use.name, self._judged)
        tables: dict[AnnotatorKind, Sequence[Table]] = {
            one.annotators: as_of(use.definition, unpadded(one.tables)) for one in said.kinds
        }
        splits = Counter(name for item in self._judged for name in _OF_AUDITS & set(item.splits))
        ours: dict[str, Any] = {
            "items": len(self._judged),
            "pairs": sum(one.paired(use.annotators) for one in self._judged) if use.annotators else None,
            "clean": dict(splits),
            "tables": {kind: _by_part(some) for kind, some in tables.items()},
        }
        stated: dict[str, Any] = {
            "items": use.items,
            "pairs": use.pairs,
            "clean": dict(use.clean),
            "tables": {kind: _by_part(some) for kind, some in use.tables.items()},
        }
        for crumb, one, other in _differences(ours, stated, "audit"):
            yield Problem(file=MANIFEST, what=f"{crumb} is not what the labels come to", expected=cut(one), found=cut(other))

    def _read(self) -> Iterator[Problem]:
        last = ""
        for number, line in enumerate(self._place.read_bytes().split(b"\n")[:-1], 1):
            try:
                one = ReleasedLabels.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                crumb = ".".join(map(str, first["loc"]))
                what = f"line {number} is no labels of a row, {crumb}: {first['msg']}"
                yield Problem(file=LABELS, what=what, found=cut(line.decode("utf-8", "replace")))
                continue
            if canonical(one) != line:
                yield Problem(file=LABELS, probe=one.probe, what=f"line {number} is not canonical JSON (RFC 8785)")
            if one.probe <= last:
                yield Problem(file=LABELS, probe=one.probe, what=f"line {number} is not in the order of probes, or there twice")
            last = max(last, one.probe)
            self._lines[one.probe] = one


def _by_part(tables: Sequence[Table]) -> dict[str, Any]:
    return {f"{one.scope} {one.name}": one.model_dump(mode="json") for one in tables}


def _listed(names: Set[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _differences(one: Any, other: Any, crumb: str) -> Iterator[tuple[str, Any, Any]]:
    """Where both differ. Not digit by digit: wherever a number is given, it is the same on every machine."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from _differences(one.get(name), other.get(name), f"{crumb}.{name}")
    elif one != other:
        yield crumb, one, other
