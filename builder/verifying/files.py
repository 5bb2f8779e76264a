"""Every file of a release is the one that checksums.txt names, and no other is there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from builder.assembled import CHECKSUMS, FUNNEL, MANIFEST, ROWS, file_digest
from builder.formats.card import CARD
from builder.formats.croissant import CROISSANT
from builder.formats.plots import COMPOSITION
from builder.formats.schema import PLACE as SCHEMA
from builder.verifying.problems import Problem, cut

NEEDED = frozenset({MANIFEST, ROWS, FUNNEL, CHECKSUMS, CARD, CROISSANT, COMPOSITION, SCHEMA})
"""Files that every release has, whatever is in it."""
LINE = re.compile(r"([0-9a-f]{64})  (.+)")
Tick = Callable[[], None]


def check_files(folder: Path, hashes: dict[str, str], tick: Tick) -> Iterator[Problem]:
    """Missing, added and changed files. Fills `hashes` with path -> SHA-256 of every file as it lies there."""
    listed: dict[str, str] = {}
    if (folder / CHECKSUMS).is_file():
        yield from _read_list(folder, listed)
    else:
        yield Problem(file=CHECKSUMS, what="the file is missing")
    there = sorted(_walk(folder, ""))
    for path, linked in there:
        if linked:
            yield Problem(file=path, what="it is a link, and a release holds its files itself")
            continue
        hashes[path] = file_digest(folder / path)
        tick()
        if path == CHECKSUMS or CHECKSUMS not in dict(there):
            continue
        if path not in listed:
            yield Problem(file=path, what=f"the file is not in {CHECKSUMS}")
        elif listed[path] != hashes[path]:
            yield Problem(file=path, what="the content was changed", expected=listed[path], found=hashes[path])
    for path in sorted(({*listed, *NEEDED} - dict(there).keys()) - {CHECKSUMS}):
        yield Problem(file=path, what="the file is missing", expected=listed.get(path, ""))


def _read_list(folder: Path, listed: dict[str, str]) -> Iterator[Problem]:
    """checksums.txt as sha256sum writes it: digest, two blanks, path; sorted by path, none twice."""
    content = (folder / CHECKSUMS).read_bytes()
    if content and not content.endswith(b"\n"):
        yield Problem(file=CHECKSUMS, what="the last line has no end")
    last = ""
    for number, line in enumerate(content.decode("utf-8", "replace").split("\n")[: -1 if content.endswith(b"\n") else None], 1):
        match = LINE.fullmatch(line)
        path = match[2] if match else ""
        if match is None or path.startswith("/") or ".." in path.split("/"):
            yield Problem(file=CHECKSUMS, what=f"line {number} is no checksum of a file of the release", found=cut(line))
            continue
        if path <= last:
            yield Problem(
                file=CHECKSUMS, what=f"line {number} is not in the order of paths", expected=f"after {last}", found=path
            )
        listed[path] = match[1]
        last = max(last, path)


OTHERS = frozenset({".git", ".gitattributes", ".cache"})
"""What programs that fetch releases leave at the top of a folder: not the release's, and not looked at."""


def _walk(folder: Path, within: str) -> Iterator[tuple[str, bool]]:
    """(path from the folder, whether it is a link) of all that is no folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not within and entry.name in OTHERS:
                continue
            path = f"{within}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(Path(entry.path), f"{path}/")
            else:
                yield path, entry.is_symlink()
