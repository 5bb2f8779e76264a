"""What the structure claims, painted over its place on the screenshot: how large, and where."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass

from markupsafe import Markup

from channels.values import visible
from domain.geometry import Box

MOST = 240
"""Characters that are painted."""
LARGEST, LEAST = 40.0, 15.0
"""px of type on a screen that is 1280 px wide; on others in proportion."""
SCREEN = 1280.0
ADVANCE, WIDE = 0.64, 1.05
"""Widths of a character and of an East Asian one, in units of the type's size: a sans-serif's average, and a little more."""
LEADING = 1.2
ROOMY = 0.26
"""Share of the screen's width that a claim may take which does not fit its place."""
WORDS = frozenset({"text", "value"})
"""Variables whose values are what stands on the screen; the values of others are words about it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Text in a box, in px of the screenshot."""

    text: str
    box: Box
    size: float
    """Of the type, px."""
    grown: bool
    """The box is larger than the element: the text does not fit it at a size that can be read."""

    @property
    def html(self) -> Markup:
        """The text with what cannot be seen written out."""
        return visible(self.text)


def claim_of(structural: str | None, variable: str | None, box: Box, width: float, height: float) -> Claim:
    """The claim on a screenshot of this width and height. The box stays on it."""
    text = " ".join((structural or "").split())
    text = text[: MOST - 1] + "\u2026" if len(text) > MOST else text
    if variable not in {None, *WORDS}:
        text = f"{variable}: {text}"
    text = text or "nothing"
    unit = width / SCREEN
    size = LARGEST * unit
    while size > LEAST * unit and not _fits(text, size, box.width, box.height):
        size = max(LEAST * unit, size * 0.94)
    if _fits(text, size, box.width, box.height):
        return Claim(text, box, round(size, 2), grown=False)
    wide = min(width, max(box.width, min(ROOMY * width, _length(text) * size * 1.1)))
    tall = min(height, max(box.height, _lines(text, size, wide) * LEADING * size))
    x, y = max(0.0, min(box.x, width - wide)), max(0.0, min(box.y, height - tall))
    return Claim(text, Box(round(x, 2), round(y, 2), round(wide, 2), round(tall, 2)), round(size, 2), grown=True)


def _fits(text: str, size: float, width: float, height: float) -> bool:
    longest = max(map(_length, text.split()), default=0) * size
    return longest <= width and _lines(text, size, width) * LEADING * size <= height


def _lines(text: str, size: float, width: float) -> int:
    """Lines that the text takes at least; one more where words must be broken between them."""
    length = _length(text) * size
    return 1 if length <= width else math.ceil(length * 1.12 / max(width, 1))


def _length(text: str) -> float:
    return sum(WIDE if unicodedata.east_asian_width(sign) in "WF" else ADVANCE for sign in text)
