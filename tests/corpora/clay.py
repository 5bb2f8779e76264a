"""Made labels for the made RICO of `tests.corpora.rico`, in CLAY's layout. True: who draws a view knows what it is."""

from __future__ import annotations

from pathlib import Path

from builder.sources._clay_labels import NAMES
from tests.corpora.rico import BROKEN, OTHERWISE, SCREENS, made, pointer, views

TERMS = "Made for the tests of Parallax; not CLAY. CC0-1.0.\n"
NUMBERS = {name: number for number, name in NAMES.items()}
NOT_IN_RICO = 72218
FAULTS = {"glued": 1, "unknown-label": 1, "again": 1, "contradicts": 1, "pointer": 1}
"""Lines that do not count, with defects. Besides: a screen that RICO lacks, one whose rows name views by their place."""


def make(folder: Path, screens: int = SCREENS, defects: bool = True) -> None:
    """Writes clay_labels.csv, label_map.txt and the split files, for `rico.make` with the same numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "MADE.txt").write_text(TERMS)
    (folder / "label_map.txt").write_text("".join(f"{number}: {name}\n" for number, name in NAMES.items()))
    described = made(screens, defects)
    rows = [
        f"{screen.item},{pointer(screen, at)},{NUMBERS[view.label]}"
        for screen in sorted(described, key=lambda screen: str(screen.item))
        for at, view in enumerate(views(screen.root))
        if not (defects and screen.item % 11 == 0 and at == 4)  # a view without a row: missing is not invalid
    ]
    if defects:
        rows = _spoiled(rows, described[-1].item)
    newline = "" if defects else "\n"
    (folder / "clay_labels.csv").write_text("screen_id,node_id,label\n" + "\n".join(rows) + newline)
    items = sorted(str(screen.item) for screen in described)
    for name, part in (("train", items[0::2]), ("dev", items[1::4]), ("test", items[3::4])):
        (folder / f"split_{name}_id.txt").write_text("\n".join(part))


def _spoiled(rows: list[str], last: int) -> list[str]:
    return [
        *rows,
        rows[-1],  # again
        f"{last},fffffff,3",
        f"{last},fffffff,4",  # contradicts
        f"{last},eeeeeee,31{last},ddddddd,4",  # glued
        f"{last},ccccccc,99",  # no such label
        f"{last},none,4",
        *(f"{OTHERWISE},{at},1" for at in range(12)),
        *(f"{item},{node},1" for item in BROKEN for node in ("abc1", "abc2")),
        f"{NOT_IN_RICO},abcdef,4",
    ]
