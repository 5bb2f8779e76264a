"""Reading alone, beside what the same files cost with the libraries alone. Each a function that gives how many it read."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import orjson
import pyarrow.parquet as pq
from PIL import Image

from builder.sources import Corpus, corpus

Reading = Callable[[Path], int]


def rico_ours(path: Path) -> int:
    """Every screen by builder.sources.rico: parsed, normalised, hashed, checked, boxes mapped."""
    return _ours(corpus("rico"), path)


def rico_bare(path: Path) -> int:
    """orjson.loads of every hierarchy and the header of every picture."""
    return _rico_alone(path, decode=False)


def rico_decoded(path: Path) -> int:
    """The same, and every picture decoded."""
    return _rico_alone(path, decode=True)


def mind2web_ours(path: Path) -> int:
    """Every row by builder.sources.mind2web."""
    return _ours(corpus("mind2web"), path)


def mind2web_pyarrow(path: Path) -> int:
    """Every row of the same columns by pyarrow, as Python values, and no more: no candidate decoded, no HTML parsed."""
    from builder.sources._mind2web_files import BATCH, COLUMNS  # noqa: PLC0415 - a private name, for this comparison alone

    n = 0
    for file in sorted(path.glob("**/test*.parquet")):
        for batch in pq.ParquetFile(file).iter_batches(batch_size=BATCH, columns=list(COLUMNS), use_threads=False):
            n += len(batch.to_pylist())
    return n


def in_turn(contestants: dict[str, Reading], path: Path, *, rounds: int, seconds: float) -> dict[str, float]:
    """Items a second, medians over rounds; in each the contestants follow one another, each over and over for so long."""
    speeds: dict[str, list[float]] = {name: [] for name in contestants}
    for read in contestants.values():
        read(path)  # imports, and files into memory
    for _ in range(rounds):
        for name, read in contestants.items():
            n, began = 0, time.perf_counter()
            while (took := time.perf_counter() - began) < seconds or not n:
                n += read(path)
            speeds[name].append(n / took)
    return {name: median(found) for name, found in speeds.items()}


def _ours(source: Corpus, path: Path) -> int:
    return sum(1 for _ in source.read(source.find(path, base=None)))


def _rico_alone(path: Path, *, decode: bool) -> int:
    n = 0
    combined = path / "combined" if (path / "combined").is_dir() else path
    for hierarchy in sorted(combined.glob("*.json")):
        orjson.loads(hierarchy.read_bytes())
        with Image.open(hierarchy.with_suffix(".jpg")) as picture:
            if decode:
                picture.load()
        n += 1
    return n
