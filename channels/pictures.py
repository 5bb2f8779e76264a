"""Pictures for people: a place on a screenshot with a frame around it, or all of it, small enough to put many in one file."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

from PIL import Image

from channels.pixels import crop, open_png, outline, to_png
from domain.geometry import Box

MARGIN = 60
"""CSS px of page to see on each side of an element."""
LEAST = (520, 180)
"""CSS px of page to see at least: around a small element more, so that one can tell where it is."""
MOST = (560, 420)
"""CSS px that a picture of a place takes at most. More page than that is drawn smaller."""
WIDEST = 1280
"""Image px of a whole screenshot."""
FRAME = 2
"""CSS px of the frame's line in the finished picture."""
SHARP = 2
"""Image px per CSS px kept in the picture of a place; what a screen of a higher scale has beyond that is not."""
LOSSLESS_BYTES = 48_000
"""PNG up to this size: text stays crisp. Larger ones are photographs, and those are better as JPEG."""
LOSSLESS_PIXELS = 1_200_000
"""More than a picture of a place has: not even tried, since it takes a second and does not become small."""
JPEG_QUALITY = 80


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture and the size it is meant to be shown at, in CSS px."""

    content: bytes
    media_type: str
    width: int
    height: int


class Screenshot:
    """A screenshot, decoded once. Raises BadInput where it cannot be."""

    def __init__(self, png: bytes | Image.Image, scale: float) -> None:
        self._image = open_png(png) if isinstance(png, bytes) else png
        self._scale = scale
        self.view = Box(0, 0, self._image.width / scale, self._image.height / scale)
        """What it shows, CSS px."""

    def around(self, box: Box) -> Picture | None:
        """The element's box in a frame, and the page around it; None where the box lies off the screenshot."""
        wide = _around(box, self.view)
        region = None if wide is None else crop(self._image, wide, self._scale)
        if wide is None or region is None:
            return None
        left, top, *_ = wide.to_pixels(self._scale)
        size = region.width / self._scale, region.height / self._scale
        shrink = min(1.0, MOST[0] / size[0], MOST[1] / size[1])
        line = max(1, round(FRAME * self._scale / shrink))
        inside = Box(line, line, max(0, region.width - 2 * line - 1), max(0, region.height - 2 * line - 1))
        # In pixels of the region. Drawn outside the element, unless the picture ends there: then along its edge.
        frame = Box(box.x * self._scale - left, box.y * self._scale - top, box.width * self._scale, box.height * self._scale)
        region = outline(region, [frame.overlap(inside)], 1, width=line)
        region = _fit(region, shrink * min(1.0, SHARP / self._scale))
        return encoded(region, max(1, round(size[0] * shrink)), max(1, round(size[1] * shrink)))

    def whole(self) -> Picture:
        """All of it as JPEG."""
        small = _fit(self._image, min(1.0, WIDEST / self._image.width))
        return Picture(_jpeg(small), "image/jpeg", round(self.view.width), round(self.view.height))


def size_around(box: Box, view: Box) -> tuple[int, int] | None:
    """(width, height) in CSS px that the picture around the box is shown at, without the screenshot; None: there is none."""
    wide = _around(box, view)
    if wide is None:
        return None
    shrink = min(1.0, MOST[0] / wide.width, MOST[1] / wide.height)
    return max(1, round(wide.width * shrink)), max(1, round(wide.height * shrink))


def _around(box: Box, view: Box) -> Box | None:
    """What of the view is to be seen around the box, CSS px; None where the box lies off it."""
    if box.x > view.width or box.y > view.height or box.x + box.width < 0 or box.y + box.height < 0:
        return None
    seen = box.overlap(view)
    x, width = _stretch(seen.x, seen.width, LEAST[0], view.width)
    y, height = _stretch(seen.y, seen.height, LEAST[1], view.height)
    return Box(x, y, width, height)


def _stretch(start: float, length: float, least: float, available: float) -> tuple[float, float]:
    """Start and length of a range with a margin on both sides, at least `least` long, moved to lie within what there is."""
    wanted = min(available, max(length + 2 * MARGIN, least))
    return max(0.0, min(start + length / 2 - wanted / 2, available - wanted)), wanted


def _fit(image: Image.Image, factor: float) -> Image.Image:
    if factor >= 1:
        return image
    size = max(1, math.floor(image.width * factor)), max(1, math.floor(image.height * factor))
    return image.resize(size, Image.Resampling.LANCZOS)


def encoded(image: Image.Image, width: int, height: int) -> Picture:
    """As PNG where that is small, else as JPEG. width, height: CSS px to show it at."""
    if image.width * image.height <= LOSSLESS_PIXELS and len(png := to_png(image, quick=True)) <= LOSSLESS_BYTES:
        return Picture(png, "image/png", width, height)
    return Picture(_jpeg(image), "image/jpeg", width, height)


def _jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    # No thinning of colours: on thin coloured text it is the first thing to be seen.
    image.save(out, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return out.getvalue()
