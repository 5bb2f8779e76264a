"""The pixel channel: what a screenshot shows, asked region by region. Pure functions on images."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from PIL import Image, ImageChops, ImageDraw

from domain.errors import BadInput
from domain.geometry import Box

INK_STEP = 24
"""Levels of 256: a pixel this far from the ground in any channel is ink. Anti-aliasing and JPEG-like noise are below it."""
EDGE = (220, 38, 38)
PNG_MARK, JPEG_MARK = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
QUICK = 3
"""zlib's level, where a picture is made for someone who waits."""
IHDR_END = 24
"""Bytes of a PNG up to and with its size."""
# A picture larger than this is no viewport; Pillow's own guard is for files of unknown origin.
MAX_PIXELS = 200_000_000


def open_png(png: bytes) -> Image.Image:
    """The picture, decoded, RGB. Raises BadInput where it is none."""
    try:
        image = Image.open(io.BytesIO(png))
        if image.width * image.height > MAX_PIXELS:
            raise BadInput(f"A picture of {image.width} x {image.height} is no screenshot of a viewport.")
        return image.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise BadInput(f"The screenshot cannot be decoded: {error}") from error


def open_picture(content: bytes) -> Image.Image:
    """A corpus's picture, PNG or JPEG, decoded, RGB. Raises BadInput where it is neither, or broken."""
    if not content.startswith((PNG_MARK, JPEG_MARK)):
        raise BadInput("The picture is neither PNG nor JPEG.")
    return open_png(content)


def png_size(png: bytes) -> tuple[int, int]:
    """(width, height) in image px, from the header alone. Raises BadInput where there is none."""
    if len(png) < IHDR_END or png[:8] != PNG_MARK or png[12:16] != b"IHDR":
        raise BadInput("The screenshot is no PNG.")
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def crop(image: Image.Image, box: Box, scale: float, *, margin: float = 0) -> Image.Image | None:
    """The region with a margin in CSS px around it, cut at the picture's edges; None where nothing of it is on the picture."""
    wide = Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin)
    left, top, right, bottom = wide.to_pixels(scale)
    right, bottom = min(right, image.width), min(bottom, image.height)
    return image.crop((left, top, right, bottom)) if left < right and top < bottom else None


def ink(image: Image.Image, box: Box, scale: float) -> float | None:
    """Share of the region's pixels that differ from its ground, 0 to 1. The ground is its most frequent colour.

    None where nothing of the region is on the picture.
    """
    region = crop(image, box, scale)
    if region is None:
        return None
    colours = region.getcolors(maxcolors=region.width * region.height) or []
    _, ground = max((n, c) for n, c in colours if isinstance(c, tuple))
    # By channels in C: a photograph has a colour a pixel.
    red, green, blue = ImageChops.difference(region, Image.new("RGB", region.size, ground)).split()
    furthest = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(furthest[INK_STEP + 1 :]) / (region.width * region.height)


def ink_of(png: bytes, scale: float) -> Callable[[Box], float | None]:
    """Asks this screenshot for ink. Decoded at the first question: most captures have no candidate to ask about."""
    opened: list[Image.Image] = []

    def measure(box: Box) -> float | None:
        if not opened:
            opened.append(open_png(png))
        return ink(opened[0], box, scale)

    return measure


def outline(image: Image.Image, boxes: Sequence[Box], scale: float, *, width: int = 2) -> Image.Image:
    """A copy with the boxes drawn just outside the regions, so that nothing of them is painted over."""
    marked = image.copy()
    draw = ImageDraw.Draw(marked)
    for box in boxes:
        left, top, right, bottom = box.to_pixels(scale)
        draw.rectangle((left - width - 1, top - width - 1, right + width, bottom + width), outline=EDGE, width=width)
    return marked


def to_png(image: Image.Image, *, quick: bool = False) -> bytes:
    """The picture as PNG, small rather than quick; quick: in a tenth of the time, and a twentieth larger."""
    out = io.BytesIO()
    if quick:
        image.save(out, "PNG", compress_level=QUICK)
    else:
        image.save(out, "PNG", optimize=True)
    return out.getvalue()
