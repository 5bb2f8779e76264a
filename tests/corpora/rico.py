"""A made RICO: screens written for tests, drawn by Chromium, in the publisher's layout, with the defects of the real one."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from PIL import Image

from tests.corpora._mobile_parts import ANCESTORS, HEIGHT, WIDTH, View
from tests.corpora._mobile_screens import MadeScreen, screens
from tests.corpora.render import Page, render

TERMS = "Made for the tests of Parallax; not RICO. No screen of an app is in it. CC0-1.0.\n"
DP = 4
"""RICO's units (1440 x 2560) per dp."""
ROW = 5
"""Screens on one page that is photographed."""
SCREENS = 110
BROKEN = {
    70001: "null",
    70002: "no-picture",
    70003: "no-hierarchy",
    70004: "cut-off",
    70005: "flat",
    70006: "odd-shape",
    70007: "no-json",
    70008: "no-jpeg",
    70009: "no-view",
    70010: "no-json",
}
"""Number -> the reason why it cannot be used; 70007 is empty, 70010 ends in the middle."""
OTHERWISE = 70011
"""A screen that can be used; CLAY's rows for it name views by their place, not by their pointer."""
STRAY = "100 (copy).jpg"


def make(folder: Path, screens: int = SCREENS, defects: bool = True) -> None:
    """Writes combined/<number>.json and .jpg. screens: usable ones; with defects BROKEN, OTHERWISE, STRAY, odd views."""
    combined = folder / "combined"
    combined.mkdir(parents=True, exist_ok=True)
    (folder / "MADE.txt").write_text(TERMS)
    described = made(screens, defects)
    for screen in described:
        (combined / f"{screen.item}.json").write_text(json.dumps(hierarchy(screen)))
    for screen, picture in photographed(described):
        (combined / f"{screen.item}.jpg").write_bytes(picture)
    if defects:
        first = described[0].item
        _break(combined, (combined / f"{first}.json").read_bytes(), (combined / f"{first}.jpg").read_bytes())


def made(count: int, defects: bool) -> list[MadeScreen]:
    """The screens as they are described; with defects, odd views in some of them."""
    found = screens(count)
    for at, screen in enumerate(found if defects else ()):
        _spoil(screen.root, at)
    return found


def views(root: View) -> Iterator[View]:
    """The view and all in it, in the order of the file."""
    yield root
    for one in root.inside:
        if one is not None:
            yield from views(one)


def pointer(screen: MadeScreen, at: int) -> str:
    """Of the view at this place in the file's order: hexadecimal, not padded, once a screen."""
    return f"{(screen.item * 7919 + 1) * 64 + at + 0x1000:x}"


def hierarchy(screen: MadeScreen) -> dict[str, Any]:
    """The file's content."""
    pointers = {id(view): pointer(screen, at) for at, view in enumerate(views(screen.root))}
    return {
        "activity_name": f"{screen.app}/{screen.app}.MainActivity",
        "activity": {"root": _node(screen.root, screen, pointers), "added_fragments": [], "active_fragments": []},
        "is_keyboard_deployed": False,
        "request_id": str(screen.item % 997),
    }


def _node(view: View, screen: MadeScreen, pointers: dict[int, str]) -> dict[str, Any]:
    x, y, width, height = (DP * value for value in view.at)
    group = "Layout" in view.kind or "DecorView" in view.kind
    node: dict[str, Any] = {
        "scrollable-horizontal": False,
        "draw": True,
        "ancestors": list(ANCESTORS[view.kind]),
        "clickable": view.label in {"BUTTON", "PICTOGRAM", "SWITCH", "CHECK_BOX", "LIST_ITEM"},
        "pressed": "not_pressed",
        "focusable": not group,
        "long-clickable": False,
        "enabled": True,
        "bounds": view.bounds or [x, y, x + width, y + height],
        "visibility": "visible" if view.shown else "invisible",
        "content-desc": [view.spoken],
        "rel-bounds": [0, 0, width, height],
        "focused": False,
        "selected": False,
        "scrollable-vertical": view.kind.endswith("ListView"),
        "adapter-view": view.kind.endswith("ListView"),
        "abs-pos": True,
        "pointer": pointers[id(view)],
        "class": view.kind,
        "visible-to-user": view.shown,
        "package": screen.app,
    }
    if view.name:
        node["resource-id"] = f"{screen.app}:id/{view.name}"
    if view.text:
        node["text"] = view.text
    if view.inside:
        node["children"] = [None if one is None else _node(one, screen, pointers) for one in view.inside]
    return node


