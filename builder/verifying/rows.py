"""probes.jsonl: every line is the one way to write its row, in the order of ids, and agrees with the manifest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from builder.assembled import ROWS
from builder.rows import splits_of
from builder.verifying.problems import Problem, cut
from domain.families import HEADLINE
from domain.made import is_made
from domain.release import AUDIT_SPLITS, Manifest
from domain.released import ReleasedProbe, canonical

_OF_AUDITS = frozenset(name for names in AUDIT_SPLITS.values() for name in names)


def read_rows(folder: Path) -> Iterator[ReleasedProbe | Problem]:
    """Every row, and what is wrong with the lines; a line that is no row is a problem only. One line is held at a time."""
    last, ended = "", True
    with (folder / ROWS).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            ended = line.endswith(b"\n")
            content = line.removesuffix(b"\n")
            try:
                row = ReleasedProbe.model_validate_json(content)
            except ValidationError as error:
                yield from _faults(number, error)
                continue
            if (written := canonical(row)) != content:
                at = next((i for i, pair in enumerate(zip(written, content, strict=False)) if pair[0] != pair[1]), len(written))
                yield Problem(
                    file=ROWS,
                    probe=row.id,
                    what=f"line {number} is not canonical JSON (RFC 8785) from byte {at}",
                    expected=cut(written[at : at + 60].decode("utf-8", "replace")),
                    found=cut(content[at : at + 60].decode("utf-8", "replace")),
                )
            if row.id <= last:
                what = "the id is there twice" if row.id == last else "the row is not in the order of ids"
                yield Problem(file=ROWS, probe=row.id, what=f"line {number}: {what}", expected=f"after {last}")
            last = max(last, row.id)
            yield row
    if not ended:
        yield Problem(file=ROWS, what="the last line has no end")


def check_labels(row: ReleasedProbe, manifest: Manifest) -> Iterator[Problem]:
    """What the row says of the release and of how real it is."""
    came = row.provenance
    for name, expected, found in (
        ("release", manifest.name, row.release),
        ("partial", manifest.partial, row.partial),
        ("made", is_made(came), row.made),
        ("splits", list(splits_of(row, _of_audit(row, manifest))), list(row.splits)),
    ):
        if expected != found:
            what = f"{name} is not as it should be"
            yield Problem(file=ROWS, probe=row.id, what=what, expected=str(expected), found=str(found))
    use = manifest.sources.get(came.source)
    if row.made and row.redistribution != "full":
        what = "a probe of a made screen is nobody else's, and shipped in full"
        yield Problem(file=ROWS, probe=row.id, what=what, expected="full", found=row.redistribution)
    elif use is not None and use.redistribution != row.redistribution and not row.made:
        yield Problem(
            file=ROWS,
            probe=row.id,
            what=f"redistribution is not the one of {came.source} in the manifest",
            expected=use.redistribution,
            found=row.redistribution,
        )


def _of_audit(row: ReleasedProbe, manifest: Manifest) -> set[str]:
    """The splits by an audit that the row may have: what it says, where the manifest has one; both of each kind, or none."""
    if manifest.audit is None:
        return set()
    stated = _OF_AUDITS & set(row.splits)
    return {
        name for names in AUDIT_SPLITS.values() if stated & set(names) for name in names[: 2 if row.family in HEADLINE else 1]
    }


def _faults(number: int, error: ValidationError) -> Iterator[Problem]:
    for one in error.errors():
        crumb = ".".join(map(str, one["loc"]))
        yield Problem(
            file=ROWS,
            what=f"line {number} is no row{f', {crumb}' if crumb else ''}: {one['msg'].removeprefix('Value error, ')}",
            found=cut(repr(one["input"])),
        )
