"""JPEG files, asked without decoding them where that is enough: size, whether the end is there, whether one colour is all."""

from __future__ import annotations

import io

from PIL import Image

from channels.pixels import INK_STEP
from domain.errors import BadInput

_MARK = 0xFF
_FRAMES = range(0xC0, 0xD0)
_NO_SIZE = {0xC4, 0xC8, 0xCC}
"""Markers among these that are no start of a frame: Huffman tables, an extension, arithmetic coding."""
TAIL = 64
"""Bytes at the end in which the end marker must be: some writers pad behind it."""
SUSPECT = 9
"""Bytes for each 256 px: a picture of one colour with bars takes 5.6 to 8.6, by its subsampling; the emptiest real one 9.1."""
BARS = 0.06
"""Share of the height at each end that may hold the system's bars, which are drawn over a picture of nothing too."""
FLAT_SHARE = 0.999


def jpeg_size(content: bytes) -> tuple[int, int] | None:
    """(width, height) in image px, from the header; None where it is no JPEG or ends before its size is told."""
    if content[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(content) and content[at] == _MARK:
        marker = content[at + 1]
        if marker == _MARK:  # padding
            at += 1
        elif marker in _FRAMES and marker not in _NO_SIZE:
            return int.from_bytes(content[at + 7 : at + 9], "big"), int.from_bytes(content[at + 5 : at + 7], "big")
        else:
            at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")
    return None


def ends(content: bytes) -> bool:
    """Whether the file holds its end marker: one that was cut off does not."""
    return b"\xff\xd9" in content[-TAIL:]


def flat(content: bytes, size: tuple[int, int]) -> bool:
    """One colour is all that is between the system's bars. Decoded, at an eighth, only where the file is small for its size.

    Raises BadInput where it cannot be decoded.
    """
    if len(content) * 256 > SUSPECT * size[0] * size[1]:
        return False
    try:
        image = Image.open(io.BytesIO(content))
        image.draft("RGB", (size[0] // 8, size[1] // 8))
        seen = image.convert("RGB")
    except (OSError, SyntaxError, ValueError) as error:
        raise BadInput(f"The picture cannot be decoded: {error}") from error
    bar = round(seen.height * BARS)
    inner = seen.crop((0, bar, seen.width, seen.height - bar))
    colours = inner.getcolors(maxcolors=inner.width * inner.height) or []
    counted = [(n, c) for n, c in colours if isinstance(c, tuple)]
    ground = max(counted)[1]
    same = sum(n for n, c in counted if max(abs(a - b) for a, b in zip(c, ground, strict=True)) <= INK_STEP)
    return same >= FLAT_SHARE * inner.width * inner.height