def photographed(described: list[MadeScreen]) -> Iterator[tuple[MadeScreen, bytes]]:
    """Each screen with its JPEG, several photographed at once and cut apart."""
    pages, held = [], {}
    for scale in sorted({screen.scale for screen in described}):
        rest = iter([screen for screen in described if screen.scale == scale])
        while row := list(islice(rest, ROW)):
            name = str(row[0].item)
            held[name] = row
            pages.append(Page(name, _page(row), WIDTH * ROW, HEIGHT, scale=scale))
    for page in render(pages):
        whole = Image.open(io.BytesIO(page.picture)).convert("RGB")
        row = held[page.name]
        width = round(WIDTH * row[0].scale)
        for at, screen in enumerate(row):
            yield screen, jpeg(whole.crop((at * width, 0, (at + 1) * width, whole.height)))


def jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=90)
    return out.getvalue()


def _page(row: list[MadeScreen]) -> str:
    drawn = []
    for at, screen in enumerate(row):
        body = "".join(view.drawn for view in views(screen.root))
        bar = '<div style="position:absolute;inset:0 0 auto;height:24px;background:#000a"></div>'
        place = f"position:absolute;left:{at * WIDTH}px;top:0;width:{WIDTH}px;height:{HEIGHT}px;overflow:hidden"
        drawn.append(f'<div style="{place};background:{screen.ground}">{body}{bar}</div>')
    return f'<!doctype html><meta charset="utf-8"><body style="margin:0">{"".join(drawn)}'


def _spoil(root: View, at: int) -> None:
    """Odd views, as real hierarchies have them: none of them is visible to the user."""
    content = root.inside[0].inside[0] if root.inside[0] else root
    assert content is not None
    kind = "android.widget.TextView"
    odd = {
        0: View(kind, (0, 0, 10, 10), "BACKGROUND", shown=False, bounds=[700, 900, 300, 400], text="inverted"),
        1: View(kind, (0, 0, 10, 10), "BACKGROUND", shown=False, bounds=[200, 200, 200, 260], text="empty"),
        2: View(kind, (0, 0, 10, 10), "BACKGROUND", shown=False, bounds=[-1440, 96, 0, 200], text="left of it"),
        3: View(kind, (0, 0, 10, 10), "BACKGROUND", shown=False, bounds=[100, 2600, 500, 2700], text="below it"),
        4: View(kind, (0, 0, 10, 10), "BACKGROUND", shown=False, bounds=[-40, 1800, 300, 1900], text="half of it\0"),
    }
    content.inside.append(odd[at % 5])
    if at % 3 == 0:
        content.inside.insert(1, None)


def _break(combined: Path, good: bytes, picture: bytes) -> None:
    black = Image.new("RGB", (540, 960))
    landscape = Image.open(io.BytesIO(picture)).rotate(90, expand=True)
    odd = good.replace(b'"children": [', b'"children": [7, ', 1)
    page = b"<html>Not found</html>"
    hierarchies = {70001: b"null", 70003: None, 70007: b"", 70009: odd, 70010: good[:-400]}
    pictures = {70002: None, 70004: picture[:-3000], 70005: jpeg(black), 70006: jpeg(landscape), 70008: page}
    (combined / STRAY).write_bytes(picture)
    for item in (*BROKEN, OTHERWISE):
        for kind, content in (("json", hierarchies.get(item, good)), ("jpg", pictures.get(item, picture))):
            if content is not None:
                (combined / f"{item}.{kind}").write_bytes(content)
