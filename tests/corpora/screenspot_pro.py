"""A made corpus in ScreenSpot-Pro's layout: rendered here, types and boxes true by construction, defects sprinkled in."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.corpora.desktop_screens import APPLICATIONS, Targets
from tests.corpora.render import Page, render

TOLD = """Made for tests of Parallax: rendered from pages that were written for it, in the layout of ScreenSpot-Pro.
Nothing of the publisher's is in it. It says nothing about real applications. CC0-1.0.
"""
A_PICTURE = 14
"""Targets that are taken of one screen, at most."""


@dataclass(frozen=True)
class Shot:
    """One rendered screen. rows: annotations of its targets, without ids."""

    application: str
    platform: str
    name: str
    picture: bytes
    size: tuple[int, int]
    rows: list[dict[str, Any]]


def make(folder: Path, annotations: int = 80, *, defects: bool = True) -> dict[str, tuple[str, list[int]]]:
    """Writes the corpus with so many good annotations over as few pictures as hold them; defects come on top of these.

    Id -> true type and box of each good one.
    """
    files: dict[str, list[dict[str, Any]]] = {}
    truth: dict[str, tuple[str, list[int]]] = {}
    shots = [*_shots(annotations)]
    for shot in shots:
        _write(folder / "images" / shot.name, shot.picture)
        stem = f"{shot.application}_{shot.platform}"
        rows = files.setdefault(stem, [])
        for row in shot.rows[: annotations - len(truth)]:
            row["id"] = f"{stem}_{len(rows)}"
            rows.append(row)
            truth[row["id"]] = (row["ui_type"], row["bbox"])
    if defects:
        _spoil(folder, shots, files)
    for stem, rows in files.items():
        _write(folder / "annotations" / f"{stem}.json", json.dumps(rows, indent=4, ensure_ascii=False).encode())
    _write(folder / "MADE.txt", TOLD.encode())
    return truth


def _shots(annotations: int) -> Iterator[Shot]:
    """Screens of all applications in turn, until there are enough targets."""
    plans: list[tuple[Page, Targets, dict[str, str]]] = []
    most = 0
    while most < annotations:
        application, platform, place, write, (width, height), group = APPLICATIONS[len(plans) % len(APPLICATIONS)]
        variant, targets = len(plans) // len(APPLICATIONS), Targets()
        page = Page(f"{place}/Screenshot {variant + 1}.png", write(targets, variant), width, height)
        plans.append((page, targets, {"application": application, "platform": platform, "group": group}))
        most += len(_mixed(targets.what))
    for (page, targets, told), rendered in zip(plans, render([plan[0] for plan in plans]), strict=True):
        rows = [_row(page, rendered.boxes[name], (name.partition("-")[0], what), told) for name, what in _mixed(targets.what)]
        yield Shot(told["application"], told["platform"], page.name, rendered.picture, (page.width, page.height), rows)


def _mixed(what: dict[str, str]) -> list[tuple[str, str]]:
    """Texts and icons in turn as long as there are both, so that few targets hold both as well."""
    scattered = sorted(what.items(), key=lambda one: hashlib.sha256(repr(one).encode()).digest())
    kinds = [[one for one in scattered if one[0].startswith(kind)] for kind in ("text", "icon")]
    both = min(map(len, kinds))
    return [*(one for pair in zip(*kinds, strict=False) for one in pair), *kinds[0][both:], *kinds[1][both:]][:A_PICTURE]


def _row(page: Page, box: tuple[float, ...], target: tuple[str, str], told: dict[str, str]) -> dict[str, Any]:
    """target: its type, and what it is for. told: what all of one application have in common."""
    (x, y, width, height), (type_, what) = box, target
    corners = [math.floor(x), math.floor(y), math.ceil(x + width), math.ceil(y + height)]
    on_it = min(corners) >= 0 and corners[2] <= page.width and corners[3] <= page.height
    assert on_it, f"{page.name}: {what} is not on the picture but at {box}"
    return {
        "img_filename": page.name,
        "bbox": corners,
        "instruction": f"choose {what}" if type_ == "text" else f" {what} ",  # outer blanks, as the publisher has some
        "instruction_cn": "",
        "id": "",
        "img_size": [page.width, page.height],
        "ui_type": type_,
        **told,
    }


def _spoil(folder: Path, shots: list[Shot], files: dict[str, list[dict[str, Any]]]) -> None:
    """Everything that docs/sources/screenspot_pro.md lists. Each adds to the good rows and changes none of them."""
    shot, good = shots[0], shots[0].rows[0]
    stem = f"{shot.application}_{shot.platform}"
    rows, (width, height), place = files[stem], shot.size, shot.name.partition("/")[0]

    def add(**changed: Any) -> None:
        rows.append(good | {"id": f"{stem}_{len(rows)}"} | changed)

    add(bbox=[135, -1, 151, 19])
    add(bbox=[300, 200, 250, 180])
    add(bbox=[300, 200, 300, 220])
    add(bbox=[width - 20, 40, width + 4, 60])
    add(bbox=[10, 20, 30])
    add(bbox=["10", "20", "30", "40"])
    add(img_size=[width // 2, height // 2], bbox=[4, 4, 40, 40])
    add(id=good["id"])
    add(ui_type="image")
    add(img_filename=f"{place}/not there.png")
    add(img_filename="../MADE.txt")
    rows.append({name: value for name, value in good.items() if name != "img_size"} | {"id": f"{stem}_{len(rows)}"})
    rows.append("a word")  # type: ignore[arg-type]
    # One target twice, on a copy of its picture; and one that two people called by two types.
    _write(folder / "images" / place / "copy.png", shot.picture)
    add(img_filename=f"{place}/copy.png")
    for type_ in ("icon", "text"):
        add(bbox=[width - 300, height - 200, width - 260, height - 160], ui_type=type_)
    # A name with a blank whose twin has a narrow one: only the twin is there. A picture cut off. Two that nobody names.
    _write(folder / "images" / place / "Screenshot at 1.58.03\u202fPM.png", shot.picture)
    add(img_filename=f"{place}/Screenshot at 1.58.03 PM.png", bbox=[8, 8, 40, 41])
    _write(folder / "images" / place / "cut.png", shot.picture[: len(shot.picture) // 2])
    add(img_filename=f"{place}/cut.png", bbox=[8, 8, 40, 42])
    _write(folder / "images" / place / "nobody.png", shot.picture)
    # Nothing to see in the box, and too little of it, and too much.
    add(bbox=[width - 400, height - 100, width - 380, height - 80], ui_type="icon")
    add(bbox=[20, 12, 24, 18])
    add(bbox=[20, 10, 1100, 60])
    # A file of another corpus of this kind, and one whose download broke off.
    other = [
        row | {"bbox": [*row["bbox"][:2], row["bbox"][2] - row["bbox"][0], row["bbox"][3] - row["bbox"][1]]}
        for row in shot.rows
    ]
    files["older_windows"] = [row | {"id": f"older_windows_{n}"} for n, row in enumerate(other)]
    _write(folder / "annotations" / "torn_linux.json", json.dumps(shot.rows[:2], indent=4).encode()[:-40])


def _write(place: Path, content: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
