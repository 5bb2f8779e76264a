"""Where the place is on the picture of a page: marks around it, and the piece of the picture that is shown larger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.geometry import Box

MARGIN = 24.0
"""CSS px of page to see on each side of the element in the piece."""
LEAST = (340.0, 110.0)
"""CSS px of page in the piece at least. So much is as wide as a phone, and is drawn as large as the screen was, or larger."""
TALLEST = 420.0
"""CSS px of page in the piece at most; its width is the picture's at most, and on a narrow screen it scrolls."""
PHONE = 480.0
"""CSS px that a screen higher than wide is taken to have had: corpora tell no more than image px of a phone's."""
MOST = 0.75
"""Share of the picture's width from which on the piece shows nothing that the picture beside it does not, if there is room."""
THINNEST = 0.02
"""Percent: a box without any width would not be drawn at all."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A box as a part of what is shown, in percent of its width and height; below 0 and above 100 where it goes on."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the screenshot, to be read."""

    region: Box
    """In px of the screenshot."""
    width: int
    height: int
    """CSS px that it is shown at, where there is so much room."""
    least: bool
    """No wider than LEAST: it may be drawn larger."""
    whole: bool
    """Nearly all of the picture: of use only where that is drawn small."""


def on_screen(box: Box | None, screen: Box) -> Box | None:
    """What of the box lies on the screen; None where nothing does."""
    if box is None:
        return None
    right, bottom = screen.x + screen.width, screen.y + screen.height
    if box.x >= right or box.y >= bottom or box.x + box.width < screen.x or box.y + box.height < screen.y:
        return None
    return box.overlap(screen)


def mark_of(box: Box, shown: Box) -> Mark:
    """The box as a part of what is shown of the screenshot."""
    return Mark(
        x=_percent(box.x - shown.x, shown.width),
        y=_percent(box.y - shown.y, shown.height),
        width=max(THINNEST, _percent(box.width, shown.width)),
        height=max(THINNEST, _percent(box.height, shown.height)),
    )


def piece_of(box: Box, lines: Sequence[Box], painted: Box, screen: Box) -> Piece:
    """The piece with the element and with what is painted for it; of one that is too tall, from its first line of text on.

    All in px of the screenshot. box: on it, as is what is painted.
    """
    zoom = PHONE / screen.width if screen.height > screen.width else 1.0
    unit = 1 / zoom
    x, width = _around(_span(box.x, box.width, painted.x, painted.width), screen.width, unit, LEAST[0], screen.width)
    top, bottom = _span(box.y, box.height, painted.y, painted.height)
    if bottom - top > TALLEST * unit:
        top = min((line.y for line in lines if line.overlap(box).area), default=top)
    y, height = _around((top, bottom), screen.height, unit, LEAST[1], TALLEST)
    return Piece(
        region=Box(x, y, width, height),
        width=round(width * zoom),
        height=round(height * zoom),
        least=width <= LEAST[0] * unit,
        whole=width > MOST * screen.width,
    )


def _span(start: float, length: float, other: float, also: float) -> tuple[float, float]:
    return min(start, other), max(start + length, other + also)


def _around(span: tuple[float, float], whole: float, unit: float, least: float, most: float) -> tuple[float, float]:
    """(start, length) on a line from 0 to `whole`: the span with its margins, in the middle of at least so much.

    Of one that is longer than `most` it is the start. unit: of margins, least and most.
    """
    start, end = span
    wanted = end - start + 2 * MARGIN * unit
    length = min(whole, most * unit, max(least * unit, wanted))
    begin = start - MARGIN * unit if wanted > length else (start + end - length) / 2
    return round(max(0.0, min(begin, whole - length)), 2), round(length, 2)


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 4)
