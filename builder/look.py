"""Look: what the families ask of the pixels of a corpus's screen. Decoded once, at the first question."""

from __future__ import annotations

from functools import cached_property

from channels.crops import Picture, line_crops
from channels.pixels import ink, open_picture
from channels.readers import Reader
from channels.text_lines import text_lines
from domain.errors import Unavailable
from domain.geometry import Box
from domain.pixel_check import REASONS, Check, Line, judge

LONGEST_LINES = 12
"""Lines: a text of more is no value, and costs seconds to read."""


def open_look(picture: bytes, reader: Reader | None) -> PictureLook:
    """What can be seen on this picture (PNG or JPEG). reader: None where no family asks for text.

    Questions raise BadInput where the picture cannot be decoded.
    """
    return PictureLook(picture, reader)


class PictureLook:
    """Answers as `domain.screen.Look` asks. Boxes in image px, on the picture as it is: no scale."""

    def __init__(self, picture: bytes, reader: Reader | None) -> None:
        self._picture, self._reader = picture, reader

    @cached_property
    def _image(self) -> Picture:
        return open_picture(self._picture)

    def ink(self, box: Box) -> float | None:
        """Share of the box's pixels that differ from its ground, 0 to 1; None where nothing of it is on the picture."""
        return ink(self._image, box, 1)

    def check(self, box: Box, gold: str, structural: str) -> Check:
        """Whether a reader finds gold in the box and not structural. Lines are where the box has ink.

        Raises Unavailable where there is no reader to ask.
        """
        if self._reader is None:
            raise Unavailable("This picture was opened without a reader, and a text is to be read on it.")
        if not self._reader.can_read(gold):
            return _unread(self._reader, "script")
        lines = text_lines(self._image, box)
        if len(lines) > LONGEST_LINES:
            return _unread(self._reader, "too-long")
        crops = line_crops(self._image, lines, 1)
        return _judged(self._reader, self._reader.read(crops), gold, structural) if crops else _unread(self._reader, "no-ink")


def _unread(reader: Reader, reason: str) -> Check:
    return Check(reader=reader.version, read="", confidence=0, verdict=REASONS[reason], reason=reason)


def _judged(reader: Reader, lines: list[Line], gold: str, structural: str) -> Check:
    said = judge(lines, gold, structural)
    read = [line for line in lines if line.text]
    return Check(
        reader=reader.version,
        read=" ".join(line.text for line in read),
        confidence=min((min(1.0, max(0.0, line.confidence)) for line in read), default=0.0),
        verdict=said.verdict,
        reason=said.reason,
    )
