"""Comparing: what the reading says is seen of each text, beside what the reader of the pixels reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from PIL import Image

from bench.fuzz.look import Looked
from bench.fuzz.pages import Made, Page
from channels.crops import line_crops
from channels.pixels import open_png
from channels.readers import Reader
from domain.geometry import Box
from domain.pixel_check import judge
from domain.reading import Element

Answer = Literal["agree", "disagree", "cannot tell"]
COVERED = 0.5
"""Share of its pieces: a text with as many covered is said not to be seen."""
WORD = re.compile(r"[a-z]{5,}|\d{5}")

UNREADABLE = re.compile(r"writing-mode|rotate|scaleX\(-1|skew|bidi-override|direction:rtl|perspective|\u2022")
"""Where letters stand upright, askew, mirrored or in another order than they are held, the reader of lines is no judge."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question. seen: what the reading says. what: the text, or the words of it that it says are not seen."""

    page: int
    made: Made
    seen: bool
    what: str
    said: str
    """Why it is not seen, or the judgement of what was read."""
    read: str
    answer: Answer
    lines: tuple[tuple[float, float, float, float], ...]


def whole_reader() -> Any:
    """RapidOCR with its detection: it finds the lines by itself, wherever they are."""
    from rapidocr import RapidOCR  # noqa: PLC0415 - two seconds

    return RapidOCR(params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": 2})


def words_on(engine: Any, image: Image.Image) -> frozenset[str]:
    """Every word that is read anywhere on the picture."""
    found = engine(np.asarray(image)[:, :, ::-1], use_cls=False)
    return frozenset(word for text in found.txts or () for word in WORD.findall(text.lower()))


def compared(looked: Looked, made_page: Page, reader: Reader, engine: Any) -> list[Row]:
    """A row for each text that is said to be seen, and one for each that has words which are said not to be."""
    reading, texts, number = looked.reading, made_page.texts, made_page.seed
    image = open_png(looked.png)
    elements = {e.element_id: e for e in reading.elements if e.element_id in texts}
    shown = [e for e in elements.values() if is_seen(e)]
    # What stands under a veil, and what only a part is seen of, nobody asserts anything about.
    held = [_solid(e.text) for e in reading.elements if not e.why_unseen and e.covered < COVERED]
    open_words = {w.lower() for made in texts.values() for w in made.words if any(_solid(w) in text for text in held)}
    vague = [e for e in elements.values() if {"veil", "partial", "cut", "unknown"} & e.flags.keys() or 0 < e.covered < COVERED]
    open_words |= {w.lower() for e in vague for w in texts[str(e.element_id)].words}
    read_words = words_on(engine, image)
    crops = [(e, line_crops(image, e.lines, reading.scale)) for e in shown]
    read = iter(reader.read([c for _, cut in crops for c in cut]))
    rows = []
    for i, (e, cut) in enumerate(crops):
        lines = [next(read) for _ in cut]
        made = texts[str(e.element_id)]
        other = shown[(i + 1) % len(shown)].text if len(shown) > 1 else "quux"
        judged = judge(lines, e.text, other) if lines else None
        reason = judged.reason if judged else "no-ink" if e.lines else "no-place"
        said = " ".join(line.text for line in lines)
        answer = _answer(judged.verdict if judged else "", reason)
        if answer == "disagree" and lines and UNREADABLE.search(" ".join((*made.features, e.text))):
            answer = "cannot tell"
        rows.append(Row(number, made, True, e.text, reason, said, answer, _boxes(e.lines)))
    for name, made in texts.items():
        gone = {w.lower() for w in made.words} - open_words
        if not gone:
            continue
        at = elements.get(name)
        boxes = [at.box] if at and at.box else []
        again = gone & (read_words | _words_in(reader, image, boxes, reading.scale))
        why = "not in the reading" if at is None else at.why_unseen or ("covered" if at.covered >= COVERED else "left out")
        said_so: Answer = "disagree" if again else "agree"
        rows.append(Row(number, made, False, " ".join(sorted(gone)), why, " ".join(sorted(again)), said_so, _boxes(boxes)))
    return rows


def _solid(text: str) -> str:
    """Without what is not drawn, and without blanks: pieces of one text may stand close together."""
    return re.sub(r"[\s\u00ad\u200b]", "", text).lower()


def is_seen(e: Element) -> bool:
    """Said to be seen as a whole."""
    return not e.why_unseen and bool(e.text) and e.covered == 0 and not {"veil", "partial"} & e.flags.keys()


def _answer(verdict: str, reason: str) -> Answer:
    if verdict == "confirmed":
        return "agree"
    return "disagree" if verdict == "contradicted" or reason in {"no-ink", "no-place", "nothing-read"} else "cannot tell"


def _words_in(reader: Reader, image: Image.Image, boxes: Sequence[Box], scale: float) -> frozenset[str]:
    crops = line_crops(image, [b for b in boxes if 8 < b.height < 40 and b.width < 400], scale)  # noqa: PLR2004 - one line
    return frozenset(w for line in reader.read(crops) for w in WORD.findall(line.text.lower()))


def _boxes(boxes: Iterable[Box]) -> tuple[tuple[float, float, float, float], ...]:
    return tuple((round(b.x), round(b.y), round(b.width), round(b.height)) for b in boxes)
