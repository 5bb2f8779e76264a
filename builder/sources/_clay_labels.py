"""CLAY's rows in memory: 5 bytes a row, found by screen. What is wrong with rows is counted, with the first lines named."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
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
CHUNK = 1024**2
"""Bytes that are looked at at once: all their lines are right, as a rule."""
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


Columns = tuple["array[int]", "array[int]", "array[int]"]
TYPES = (np.int32, np.uint32, np.int8)
_POINTER = re.compile(rb"(?:[0-9.]*\|)?[0-9a-fA-F]{1,8}")
_ROWS = re.compile(rb"(?:[0-9]{1,10},(?:[0-9.]*\|)?[0-9a-fA-F]{1,8},-?[0-9]{1,3}\n)*+")
_TRAVERSAL = re.compile(rb"[0-9.]*\|")


@dataclass(frozen=True, slots=True)
class Labels:
    """All rows that count, by screen. file: the CSV. rows: lines below the header. faults: lines by code of FAULTS."""

    file: FileRef
    rows: int
    faults: Mapping[str, int]
    lines: Mapping[str, tuple[int, ...]]
    _screens: Any
    _starts: Any
    _ends: Any
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
        rows = slice(int(self._starts[at]), int(self._ends[at]))
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

    5 bytes a row stay in memory. While it is read 10 are needed, and 20 where rows of one screen are not together.
    """
    columns: Columns = (array("i"), array("I"), array("b"))
    faults: Counter[str] = Counter()
    lines: dict[str, list[int]] = {}
    known = {str(number).encode(): number for number in names}
    rows = 0
    hashed = hashlib.sha256()
    with path.open("rb") as file:
        order = _header(file.readline(), path, hashed)
        while chunk := file.read(CHUNK) + file.readline():
            hashed.update(chunk)
            if order != (0, 1, 2) or not _take_all(chunk, known, columns):
                for rows_here, line in enumerate(chunk.splitlines(), start=rows + 2):
                    if fault := _take(line, order, known, columns):
                        faults[fault] += 1
                        if faults[fault] <= SHOWN:
                            lines.setdefault(fault, []).append(rows_here)
            rows += chunk.count(b"\n") + (not chunk.endswith(b"\n"))
        size = file.tell()
    if not columns[0]:
        raise BadInput(f"{path}: none of {rows:,} lines is a row of screen, node and label{_told(faults, lines)}.")
    return _grouped(FileRef(name=FILE, size=size, sha256=hashed.hexdigest()), rows, faults, lines, columns)


def _header(line: bytes, path: Path, hashed: Any) -> tuple[int, int, int]:
    """Where the columns are."""
    hashed.update(line)
    found = [name.strip().strip('"') for name in line.decode("utf-8-sig", "replace").split(",")]
    if sorted(found) != sorted(COLUMNS):
        raise BadInput(f"{path} begins with {line[:80].decode('utf-8', 'replace').strip()!r}. Expected: {','.join(COLUMNS)}.")
    screen, node, label = (found.index(name) for name in COLUMNS)
    return screen, node, label


def _take_all(chunk: bytes, known: Mapping[bytes, int], columns: Columns) -> bool:
    """Takes all rows of the chunk, if each of its lines is as it should be; else takes none and says so."""
    chunk = chunk.replace(b"\r\n", b"\n")
    if not chunk.endswith(b"\n"):
        chunk += b"\n"
    if _ROWS.fullmatch(chunk) is None:
        return False
    if b"|" in chunk:
        chunk = _TRAVERSAL.sub(b"", chunk)
    fields = chunk.replace(b"\n", b",").split(b",")
    fields.pop()
    try:
        labels = array("b", map(known.__getitem__, fields[2::3]))
        screens = array("i", map(int, fields[0::3]))
    except (KeyError, OverflowError):
        return False
    for column, taken in zip(columns, (screens, array("I", map(int, fields[1::3], repeat(16))), labels), strict=True):
        column.extend(taken)
    return True


def _take(line: bytes, order: tuple[int, int, int], known: Mapping[bytes, int], columns: Columns) -> str:
    """Takes the row; empty, or what is wrong with it."""
    fields = [field.strip().strip(b'"') for field in line.split(b",")]
    if len(fields) != len(COLUMNS):
        return "glued" if len(fields) > len(COLUMNS) else "short"
    screen, node, label = (fields[at] for at in order)
    if not screen.isdigit() or int(screen) > LARGEST_ID:
        return "screen"
    if _POINTER.fullmatch(node) is None:
        return "pointer"
    if label not in known:
        return "unknown-label"
    for column, value in zip(columns, (int(screen), int(node.rpartition(b"|")[2], 16), known[label]), strict=True):
        column.append(value)
    return ""


def _grouped(file: FileRef, rows: int, faults: Counter[str], lines: dict[str, list[int]], columns: Columns) -> Labels:
    """By screen, rows of one screen in the file's order; rows that say something again or otherwise are counted."""
    screens, pointers, labels = (np.frombuffer(c, dtype=t) for c, t in zip(columns, TYPES, strict=True))
    starts = _starts(screens)
    if len(np.unique(screens[starts])) != len(starts):  # rows of one screen are not together
        order = np.argsort(screens, kind="stable")
        screens, pointers, labels = screens[order], pointers[order], labels[order]
        starts = _starts(screens)
    numbers, ends = screens[starts], np.append(starts[1:], len(screens))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        here = pointers[start:end].tolist()
        distinct = len(set(here))
        if distinct != len(here):
            pairs = len(set(zip(here, labels[start:end].tolist(), strict=True)))
            faults["again"] += len(here) - pairs
            faults["contradicts"] += pairs - distinct
    by_number = np.argsort(numbers, kind="stable")
    found = {fault: count for fault, count in faults.items() if count}
    named = {fault: tuple(at) for fault, at in lines.items()}
    return Labels(file, rows, found, named, numbers[by_number], starts[by_number], ends[by_number], pointers, labels)


def _starts(screens: Any) -> Any:
    """Where a row is of another screen than the one before it."""
    return np.concatenate(([0], np.flatnonzero(screens[1:] != screens[:-1]) + 1))


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
