"""Assembled: a release on disk, whole or being written; what every file of it is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from domain.errors import BadInput, NotFound
from domain.release import Manifest
from domain.released import ReleasedProbe

MANIFEST, ROWS, SEVERITY, FUNNEL, CHECKSUMS = "manifest.json", "probes.jsonl", "severity.json", "funnel.json", "checksums.txt"
LABELS = "audit_labels.jsonl"


@dataclass(frozen=True, slots=True)
class Assembled:
    """A release whose rows and blobs lie in `folder`. Neither is held in memory: both are read when asked for.

    severity: what builder/severity.py reports, as JSON; None where there is nothing to compare. workers: threads that may be
    used for making files of it; how many changes nothing in them.
    """

    manifest: Manifest
    folder: Path
    severity: Mapping[str, Any] | None = None
    workers: int = 1

    def rows(self, family: str | None = None) -> Iterator[ReleasedProbe]:
        """Rows in the order of ids; of one family only, where one is named. Raises BadInput at a line that is none."""
        with (self.folder / ROWS).open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if family is not None and not line.count(b'"family":"' + family.encode() + b'"'):
                    continue  # cheap: rows are canonical
                try:
                    row = ReleasedProbe.model_validate_json(line)
                except ValidationError as error:
                    first = error.errors()[0]
                    crumb = ".".join(map(str, first["loc"]))
                    raise BadInput(f"{self.folder / ROWS}, line {number}, {crumb}: {first['msg']}") from None
                if family is None or row.family == family:
                    yield row

    def place(self, digest: str) -> Path:
        """Where the blob with this digest lies, if it is in the release."""
        return self.folder / blob_name(digest)

    def blob(self, digest: str) -> bytes:
        """Content of a blob, not checked. Raises NotFound where it is not in the release, as with a recipe."""
        try:
            return self.place(digest).read_bytes()
        except FileNotFoundError:
            raise NotFound(f"{self.folder} holds no blob {digest}.") from None


def release_digest(rows: Path, blobs: Iterable[str]) -> str:
    """SHA-256 of the file of rows, then of each blob that is in the release its digest and a newline, sorted.

    blobs: digests named by the rows of redistribution "full", each once or more often. docs/decisions/0015-release-digest.md.
    """
    with rows.open("rb") as file:
        total = hashlib.file_digest(file, "sha256")
    for digest in sorted(set(blobs)):
        total.update(f"{digest}\n".encode())
    return total.hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file, 64 hex digits; read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def blob_name(digest: str) -> str:
    """blobs/sha256/<2 digits>/<64 digits>, from the release's folder."""
    return f"blobs/sha256/{digest[:2]}/{digest}"


def blobs_of(row: ReleasedProbe) -> tuple[str, ...]:
    """Digests of all blobs that the row names, sorted: its picture, and its structure in each condition."""
    return tuple(sorted({row.screenshot, *(channels.structure for channels in row.channels.values())}))


def screen_of(row: ReleasedProbe) -> tuple[str, str]:
    """Source and the source's own name of the screen: what one row's picture and structure are. Of the crawl, the capture."""
    return row.provenance.source, row.provenance.screen


def opened(folder: Path) -> Assembled:
    """The release in a folder, its bytes not checked (that is builder/verify.py). Raises BadInput, NotFound."""
    if not (folder / MANIFEST).is_file():
        raise none_in(folder)
    try:
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
        severity = orjson.loads(place.read_bytes()) if (place := folder / SEVERITY).is_file() else None
    except (ValidationError, orjson.JSONDecodeError) as error:
        raise BadInput(f"{folder}: this is no release that this version can read: {error}") from None
    return Assembled(manifest, folder, severity)


def folder_of(given: Path, exported: Path) -> Path:
    """The folder that is meant: where it is no path to anything, the release of this name in `exported`, if there is one."""
    named = exported / given
    return named if not given.exists() and len(given.parts) == 1 and (named / MANIFEST).is_file() else given


def none_in(folder: Path) -> NotFound:
    """That there is no release, to be raised; of what looks like a name, how its folder is had."""
    if folder.exists() or len(folder.parts) > 1:
        what = f"there is no {MANIFEST} in it" if folder.exists() else "there is no such folder"
        return NotFound(f"{folder} holds no release: {what}. To cut one: builder export --release v1")
    return NotFound(
        f"There is no folder {folder} here, and none in the data folder's releases. If a release is frozen under this name "
        "(builder releases), its folder is where it was exported: give its path. To have it anew: the same builder export with "
        f"--to FOLDER, or from the API: curl -f http://127.0.0.1:8000/releases/{folder}/download | tar x"
    )
