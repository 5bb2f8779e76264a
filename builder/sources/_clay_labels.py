"""CLAY's rows in memory: 9 bytes a row, found by screen. What is wrong with rows is counted, with the first lines named."""

from __future__ import annotations

import csv
import hashlib
from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from domain.errors import BadInput
from domain.probe import FileRef

FILE = "clay_labels.csv"
COLUMNS = ("screen_id", "node_id", "label")
MAP_FILE = "label_map.txt"
SPLIT_FILES = {"train": "split_train_id.txt", "dev": "split_dev_id.txt", "test": "split_test_id.txt"}
NAMES: Mapping[int, str] = dict(
    enumerate(
        (
            "ROOT", "BACKGROUND", "IMAGE", "PICTOGRAM", "BUTTON", "TEXT", "LABEL", "TEXT_INPUT", "MAP", "CHECK_BOX", "SWITCH",
            "PAGER_INDICATOR", "SLIDER", "RADIO_BUTTON", "SPINNER", "PROGRESS_BAR", "ADVERTISEMENT", "DRAWER", "NAVIGATION_BAR",
            "TOOLBAR", "LIST_ITEM", "CARD_VIEW", "CONTAINER", "DATE_PICKER", "NUMBER_STEPPER",
        ),
        start=-1,
    )
)  # fmt: skip
"""label_map.txt as it is published. 0, BACKGROUND, is the invalid one; -1, ROOT, is a valid node."""

LARGEST_ID = 2**31 - 1
LARGEST_POINTER = 2**32 - 1
SHOWN = 3
"""Lines of each fault that are named."""
FAULTS: Mapping[str, str] = {
    "glued": "has more than three fields: two lines without the newline between them",
    "short": "has fewer than three fields",
    "screen": "has a screen that is no number",
    "pointer": "has a node that is no pointer (hexadecimal digits, perhaps behind <traversal>|)",
    "unknown-label": "has a label that the label map does not have",
    "again": "says again what a line before it says",
    "contradicts": "gives a node another label than a line before it: the node has none then",
}
"""Why a line does not count; docs/sources/clay.md."""


@dataclass(frozen=True, slots=True)
class Labels:
    """All rows that count, by screen. file: the CSV. rows: lines below the header. faults: lines by code of FAULTS."""

    file: FileRef
    rows: int
    faults: Mapping[str, int]
    lines: Mapping[str, tuple[int, ...]]
    _screens: Any
    _starts: Any
    _pointers: Any
    _labels: Any

    def screens(self) -> list[int]:
        """Numbers of the screens that have rows, ascending."""
        found: list[int] = self._screens.tolist()
        return found

    def of(self, screen: int) -> dict[str, str]:
        """Pointer -> name of the label. A node with two labels has none; empty for a screen without rows."""
        at = int(np.searchsorted(self._screens, screen))
        if at == len(self._screens) or self._screens[at] != screen:
            return {}
        rows = slice(int(self._starts[at]), int(self._starts[at + 1]))
        found: dict[str, str] = {}
        torn = set()
        for pointer, label in zip(self._pointers[rows].tolist(), self._labels[rows].tolist(), strict=True):
            key, name = f"{pointer:x}", NAMES[label]
            if found.setdefault(key, name) != name:
                torn.add(key)
        for key in torn:
            del found[key]
        return found


def read_labels(path: Path, names: Mapping[int, str] = NAMES) -> Labels:
    """The rows of clay_labels.csv. Raises BadInput where the header is another one, or no row counts.

    About 9 bytes a row stay in memory, and 30 a row while they are sorted.
    """
    columns = array("i"), array("I"), array("b")
    faults: Counter[str] = Counter()
    lines: dict[str, list[int]] = {}
    known = {str(number): number for number in names}
    rows = 0
    hashed = hashlib.sha256()
    with path.open("rb") as file:
        order = _header(file.readline(), path, hashed)
        for rows, line in enumerate(file, start=1):
            hashed.update(line)
            fields = line.decode("utf-8", "replace").strip().split(",")
            fault = ""
            if len(fields) != len(COLUMNS) or '"' in fields[0] + fields[1]:
                fields = next(csv.reader([",".join(fields)]), [])
                fault = "glued" if len(fields) > len(COLUMNS) else "short" if len(fields) < len(COLUMNS) else ""
            if not fault:
                fault = _take(fields, order, known, columns)
            if fault:
                faults[fault] += 1
                if faults[fault] <= SHOWN:
                    lines.setdefault(fault, []).append(rows + 1)
        size = file.tell()
    if not columns[0]:
        raise BadInput(f"{path}: none of {rows:,} lines is a row of screen, node and label{_told(faults, lines)}.")
    return _sorted(FileRef(name=FILE, size=size, sha256=hashed.hexdigest()), rows, faults, lines, columns)


