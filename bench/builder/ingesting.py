"""The whole command in a process of its own: how long, and how much memory its largest process had at most."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.ours import environment

# Reads only, with nothing kept; tells the peak of resident memory, KiB on Linux.
_READ = """
import resource, sys
from pathlib import Path
from builder.sources import corpus
source = corpus(sys.argv[1])
n = sum(1 for _ in source.read(source.find(Path(sys.argv[2]), base=Path(sys.argv[3]) if len(sys.argv) > 3 else None)))
print(n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@dataclass(frozen=True, slots=True)
class Peak:
    """Items that were read, the process's peak of resident memory in bytes, and seconds by the wall."""

    items: int
    bytes: int
    seconds: float


def read_alone(source: str, path: Path, base: Path | None = None) -> Peak:
    """The source's `read` over all of the corpus, and nothing else."""
    began = time.perf_counter()
    command = [sys.executable, "-c", _READ, source, str(path), *([str(base)] if base else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    items, peak = map(int, done.stdout.split())
    return Peak(items, peak, time.perf_counter() - began)


@dataclass(frozen=True, slots=True)
class Run:
    """One `builder` command: what it printed, seconds by the wall, peak of its own memory in bytes."""

    said: dict[str, Any]
    seconds: float
    bytes: int


def builder(data: Path, *arguments: object) -> Run:
    """Runs `builder ... --json` on a data folder with an embedded database of its own."""
    began = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - ours
        [sys.executable, "-m", "builder.cli", *map(str, arguments), "--json"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, **environment(data, outside=False)},
    )  # fmt: skip
    out = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"builder {' '.join(map(str, arguments))} ended with {process.returncode}")
    return Run(json.loads(out.splitlines()[-1]), time.perf_counter() - began, _bytes(usage))


def _bytes(usage: resource.struct_rusage) -> int:
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
