"""spool: visits that could not be stored before the program ended, as files, until the next start files them.

`<data folder>/spool/<visit>/`: visit.json (the record and the findings by capture) and `<capture's index>/<artifact>` as
they are. A folder has its name only when all of it is on the disk.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import orjson
from pydantic import TypeAdapter

from crawler.evidence import MEDIA_TYPES, Evidence
from crawler.visit import Visited
from domain.divergence import Finding
from domain.visit import CaptureRecord, Visit
from store.clean import clean_json
from store.durable import sync

_HALF, _REFUSED = ".half", ".refused"
_FINDINGS = TypeAdapter(tuple[Finding, ...])


def spool(data_dir: Path, visited: Visited) -> Path:
    """Where the visit is now. Raises OSError where it cannot be written; nothing is left then."""
    place = data_dir / "spool" / visited.visit.id
    half = place.with_name(f"{place.name}-{uuid.uuid4().hex[:8]}{_HALF}")
    half.mkdir(parents=True)
    try:
        for evidence in visited.evidence:
            folder = half / str(evidence.record.index)
            folder.mkdir()
            for name, content in evidence.artifacts.items():
                _write(folder / name, content)
            sync(folder)
        told = {
            "visit": visited.visit.model_dump(exclude={"captures"}),
            "captures": [
                {"record": e.record.model_dump(), "findings": [finding.model_dump() for finding in e.findings]}
                for e in visited.evidence
            ],
        }
        _write(half / "visit.json", orjson.dumps(clean_json(told)))  # as the store would write it
        sync(half)
        if not place.exists():
            half.rename(place)
            sync(place.parent)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return place


def spooled(data_dir: Path) -> Iterator[tuple[Path, Callable[[], Visited | None]]]:
    """Every whole visit in the spool, oldest first, with what reads it; that gives None once the visit is gone."""
    folders = []
    for place in (data_dir / "spool").glob("*"):
        if place.suffix not in {_HALF, _REFUSED}:
            try:
                folders.append((place.stat().st_mtime_ns, place))
            except FileNotFoundError:
                continue
    for _, place in sorted(folders):
        yield place, partial(_read, place)


def take_away(place: Path, *, keep: bool = False) -> Path:
    """The visit is out of the spool: removed, or with keep set aside under another name, which is returned."""
    aside = place.with_name(place.name + (_REFUSED if keep else f"-{uuid.uuid4().hex[:8]}{_HALF}"))
    try:
        place.rename(aside)  # at once, so that nobody finds half of it
    except FileNotFoundError:
        return aside
    if not keep:
        shutil.rmtree(aside, ignore_errors=True)
    return aside


def _read(place: Path) -> Visited | None:
    try:
        told = orjson.loads((place / "visit.json").read_bytes())
        evidence = []
        for one in told["captures"]:
            record = CaptureRecord.model_validate(one["record"])
            found = {path.name: path.read_bytes() for path in (place / str(record.index)).iterdir()}
            artifacts = {name: found[name] for name in MEDIA_TYPES if name in found}
            evidence.append(Evidence(record, _FINDINGS.validate_python(one["findings"]), artifacts, seen=0))
    except FileNotFoundError:
        if place.exists():
            raise
        return None
    return Visited(Visit.model_validate(told["visit"]), tuple(evidence), browser_hurt=False)


def _write(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
