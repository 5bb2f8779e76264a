"""What is shown of a picture: a window of it, with a frame around the region that is asked about. Pure: bytes in, picture out.

A `View` is data and is what a probe's pixel channel is hashed by; the pictures made here are derived from it.
"""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

from channels.pixels import EDGE, MAX_PIXELS, open_picture
from domain.errors import BadInput
from domain.geometry import Box
from domain.probe import View

FORMATS = ("PNG", "JPEG")
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
GAP, HALO, LINE = 2, 1, 3
"""Image px from the region outwards: left free, so that the frame is not taken for a part of what it marks; a white line, the
frame, a white line, so that it is seen on any ground."""
REACH = GAP + HALO + LINE + HALO
"""Image px that a frame takes on each side of the region."""
WHITE = (255, 255, 255)
SMALL, QUICK = 9, 6
"""zlib's levels. Both are lossless."""


def checked_size(picture: bytes) -> tuple[int, int]:
    """(width, height) in image px of a picture that is whole: every part of a PNG has its checksum, a JPEG is decoded.

    A PNG is not decoded, so this costs little. Raises BadInput.
    """
    if picture.startswith(LFS_POINTER):
        raise BadInput("The picture is not there: this is Git LFS's note of it. To fetch it: git lfs pull")
    try:
        with _image(picture) as image:
            size = image.size
            image.verify() if image.format == "PNG" else image.load()
    except _BROKEN as error:
        raise BadInput(f"The picture is broken: {_told(error)}") from error
    return size


def shown(picture: bytes, view: View | None, region: Box) -> Image.Image:
    """The window of the picture, RGB, with the frame where the view has one. view None: all of it. region: image px.

    The frame lies outside of the region; where the window ends before it, that part of it is not drawn. Raises BadInput where
    the picture cannot be decoded, or the window is not on it.
    """
    return window(open_picture(picture), view, region)


def window(image: Image.Image, view: View | None, region: Box) -> Image.Image:
    """The same of a picture that is open already, for many views of one. The picture is left as it is."""
    if view is None:
        return image
    right, bottom = view.x + view.width, view.y + view.height
    if right > image.width or bottom > image.height:
        raise BadInput(
            f"A window of {view.width}x{view.height} at {view.x},{view.y} is not on a picture of {image.width}x{image.height}."
        )
    part = image.crop((view.x, view.y, right, bottom))
    if view.mark:
        frame(part, Box(region.x - view.x, region.y - view.y, region.width, region.height))
    return part


def frame(image: Image.Image, box: Box) -> None:
    """Draws the frame around the box, on the picture itself. The box may begin left of or above it."""
    x, y = box.x, box.y
    moved = Box(max(0.0, x), max(0.0, y), max(0.0, box.width + min(0.0, x)), max(0.0, box.height + min(0.0, y)))
    left, top, right, bottom = moved.to_pixels(1)
    draw = ImageDraw.Draw(image)
    for out, colour, line in ((REACH, WHITE, HALO), (GAP + HALO + LINE, EDGE, LINE), (GAP + HALO, WHITE, HALO)):
        draw.rectangle((left - out, top - out, right + out - 1, bottom + out - 1), outline=colour, width=line)


def encode(image: Image.Image, *, small: bool = False) -> bytes:
    """The picture as PNG, nothing in it but the pixels. small: takes about three times as long, and is a little smaller."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=SMALL if small else QUICK)
    return out.getvalue()


def shown_bytes(picture: bytes, view: View | None, region: Box) -> bytes:
    """What is shown, encoded: the picture's own bytes where all of it is, else a PNG. Raises BadInput as `shown` does."""
    return picture if view is None else encode(shown(picture, view, region))


_BROKEN = (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError)


def _image(picture: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(picture), formats=FORMATS)
    if image.width * image.height > MAX_PIXELS:
        raise ValueError(f"{image.width} x {image.height} is too large for a screenshot")
    return image


def _told(error: Exception) -> str:
    """In words that are the same in every run: the library's own name the address of a buffer."""
    told = str(error)
    if "cannot identify image file" in told:
        return "it is no PNG or JPEG"
    return "it is cut off" if "truncated" in told.lower() else told
