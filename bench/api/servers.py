"""Those who answer, as processes of their own: the API, Datasette, and SQL through psycopg with nothing around it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

START_S = 60
LIMIT_MS = 120_000
"""Datasette's own limits are made so wide that nothing is left out."""


@contextmanager
def api(folder: Path, workers: int, log: Path) -> Iterator[tuple[int, psutil.Process]]:
    """`api serve` on the data folder: its port and process."""
    command = [sys.executable, "-c", "from api.cli import main; main()", "serve", "--port", "0", "--workers", str(workers)]
    environment = {**os.environ, "PARALLAX_DATA": str(folder), "API_RATE": "0"}
    environment.pop("DATABASE_URL", None)
    with _started(command, environment, log) as process:
        yield _said(process, log, rb"http://127\.0\.0\.1:(\d+)/"), process


@contextmanager
def datasette(program: str, database: Path, log: Path) -> Iterator[tuple[int, psutil.Process]]:
    """Datasette on an SQLite file that does not change, which is what it is fastest with."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    limits = {"sql_time_limit_ms": LIMIT_MS, "facet_time_limit_ms": LIMIT_MS, "max_returned_rows": 1000, "max_csv_mb": 0}
    given = [part for name, value in limits.items() for part in ("--setting", name, str(value))]
    command = [program, "serve", "-i", str(database), "--port", str(port), *given]
    with _started(command, dict(os.environ), log) as process:
        _answers(f"http://127.0.0.1:{port}/-/versions.json")
        yield port, process


@contextmanager
def _started(command: list[str], environment: dict[str, str], log: Path) -> Iterator[psutil.Process]:
    with log.open("wb") as out:
        started = subprocess.Popen(command, stdout=out, stderr=out, env=environment)  # noqa: S603 - ours
    try:
        yield psutil.Process(started.pid)
    finally:
        started.send_signal(signal.SIGINT)
        started.wait(START_S)


def _said(process: psutil.Process, log: Path, pattern: bytes) -> int:
    """The port that it says it listens at, once it answers."""
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.is_running():
        if found := re.search(pattern, log.read_bytes()):
            _answers(f"http://127.0.0.1:{int(found[1])}/health")
            return int(found[1])
        time.sleep(0.1)
    raise RuntimeError(f"it did not start: {log.read_text()[-1000:]}")


def _answers(address: str) -> None:
    until = time.monotonic() + START_S
    while True:
        try:
            urllib.request.urlopen(address, timeout=START_S).close()  # noqa: S310 - loopback
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return


def postgres_of(folder: Path) -> psutil.Process:
    """The embedded server of the data folder: the process that all its others are children of."""
    return psutil.Process(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]))


def cpu_of(*processes: psutil.Process) -> float:
    """CPU seconds so far of the processes and all their children, those that have ended included."""
    total = 0.0
    for process in processes:
        total += sum(process.cpu_times()[:4])
        for child in process.children(recursive=True):
            try:
                total += sum(child.cpu_times()[:2])
            except psutil.NoSuchProcess:
                continue
    return total


def memory_of(process: psutil.Process) -> float:
    """MB, resident, of the process and its children."""
    return sum(one.memory_info().rss for one in [process, *process.children(recursive=True)]) / 1e6
