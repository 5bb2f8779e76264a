"""JPEG files asked without decoding them, against what Pillow says of them."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from channels.jpeg import ends, flat, jpeg_size


def encoded(image: Image.Image, **how: object) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", **how)
    return out.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"progressive": True},
        {"comment": b"\xff\xc0 a comment"},
        {"exif": b"Exif\0\0" + b"\xff\xd9" * 90},
        {"subsampling": 0},
    ],
)
def test_size_and_end(mode: str, how: dict[str, object]) -> None:
    """The size is the one that Pillow reads, whatever stands before it; a file without its last bytes is told."""
    content = encoded(Image.effect_noise((333, 77), 60).convert(mode), **how)
    assert jpeg_size(content) == Image.open(io.BytesIO(content)).size == (333, 77)
    assert ends(content)
    assert ends(content + b"\0" * 20)
    assert not ends(content[:-2])


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xd8", b"\xff\xd8\xff\xe0\xff\xff", b"\x89PNG\r\n\x1a\n", b"\xff\xd8 no marker at all"]
)
def test_no_jpeg(content: bytes) -> None:
    """What is none has no size."""
    assert jpeg_size(content) is None


@pytest.mark.parametrize("subsampling", [0, 2])
def test_flat(subsampling: int) -> None:
    """A picture of one colour is flat though the system's bars are drawn on it; with a word on it it is not."""
    size = (540, 960)
    image = Image.new("RGB", size, "#102030")
    image.paste("white", (0, 10, 540, 30))
    image.paste("black", (0, 920, 540, 960))
    assert flat(encoded(image, subsampling=subsampling), size)
    image.paste("white", (200, 400, 340, 430))
    assert not flat(encoded(image, subsampling=subsampling), size)
