"""tesseract: the program of that name, where it is installed; a second opinion. One run a line, so it is slow."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from collections.abc import Sequence

import regex
from PIL import Image

from domain.errors import Unavailable
from domain.lookalikes import base_letters
from domain.pixel_check import Line

NAME = "tesseract"
LONGEST_S = 30
"""For one line."""
LEAST_HEIGHT_PX = 32
"""Lower lines are enlarged: it is made for print at 300 dots an inch."""
QUIET_PX = 10
"""Of ground around the line; it finds no text at a picture's edge."""
_LATIN = regex.compile(r"[\p{Latin}\p{N}]*")
_WORD_LEVEL = "5"


def available() -> str:
    """Empty, or what is missing."""
    if shutil.which(NAME):
        return ""
    return (
        "The reader tesseract needs the program tesseract: sudo apt-get install tesseract-ocr. Or use rapidocr, which is here."
    )


def start(threads: int) -> Tesseract:  # noqa: ARG001 - it is run once a line, on one core
    """The reader, with the program's English model."""
    return Tesseract()


class Tesseract:
    """Runs the program. English letters only."""

    def __init__(self) -> None:
        said = self._run(["--version"], b"").splitlines()
        self.version = f"tesseract-{said[0].split()[-1] if said else 'unknown'}/eng"

    def can_read(self, text: str) -> bool:
        return _LATIN.fullmatch(base_letters(text)) is not None

    def read(self, crops: Sequence[Image.Image]) -> list[Line]:
        """What stands in each."""
        return [self._line(crop) for crop in crops]

    def _line(self, crop: Image.Image) -> Line:
        grey = crop.convert("L")
        if grey.height < LEAST_HEIGHT_PX:
            size = (max(1, round(grey.width * LEAST_HEIGHT_PX / grey.height)), LEAST_HEIGHT_PX)
            grey = grey.resize(size, Image.Resampling.BICUBIC)
        ground = max((n, level) for level, n in enumerate(grey.histogram()))[1]
        quiet = Image.new("L", (grey.width + 2 * QUIET_PX, grey.height + 2 * QUIET_PX), ground)
        quiet.paste(grey, (QUIET_PX, QUIET_PX))
        out = io.BytesIO()
        quiet.save(out, "PNG")
        said = self._run(["stdin", "stdout", "--psm", "7", "-l", "eng", "tsv"], out.getvalue())
        rows = csv.DictReader(io.StringIO(said), delimiter="\t", quoting=csv.QUOTE_NONE)
        words = [
            (row["text"], max(0.0, float(row["conf"])) / 100) for row in rows if row["level"] == _WORD_LEVEL and row["text"]
        ]
        if not words:
            return Line("", 0.0)
        each = [confidence for word, confidence in words for _ in range(len(word) + 1)][:-1]
        return Line(" ".join(word for word, _ in words), sum(each) / len(each), tuple(each))

    def _run(self, arguments: Sequence[str], given: bytes) -> str:
        try:
            done = subprocess.run(  # noqa: S603 - our own arguments, and a program that was looked up
                [shutil.which(NAME) or NAME, *arguments], input=given, capture_output=True, timeout=LONGEST_S, check=True
            )
        except (OSError, subprocess.SubprocessError) as problem:
            raise Unavailable(f"tesseract did not read: {problem}") from problem
        return done.stdout.decode(errors="replace")
