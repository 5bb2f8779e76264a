"""Keeping: what goes into the store with a release, so that it can be handed out as it was frozen."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from builder.assembled import CHECKSUMS, MANIFEST, blob_name, file_digest
from builder.formats.checksums import files_of
from builder.formats.croissant import CROISSANT
from builder.formats.schema import PLACE as SCHEMA
from builder.write import Staging
from domain.release import Manifest
from store.blobs import Blobs
from store.release_files import Kept

_BLOBS = "blobs/"
_NAMED = {CROISSANT: "application/ld+json", SCHEMA: "application/schema+json"}
_ENDINGS = {
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
}


def kept(blobs: Blobs, staged: Staging, folder: Path, workers: int) -> Iterator[Kept]:
    """Puts everything that rows name, what is not in the release too, and every document in `folder`; says which.

    Large files are not held in memory. Call it while nobody removes blobs (store/shelf.py).
    """

    def blob(digest: str) -> Kept:
        put = blobs.put(staged.content(digest), staged.media[digest])
        return Kept(put, blob_name(digest) if digest in staged.full else None)

    def document(name: str) -> Kept:
        return Kept(blobs.put_file(folder / name, media_type(name)), name)

    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(blob, sorted(staged.media))
        yield from pool.map(document, documents_in(folder))


def documents_in(folder: Path) -> list[str]:
    """Names of all files of a release but its blobs, sorted: where it has checksums, those that they name, and they."""
    sums = _checksums(folder)
    names = [*sums, CHECKSUMS] if sums else list(files_of(folder))
    return sorted(name for name in names if not name.startswith(_BLOBS))


def untouched(place: Path, manifest: Manifest) -> bool:
    """Whether the documents at the place are of this manifest and as their checksums say."""
    sums = _checksums(place)
    try:
        same = Manifest.model_validate_json((place / MANIFEST).read_bytes()) == manifest
        return same and all(file_digest(place / name) == sums.get(name) for name in documents_in(place) if name != CHECKSUMS)
    except (OSError, ValueError):
        return False


def media_type(name: str) -> str:
    """Of a document of a release, by its name."""
    return _NAMED.get(name) or _ENDINGS.get(PurePosixPath(name).suffix, "application/octet-stream")


def _checksums(folder: Path) -> dict[str, str]:
    """Name -> SHA-256 as checksums.txt has them; empty where there is none. What leads out of the folder is not named."""
    if not (folder / CHECKSUMS).is_file():
        return {}
    lines = (folder / CHECKSUMS).read_text("utf-8", "replace").splitlines()
    pairs = (line.split("  ", 1) for line in lines if "  " in line)
    return {name: digest for digest, name in pairs if not name.startswith("/") and ".." not in name.split("/")}
