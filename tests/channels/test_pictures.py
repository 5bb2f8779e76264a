"""Pictures for people, of made screenshots."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFilter

from channels.pictures import LEAST, MARGIN, MOST, SHARP, WIDEST, Picture, Screenshot
from channels.pixels import EDGE, to_png
from domain.errors import BadInput
from domain.geometry import Box

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def screenshot(width: int = 1280, height: int = 720, scale: float = 1) -> Screenshot:
    """A white page with a black block at 600, 300 of 40 x 20 CSS px."""
    image = Image.new("RGB", (round(width * scale), round(height * scale)), WHITE)
    image.paste(BLACK, tuple(round(n * scale) for n in (600, 300, 640, 320)))
    return Screenshot(to_png(image), scale)


def decoded(picture: Picture | None) -> Image.Image:
    """The pixels of a picture that is there."""
    assert picture is not None
    return Image.open(io.BytesIO(picture.content)).convert("RGB")


def test_a_place() -> None:
    """Around a small element there is enough of the page to tell where it is, with the element whole in its frame."""
    picture = screenshot().around(Box(600, 300, 40, 20))
    assert picture is not None
    assert (picture.width, picture.height, picture.media_type) == (*LEAST, "image/png")
    colours = {colour: n for n, colour in decoded(picture).getcolors(1 << 20) or []}
    assert colours[BLACK] == 40 * 20
    assert colours[EDGE] > 0


def test_a_large_element() -> None:
    """A large element is shown whole, with its margin, and smaller than life."""
    picture = screenshot().around(Box(100, 100, 1000, 300))
    assert picture is not None
    assert picture.width == MOST[0]
    assert picture.height == round((300 + 2 * MARGIN) * MOST[0] / (1000 + 2 * MARGIN))


@pytest.mark.parametrize("box", [Box(2000, 0, 10, 10), Box(0, 800, 10, 10), Box(-50, 0, 10, 10), Box(0, -50, 10, 10)])
def test_off_the_screenshot(box: Box) -> None:
    """Of an element that is not on the screenshot there is no picture."""
    assert screenshot().around(box) is None


def reddish(colour: object) -> bool:
    """Of the frame's colour, or blended with what is beside it where the picture was made smaller."""
    return isinstance(colour, tuple) and colour[0] > 150 and max(colour[1:]) < 150


@settings(max_examples=30)
@given(st.floats(-100, 1400), st.floats(-100, 800), st.floats(0, 1500), st.floats(0, 1500), st.sampled_from([1.0, 1.5, 3.0]))
def test_any_place(x: float, y: float, width: float, height: float, scale: float) -> None:
    """Wherever an element is: a picture no larger than the most, that decodes, or none where it is off the screenshot."""
    page = screenshot(640, 360, scale)
    picture = page.around(Box(x, y, width, height))
    off = x > 640 or y > 360 or x + width < 0 or y + height < 0
    assert (picture is None) is off
    if picture is not None:
        assert 1 <= picture.width <= MOST[0]
        assert 1 <= picture.height <= MOST[1]
        image = decoded(picture)
        assert abs(image.width - picture.width * min(scale, SHARP)) <= 3
        assert any(reddish(colour) or picture.media_type == "image/jpeg" for _, colour in image.getcolors(1 << 22) or [])


def test_photographs_are_kept_small() -> None:
    """What does not pack well without loss is kept as JPEG; it is still the same picture to the eye."""
    grain = Image.frombytes("RGB", (1280, 720), random.Random(7).randbytes(1280 * 720 * 3))  # noqa: S311 - noise, no secret
    photograph = grain.filter(ImageFilter.GaussianBlur(1))
    picture = Screenshot(to_png(photograph), 1).around(Box(300, 300, 200, 100))
    assert picture is not None
    assert picture.media_type == "image/jpeg"
    assert decoded(picture).size == (picture.width, picture.height)


def test_the_whole() -> None:
    """The whole screenshot keeps its shape; one of a high scale is reduced to what a page needs."""
    for scale in (1, 2):
        picture = screenshot(scale=scale).whole()
        assert (picture.width, picture.height) == (1280, 720)
        assert decoded(picture).size == (WIDEST, 720)


def test_no_picture() -> None:
    """What is no picture is refused before anything is cut from it."""
    with pytest.raises(BadInput):
        Screenshot(b"", 1)
