"""frames: a frame that another process drew, judged as a capture of its own at its place on the page. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from domain.capture import AccessibleName, Capture, Ink
from domain.divergence import Finding, detect
from domain.geometry import Box
from domain.reading import Element, Snapshot
from domain.text import PolicyName

WHOLE, NOTHING = 0.97, 0.03
"""Shares of a text inside what of the frame is on the screen, from which it is whole, or up to which it is not seen."""


@dataclass(frozen=True, slots=True)
class Window:
    """Where a frame's content is on the main viewport: its top left corner and scale, and the part of it that is on the screen.

    x, y: CSS px. scale: CSS px of the viewport per CSS px of the frame.
    """

    x: float
    y: float
    scale: float
    clip: Box

    def moved(self, box: Box) -> Box:
        """A box of the frame's own viewport, on the main one."""
        return Box(self.x + box.x * self.scale, self.y + box.y * self.scale, box.width * self.scale, box.height * self.scale)

    def within(self, box: Box) -> Box:
        """What of a box of the frame's own viewport is on the screen, there."""
        cut, s = self.moved(box).overlap(self.clip), self.scale
        return Box((cut.x - self.x) / s, (cut.y - self.y) / s, cut.width / s, cut.height / s)

    def inside(self, outer: Window) -> Window:
        """This window of a frame's document, as a window of the document that the frame is in."""
        clip = outer.moved(self.clip).overlap(outer.clip)
        return Window(outer.x + self.x * outer.scale, outer.y + self.y * outer.scale, self.scale * outer.scale, clip)


@dataclass(frozen=True, slots=True)
class FrameCapture:
    """The three readings of one frame, each with where the frame was then; None where it was nowhere on the screen any more.

    path: CSS path of the frame element from the main document. covered: key of an element -> share of its text under
    something opaque of the documents around the frame.
    """

    path: str
    url: str
    served: tuple[Snapshot, Window | None]
    before: tuple[Snapshot, Window | None]
    after: tuple[Snapshot, Window | None]
    covered: Mapping[int, float]
    names: Mapping[int, AccessibleName] = field(default_factory=dict)


def capture_in(frame: FrameCapture, view: Box, ink: Ink | None) -> Capture:
    """The frame's readings in the main viewport's coordinates. view: the main viewport. A frame that moved is not settled."""
    served, before, after = (
        _placed(reading, window, view, frame.covered) for reading, window in (frame.served, frame.before, frame.after)
    )
    return Capture(served, before, after, ink, frame.names)


def findings_in(frame: FrameCapture, capture: Capture, policy: PolicyName) -> tuple[Finding, ...]:
    """What the kinds say of a frame's elements, with paths that begin at the main document. capture: of `capture_in`."""
    return tuple(f.model_copy(update={"path": f"{frame.path} >>> {f.path}"}) for f in detect(capture, policy))


def _placed(reading: Snapshot, window: Window | None, view: Box, covered: Mapping[int, float]) -> Snapshot:
    if window is None:
        return replace(reading, elements=(), by_key={})
    elements = tuple(_element(e, window, view, covered.get(e.key, 0.0)) for e in reading.elements)
    return replace(reading, elements=elements, width=view.width, height=view.height)


def _element(e: Element, window: Window, view: Box, covered: float) -> Element:
    """One element moved to its place, and cut to what of the frame is on the screen."""
    box = window.moved(e.box) if e.box else None
    text_box = window.moved(e.text_box) if e.text_box else None
    why, flags, seen = e.why_unseen, e.flags, text_box or box
    if not why and seen is not None and seen.area:
        share = seen.share_inside(window.clip)
        if share <= NOTHING:
            why = "clipped" if seen.overlap(view).area else "off-viewport"
        elif share < WHOLE:
            flags = {**flags, "partial": 1}
    return replace(
        e,
        box=box,
        text_box=text_box.overlap(window.clip) if text_box else None,
        lines=tuple(window.moved(line) for line in e.lines),
        why_unseen=why,
        flags=flags,
        covered=max(e.covered, covered),
    )
