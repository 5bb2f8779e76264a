"""checksums.txt: SHA-256 of every other file of the release, as `sha256sum --check checksums.txt` reads it, sorted by name."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from builder.assembled import CHECKSUMS, Assembled, file_digest


def write(release: Assembled, folder: Path) -> None:
    """Names from the release's folder, '/' between folders. Files are hashed as they lie there."""
    names = sorted(name for name in files_of(folder) if name != CHECKSUMS)
    with ThreadPoolExecutor(release.workers) as pool, (folder / CHECKSUMS).open("w", encoding="utf-8", newline="\n") as out:
        for name, digest in zip(names, pool.map(lambda name: file_digest(folder / name), names), strict=True):
            out.write(f"{digest}  {name}\n")


def files_of(folder: Path) -> Iterator[str]:
    """Names of all files in a folder and below."""
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
