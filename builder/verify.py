"""verify: a release folder, checked to the last byte. Needs no database and no network; of each row about 5 kB are held."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from builder.assembled import MANIFEST, ROWS, none_in, opened
from builder.formats.croissant import parquet_files
from builder.threads import in_threads
from builder.verifying.audit_labels import Labelled
from builder.verifying.channels import Channels, check_edit, check_picture
from builder.verifying.counts import Whole, check_digest
from builder.verifying.documents import check_card, check_croissant, check_schema
from builder.verifying.files import check_files
from builder.verifying.problems import Problem
from builder.verifying.rows import check_labels, read_rows
from builder.verifying.severities import Pairs
from builder.verifying.tables import TableRow, Tables, check_content
from domain.errors import BadInput
from domain.release import Manifest
from domain.released import ReleasedProbe

Tick = Callable[[], None]


def verify(folder: Path, *, workers: int = 1, tick: Tick = lambda: None) -> list[Problem]:
    """All problems of the release, in the order of files; none: it is what its makers cut.

    workers: threads; how many changes nothing but the time. tick: called for each file and each row. Raises NotFound where
    there is no folder, or no manifest in it.
    """
    if not (folder / MANIFEST).is_file():
        raise none_in(folder)
    found = list(_problems(folder, workers, tick))
    return sorted(found, key=lambda problem: (problem.file, problem.probe or "", problem.what))


def _problems(folder: Path, workers: int, tick: Tick) -> Iterator[Problem]:
    hashes: dict[str, str] = {}
    of_files = list(check_files(folder, hashes, tick))
    yield from of_files
    try:
        manifest = opened(folder).manifest
    except BadInput as error:
        yield Problem(file=MANIFEST, what="it cannot be read", found=str(error))
        return
    if not (folder / ROWS).is_file():
        return  # said above: without rows there is nothing to compare
    channels = Channels(folder, hashes, {one.file for one in of_files})
    checks = _Checks(manifest, Whole(), channels, Tables(folder), Pairs(), Labelled(folder, manifest))
    for found in in_threads(_work(folder, checks), workers):
        yield from found
        tick()
    whole = checks.whole
    yield from checks.tables.end()
    yield from channels.end()
    yield from whole.check(manifest, folder, channels.full)
    yield from check_digest(manifest, folder, hashes, channels.full)
    yield from checks.pairs.check(folder)
    yield from checks.labelled.check(hashes)
    yield from check_schema(folder, manifest)
    yield from check_croissant(folder, hashes, whole.families)
    yield from check_card(folder, manifest, dict(parquet_files(folder)))


@dataclass(frozen=True, slots=True)
class _Checks:
    """What every row goes through."""

    manifest: Manifest
    whole: Whole
    channels: Channels
    tables: Tables
    pairs: Pairs
    labelled: Labelled


def _work(folder: Path, checks: _Checks) -> Iterator[Callable[[], list[Problem]]]:
    """Rows are read, counted and paired with those of the tables one after another; what takes long is done in threads."""
    for row in read_rows(folder):
        if isinstance(row, Problem):
            yield partial(list, [row])
            continue
        checks.whole.add(row)
        checks.pairs.add(row)
        problems = [*check_labels(row, checks.manifest), *checks.labelled.add(row), *checks.channels.check(row)]
        there = checks.tables.take(row, problems)
        yield partial(_contents, checks.channels, row, there, problems)


def _contents(channels: Channels, row: ReleasedProbe, there: TableRow | None, problems: list[Problem]) -> list[Problem]:
    """What asks for the bytes of blobs. problems: those of this row that are known already."""
    picture, structures = channels.contents(row)
    problems += check_edit(row, structures)
    problems += check_picture(row, picture)
    if there is not None and channels.settled(row):
        problems += check_content(row, there, picture, structures)
    return problems
