"""Views: what is shown of a picture, to the pixel."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from channels.pixels import EDGE, open_picture
from channels.views import GAP, REACH, WHITE, checked_size, encode, shown, shown_bytes, window
from domain.errors import BadInput
from domain.geometry import Box
from domain.probe import View

SIZE = (120, 90)


def noise(mode: str = "RGB") -> Image.Image:
    """A picture in which no two places look alike."""
    values = np.random.default_rng(7).integers(
        0, 256, (SIZE[1], SIZE[0], len(Image.new(mode, (1, 1)).getbands())), dtype=np.uint8
    )
    return Image.fromarray(values.squeeze(), mode)


def encoded(image: Image.Image, form: str) -> bytes:
    out = io.BytesIO()
    image.save(out, form)
    return out.getvalue()


PICTURE = noise()
PNG, JPEG = encoded(PICTURE, "PNG"), encoded(PICTURE, "JPEG")
REGION = Box(40, 30, 20, 10)


def test_whole() -> None:
    """Without a view all of the picture is shown, as the bytes it is: nothing is encoded anew."""
    assert shown_bytes(JPEG, None, REGION) is JPEG
    assert shown(PNG, None, REGION).tobytes() == PICTURE.tobytes()


def test_window() -> None:
    """A window is these pixels of the picture and no others, and survives encoding."""
    view = View(x=10, y=20, width=50, height=40)
    there = PICTURE.crop((10, 20, 60, 60)).tobytes()
    assert shown(PNG, view, REGION).tobytes() == there
    assert open_picture(shown_bytes(PNG, view, REGION)).tobytes() == there
    assert shown(JPEG, view, REGION).tobytes() == open_picture(JPEG).crop((10, 20, 60, 60)).tobytes()


def test_frame() -> None:
    """The frame lies outside of the region: two px are left free, then white, red, white; beyond it nothing is changed."""
    view = View(x=10, y=10, width=80, height=60, mark=True)
    seen, plain = np.array(shown(PNG, view, REGION)), np.array(PICTURE.crop((10, 10, 90, 70)))
    # In the window the region is 30, 20 to 50, 30. Along a line through its middle, from the left:
    across = [tuple(map(int, seen[25, x])) for x in range(30 - REACH, 30)]
    assert across[:5] == [WHITE, EDGE, EDGE, EDGE, WHITE]
    changed = (seen != plain).any(axis=2)
    rows, columns = np.nonzero(changed)
    assert (columns.min(), columns.max() + 1, rows.min(), rows.max() + 1) == (30 - REACH, 50 + REACH, 20 - REACH, 30 + REACH)
    assert not changed[18:32, 28:52].any()


@given(st.integers(0, 110), st.integers(0, 80), st.integers(1, 120), st.integers(1, 90))
def test_region_is_never_painted(x: int, y: int, width: int, height: int) -> None:
    """Wherever a region lies, at an edge too, its own pixels are as they were, and the picture itself stays whole."""
    region = Box(x, y, min(width, SIZE[0] - x), min(height, SIZE[1] - y))
    whole = View(x=0, y=0, width=SIZE[0], height=SIZE[1], mark=True)
    before = PICTURE.tobytes()
    seen = window(PICTURE, whole, region)
    place = region.to_pixels(1)
    assert seen.crop(place).tobytes() == PICTURE.crop(place).tobytes()
    assert PICTURE.tobytes() == before
    room = max(x, y, SIZE[0] - x - region.width, SIZE[1] - y - region.height)
    assert (seen.tobytes() != before) == (room > GAP)  # some of the frame is seen wherever there is room for any


def test_window_off_the_picture() -> None:
    """A window that is not on the picture is refused: the copy is another than the one the probe was drawn from."""
    with pytest.raises(BadInput, match=r"A window of 50x40 at 100,20 is not on a picture of 120x90\."):
        shown(PNG, View(x=100, y=20, width=50, height=40), REGION)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P"])
def test_forms(mode: str) -> None:
    """Pictures with transparency, of one channel or with a palette are shown in colours like all others."""
    content = encoded(noise("L").convert("P") if mode == "P" else noise(mode), "PNG")
    image = shown(content, View(x=0, y=0, width=10, height=10, mark=True), Box(2, 2, 4, 4))
    assert (image.mode, image.size, checked_size(content)) == ("RGB", (10, 10), SIZE)


def test_encoding() -> None:
    """A PNG of ours holds pixels and nothing else: no date, no program's name; the small one shows the same."""
    one = encode(PICTURE)
    assert one == encode(PICTURE.copy())
    chunks = {one[at : at + 4] for at in range(len(one)) if one[at : at + 4] in {b"tEXt", b"tIME", b"pHYs", b"iTXt", b"eXIf"}}
    assert not chunks
    assert open_picture(encode(PICTURE, small=True)).tobytes() == PICTURE.tobytes()


def test_whole_pictures() -> None:
    """The size of a picture that is whole."""
    assert checked_size(PNG) == checked_size(JPEG) == SIZE


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is no PNG or JPEG"),
        (b"GIF89a", "it is no PNG or JPEG"),
        (encoded(PICTURE, "GIF"), "it is no PNG or JPEG"),
        (PNG[:20], "it is cut off"),
        (PNG[:-12], "it is cut off"),
        (PNG[: len(PNG) // 2], "it is cut off"),
        (PNG[:5000] + bytes([PNG[5000] ^ 1]) + PNG[5001:], "broken PNG file (bad header checksum in b'IDAT')"),
        (JPEG[: len(JPEG) // 2], "it is cut off"),
        (JPEG[:10], "it is cut off"),
    ],
)
def test_broken_pictures(content: bytes, message: str) -> None:
    """A picture that was cut off, changed, or is none is told as that, in words that are the same each time."""
    with pytest.raises(BadInput) as caught:
        checked_size(content)
    assert str(caught.value) == f"The picture is broken: {message}"


def test_pointers() -> None:
    """A copy of a repository without its large files says what to do."""
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 6700822\n"
    with pytest.raises(BadInput, match=r"this is Git LFS's note of it\. To fetch it: git lfs pull"):
        checked_size(pointer)
