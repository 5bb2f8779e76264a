"""Where the lines of text are in a region of a picture, by its ink alone. For regions whose lines nobody has told."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from channels.pixels import INK_STEP, crop
from domain.geometry import Box

Marks = NDArray[np.bool_]

DOT_SHARE = 0.45
"""Of the highest run of rows: what is lower is a dot, an accent or an underline of the line beside it."""
ROOM_PX = 2
"""Image px around a line's ink: readers miss letters that touch the edge."""
MIN_LINE_PX = 4
"""Image px: lower is no line of text."""
NEAR_EDGE = 4
"""Image px: in a region lower or narrower there is no telling a frame from a letter."""
ACROSS, DOWN = 0.6, 0.8
"""Share of a row, of a column at the region's edge that is ink: so much is a frame. No line of text has that, and an l no more
than two thirds of its line."""
REACH_PX = 12
"""Image px from the edge: as far as a frame with its round corners comes in, in a region of six times that."""
TURNS = 16
"""Changes of direction, at most, on the way from the region's edge along ink that hangs together with it."""
BLANK_SHARE = 0.5
"""Of a line's height: a blank at its ends that is wider is cut off."""


def text_lines(image: Image.Image, box: Box) -> list[Box]:
    """The lines in the region from top to bottom, each as wide as its ink. box and lines: image px.

    Runs of rows that hold ink, where low ones belong to the nearest that almost touches. Empty where the region is flat or off
    the picture. Text in two columns gives lines that go across both.
    """
    region = crop(image, box, 1)
    if region is None:
        return []
    marks = _ink(region)
    inner = marks & ~_frame(marks)
    letters = inner if inner.any() else marks
    left, top = box.to_pixels(1)[:2]
    found = []
    for first, last in _joined(_runs(np.asarray(letters.any(axis=1)))):
        if last - first < MIN_LINE_PX:
            continue
        columns = np.flatnonzero(letters[first:last].any(axis=0))
        blank = max(ROOM_PX, BLANK_SHARE * (last - first))
        x, right = int(columns[0]), int(columns[-1]) + 1
        x, right = x - ROOM_PX if x > blank else 0, right + ROOM_PX if region.width - right > blank else region.width
        y, bottom = max(0, first - ROOM_PX), min(region.height, last + ROOM_PX)
        found.append(Box(left + x, top + y, right - x, bottom - y))
    return found


def _ink(region: Image.Image) -> Marks:
    """Which pixels differ from the ground, as `channels.pixels.ink` has it. Shape (height, width)."""
    pixels = np.asarray(region.convert("RGB")).astype(np.int32)
    packed = (pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]
    colours, counts = np.unique(packed, return_counts=True)
    ground = int(colours[np.flatnonzero(counts == counts.max())[-1]])
    apart = np.abs(pixels - np.array([ground >> 16, ground >> 8 & 255, ground & 255])).max(axis=2)
    return np.asarray(apart > INK_STEP)


def _frame(marks: Marks) -> Marks:
    """Ink that hangs together with the corners or with a rule along the edge: what is no text. A letter at the edge is."""
    # No further in than this: an underline at the edge is no frame of the letters that it touches.
    band = max(2, min(REACH_PX, min(marks.shape) // 6))
    near = marks.copy()
    near[band:-band, band:-band] = False
    found = np.zeros_like(marks)
    for edge in (0, 1, -2, -1):
        if min(marks.shape) > NEAR_EDGE:
            found[edge, :] |= marks[edge, :] & (marks[edge, :].mean() >= ACROSS)
            found[:, edge] |= marks[:, edge] & (marks[:, edge].mean() >= DOWN)
    corner = np.ix_([0, -1], [0, -1])
    found[corner] |= marks[corner]
    for _ in range(TURNS if found.any() else 0):
        before = int(found.sum())
        found = _spread(_spread(found, near).T, near.T).T
        if int(found.sum()) == before:
            break
    return found


def _spread(found: Marks, marks: Marks) -> Marks:
    """Every unbroken stretch of marks in a row that holds something found."""
    starts = marks & ~np.pad(marks, ((0, 0), (1, 0)))[:, :-1]
    stretch = np.where(marks, np.cumsum(starts.ravel()).reshape(marks.shape), 0)
    holds = np.bincount(stretch.ravel(), weights=found.ravel()) > 0
    holds[0] = False
    return np.asarray(holds[stretch])


def _runs(rows: Marks) -> list[tuple[int, int]]:
    """Stretches of true, as (first, one behind the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], rows.astype(np.int8), [0]))))
    return [(int(edges[i]), int(edges[i + 1])) for i in range(0, len(edges), 2)]


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Dots and accents with the letters that they belong to."""
    if not runs:
        return []
    highest = max(last - first for first, last in runs)
    near = max(2, highest // 4)
    found = [runs[0]]
    for first, last in runs[1:]:
        before = found[-1]
        low = min(last - first, before[1] - before[0]) < DOT_SHARE * highest
        if low and first - before[1] <= near:
            found[-1] = (before[0], last)
        else:
            found.append((first, last))
    return found
