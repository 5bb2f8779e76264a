"""The whole command in a process of its own: how long, and how much memory its largest process had at most."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bench.ours import environment

# Reads only, with nothing kept.
_READ = """
import sys
from pathlib import Path
from builder.sources import corpus
source = corpus(sys.argv[1])
print(sum(1 for _ in source.read(source.find(Path(sys.argv[2]), base=Path(sys.argv[3]) if len(sys.argv) > 3 else None))))
"""
LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class Peak:
    """Items that were read, the process's peak of resident memory in bytes, and seconds by the wall."""

    items: int
    bytes: int
    seconds: float


def read_alone(source: str, path: Path, base: Path | None = None) -> Peak:
    """The source's `read` over all of the corpus, and nothing else."""
    command = [sys.executable, "-c", _READ, source, str(path), *([str(base)] if base else [])]
    out, seconds, peak = _measured(command, dict(os.environ))
    return Peak(int(out), peak, seconds)


@dataclass(frozen=True, slots=True)
class Run:
    """One `builder` command: what it printed, seconds by the wall, peak of its own memory in bytes."""

    said: dict[str, Any]
    seconds: float
    bytes: int


def builder(data: Path, *arguments: object) -> Run:
    """Runs `builder ... --json` on a data folder with an embedded database of its own."""
    command = [sys.executable, "-m", "builder.cli", *map(str, arguments), "--json"]
    out, seconds, peak = _measured(command, {**os.environ, **environment(data, outside=False)})
    return Run(json.loads(out.splitlines()[-1]), seconds, peak)


def _measured(command: list[str], env: dict[str, str]) -> tuple[str, float, int]:
    """What it printed, seconds, and the most memory that it was seen to have. Not what the system says of ended children: there
    a process begins with the peak of the one that started it."""
    began, peak = time.perf_counter(), 0
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=env)  # noqa: S603 - ours
        while process.poll() is None:
            peak = max(peak, _resident(process.pid))
            time.sleep(LOOK_S)
        seconds = time.perf_counter() - began
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
        out.seek(0)
        return out.read(), seconds, peak


def _resident(pid: int) -> int:
    """Bytes; of the whole time so far where the system tells (Linux), else of now; 0 where it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        return next((1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)
    except OSError:
        try:
            return int(psutil.Process(pid).memory_info().rss)
        except psutil.Error:
            return 0
