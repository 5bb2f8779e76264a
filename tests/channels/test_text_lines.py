"""Lines of text are found by their ink, and a reader then reads what stands there."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw, ImageFont

from channels.text_lines import text_lines
from domain.geometry import Box


def _picture(*lines: tuple[int, int, str], size: int = 16, frame: bool = False) -> Image.Image:
    image = Image.new("RGB", (300, 120), "white")
    draw = ImageDraw.Draw(image)
    for x, y, text in lines:
        draw.text((x, y), text, "black", ImageFont.load_default(size))
    if frame:
        draw.rounded_rectangle((0, 0, 299, 119), 12, outline="blue", width=2)
    return image


WHOLE = Box(0, 0, 300, 120)


def test_one_line_is_cut_to_its_ink_with_two_pixels_of_room() -> None:
    """A block of ink at rows 40 to 59 and columns 100 to 149 gives the box two pixels around it."""
    image = Image.new("RGB", (300, 120), "white")
    ImageDraw.Draw(image).rectangle((100, 40, 149, 59), fill="black")
    assert text_lines(image, WHOLE) == [Box(98, 38, 54, 24)]


@pytest.mark.parametrize("frame", [False, True])
def test_two_lines_are_two_and_dots_stay_with_their_letters(frame: bool) -> None:
    """i and j in capitals-free lines; a frame with round corners around them is none of the text."""
    found = text_lines(_picture((40, 20, "minimum jig"), (40, 70, "visit us"), frame=frame), WHOLE)
    assert len(found) == 2
    assert found[0].y < found[1].y
    assert all(line.x > 30 and line.height < 30 for line in found)


def test_a_flat_region_has_no_lines_and_one_off_the_picture_neither() -> None:
    """Nothing is read there."""
    assert text_lines(_picture(), WHOLE) == []
    assert text_lines(_picture((10, 10, "text")), Box(400, 10, 50, 20)) == []


def test_light_on_dark_is_found_like_dark_on_light() -> None:
    """The ground is what is most frequent, whichever it is."""
    image = Image.new("RGB", (300, 120), "black")
    ImageDraw.Draw(image).rectangle((100, 40, 149, 59), fill="white")
    assert text_lines(image, WHOLE) == [Box(98, 38, 54, 24)]
