"""Crops for a reader: each line of a text, cut out of a screenshot. Pure functions on images.

Enlarging small text, turning light text on dark ground to dark on light, and splitting long lines change nothing in what the
recogniser reads, or cost more than they bring: docs/pixel-check.md has the numbers. So a crop is the pixels as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from channels.pixels import crop, ink
from domain.geometry import Box

Picture = Image.Image

MARGIN_PX = 1.0
"""CSS px left and right of a line: slanted letters lean out of their box. Above and below there is room in every line box;
two px more and the reader takes the neighbour's edge for a letter."""
MIN_LINE_INK = 0.002
"""Share of pixels: a line with less shows nothing that a person could read."""
MIN_SIDE_PX = 3
"""Image px: less is no line of text."""


def line_crops(image: Image.Image, lines: Sequence[Box], scale: float) -> list[Picture]:
    """The lines that have any ink, in the order given. None of a line that is off the picture, flat, or no line at all."""
    found = []
    for line in lines:
        wide = Box(line.x - MARGIN_PX, line.y, line.width + 2 * MARGIN_PX, line.height)
        # Cheap first: a flat region costs no reading.
        share = ink(image, line, scale)
        if share is None or share < MIN_LINE_INK:
            continue
        picture = crop(image, wide, scale)
        if picture is not None and min(picture.size) >= MIN_SIDE_PX:
            found.append(picture)
    return found
