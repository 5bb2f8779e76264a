"""Crops of lines, and marks in boxes."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from channels.crops import line_crops
from channels.marks import mark
from domain.geometry import Box


def test_blank_lines_are_left_out() -> None:
    """Of three lines, one with ink, one flat and one off the picture, only the first is for reading; 1 px at each side."""
    image = Image.new("RGB", (100, 60), "white")
    ImageDraw.Draw(image).rectangle((12, 12, 20, 18), fill="black")
    crops = line_crops(image, [Box(10, 10, 40, 12), Box(10, 30, 40, 12), Box(200, 10, 40, 12)], 1)
    assert [crop.size for crop in crops] == [(42, 12)]


def test_crops_are_in_image_px() -> None:
    """At scale 2 a line of 40 x 12 CSS px is a picture of 84 x 24."""
    image = Image.new("RGB", (200, 120), "white")
    ImageDraw.Draw(image).rectangle((24, 24, 40, 36), fill="black")
    assert [crop.size for crop in line_crops(image, [Box(10, 10, 40, 12)], 2)] == [(84, 24)]


@pytest.mark.parametrize("ground", ["white", "#202428"])
def test_marks(ground: str) -> None:
    """A tick in a filled box is a mark; a bordered empty box is none; a flat box in a colour of its own could be either."""
    image = Image.new("RGB", (120, 40), ground)
    draw = ImageDraw.Draw(image)
    draw.rectangle((10, 10, 29, 29), fill="#0075ff")
    draw.line((14, 20, 18, 24, 26, 14), fill="white", width=2)
    draw.rectangle((50, 10, 69, 29), fill=ground, outline="#767676")
    draw.rectangle((90, 10, 109, 29), fill="#0075ff")
    assert [mark(image, Box(x, 10, 20, 20), 1) for x in (10, 50, 90)] == [True, False, None]


def test_a_switch_is_no_box() -> None:
    """What is twice as wide as high, or as small as a dot, is drawn in no known way."""
    image = Image.new("RGB", (100, 40), "white")
    assert mark(image, Box(5, 5, 40, 20), 1) is None
    assert mark(image, Box(5, 5, 4, 4), 1) is None
    assert mark(image, Box(500, 5, 20, 20), 1) is None
