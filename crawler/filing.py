"""filing: a finished visit goes into the store. Blobs first, rows last, one transaction a visit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import structlog

from crawler.evidence import MEDIA_TYPES
from crawler.settings import CrawlerSettings
from crawler.spool import spool, spooled, take_away
from crawler.visit import Visited
from crawler.waiting import PATIENCE, Patience, Stop, full, keep
from domain.divergence import Finding
from domain.errors import Unavailable
from domain.visit import Visit
from store.blobs import Blobs, StoredBlob
from store.database import Database, open_database
from store.settings import StoreSettings, store_settings
from store.shelf import filing

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Archive:
    """Where visits are kept."""

    database: Database
    blobs: Blobs
    data_dir: Path | None = None
    """The data folder: for what cannot be stored before the program ends."""

    def close(self) -> None:
        self.database.close()


def open_archive(settings: StoreSettings | None = None) -> Archive:
    """The database and the blobs that the settings name. Raises Unavailable with a remedy."""
    settings = settings or store_settings()
    blobs = Blobs(settings.blobs)
    blobs.check()
    return Archive(open_database(settings), blobs, settings.data_dir.absolute())


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
    """The visit as it is stored. Doing so twice is doing so once. Raises Unavailable, with nothing of it in the tables then."""
    with filing(archive.database) as save:
        visit, findings, stored = digested(visited, archive.blobs)
        save(visit, findings, stored)
    return visit


async def filed(archive: Archive, visited: Visited, stop: Stop, *, patience: Patience = PATIENCE) -> Visit:
    """The visit as it is stored, however long disk, database or S3 cannot be had.

    Where it still cannot be stored 20 s after `stop`, or the task is cancelled, or it fails in another way, the visit is
    written to the spool, which the next start files (`unspool`); the error is raised all the same.
    """
    why = f"visit {visited.visit.id[:12]} to {visited.visit.site}"
    try:
        return await keep(lambda: file(archive, visited), stop=stop, why=why, mend=archive.database.revive, patience=patience)
    except BaseException as error:
        _rescue(archive, visited, error)
        raise


def unspool(archive: Archive) -> int:
    """Files what an earlier program could not store. Returns how many visits; several processes may do so at once.

    What the store refuses for another reason than being unavailable is set aside, as `<visit>.refused`, and told.
    Raises Unavailable; what is not filed stays in the spool.
    """
    if archive.data_dir is None:
        return 0
    count = 0
    for folder, read in spooled(archive.data_dir):
        try:
            visited = read()
            if visited is None:  # another process has filed it meanwhile
                continue
            file(archive, visited)
        except Unavailable:
            raise
        except Exception as error:
            aside = take_away(folder, keep=True)
            log.exception("visit.refused", visit=folder.name, kept=str(aside), reason=f"{type(error).__name__}: {error}")
            continue
        take_away(folder)
        count += 1
        log.info("visit.unspooled", visit=visited.visit.id, site=visited.visit.site)
    return count


def room(archive: Archive, settings: CrawlerSettings) -> str | None:
    """Why no new visit should begin, in a sentence: a disk is nearly full. None while there is room."""
    places = [place for place in (archive.blobs.folder, archive.data_dir) if place is not None]
    return full(tuple(places), settings.least_free_mb)


def _rescue(archive: Archive, visited: Visited, error: BaseException) -> None:
    reason = f"{type(error).__name__}: {error}"
    told = {"visit": visited.visit.id, "site": visited.visit.site, "reason": reason}
    if archive.data_dir is None:
        log.critical("visit.lost", **told, spool="none: the archive has no data folder")
        return
    try:
        place = spool(archive.data_dir, visited)
    except (OSError, ValueError) as failed:
        log.critical("visit.lost", **told, spool=str(failed))
    else:
        log.warning("visit.spooled", **told, place=str(place))
