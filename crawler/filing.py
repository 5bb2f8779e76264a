"""filing: a finished visit goes into the store. Blobs first, rows last, one transaction a visit."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.evidence import MEDIA_TYPES
from crawler.visit import Visited
from domain.divergence import Finding
from domain.visit import Visit
from store.blobs import Blobs, StoredBlob
from store.captures import save
from store.database import Database, open_database
from store.settings import StoreSettings, store_settings


@dataclass(frozen=True, slots=True)
class Archive:
    """Where visits are kept."""

    database: Database
    blobs: Blobs

    def close(self) -> None:
        self.database.close()


def open_archive(settings: StoreSettings | None = None) -> Archive:
    """The database and the blobs that the settings name. Raises Unavailable with a remedy."""
    settings = settings or store_settings()
    return Archive(open_database(settings), Blobs(settings.blobs))


def digested(visited: Visited, put: Blobs) -> tuple[Visit, dict[str, tuple[Finding, ...]], list[StoredBlob]]:
    """Puts the artifacts; the record with their digests, the findings by capture, and what was put."""
    stored: list[StoredBlob] = []
    captures = []
    for evidence in visited.evidence:
        blobs = {name: put.put(content, MEDIA_TYPES[name]) for name, content in evidence.artifacts.items()}
        stored += blobs.values()
        captures.append(evidence.record.model_copy(update={"artifacts": {n: b.digest for n, b in blobs.items()}}))
    findings = {evidence.record.id: evidence.findings for evidence in visited.evidence}
    return visited.visit.model_copy(update={"captures": tuple(captures)}), findings, stored


def file(archive: Archive, visited: Visited) -> Visit:
    """The visit as it is stored."""
    visit, findings, stored = digested(visited, archive.blobs)
    save(archive.database, visit, findings, stored)
    return visit
