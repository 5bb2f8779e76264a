"""CLAY: what people said each view of 59,555 RICO screens is, or that nothing valid is there. Read with RICO as its base.

Joined by pointer; what the labels mean, how well they match, terms: docs/sources/clay.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path

from builder.sources import MADE_MARK, Found, Rejected, Terms, Usable, rico
from builder.sources._clay_labels import COLUMNS, FILE, Labels, read_labels, read_names, read_splits, told_faults
from builder.sources._rico_files import Stray
from builder.sources._rico_screen import VIEW_HIERARCHY, WRONG, screen_of
from domain.errors import BadInput

NAME = "clay"
TITLE = "CLAY, labels on RICO's view hierarchies"
TERMS = Terms(
    licence="unknown",
    note="the repository states none; a third party says CC-BY-4.0 by way of the paper; the screens are RICO's",
    redistribution="recipe",
    homepage="https://github.com/google-research-datasets/clay",
    citation="Li et al. 2022, Learning to Denoise Raw Mobile UI Layouts for Improving Datasets at Scale, CHI",
)
EXPECTS = f"{FILE} ({','.join(COLUMNS)}) or the folder it is in, and RICO as its base"
FORMAT = VIEW_HIERARCHY
BASE: str | None = "rico"
REASONS: Mapping[str, str] = {
    **{reason: told for reason, told in WRONG.items() if reason not in {"odd-name", "same-name"}},
    "not-in-rico": "CLAY has labels for it, and the base has no such screen",
    "labels-do-not-match": "less than half of its labels name a view of the screen's hierarchy",
}
MIN_MATCH = 0.5
"""Of a screen's labels that must name one of its views."""
REFUSED_BELOW = 0.05
"""Of the labels of the first screens: a file that matches less is of another numbering."""
TRIED = 200
"""Screens on which the match is tried before anything is read."""


def find(path: Path, *, base: Path | None = None) -> Found:
    """Reads the labels and tries them on the base's first screens. Raises BadInput: what was expected, what was found.

    notes: how many rows do not count and why, how many labels match.
    """
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        there = f"{path} holds no {FILE}" if path.is_dir() else f"{path} is not there"
        raise BadInput(f"{there}. Expected: {EXPECTS}.")
    if base is None:
        raise BadInput(f"CLAY labels RICO's screens: ingest RICO first, or give its path with --base. Expected: {EXPECTS}.")
    stands_on = rico.find(base)
    named = read_names(file.parent)
    labels = _labels(file)
    made = stands_on.made or (file.parent / MADE_MARK).is_file()
    notes = [f"{labels.rows:,} rows on {len(labels.screens()):,} screens"]
    notes += told_faults(labels.faults, labels.lines)
    if not named:
        notes.append("no label_map.txt beside it: the published map is taken")
    notes.append(_tried(stands_on, labels, file))
    return Found(file, made, items=len(labels.screens()), base=base, notes=tuple(notes))


def read(found: Found, *, skip: Collection[str] = (), only: Collection[str] | None = None) -> Iterator[Usable | Rejected]:
    """Every screen that has labels, in the base's order; at the end those that the base does not have, by number."""
    if found.base is None:
        raise BadInput(f"CLAY labels RICO's screens: ingest RICO first, or give its path with --base. Expected: {EXPECTS}.")
    labels, splits = _labels(found.path), read_splits(found.path.parent)
    wanted = {str(screen) for screen in labels.screens()}.difference(skip)
    if only is not None:
        wanted.intersection_update(only)
    missing = set(wanted)
    for pair in rico.pairs(rico.find(found.base), only=frozenset(wanted)) if wanted else ():
        if isinstance(pair, Stray):
            continue  # RICO's funnel tells of it
        missing.discard(pair.item)
        rows = labels.of(int(pair.item))
        one = screen_of(pair, source=NAME, made=found.made, labels=rows, files=(labels.file,), split=splits.get(pair.item, ""))
        yield _matched(one, rows) if isinstance(one, Usable) else one
    for item in sorted(missing, key=int):
        yield Rejected(item, "not-in-rico", f"{len(labels.of(int(item)))} labels", (labels.file,))


def _matched(one: Usable, rows: Mapping[str, str]) -> Usable | Rejected:
    match = sum(node.label is not None for node in one.screen.nodes)
    if match >= MIN_MATCH * len(rows):
        return one
    detail = f"{match} of {len(rows)} labels name one of {len(one.screen.nodes)} views"
    return Rejected(one.screen.item, "labels-do-not-match", detail, one.screen.files)


def _tried(stands_on: Found, labels: Labels, file: Path) -> str:
    """How many labels match on the base's first screens. Raises BadInput where next to none do."""
    screens = {str(screen) for screen in labels.screens()}
    match = rows = tried = 0
    least = (1.0, "")
    seen = 0
    for one in islice(rico.read(stands_on), TRIED):
        seen += 1
        if isinstance(one, Usable) and one.screen.item in screens:
            named = labels.of(int(one.screen.item))
            here = sum(node.key in named for node in one.screen.nodes)
            match, rows, tried = match + here, rows + len(named), tried + 1
            least = min(least, (here / len(named) if named else 1.0, one.screen.item))
    if not tried:
        raise BadInput(
            f"{file}: none of RICO's first {seen} screens has labels. Is {stands_on.path} the RICO that CLAY labels?"
        )
    if match < REFUSED_BELOW * rows:
        raise BadInput(
            f"{file} does not match {stands_on.path}: {match:,} of {rows:,} labels on {tried} screens name a view by its "
            "pointer. Is it CLAY's file, and this the RICO that it labels?"
        )
    told = f"{match:,} of {rows:,} labels ({match / rows:.1%}) on {tried} screens tried name a view"
    return told + (f"; least on screen {least[1]}: {least[0]:.1%}" if least[1] else "")


def _labels(file: Path) -> Labels:
    stat = file.stat()
    return _read_once(file, stat.st_size, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=1)
def _read_once(file: Path, *_: int) -> Labels:
    """Finding, reading and exporting ask for the same file: it is read again only where it changed."""
    return read_labels(file)
