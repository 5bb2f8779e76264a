"""Screens a second of reading, ingesting and exporting corpora, beside the bare libraries; memory at the size of the whole.

    python -m bench.builder                                    # made corpora; Chromium draws them first
    python -m bench.builder --corpora FOLDER                   # real samples: rico/, mind2web/ below it
    python -m bench.builder --only read,rows                   # read, rows, memory, ingest, export
    python -m bench.builder --screens 66000 --only memory      # RICO as large as the publisher's, by hard links

Every comparison is made in one run, the contestants in turn, medians over rounds: a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.builder import corpora, exporting, ingesting, reading
from bench.parts import Row, run

PARTS = ("read", "rows", "memory", "ingest", "export")
MB = 1e6


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(
        prog="python -m bench.builder", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--corpora", type=Path, help="folder with real samples: rico/, mind2web/ (default: made ones)")
    asked.add_argument("--screens", type=int, default=66_000, help="of the memory measurement (default: %(default)s)")
    asked.add_argument("--ingest", type=int, default=2000, help="screens of the ingest measurement (default: %(default)s)")
    asked.add_argument("--probes", default="735,50000", help="of the export measurement (default: %(default)s)")
    asked.add_argument("--rounds", type=int, default=7)
    asked.add_argument("--seconds", type=float, default=1.0, help="of each contestant in each round")
    asked.add_argument("--only", default=",".join(PARTS), help="parts, with commas (default: %(default)s)")
    asked.add_argument("--json", action="store_true")
    return asked.parse_args()


def read(args: argparse.Namespace, folder: Path) -> list[Row]:
    """RICO's screens, beside orjson and PIL alone."""
    contestants = {"ours": reading.rico_ours, "orjson + PIL, header": reading.rico_bare,
                   "orjson + PIL, decoded": reading.rico_decoded}  # fmt: skip
    path = corpora.rico_in(args.corpora, folder)
    return _beside("rico, screens", reading.in_turn(contestants, path, rounds=args.rounds, seconds=args.seconds))


def rows(args: argparse.Namespace, folder: Path) -> list[Row]:
    """Mind2Web's rows, beside pyarrow alone."""
    contestants = {"ours": reading.mind2web_ours, "pyarrow, to Python": reading.mind2web_pyarrow}
    path = corpora.mind2web_in(args.corpora, folder)
    return _beside("mind2web, rows", reading.in_turn(contestants, path, rounds=args.rounds, seconds=args.seconds))


def memory(args: argparse.Namespace, folder: Path) -> list[Row]:
    """Peak of resident memory of reading, and of the whole ingest, at a tenth of the screens and at all."""
    small = corpora.rico_in(args.corpora, folder)
    found = []
    for n, screens in enumerate((args.screens // 10, args.screens)):
        large = corpora.larger_rico(small, folder / f"memory{n}", screens)
        peak = ingesting.read_alone("rico", large)
        run = ingesting.builder(folder / f"data-memory{n}", "ingest", "rico", large)
        again = ingesting.builder(folder / f"data-memory{n}", "ingest", "rico", large)
        found += [
            {"what": "rico, read", "items": peak.items, "seconds": peak.seconds, "peak MB": peak.bytes / MB},
            {"what": "rico, builder ingest", "items": screens, "seconds": run.seconds, "peak MB": run.bytes / MB},
            {"what": "... once more", "items": screens, "seconds": again.seconds, "peak MB": again.bytes / MB},
        ]
    return found


def ingest(args: argparse.Namespace, folder: Path) -> list[Row]:
    """CLAY on RICO, drawn and stored, by one process and by as many as there are cores."""
    clay, rico = corpora.clay_of(folder)
    large = corpora.larger_rico(rico, folder / "ingest-rico", args.ingest)
    labels = corpora.larger_clay(clay, rico, folder / "ingest-clay", args.ingest)
    alone = ingesting.read_alone("clay", labels, large)
    found = [{"what": "clay, read", "items": alone.items, "seconds": alone.seconds, "peak MB": alone.bytes / MB}]
    for workers in (1, 0):
        data = folder / f"data-ingest{workers}"
        ingesting.builder(data, "sources")  # the database, made
        run = ingesting.builder(data, "ingest", "clay", labels, "--base", large, "--workers", workers)
        probes = sum(family["drawn"] for family in run.said["funnel"]["families"].values())
        name = "one process" if workers else "a process a core"
        found.append(
            {"what": f"clay, builder ingest, {name}", "items": run.said["ingested"]["saved"], "seconds": run.seconds,
             "peak MB": run.bytes / MB, "probes": probes}
        )  # fmt: skip
    return found


def export(args: argparse.Namespace, folder: Path) -> list[Row]:
    """A release of so many probes of made CLAY, and of more: cost by probe."""
    return exporting.measured(folder, [int(n) for n in args.probes.split(",")])


def main() -> int:
    return run(
        "builder", arguments(), {"read": read, "rows": rows, "memory": memory, "ingest": ingest, "export": export}, digits=2
    )


def _beside(what: str, speeds: dict[str, float]) -> list[Row]:
    """ours first; the others with how many times as fast ours is."""
    ours = speeds["ours"]
    return [{"what": what, "by": name, "a second": speed, "ours / this": ours / speed} for name, speed in speeds.items()]


if __name__ == "__main__":
    sys.exit(main())
