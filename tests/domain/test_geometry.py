"""Rectangles on a page."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.geometry import Box

PLACE = st.floats(-5_000, 5_000)
SIZE = st.floats(0, 5_000)
BOXES = st.builds(Box, PLACE, PLACE, SIZE, SIZE)
# Layout is in 1/64 px: sums of such numbers are exact.
GRID = st.integers(-50_000, 50_000).map(lambda n: n / 64)
GRID_SIZE = st.integers(0, 50_000).map(lambda n: n / 64)
LAID_OUT = st.builds(Box, GRID, GRID, GRID_SIZE, GRID_SIZE)


@pytest.mark.parametrize(("width", "height"), [(-1, 2), (2, -1)])
def test_no_negative_size(width: float, height: float) -> None:
    """A box inside out is refused rather than measured."""
    with pytest.raises(ValueError, match="a box cannot be"):
        Box(0, 0, width, height)


def test_worked_out() -> None:
    """Two boxes of 100 x 50 that share their lower right and upper left quarters: 50 x 25, a quarter of each."""
    first, second = Box(0, 0, 100, 50), Box(50, 25, 100, 50)
    assert first.overlap(second) == Box(50, 25, 50, 25)
    assert first.area == 5_000
    assert first.share_inside(second) == 0.25
    assert first.as_list() == [0, 0, 100, 50]


@given(LAID_OUT, LAID_OUT)
def test_overlap_lies_in_both(first: Box, second: Box) -> None:
    """What two boxes share is the same either way, and no larger than either; apart they share no area."""
    common = first.overlap(second)
    assert common == second.overlap(first)
    if common.area:
        assert common.overlap(first) == common == common.overlap(second)
        assert common.area <= min(first.area, second.area)


@given(BOXES)
def test_overlap_with_itself(box: Box) -> None:
    """A box lies in itself, to the rounding of its sums."""
    assert box.overlap(box).near(box, 1e-9)


@given(BOXES, BOXES)
def test_share_is_a_share(first: Box, second: Box) -> None:
    """A share is between 0 and 1, to the last bit."""
    assert 0 <= first.share_inside(second) <= 1


@given(BOXES)
def test_share_of_nothing(box: Box) -> None:
    """A box of no area lies nowhere."""
    assert Box(box.x, box.y, 0, box.height).share_inside(box) == 0


@given(LAID_OUT, LAID_OUT, st.floats(0, 100))
def test_near_has_no_direction(first: Box, second: Box, tolerance: float) -> None:
    """If one is near the other, the other is near the one."""
    assert first.near(second, tolerance) == second.near(first, tolerance)


@given(LAID_OUT, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_a_nudge_is_near(box: Box, right: float, down: float) -> None:
    """A move of up to half a pixel is near within half a pixel; a move or a growth of two is not."""
    assert box.near(Box(box.x + right, box.y + down, box.width, box.height), 0.500001)
    assert not box.near(Box(box.x + 2, box.y, box.width, box.height), 0.5)
    assert not box.near(Box(box.x, box.y - 2, box.width, box.height), 0.5)
    assert not box.near(Box(box.x, box.y, box.width + 2, box.height), 0.5)
    assert not box.near(Box(box.x, box.y, box.width, box.height + 2), 0.5)


@pytest.mark.parametrize(
    ("box", "scale", "pixels"),
    [
        (Box(10, 20, 30, 40), 1, (10, 20, 40, 60)),
        (Box(10.2, 20.7, 30, 40), 1, (10, 20, 41, 61)),
        (Box(10, 20, 30, 40), 1.5, (15, 30, 60, 90)),
        (Box(10, 20, 30, 40), 2, (20, 40, 80, 120)),
        (Box(-5, -5, 10, 10), 1, (0, 0, 5, 5)),
        (Box(-50, -50, 10, 10), 1, (0, 0, 0, 0)),
        (Box(3, 4, 0, 0), 1, (3, 4, 3, 4)),
    ],
)
def test_pixels_worked_out(box: Box, scale: float, pixels: tuple[int, int, int, int]) -> None:
    """Rounded outwards, cut at the picture's upper left corner."""
    assert box.to_pixels(scale) == pixels


@given(LAID_OUT, st.sampled_from([0.5, 1.0, 1.25, 2.0, 3.0]))
def test_pixels_cover_the_box(box: Box, scale: float) -> None:
    """Nothing of a box on the picture is lost when it is turned into pixels, and less than a pixel is added on each side."""
    assume(box.x >= 0)
    assume(box.y >= 0)
    left, top, right, bottom = box.to_pixels(scale)
    assert box.x * scale - 1 < left <= box.x * scale
    assert box.y * scale - 1 < top <= box.y * scale
    assert (box.x + box.width) * scale <= right < (box.x + box.width) * scale + 1
    assert (box.y + box.height) * scale <= bottom < (box.y + box.height) * scale + 1


@given(BOXES, st.floats(0.25, 8))
def test_pixels_are_never_negative(box: Box, scale: float) -> None:
    """Whatever the box, its pixels are places on a picture, right not left of left."""
    left, top, right, bottom = box.to_pixels(scale)
    assert 0 <= left <= right
    assert 0 <= top <= bottom
