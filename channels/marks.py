"""Marks: whether a tick box or radio button, as it was drawn, has a mark in it. Pure functions on images."""

from __future__ import annotations

from PIL import Image

from channels.pixels import INK_STEP, crop, ink
from domain.geometry import Box

INSET = 0.22
"""Share of the box cut off at each side: its border, and the ring of a round one."""
SIDES_PX = (8.0, 40.0)
SQUARE = 1.25
"""A box is no longer than so many times its height; what is longer is a switch, and drawn in no known way."""
MARKED, EMPTY = 0.04, 0.005
"""Shares of the inside's pixels that differ from its ground: at least, for a mark; at most, for none."""
NEARLY_WHITE = 232


def mark(image: Image.Image, box: Box, scale: float) -> bool | None:
    """True: something is drawn inside. False: it is empty, in white or in the colour around it. None: neither is sure."""
    low, high = sorted((box.width, box.height))
    if not (SIDES_PX[0] <= low and high <= SIDES_PX[1] and high <= SQUARE * low):
        return None
    inside = Box(
        box.x + INSET * box.width, box.y + INSET * box.height, box.width * (1 - 2 * INSET), box.height * (1 - 2 * INSET)
    )
    share = ink(image, inside, scale)
    around = crop(image, box, scale, margin=3)
    filled = crop(image, inside, scale)
    if share is None or around is None or filled is None:
        return None
    if share >= MARKED:
        return True
    middle, corner = _colour(filled, filled.width // 2, filled.height // 2), _colour(around, 0, 0)
    # A flat box in a colour of its own may be a mark as well as a style.
    plain = min(middle) >= NEARLY_WHITE or max(abs(a - b) for a, b in zip(middle, corner, strict=True)) <= INK_STEP
    return False if share <= EMPTY and plain else None


def _colour(image: Image.Image, x: int, y: int) -> tuple[int, int, int]:
    pixel = image.convert("RGB").getpixel((x, y))
    return (pixel[0], pixel[1], pixel[2]) if isinstance(pixel, tuple) else (0, 0, 0)
