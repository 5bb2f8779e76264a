"""Families ask the pixels: how much ink a box has, and whether a reader finds a text there."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from builder.look import open_look
from channels.readers import Reader, open_reader
from domain.errors import BadInput, Unavailable
from domain.geometry import Box


@pytest.fixture(scope="module")
def reader() -> Reader:
    """The reader that is used by default."""
    return open_reader()


def _encoded(format_: str, *lines: str, size: tuple[int, int] = (400, 200)) -> bytes:
    image = Image.new("RGB", size, "white")
    for i, text in enumerate(lines):
        ImageDraw.Draw(image).text((30, 30 + 40 * i), text, "black", ImageFont.load_default(20))
    out = io.BytesIO()
    image.save(out, format_)
    return out.getvalue()


BOX = Box(10, 10, 380, 180)


@pytest.mark.parametrize("format_", ["PNG", "JPEG"])
def test_a_text_of_two_lines_is_read_in_a_box_larger_than_it(format_: str, reader: Reader) -> None:
    """Both lines are cut out by their ink; the reading is the whole text."""
    look = open_look(_encoded(format_, "Spring sale begins", "on 14 March"), reader)
    check = look.check(BOX, "Spring sale begins on 14 March", "Summer sale begins on 2 June")
    assert (check.verdict, check.reason, check.read) == ("confirmed", "same", "Spring sale begins on 14 March")
    assert check.reader == reader.version
    assert check.confidence > 0.9


def test_another_text_is_contradicted_and_an_empty_box_shows_nothing(reader: Reader) -> None:
    """A reading that is the structural value, and a box without ink."""
    look = open_look(_encoded("PNG", "$19.99"), reader)
    assert look.check(BOX, "$24.50", "$19.99").reason == "structural"
    assert look.check(Box(200, 100, 100, 50), "$24.50", "$19.99").reason == "no-ink"
    assert look.check(Box(600, 100, 100, 50), "$24.50", "$19.99").reason == "no-ink"
    assert look.check(BOX, "Καλημέρα κόσμε", "$19.99").reason == "script"


def test_ink_is_a_share_and_none_off_the_picture() -> None:
    """A black half of a white box is a half."""
    image = Image.new("RGB", (100, 100), "white")
    ImageDraw.Draw(image).rectangle((0, 0, 19, 9), fill="black")
    out = io.BytesIO()
    image.save(out, "PNG")
    look = open_look(out.getvalue(), None)
    assert look.ink(Box(0, 0, 20, 30)) == pytest.approx(1 / 3)
    assert look.ink(Box(50, 50, 20, 20)) == 0
    assert look.ink(Box(200, 0, 20, 20)) is None


def test_a_broken_picture_and_a_missing_reader_are_told() -> None:
    """Neither is silently no ink."""
    whole = _encoded("JPEG", "text")
    with pytest.raises(BadInput, match=r"^The screenshot cannot be decoded: image file is truncated"):
        open_look(whole[: len(whole) // 2], None).ink(BOX)
    with pytest.raises(BadInput, match=r"^The picture is neither PNG nor JPEG\.$"):
        open_look(b"GIF89a" + whole, None).ink(BOX)
    with pytest.raises(Unavailable, match=r"^This picture was opened without a reader"):
        open_look(whole, None).check(BOX, "a", "b")
