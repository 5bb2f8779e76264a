"""Element, Snapshot: one reading of a page, as the page script reports it (docs/reading.md), made readable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.errors import BadInput
from domain.geometry import Box

VERSION = 1


@dataclass(frozen=True, slots=True)
class ControlState:
    """A form control or disclosure: what the serialised document says of it, and what it is now.

    what: value, checked, selected or open. served is None where the document says nothing (no value attribute).
    """

    what: str
    type: str
    served: str | bool | None
    live: str | bool
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """One element as one reading saw it. Its box is in CSS px from the viewport's top left.

    why_unseen is empty where it is seen; text is what a reader sees of it, blanks as laid out. lines: where the lines of that
    text are, in reading order; only of elements that may be compared, in the reading before the pixels. labelled_by: the text
    held by what aria-labelledby names, roughly: enough to tell whether it moved; None without that attribute.
    """

    key: int
    parent: int
    frame: int
    tag: str
    path: str
    attributes: Mapping[str, str]
    text: str
    box: Box | None
    text_box: Box | None
    why_unseen: str
    state: ControlState | None
    flags: Mapping[str, int]
    covered: float = 0.0
    lines: tuple[Box, ...] = ()
    labelled_by: str | None = None

    @property
    def element_id(self) -> str | None:
        return self.attributes.get("id")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One reading: every element looked at, in document order, parents before children."""

    elements: tuple[Element, ...]
    url: str
    title: str
    page_ms: float
    width: float
    height: float
    scale: float
    scroll_y: float
    nodes: int
    truncated: int
    frames: tuple[Mapping[str, Any], ...] = ()
    by_key: Mapping[int, int] = field(default_factory=dict)


def _box(values: list[float] | None) -> Box | None:
    return Box(values[0], values[1], max(0.0, values[2]), max(0.0, values[3])) if values else None


def _lines(values: list[list[float]] | None) -> tuple[Box, ...]:
    return tuple(box for line in values or () if (box := _box(line)) is not None)


def _state(raw: Mapping[str, Any] | None) -> ControlState | None:
    if raw is None:
        return None
    return ControlState(raw["what"], raw["type"], raw["served"], raw["live"], bool(raw.get("secret")))


def parse(raw: Mapping[str, Any]) -> Snapshot:
    """The snapshot that a reading holds. Raises BadInput on a reading of another version."""
    if raw.get("version") != VERSION:
        raise BadInput(f"This reading is of version {raw.get('version')!r}; known: {VERSION}.")
    elements = tuple(
        Element(
            key=e["k"],
            parent=e["p"],
            frame=e["f"],
            tag=e.get("t", ""),
            path=e.get("s", ""),
            attributes=e.get("a", {}),
            text=e.get("x", ""),
            box=_box(e.get("b")),
            text_box=_box(e.get("tb")),
            why_unseen=e.get("v", "not-rendered"),
            state=_state(e.get("l")),
            flags=e.get("g", {}),
            covered=e.get("cov", 0.0),
            lines=_lines(e.get("ln")),
            labelled_by=e.get("lb"),
        )
        for e in raw["elements"]
    )
    view = raw["view"]
    return Snapshot(
        elements=elements,
        url=raw["url"],
        title=raw["title"],
        page_ms=raw["now"],
        width=view["width"],
        height=view["height"],
        scale=view["scale"],
        scroll_y=view["scrollY"],
        nodes=raw["nodes"],
        truncated=raw["truncated"],
        frames=tuple(raw["frames"]),
        by_key={e.key: i for i, e in enumerate(elements)},
    )
