"""PageFacts: what crawler/page/facts.js reports of a whole page, as values. Boxes are CSS px on the viewport, cut to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from domain.geometry import Box
from domain.record import Record

COVERED = 0.9
"""From this opacity on, what lies over a text hides it."""


class View(Record):
    """Size of the viewport, CSS px."""

    width: float = Field(gt=0)
    height: float = Field(gt=0)


class Chars(Record):
    """Characters of text that is not hidden: on the whole page, and on the viewport with nothing opaque over it."""

    page: int = 0
    shown: int = 0
    prose: int = Field(default=0, description="on the page, in runs of 80 and more that are no link")
    links: int = Field(default=0, description="on the page, in links")


class Text(Record):
    """One run of text on the viewport. `over`: opacity of what lies over it, 0 to 1."""

    text: str
    box: Box
    role: Literal["", "b", "a", "h"] = Field(default="", description="in a button, a link, a heading")
    furniture: bool = Field(default=False, description="in navigation, header, footer or aside")
    over: float = 0
    layer: int = Field(default=-1, description="the innermost layer that it is in, as an index")

    @property
    def seen(self) -> bool:
        return self.over < COVERED


class Layer(Record):
    """Something that lies over the page (fixed, sticky, lifted, a dialog), or that calls itself a cookie banner."""

    tag: str = "div"
    id: str = ""
    marks: str = Field(default="", description="ids and classes of it and of what is around it, innermost first")
    role: str = ""
    label: str = ""
    modal: bool = False
    position: str = "fixed"
    box: Box | None = Field(default=None, description="None where it, not what is in it, is off the viewport or of no size")
    points: int = Field(default=0, ge=0, description="of the grid, where it is what is hit first")
    alpha: float = Field(default=0, description="opacity of its own ground")
    backdrop: float | None = Field(default=None, description="opacity of a modal dialog's backdrop; None where there is none")
    inside: int = Field(default=-1, description="the next layer around it, as an index")
    main: bool = Field(default=False, description="it holds navigation, an article or the page's main part")


class Busy(Record):
    """Something that turns, pulses or says that it waits."""

    kind: Literal["animation", "busy", "progress", "skeleton", "named", "image"]
    animation: str = ""
    tag: str = "div"
    marks: str = ""
    box: Box
    text: str = ""
    value: bool = Field(default=False, description="a bar that says how far it is")
    media: bool = Field(default=False, description="pictures or frames are in it")
    top: bool = Field(default=True, description="nothing opaque lies over it")
    ground: Box | None = Field(default=None, description="the nearest box around it with a ground of its own")


class PageField(Record):
    """One field of a form that is on the viewport."""

    type: str
    name: str = ""
    autocomplete: str = ""
    box: Box


class PageFrame(Record):
    """One frame element; `box` is None where it is not visible. What is in it is known only if `read`."""

    url: str = ""
    title: str = ""
    id: str = ""
    box: Box | None = None
    read: bool = False


class PageFacts(Record):
    """What there is to say of a page before anyone says what it is."""

    version: Literal[1] = 1
    took: float = Field(default=0, description="ms in the page")
    url: str = ""
    title: str = ""
    language: str = ""
    view: View = View(width=1280, height=720)
    page_height: float = 0
    chars: Chars = Chars()
    truncated: bool = Field(default=False, description="there were more texts than are looked at")
    texts: tuple[Text, ...] = ()
    headings: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    inline: tuple[str, ...] = Field(default=(), description="of a challenge's own strings, those in the page's scripts")
    forms: tuple[str, ...] = ()
    noscript: tuple[str, ...] = ()
    generator: str = ""
    refresh: str = ""
    robots: str = ""
    fields: tuple[PageField, ...] = ()
    frames: tuple[PageFrame, ...] = ()
    layers: tuple[Layer, ...] = ()
    busy: tuple[Busy, ...] = ()
    marks: dict[str, Box | None] = Field(default_factory=dict, description="known mark-up that was found, and where it is seen")
    locked: bool = Field(default=False, description="the page cannot be scrolled")
    grid: tuple[str, ...] = Field(
        default=(), description="what is on top: t text, m picture, c control, f frame, p placeholder, . nothing"
    )

    @property
    def view_area(self) -> float:
        return self.view.width * self.view.height

    @property
    def points(self) -> int:
        return sum(map(len, self.grid))

    @property
    def seen(self) -> tuple[Text, ...]:
        """Texts on the viewport that nothing hides."""
        return tuple(text for text in self.texts if text.seen)

    @property
    def said(self) -> str:
        """All texts that are seen, one a line."""
        return "\n".join(text.text for text in self.seen)

    def share(self, box: Box | None) -> float:
        """How much of the viewport a box takes, 0 to 1."""
        return min(1.0, box.area / self.view_area) if box else 0.0

    def cells(self, kinds: str) -> Iterator[tuple[float, float]]:
        """(x, y) of the points of the grid that are of one of these kinds."""
        for r, row in enumerate(self.grid):
            for c, kind in enumerate(row):
                if kind in kinds:
                    yield (c + 0.5) * self.view.width / len(row), (r + 0.5) * self.view.height / len(self.grid)

    def covered(self, boxes: Sequence[Box]) -> float:
        """Share of the viewport that these boxes take together, 0 to 1, told at points 20 px apart."""
        step = 20.0
        columns, rows = int(self.view.width / step), int(self.view.height / step)
        taken: set[tuple[int, int]] = set()
        for box in boxes:
            across = range(max(0, round(box.x / step)), min(columns, round((box.x + box.width) / step)))
            down = range(max(0, round(box.y / step)), min(rows, round((box.y + box.height) / step)))
            taken.update((c, r) for r in down for c in across)
        return len(taken) / (columns * rows)

    def within(self, layer: int) -> set[int]:
        """A layer and all layers in it, as indices."""
        found = {layer}
        grown = True
        while grown:
            more = {i for i, other in enumerate(self.layers) if other.inside in found} - found
            found |= more
            grown = bool(more)
        return found
