"""Pictures of a place on a screenshot that is decoded once and asked for many: framed with the page around it, or bare."""

from __future__ import annotations

from PIL import Image

from channels.pictures import Picture, Screenshot, encoded
from channels.pixels import crop, open_picture, outline
from domain.geometry import Box
from domain.probe import View

FRAME = 2
"""px of the region's unit."""


class Place:
    """A decoded picture, PNG or JPEG. Raises BadInput where it cannot be decoded. Never changed: safe between threads."""

    def __init__(self, content: bytes) -> None:
        self._image = open_picture(content)

    @property
    def weight(self) -> int:
        """Bytes of memory that it takes."""
        return self._image.width * self._image.height * len(self._image.getbands())

    def picture(self, region: Box, scale: float, view: View | None = None, around: float | None = None) -> Picture | None:
        """What is around the region, framed; None where the region lies off the picture.

        scale: image px per px of region. view: nothing outside of its window is shown. around: px of the region's unit to
        see on each side; 0: the region alone, no frame; None: enough to see where it is.
        """
        image, region = self._windowed(region, scale, view)
        if around is None:
            return Screenshot(image, scale).around(region)
        seen = crop(image, region, scale, margin=around)
        if seen is None:
            return None
        if around:
            left, top, *_ = Box(region.x - around, region.y - around, 0, 0).to_pixels(scale)
            box = Box(region.x * scale - left, region.y * scale - top, region.width * scale, region.height * scale)
            seen = outline(seen, [box], 1, width=max(1, round(FRAME * scale)))
        return encoded(seen, max(1, round(seen.width / scale)), max(1, round(seen.height / scale)))

    def _windowed(self, region: Box, scale: float, view: View | None) -> tuple[Image.Image, Box]:
        """The window of the picture and the region in it."""
        if view is None:
            return self._image, region
        part = self._image.crop((view.x, view.y, view.x + view.width, view.y + view.height))
        return part, Box(region.x - view.x / scale, region.y - view.y / scale, region.width, region.height)
