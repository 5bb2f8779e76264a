"""rapidocr: the recognition model that is inside the rapidocr package, on ONNX Runtime. Works without a network.

The package's own front door reads one picture a call and pads it to 320 px, so that a short text costs more than it need;
its recogniser is used directly instead. Measured in docs/pixel-check.md.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import regex
from PIL import Image

from domain.lookalikes import base_letters
from domain.pixel_check import Line

NAME = "rapidocr"
HEIGHT_PX = 48
"""Of the model's input; every crop is scaled to it."""
LEAST_WIDTH_PX = 48
"""What a narrower input is padded to. The package pads to 320, so that batches fit; but on processor cores a batch is no
quicker than its pictures one by one, short ones take a quarter longer padded, and what is read
would depend on what else is asked."""
NOT_READ_WELL = regex.compile(r"\p{Greek}")
"""Scripts of which the model has letters, for formulas, and misreads the words."""


def available() -> str:
    """Empty, or what is missing."""
    lost = [name for name in ("rapidocr", "onnxruntime") if importlib.util.find_spec(name) is None]
    if lost:
        return f"The reader rapidocr needs {' and '.join(lost)}, which this Python has not: make setup. Or use another reader."
    return "" if _model() else "This version of rapidocr has no recognition model inside it: pip install 'rapidocr>=3.9'."


def _model() -> Path | None:
    spec = importlib.util.find_spec("rapidocr")
    folder = Path(spec.origin).parent / "models" if spec and spec.origin else Path()
    return next(iter(sorted(folder.glob("*_rec_*.onnx"))), None)


def start(threads: int) -> RapidOcr:
    """The reader with its model loaded: about 100 MB."""
    model = _model()
    if model is None:
        raise RuntimeError(available())
    return RapidOcr(model, threads)


class RapidOcr:
    """One recogniser with its session. It holds no thread of its own beyond the session's."""

    def __init__(self, model: Path, threads: int) -> None:
        from omegaconf import OmegaConf  # noqa: PLC0415 - OpenCV and the rest take two seconds; only who reads pays
        from onnxruntime import InferenceSession, SessionOptions  # noqa: PLC0415
        from rapidocr.ch_ppocr_rec import TextRecInput, TextRecognizer  # noqa: PLC0415
        from rapidocr.utils.typings import EngineType  # noqa: PLC0415

        logging.getLogger("RapidOCR").setLevel(logging.ERROR)  # it tells of every model it loads, on stderr, in colour
        options = SessionOptions()
        options.log_severity_level = 3
        # Several pictures side by side, each on one core: with two it is twice as quick. Two at one picture hardly gain.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        # A session that is given is used as it is: no model is looked for, and none downloaded.
        settings: dict[str, Any] = {
            "session": InferenceSession(str(model), options, providers=["CPUExecutionProvider"]),
            "engine_type": EngineType.ONNXRUNTIME,
            "lang_type": "ch",
            "rec_batch_num": 1,
            "rec_img_shape": [3, HEIGHT_PX, LEAST_WIDTH_PX],
            "font_path": None,
        }
        made: Any = OmegaConf.create(settings, flags={"allow_objects": True})
        self._recogniser: Any = TextRecognizer(made)
        self._question: Any = TextRecInput
        self._side_by_side = ThreadPoolExecutor(threads, "rapidocr") if threads > 1 else None
        self.version = f"rapidocr-{importlib.metadata.version('rapidocr')}/{model.stem}"

    @cached_property
    def _letters(self) -> frozenset[str]:
        return frozenset("".join(self._recogniser.postprocess_op.character[1:]))

    def can_read(self, text: str) -> bool:
        """Latin, Chinese and Japanese, with their digits and marks."""
        return all(c in self._letters and not NOT_READ_WELL.match(c) for c in base_letters(text))

    def read(self, crops: Sequence[Image.Image]) -> list[Line]:
        """What stands in each. The model is given blue, green, red, as it was trained."""
        import numpy as np  # noqa: PLC0415

        if not crops:
            return []
        pictures = [np.asarray(crop.convert("RGB"))[:, :, ::-1] for crop in crops]
        if self._side_by_side is not None:
            return list(self._side_by_side.map(self._read, pictures))
        return [self._read(picture) for picture in pictures]

    def _read(self, picture: Any) -> Line:
        answer = self._recogniser(self._question(img=picture, return_word_box=True))
        return _line(answer.txts[0], answer.scores[0], answer.word_results[0])


def _line(text: str, score: float, words: Any) -> Line:
    stripped = text.strip()
    each = tuple(float(x) for x in (getattr(words, "confs", None) or ()))
    if len(each) == len(text):
        start = len(text) - len(text.lstrip())
        each = each[start : start + len(stripped)]
    else:
        each = ()
    return Line(stripped, float(score) if stripped else 0.0, each if stripped else ())
