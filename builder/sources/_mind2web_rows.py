"""What one action of Mind2Web is, and how its candidates' boxes are read: three decodes deep, with the faults they have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson

from channels.structures import html
from domain.geometry import Box
from domain.screen import Node

RECT = "bounding_box_rect"
COLUMNS = ("action_uid", "website", "screenshot", "cleaned_html", "pos_candidates", "neg_candidates")
"""What a reader needs of the published fifteen. raw_html, the largest, is not read."""
PAGE_SLACK_PX = 2.0
"""The page's own box is fractional, the picture whole px."""
RATIO_SLACK = 0.02
"""Share by which width and height may be scaled apart from one another: one of them is of whole px."""
SCALED = 1.2
"""A picture so much wider and higher than the page is one of another device's pixels."""
BELOW_SHARE = 0.2
"""Share of the boxes below the picture's end from which on it is not the picture of this page."""
PROOF = 50
"""Boxes away from the origin that must agree before a file is said to hold corners instead of sizes."""


class Unreadable(Exception):
    """An item that cannot be used. reason: a key of REASONS."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate. rect: four numbers as they are written, px of the whole page; None where there are not four."""

    key: str
    tag: str
    rect: tuple[float, float, float, float] | None
    written: str


@dataclass(frozen=True, slots=True)
class Action:
    """One action: the page before it. picture: the file's bytes. content: the cleaned structure, not yet normal."""

    item: str
    site: str
    url: str
    split: str
    picture: bytes
    content: bytes
    candidates: Sequence[Candidate]


def candidates(column: str, values: Iterable[object] | None) -> list[Candidate]:
    """The candidates of one column, each a JSON string (in the raw data set an object) whose `attributes` is JSON again.

    Raises Unreadable `broken-json` with column, index and level.
    """
    found = []
    for i, value in enumerate(values or ()):
        entry = _decoded(value, f"{column}[{i}]")
        attributes = _decoded(entry.get("attributes", {}), f"{column}[{i}].attributes")
        key = entry.get("backend_node_id", attributes.get("backend_node_id"))
        if key is not None:
            written = str(attributes.get(RECT, ""))
            found.append(Candidate(str(key), str(entry.get("tag", "")), rect_of(written), written))
    return found


def _decoded(value: object, where: str) -> Mapping[str, object]:
    if isinstance(value, str | bytes):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError as error:
            raise Unreadable("broken-json", f"{where} is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise Unreadable("broken-json", f"{where} is {type(value).__name__}, not an object.")
    return value


def rect_of(written: str) -> tuple[float, float, float, float] | None:
    """The four numbers of "x,y,width,height"; None where it is anything else."""
    try:
        numbers = tuple(float(part) for part in written.split(","))
    except ValueError:
        return None
    return numbers if len(numbers) == 4 and all(map(math.isfinite, numbers)) else None  # noqa: PLR2004


def box_of(rect: tuple[float, float, float, float] | None) -> tuple[Box | None, str]:
    """The box and "", or None and its fault: malformed, hidden (-1,-1,-1,-1), inverted (a negative size) or zero."""
    if rect is None:
        return None, "malformed"
    if rect == (-1.0, -1.0, -1.0, -1.0):
        return None, "hidden"
    if rect[2] < 0 or rect[3] < 0:
        return None, "inverted"
    return (Box(*rect), "") if rect[2] * rect[3] > 0 else (None, "zero")


def corners(rects: Sequence[tuple[float, float, float, float]]) -> int:
    """How many rects prove that they are x1,y1,x2,y2 and not x,y,width,height; 0 where that is not proven.

    On a page most elements are further from its edges than they are wide and high. Where not one of PROOF and more is, the last
    two numbers are corners.
    """
    away = [rect for rect in rects if rect[0] > 0 and rect[1] > 0 and rect[2] > 0 and rect[3] > 0]
    proven = len(away) >= PROOF and all(rect[2] >= rect[0] and rect[3] >= rect[1] for rect in away)
    return len(away) if proven else 0


def nodes(structure: bytes, found: Sequence[Candidate]) -> tuple[Node, ...]:
    """Every element that has an id, in document order. A `<text>` has no box of its own: the nearest candidate's around it.

    Raises Unreadable `no-boxes` where no candidate has a box that can be used. An id that two elements have gets no box.
    """
    boxes = {candidate.key: box_of(candidate.rect) for candidate in found}
    if not any(box for box, _ in boxes.values()):
        raise Unreadable("no-boxes", f"None of {len(found)} candidates has a box that can be used.")
    read = list(html.elements(structure))
    parents: dict[str, str | None] = {}
    twice: set[str] = set()
    for element in read:
        twice |= {element.key} & parents.keys()
        parents.setdefault(element.key, element.parent)
    made = []
    for element in read:
        box, fault = boxes.get(element.key, (None, "no-candidate"))
        if element.tag == html.TEXT and element.key not in boxes:
            up = element.parent
            while up is not None and up not in boxes:
                up = parents[up]
            box, fault = boxes[up] if up is not None else (None, "no-candidate")
        if element.key in twice:
            box, fault = None, "duplicate-id"
        made.append(
            Node(
                element.key,
                box,
                element.text,
                element.tag,
                parent=element.parent,
                attributes=element.attributes,
                box_fault=fault,
            )
        )
    return tuple(made)


def page_fault(found: Sequence[Candidate], width: int, height: int) -> str:
    """Empty, or why a picture of this size (image px) is not the picture of the page that the boxes are on."""
    page = next((c for c in found if c.tag == "html" and box_of(c.rect)[0]), None)
    if page is not None and page.rect is not None:
        _, _, wide, high = page.rect
        size = f"The page is {wide:g} x {high:g} px by its own box, the picture {width} x {height}."
        if width < wide - PAGE_SLACK_PX or height < high - PAGE_SLACK_PX:
            return size
        if width / wide >= SCALED and abs(width / wide - height / high) < RATIO_SLACK * width / wide:
            return size
        return ""
    boxes = [box for c in found if (box := box_of(c.rect)[0]) is not None]
    below = sum(box.y >= height for box in boxes)
    return (
        f"{below} of {len(boxes)} boxes begin below a picture of {width} x {height}."
        if below > BELOW_SHARE * len(boxes)
        else ""
    )
