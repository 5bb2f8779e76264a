"""Speed: our checks a second beside RapidOCR alone on the same crops, in turns, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from bench.ocr.sheets import Sheet
from channels.crops import line_crops
from channels.pixels import open_png
from channels.readers import open_reader
from crawler.pixel_check import check
from domain.divergence import Finding
from domain.geometry import Box


@dataclass(frozen=True, slots=True)
class Speed:
    """Checks a second, of one line each; by the wall and by processor seconds."""

    threads: int
    ours: float
    alone: float
    ours_a_cpu_s: float
    alone_a_cpu_s: float


def speed(sheets: Sequence[Sheet], threads: int, *, rounds: int = 3, most: int = 120) -> Speed:
    """Medians over the rounds. Ours: decoding the PNG, cutting, ink, reading, judging. Alone: RapidOCR called on each finished
    crop, recognition only, with as many threads."""
    from rapidocr import RapidOCR  # noqa: PLC0415 - two seconds

    engine = RapidOCR(params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": threads})
    reader = open_reader("rapidocr", threads=threads)
    jobs: list[tuple[Sheet, list[Finding]]] = []
    crops: list[Any] = []
    for sheet in sheets:
        image = open_png(sheet.png)
        # Samples of one line, so that a check is a crop and the two count the same.
        chosen = [s for s in sheet.samples if len(s.lines) == 1 and reader.can_read(s.text.shown)][: most - len(crops)]
        jobs.append((sheet, [
            Finding(path="span", kind="stale", verdict="flagged", reason="disagree", rendered=s.text.shown,
                structural=s.text.far, lines=s.lines)
            for s in chosen
        ]))  # fmt: skip
        for s in chosen:
            crops += [np.asarray(c)[:, :, ::-1] for c in line_crops(image, [Box(*line) for line in s.lines], sheet.scale)]

    def ours() -> None:
        for sheet, findings in jobs:
            check(reader, sheet.png, sheet.scale, findings)

    def alone() -> None:
        for crop in crops:
            engine(crop, use_det=False, use_cls=False, use_rec=True)

    for crop in crops[:3]:
        engine(crop, use_det=False, use_cls=False, use_rec=True)
    taken = [(_timed(ours), _timed(alone)) for _ in range(rounds)]
    return Speed(
        threads,
        *(len(crops) / median(pair[i][0] for pair in taken) for i in (0, 1)),
        *(len(crops) / median(pair[i][1] for pair in taken) for i in (0, 1)),
    )


def _timed(work: Callable[[], None]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu
