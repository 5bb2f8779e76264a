"""Rectangles on a page, in CSS px."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in CSS px, origin at the viewport's top left, y downwards.

    Width and height may be zero (an empty element) but not negative.
    """

    x: float
    y: float
    width: float
    height: float

    def __post_init__(self) -> None:
        if self.width < 0 or self.height < 0:
            raise ValueError(f"a box cannot be {self.width} x {self.height}")

    @property
    def area(self) -> float:
        return self.width * self.height

    def overlap(self, other: Box) -> Box:
        """The common part; a box of no area where there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return Box(x, y, max(0.0, right - x), max(0.0, bottom - y))

    def share_inside(self, other: Box) -> float:
        """How much of this box lies in the other, 0 to 1; 0 for a box of no area."""
        return min(1.0, self.overlap(other).area / self.area) if self.area else 0.0

    def near(self, other: Box, tolerance: float) -> bool:
        """No edge is further than `tolerance` px from the other's."""
        return (
            abs(self.x - other.x) <= tolerance
            and abs(self.y - other.y) <= tolerance
            and abs(self.x + self.width - other.x - other.width) <= tolerance
            and abs(self.y + self.height - other.y - other.height) <= tolerance
        )

    def to_pixels(self, scale: float) -> tuple[int, int, int, int]:
        """(left, top, right, bottom) in image px, rounded outwards, never negative. scale: image px per CSS px."""
        return (
            max(0, math.floor(self.x * scale)),
            max(0, math.floor(self.y * scale)),
            max(0, math.ceil((self.x + self.width) * scale)),
            max(0, math.ceil((self.y + self.height) * scale)),
        )

    def as_list(self) -> list[float]:
        return [self.x, self.y, self.width, self.height]
