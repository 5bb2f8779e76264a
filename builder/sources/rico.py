"""RICO: Android screens, each a picture and the view hierarchy of that moment. The set "UI screenshots and view hierarchies".

Layout, defects and terms: docs/sources/rico.md. Alone it draws no probes: CLAY's labels say what its pixels show (`clay`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from builder.sources import MADE_MARK, Found, Rejected, Terms, Usable
from builder.sources._rico_files import COMBINED, Pair, Stray, ids_in, members, of_archive, of_folder
from builder.sources._rico_screen import VIEW_HIERARCHY, WRONG, screen_of
from domain.errors import BadInput

NAME = "rico"
TITLE = "RICO, UI screenshots and view hierarchies"
TERMS = Terms(
    licence="unknown",
    note="the publisher states none that is known here; dataset cards call it unknown, or research use",
    redistribution="recipe",
    homepage="https://interactionmining.org/rico",
    citation="Deka et al. 2017, Rico: A Mobile App Dataset for Building Data-Driven Design Applications, UIST",
)
FORMAT = VIEW_HIERARCHY
BASE: str | None = None
REASONS = WRONG
EXPECTS = f"the folder {COMBINED}/ of <number>.json and <number>.jpg, the folder it is in, or the archive unique_uis.tar.gz"

_FIRST = 20
"""Members of an archive that are looked at to see whether it is RICO's."""


def find(path: Path, *, base: Path | None = None) -> Found:
    """Looks at the path. Raises BadInput: what was expected, what was found."""
    if base is not None:
        raise BadInput(f"{NAME} stands on no other corpus: leave the base away (given: {base}).")
    if path.is_file():
        return _archive(path)
    if not path.is_dir():
        raise BadInput(f"{path} is not there. Expected: {EXPECTS}.")
    folder = path / COMBINED if (path / COMBINED).is_dir() else path
    ids, other = ids_in(folder)
    if not ids:
        raise BadInput(f"{path} holds no screens of RICO. Expected: {EXPECTS}. Found: {_some(other or _names(path))}.")
    made = any((place / MADE_MARK).is_file() for place in {folder, path, *([path.parent] if path.name == COMBINED else [])})
    return Found(folder, made, items=len(ids) + len([name for name in other if name != MADE_MARK]))


def pairs(found: Found, *, skip: Collection[str] = (), only: Collection[str] | None = None) -> Iterator[Pair | Stray]:
    """The files of every screen, two and two, unread."""
    return (of_archive if found.path.is_file() else of_folder)(found.path, skip=skip, only=only)


def read(found: Found, *, skip: Collection[str] = (), only: Collection[str] | None = None) -> Iterator[Usable | Rejected]:
    """Every screen once: of a folder by number, of the archive as both files have come by. Stray files are rejected."""
    for one in pairs(found, skip=skip, only=only):
        if isinstance(one, Stray):
            yield Rejected(one.name, one.reason, one.detail)
        else:
            yield screen_of(one, source=NAME, made=found.made)


def _archive(path: Path) -> Found:
    seen: list[str] = []
    for name, _ in members(path):
        seen.append(name)
        if len(seen) == _FIRST:
            break
    if not any(name.endswith((".json", ".jpg")) and name.partition(".")[0].isdigit() for name in seen):
        raise BadInput(f"{path} is no archive of RICO's. Expected: {EXPECTS}. Its first files: {_some(seen)}.")
    return Found(path, made=MADE_MARK in seen or (path.parent / MADE_MARK).is_file())


def _names(path: Path) -> list[str]:
    return sorted(entry.name + "/" * entry.is_dir() for entry in path.iterdir())


def _some(names: list[str]) -> str:
    return (", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")) or "nothing"  # noqa: PLR2004
