"""The pixel channel: made pictures whose every pixel is known."""

from __future__ import annotations

import contextlib
import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from channels.pixels import EDGE, INK_STEP, MAX_PIXELS, crop, ink, ink_of, open_png, outline, png_size, to_png
from domain.divergence import MIN_INK
from domain.errors import BadInput
from domain.geometry import Box

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def picture(width: int = 100, height: int = 50, ground: tuple[int, int, int] = WHITE) -> Image.Image:
    """A flat picture."""
    return Image.new("RGB", (width, height), ground)


def png(image: Image.Image) -> bytes:
    """The same as a file."""
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


PNG = png(picture())
WHOLE = Box(0, 0, 100, 50)


# Ink.


@pytest.mark.parametrize("ground", [WHITE, BLACK, (18, 52, 86)])
def test_a_flat_region_has_no_ink(ground: tuple[int, int, int]) -> None:
    """Where nothing is drawn there is no ink, whatever the ground's colour."""
    assert ink(picture(ground=ground), WHOLE, 1) == 0


@pytest.mark.parametrize(("ground", "drawn"), [(WHITE, BLACK), (BLACK, WHITE), (WHITE, (255, 255, 0))])
def test_share_of_ink(ground: tuple[int, int, int], drawn: tuple[int, int, int]) -> None:
    """A block of 10 x 5 pixels on 100 x 50 is 1 % of it; the ground is what there is most of, dark or light."""
    image = picture(ground=ground)
    image.paste(drawn, (20, 20, 30, 25))
    assert ink(image, WHOLE, 1) == pytest.approx(0.01)
    assert ink(image, Box(20, 20, 20, 5), 1) == pytest.approx(0.5)


@pytest.mark.parametrize(("step", "share"), [(INK_STEP, 0.0), (INK_STEP + 1, 0.01)])
def test_faint_marks_are_no_ink(step: int, share: float) -> None:
    """What differs from the ground by less than a person sees is no ink: same-coloured text, compression noise."""
    image = picture()
    image.paste((255, 255 - step, 255), (20, 20, 30, 25))
    assert ink(image, WHOLE, 1) == pytest.approx(share)


def test_one_pixel() -> None:
    """A single pixel counts as what it is: 1 of 5,000, too little for a text."""
    image = picture()
    image.putpixel((50, 25), BLACK)
    assert ink(image, WHOLE, 1) == 1 / 5_000
    assert MIN_INK > 1 / 5_000


def test_the_smallest_text_has_ink_enough() -> None:
    """A full stop of two by two pixels in a box of 40 x 20 is more than the least that counts."""
    image = picture()
    image.paste(BLACK, (10, 10, 12, 12))
    share = ink(image, Box(0, 0, 40, 20), 1)
    assert share is not None
    assert share >= MIN_INK


def test_text_has_ink() -> None:
    """A line of text in the default font is far above the least that counts, in every colour that can be read."""
    for colour in (BLACK, (90, 90, 90), (200, 0, 0)):
        image = picture()
        ImageDraw.Draw(image).text((5, 5), "12:59", fill=colour)
        share = ink(image, Box(5, 5, 40, 12), 1)
        assert share is not None
        assert share > 10 * MIN_INK


def test_a_gradient_is_not_called_empty() -> None:
    """On a gradient ink cannot be told from ground: it counts as ink, so that no text on it is passed over."""
    image = picture(256, 20)
    image.putdata([(x, x, x) for _ in range(20) for x in range(256)])
    share = ink(image, Box(0, 0, 256, 20), 1)
    assert share is not None
    assert share > 0.5


def test_scale() -> None:
    """At two image pixels per CSS pixel the same region is twice as far and twice as large."""
    image = picture(200, 100)
    image.paste(BLACK, (40, 40, 60, 50))
    assert ink(image, Box(20, 20, 10, 5), 2) == 0
    assert ink(image, WHOLE, 2) == pytest.approx(0.01)
    assert ink(image, Box(20, 20, 20, 5), 2) == pytest.approx(0.5)


@pytest.mark.parametrize("box", [Box(100, 0, 10, 10), Box(0, 50, 10, 10), Box(-20, 0, 10, 10), Box(5, 5, 0, 0)])
def test_off_the_picture(box: Box) -> None:
    """Of a region that is not on the picture, or is none, nothing can be told: that is not the same as no ink."""
    assert ink(picture(), box, 1) is None


@given(st.floats(-50, 150), st.floats(-50, 100), st.floats(0, 200), st.floats(0, 200), st.sampled_from([0.5, 1.0, 1.25, 2.0]))
def test_ink_is_a_share(x: float, y: float, width: float, height: float, scale: float) -> None:
    """Whatever the region: a share between 0 and 1, or nothing."""
    image = picture()
    image.paste(BLACK, (20, 20, 60, 40))
    share = ink(image, Box(x, y, width, height), scale)
    assert share is None or 0 <= share <= 1


def test_ink_is_measured_on_demand() -> None:
    """A screenshot is decoded when it is first asked, and no sooner: one that is damaged speaks up then."""
    measure = ink_of(PNG, 1)
    assert measure(WHOLE) == 0
    assert measure(Box(200, 0, 1, 1)) is None
    damaged = ink_of(b"no picture", 1)
    with pytest.raises(BadInput, match="cannot be decoded"):
        damaged(WHOLE)


# Reading pictures.


@given(st.integers(1, 300), st.integers(1, 300))
def test_size(width: int, height: int) -> None:
    """The size in the header is the size of the picture."""
    content = png(picture(width, height))
    assert png_size(content) == (width, height) == open_png(content).size


