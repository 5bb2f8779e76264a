"""Export of small and large releases from one store of made probes: what a probe costs, by the size of the release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.builder import corpora, ingesting

TRIED = 200
"""Screens that are ingested first, to see how many probes a screen gives."""
MB = 1e6


def measured(folder: Path, sizes: list[int]) -> list[dict[str, Any]]:
    """A row for each size: seconds of `builder export`, ms a probe, peak of memory."""
    clay, rico = corpora.clay_of(folder)
    drawn = _ingested(folder, clay, rico, TRIED, "tried")[1]
    screens = round(1.1 * TRIED * max(sizes) / sum(drawn.values()))
    data, drawn = _ingested(folder, clay, rico, screens, "export")
    found = []
    for size in sizes:
        spec = folder / f"v{size}.toml"
        spec.write_text(_spec(size, drawn))
        run = ingesting.builder(data, "export", "--release", spec, "--to", folder / f"release-{size}", "--allow-partial")
        found.append(
            {"what": "builder export", "probes": size, "of": sum(drawn.values()), "seconds": run.seconds,
             "ms a probe": 1000 * run.seconds / size, "peak MB": run.bytes / MB}
        )  # fmt: skip
    return found


def _ingested(folder: Path, clay: Path, rico: Path, screens: int, name: str) -> tuple[Path, dict[str, int]]:
    """The data folder, and probes by family."""
    large = corpora.larger_rico(rico, folder / f"{name}-rico", screens)
    labels = corpora.larger_clay(clay, rico, folder / f"{name}-clay", screens)
    data = folder / f"data-{name}"
    said = ingesting.builder(data, "ingest", "clay", labels, "--base", large).said
    return data, {family: made["drawn"] for family, made in said["funnel"]["families"].items() if made["drawn"]}


def _spec(size: int, drawn: dict[str, int]) -> str:
    """So many probes, of each family its share of what was drawn; what rounding leaves is of the largest."""
    shares = {family: size * n // sum(drawn.values()) for family, n in drawn.items()}
    shares[max(drawn, key=lambda family: drawn[family])] += size - sum(shares.values())
    lines = [f'name = "bench-{size}"', 'title = "A measurement"', "seed = 1"]
    for family, count in shares.items():
        lines += [f"[families.{family}]", f"count = {count}"]
    return "\n".join(lines) + "\n"
