"""Pictures for annotators: what a probe shows, as pixels and nothing else; with the region framed; the region enlarged.

Pure: bytes in, bytes out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

from PIL import Image

from channels.crops import Picture, line_crops
from channels.pixels import crop, open_png
from channels.text_lines import text_lines
from channels.views import encode, frame, window
from domain.errors import BadInput
from domain.geometry import Box
from domain.probe import View

CLOSE_UP_PX = 768
"""Image px of the longer side that an enlarged region has at most."""
ENLARGED = 4
"""Times, at most: more shows nothing more."""
AROUND_PX = 8
"""Image px of the picture to see around an enlarged region."""


class Marked(Protocol):
    """A region of a picture, image px from its top left."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...


def bare(picture: Image.Image, view: View | None, digest: str) -> tuple[bytes, tuple[int, int]]:
    """What is shown of a screenshot as PNG without frame or metadata, and its size in image px.

    digest: SHA-256 of the screenshot's file. The bytes are never that file's, so that neither can be found by the other.
    Raises BadInput where the view is not on the picture.
    """
    plain = view.model_copy(update={"mark": False}) if view else None
    shown = window(picture, plain, Box(0, 0, 1, 1))
    # Copied into a picture of its own: what the file said beside its pixels (text, EXIF, profile, dpi) stays behind.
    image = Image.new("RGB", shown.size)
    image.paste(shown)
    png = encode(image)
    if hashlib.sha256(png).hexdigest() == digest:
        png = encode(image, small=True)  # another level stands in the second byte of the packed data
    return png, image.size


def marked(png: bytes, region: Marked) -> bytes:
    """The picture with a frame around the region, outside of it. Raises BadInput where it cannot be decoded."""
    image = open_png(png)
    frame(image, _box(region))
    return encode(image)


def close_up(png: bytes, region: Marked) -> bytes:
    """The region with a little around it, enlarged. Raises BadInput where it cannot be decoded or the region is off it."""
    part = crop(open_png(png), _box(region), 1, margin=AROUND_PX)
    if part is None:
        raise BadInput("The region is not on the picture.")
    factor = min(ENLARGED, CLOSE_UP_PX / max(part.size))
    if factor > 1:
        part = part.resize((round(part.width * factor), round(part.height * factor)), Image.Resampling.LANCZOS)
    return encode(part)


def lines_in(png: bytes, region: Marked) -> Sequence[Picture]:
    """Each line of text in the region, from top to bottom, as a reader is given it; none where the region is flat."""
    image = open_png(png)
    return line_crops(image, text_lines(image, _box(region)), 1)


def _box(region: Marked) -> Box:
    return Box(region.x, region.y, region.width, region.height)