@pytest.mark.parametrize("cut", range(24))
def test_size_of_a_header_that_was_cut(cut: int) -> None:
    """A file that ends before its size says so, and is not taken for a picture of no size."""
    with pytest.raises(BadInput):
        png_size(PNG[:cut])


@given(st.binary(max_size=64))
def test_size_of_anything_else(content: bytes) -> None:
    """What is no PNG is refused, whatever it is."""
    with pytest.raises(BadInput, match="is no PNG"):
        png_size(content)


@given(st.integers(0, len(PNG) - 1), st.integers(1, 255))
def test_damaged_pictures(place: int, flip: int) -> None:
    """A picture with any byte damaged is decoded or refused in our own words; nothing else comes of it."""
    content = bytearray(PNG)
    content[place] ^= flip
    with contextlib.suppress(BadInput):
        assert open_png(bytes(content)).mode == "RGB"


@given(st.integers(0, PNG.index(b"IDAT") + 12))
def test_cut_pictures(length: int) -> None:
    """A picture that ends before its last pixel is refused."""
    with pytest.raises(BadInput):
        open_png(PNG[:length])


def _claiming(width: int, height: int) -> bytes:
    header = b"IHDR" + width.to_bytes(4) + height.to_bytes(4) + PNG[24:29]
    return PNG[:12] + header + zlib.crc32(header).to_bytes(4) + PNG[33:]


def test_absurd_size() -> None:
    """A picture that claims more pixels than a viewport has is refused before it is decoded."""
    with pytest.raises(BadInput):
        open_png(_claiming(2**16, MAX_PIXELS // 2**16 + 1))
    assert png_size(_claiming(2**31 - 1, 2**31 - 1)) == (2**31 - 1, 2**31 - 1)


def test_transparency_is_drawn_away() -> None:
    """A picture with another way to store its colours is read as the colours it shows."""
    image = Image.new("P", (2, 1))
    image.putpalette([10, 20, 30, 200, 100, 50])
    image.putdata([0, 1])
    assert open_png(png(image)).getpixel((1, 0)) == (200, 100, 50)


# Cutting out and marking.


def ramp() -> Image.Image:
    """A picture in which every pixel says where it is."""
    image = picture(60, 40)
    image.putdata([(x, y, 7) for y in range(40) for x in range(60)])
    return image


@pytest.mark.parametrize(
    ("box", "scale", "margin", "size", "corner"),
    [
        (Box(10, 20, 30, 10), 1, 0, (30, 10), (10, 20)),
        (Box(10, 20, 30, 10), 1, 5, (40, 20), (5, 15)),
        (Box(10.4, 20.4, 1, 1), 1, 0, (2, 2), (10, 20)),
        (Box(5, 10, 15, 5), 2, 0, (30, 10), (10, 20)),
        (Box(-10, -10, 20, 20), 1, 0, (10, 10), (0, 0)),
        (Box(50, 30, 100, 100), 1, 0, (10, 10), (50, 30)),
        (Box(0, 0, 60, 40), 1, 100, (60, 40), (0, 0)),
        (Box(-5, 10, 2, 2), 1, 5, (2, 12), (0, 5)),
    ],
)
def test_crop(box: Box, scale: float, margin: float, size: tuple[int, int], corner: tuple[int, int]) -> None:
    """The region, rounded outwards, with its margin, cut at the edges of the picture; no pixel is moved or made up."""
    region = crop(ramp(), box, scale, margin=margin)
    assert region is not None
    assert region.size == size
    assert region.getpixel((0, 0)) == (*corner, 7)
    last = (corner[0] + size[0] - 1, corner[1] + size[1] - 1)
    assert region.getpixel((size[0] - 1, size[1] - 1)) == (*last, 7)


@pytest.mark.parametrize("box", [Box(60, 0, 5, 5), Box(0, 40, 5, 5), Box(-5, 0, 5, 5), Box(0, -5, 5, 5)])
def test_crop_beside_the_picture(box: Box) -> None:
    """Nothing comes of a region that only touches the picture from outside."""
    assert crop(ramp(), box, 1) is None


@given(st.integers(-20, 70), st.integers(-20, 50), st.integers(0, 60), st.integers(0, 60), st.integers(1, 4))
def test_outline_leaves_the_region(x: int, y: int, width: int, height: int, line: int) -> None:
    """A frame is drawn around a region and not on it, and the picture it is drawn on stays as it was."""
    image, box = ramp(), Box(x, y, width, height)
    marked = outline(image, [box], 1, width=line)
    assert marked.size == image.size
    assert ImageChops.difference(image, ramp()).getbbox() is None
    inside = crop(marked, box, 1)
    if inside is not None:
        untouched = crop(image, box, 1)
        assert untouched is not None
        assert inside.tobytes() == untouched.tobytes()


def test_outline_is_drawn() -> None:
    """The frame is there: two pixels wide on each side, with a pixel of the page between it and the region."""
    marked = outline(ramp(), [Box(20, 10, 10, 10)], 1)
    row = [marked.getpixel((x, 15)) == EDGE for x in range(60)]
    assert [x for x, drawn in enumerate(row) if drawn] == [17, 18, 31, 32]
    column = [marked.getpixel((25, y)) == EDGE for y in range(40)]
    assert [y for y, drawn in enumerate(column) if drawn] == [7, 8, 21, 22]


def test_outline_of_nothing() -> None:
    """Without boxes the picture is as it was."""
    assert ImageChops.difference(outline(ramp(), [], 1), ramp()).getbbox() is None


def test_written_and_read() -> None:
    """A picture that is written is read back pixel by pixel."""
    assert ImageChops.difference(open_png(to_png(ramp())), ramp()).getbbox() is None
