"""Corpora to measure on: real samples, or made ones, and either as large as the whole by hard links."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from pathlib import Path

FIRST = 1_000_000
"""Number of the first linked screen: above all that are there."""
COMBINED = "combined"


def rico_in(given: Path | None, folder: Path) -> Path:
    """RICO: under the folder that is given, else a made one of 40 screens. Needs Chromium for that."""
    if given is not None and (given / "rico").is_dir():
        return given / "rico"
    from tests.corpora import rico  # noqa: PLC0415 - draws with a browser

    rico.make(folder / "rico", screens=40, defects=False)
    return folder / "rico"


def clay_of(folder: Path) -> tuple[Path, Path]:
    """A made CLAY and the made RICO it labels: the publisher's labels cannot be had everywhere."""
    from tests.corpora import clay, rico  # noqa: PLC0415 - draws with a browser

    clay.make(folder / "clay", screens=40, defects=False)
    if not (folder / "rico").is_dir():
        rico.make(folder / "rico", screens=40, defects=False)
    return folder / "clay", folder / "rico"


def mind2web_in(given: Path | None, folder: Path) -> Path:
    """Mind2Web: under the folder that is given, else a made one of 20 pages."""
    if given is not None and (given / "mind2web").is_dir():
        return given / "mind2web"
    from tests.corpora import mind2web  # noqa: PLC0415 - draws with a browser

    return mind2web.make(folder / "mind2web", pages=20, defects=False)


def larger_rico(rico: Path, folder: Path, screens: int) -> Path:
    """A RICO of so many screens that are hard links of the few; they are copied once, since links cannot leave a disk."""
    source = rico / COMBINED if (rico / COMBINED).is_dir() else rico
    originals = sorted(path.stem for path in source.glob("*.json") if (source / f"{path.stem}.jpg").is_file())
    copies, combined = folder / "copies", folder / COMBINED
    copies.mkdir(parents=True)
    combined.mkdir()
    for name in originals:
        for kind in ("json", "jpg"):
            shutil.copyfile(source / f"{name}.{kind}", copies / f"{name}.{kind}")
    for number in range(screens):
        original = originals[number % len(originals)]
        for kind in ("json", "jpg"):
            os.link(copies / f"{original}.{kind}", combined / f"{FIRST + number}.{kind}")
    _mark(rico, folder)
    return folder


def larger_clay(clay: Path, rico: Path, folder: Path, screens: int) -> Path:
    """Labels for `larger_rico(rico, ..., screens)`: those of the few, again and again."""
    header, *lines = (clay / "clay_labels.csv").read_text().splitlines()
    rows: defaultdict[str, list[str]] = defaultdict(list)
    for line in lines:
        screen, _, rest = line.partition(",")
        rows[screen].append(rest)
    source = rico / COMBINED
    originals = sorted(path.stem for path in source.glob("*.json") if (source / f"{path.stem}.jpg").is_file())
    folder.mkdir(parents=True)
    shutil.copyfile(clay / "label_map.txt", folder / "label_map.txt")
    with (folder / "clay_labels.csv").open("w") as out:
        out.write(header + "\n")
        for number in range(screens):
            for rest in rows[originals[number % len(originals)]]:
                out.write(f"{FIRST + number},{rest}\n")
    _mark(clay, folder)
    return folder


def _mark(source: Path, folder: Path) -> None:
    if (source / "MADE.txt").is_file():
        shutil.copyfile(source / "MADE.txt", folder / "MADE.txt")