def _header(line: bytes, path: Path, hashed: Any) -> tuple[int, int, int]:
    """Where the columns are."""
    hashed.update(line)
    found = [name.strip().strip('"') for name in line.decode("utf-8-sig", "replace").split(",")]
    if sorted(found) != sorted(COLUMNS):
        raise BadInput(f"{path} begins with {line[:80].decode('utf-8', 'replace').strip()!r}. Expected: {','.join(COLUMNS)}.")
    screen, node, label = (found.index(name) for name in COLUMNS)
    return screen, node, label


def _take(fields: list[str], order: tuple[int, int, int], known: Mapping[str, int], columns: tuple[Any, Any, Any]) -> str:
    """Takes the row; empty, or what is wrong with it."""
    screen, node, label = fields[order[0]], fields[order[1]], fields[order[2]]
    if not (screen.isdecimal() and screen.isascii() and int(screen) <= LARGEST_ID):
        return "screen"
    try:
        pointer = int(node.rpartition("|")[2], 16)
    except ValueError:
        return "pointer"
    if not 0 <= pointer <= LARGEST_POINTER:
        return "pointer"
    number = known.get(label)
    if number is None:
        return "unknown-label"
    columns[0].append(int(screen))
    columns[1].append(pointer)
    columns[2].append(number)
    return ""


def _sorted(
    file: FileRef, rows: int, faults: Counter[str], lines: dict[str, list[int]], columns: tuple[Any, Any, Any]
) -> Labels:
    """By screen, rows of one screen in the file's order; repeated and contradicting rows are counted."""
    screens = np.frombuffer(columns[0], dtype=np.int32)
    order = np.argsort(screens, kind="stable")
    if np.array_equal(order, np.arange(len(order))):
        pointers, labels = (np.frombuffer(c, dtype=t) for c, t in zip(columns[1:], (np.uint32, np.int8), strict=True))
    else:
        screens = screens[order]
        pointers = np.frombuffer(columns[1], dtype=np.uint32)[order]
        labels = np.frombuffer(columns[2], dtype=np.int8)[order]
    del order
    numbers, starts = np.unique(screens, return_index=True)
    starts = np.append(starts, len(screens))
    for at in range(len(numbers)):
        inside = slice(starts[at], starts[at + 1])
        here = pointers[inside]
        distinct = len(set(here.tolist()))
        if distinct != len(here):
            pairs = len(set(zip(here.tolist(), labels[inside].tolist(), strict=True)))
            faults["again"] += len(here) - pairs
            faults["contradicts"] += pairs - distinct
    told = {fault: count for fault, count in faults.items() if count}
    return Labels(file, rows, told, {fault: tuple(at) for fault, at in lines.items()}, numbers, starts, pointers, labels)


def _told(faults: Mapping[str, int], lines: Mapping[str, Any]) -> str:
    return "".join(f"; {told}" for told in told_faults(faults, lines))


def told_faults(faults: Mapping[str, int], lines: Mapping[str, Any]) -> list[str]:
    """One phrase a fault: how many lines, what is wrong, which the first are."""
    told = []
    for fault, what in FAULTS.items():
        if faults.get(fault):
            first = ", ".join(str(line) for line in lines.get(fault, ()))
            told.append(f"{faults[fault]:,} x a line {what}" + (f" (first: {first})" if first else ""))
    return told


def read_names(folder: Path) -> bool:
    """Whether label_map.txt is there; it must be the published one. Raises BadInput: which line differs."""
    path = folder / MAP_FILE
    if not path.is_file():
        return False
    found: dict[int, str] = {}
    for number, line in enumerate(path.read_text("utf-8-sig", "replace").splitlines(), start=1):
        if not line.strip():
            continue
        key, _, name = line.partition(":")
        try:
            found[int(key)] = name.strip()
        except ValueError as error:
            raise BadInput(f"{path}, line {number}: {line!r} is not <number>: <NAME>.") from error
    apart = sorted(key for key in {*found, *NAMES} if found.get(key) != NAMES.get(key))
    if apart:
        told = ", ".join(f"{key} is {found.get(key, 'not there')}, expected {NAMES.get(key, 'none')}" for key in apart[:5])
        raise BadInput(f"{path} is not the published label map: {told}. Labels would mean something else; nothing was read.")
    return True


def read_splits(folder: Path) -> dict[str, str]:
    """Screen -> train, dev or test, of those split files that are there. No newline at the end is how they are published."""
    splits: dict[str, str] = {}
    for name, file in SPLIT_FILES.items():
        path = folder / file
        if path.is_file():
            splits |= dict.fromkeys(path.read_text("utf-8-sig", "replace").split(), name)
    return splits
