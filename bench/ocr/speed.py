"""Speed: our checks a second beside RapidOCR alone on the same crops, in turns, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from bench.ocr.sheets import Sheet
from bench.ocr.trials import findings_of
from channels.crops import line_crops
from channels.pixels import open_png
from channels.readers import Reader, open_reader
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


def speed(sheets: Sequence[Sheet], threads: int, *, rounds: int = 3) -> Speed:
    """Medians over the rounds; in a round the two take turns sheet by sheet, so that a busy machine is busy for both.

    Ours: decoding the PNG, cutting, ink, reading, judging. Alone: RapidOCR called on each finished crop, recognition only, with
    as many threads.
    """
    from rapidocr import RapidOCR  # noqa: PLC0415 - two seconds

    engine = RapidOCR(params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": threads})
    reader = open_reader("rapidocr", threads=threads)
    jobs = [_job(reader, sheet) for sheet in sheets]
    engine(jobs[0].crops[0], use_det=False, use_cls=False)  # loads its model

    def ours(job: _Job) -> None:
        check(reader, job.sheet.png, job.sheet.scale, job.findings)

    def alone(job: _Job) -> None:
        for crop in job.crops:
            engine(crop, use_det=False, use_cls=False)

    taken: list[tuple[float, ...]] = []
    for _ in range(rounds):
        by_sheet = [(*_timed(ours, job), *_timed(alone, job)) for job in jobs]
        taken.append(tuple(map(sum, zip(*by_sheet, strict=True))))
    total = sum(len(job.crops) for job in jobs)
    wall, cpu, alone_wall, alone_cpu = (total / median(column) for column in zip(*taken, strict=True))
    return Speed(threads, wall, alone_wall, cpu, alone_cpu)


@dataclass(frozen=True, slots=True)
class _Job:
    sheet: Sheet
    findings: list[Finding]
    crops: list[Any]


def _job(reader: Reader, sheet: Sheet) -> _Job:
    """The samples of one line each, so that a check is a crop and the two count the same."""
    image = open_png(sheet.png)
    chosen = [s for s in sheet.samples if len(s.lines) == 1 and reader.can_read(s.text.shown)]
    findings = [findings_of(sample)[1] for sample in chosen]
    cut = [line_crops(image, [Box(*line) for line in s.lines], sheet.scale) for s in chosen]
    return _Job(sheet, findings, [np.asarray(crop)[:, :, ::-1] for crops in cut for crop in crops])


def _timed(work: Callable[[_Job], None], job: _Job) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work(job)
    return time.perf_counter() - wall, time.process_time() - cpu
