"""Runs a command and measures its whole tree of processes: wall time, CPU time, memory.

CPU time is what the system accounts for waited-for children, or what the samples saw, whichever is more. On Linux this
process adopts orphans (a browser's helpers outlive their parent for a moment), so they are counted and ended too.
Memory is the proportional set size (shared pages divided among their users) where the system tells it, else the
resident size.
Only processes that descend from the command are ever ended, by their ids.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

SAMPLE_SECONDS = 1.0
MEMORY_SECONDS = 3.0  # reading proportional sizes costs the measured processes a little
GRACE_SECONDS = 10.0  # from being asked to end until being ended
KIB = 1024
PR_SET_CHILD_SUBREAPER = 36

GROUPS = ("python", "driver", "browser", "database", "other")


@dataclass(frozen=True, slots=True)
class Sample:
    """Bytes of memory by group of processes, at seconds since the start of the command."""

    at: float
    by_group: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.by_group.values())


@dataclass(frozen=True, slots=True)
class Usage:
    wall_s: float
    cpu_s: float
    peak_bytes: int
    exit_code: int
    timed_out: bool
    leftovers: int  # processes still there when the command had ended
    lines: tuple[str, ...]
    samples: tuple[Sample, ...]


@dataclass(slots=True)
class Tree:
    """The processes that came after `before` below this one; once seen they stay known, whoever adopts them."""

    before: set[int]
    known: dict[psutil.Process, float] = field(default_factory=dict)  # CPU seconds last seen

    def look(self) -> None:
        with contextlib.suppress(psutil.Error):
            for process in psutil.Process().children(recursive=True):
                if process.pid not in self.before:
                    self.known.setdefault(process, 0.0)
        for process in self.known:
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                self.known[process] = times.user + times.system

    def living(self) -> list[psutil.Process]:
        alive = []
        for process in self.known:
            with contextlib.suppress(psutil.Error):
                if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                    alive.append(process)
        return alive

    def memory(self, *, shared_once: bool) -> dict[str, int]:
        by_group = dict.fromkeys(GROUPS, 0)
        for process in self.living():
            with contextlib.suppress(psutil.Error):
                size = proportional_bytes(process.pid) if shared_once else None
                by_group[group_of(process)] += process.memory_info().rss if size is None else size
        return by_group

    def end(self) -> int:
        """Asks what is left to end, then ends it. Returns how many there were."""
        self.look()
        left = self.living()
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.terminate()
        _, stubborn = psutil.wait_procs(left, timeout=GRACE_SECONDS)
        for process in stubborn:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(stubborn, timeout=GRACE_SECONDS)
        for process in self.known:  # adopted orphans that ended: waiting for them adds their time to our children's
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process.pid, os.WNOHANG)
        return len(left)


def proportional_bytes(pid: int) -> int | None:
    """Memory with shared pages divided among their users; None where the system does not tell (Linux does)."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return None
    return next((int(line.split()[1]) * KIB for line in text.splitlines() if line.startswith("Pss:")), None)


def group_of(process: psutil.Process) -> str:
    name = process.name().lower()
    for group, marks in (
        ("driver", ("node", "chromedriver")),
        ("browser", ("chrom", "headless_shell")),
        ("database", ("postgres", "pg_ctl", "initdb")),
        ("python", ("python", "crawler")),
    ):
        if any(mark in name for mark in marks):
            return group
    return "other"


def adopt_orphans() -> None:
    """On Linux, a descendant whose parent ended becomes this process's child. Elsewhere nothing happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(
    command: Sequence[str],
    *,
    limit_s: float,
    log: Path,
    env: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
    memory_every_s: float = MEMORY_SECONDS,
    shared_once: bool = True,
) -> Usage:
    """Runs the command until it ends or `limit_s` is over; standard error goes to `log`.

    shared_once: memory as proportional size, else as plain resident size (what a growth curve is read from).
    """
    adopt_orphans()
    tree = Tree(before={p.pid for p in psutil.Process().children(recursive=True)})
    cpu_before, began = children_cpu_seconds(), time.monotonic()
    lines: list[str] = []
    samples: list[Sample] = []
    with log.open("ab") as errors:
        process = subprocess.Popen(  # noqa: S603 - the command line comes from the person who measures
            list(command), stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, text=True,
            env={**os.environ, **(env or {})}, start_new_session=True,
        )  # fmt: skip
    reader = threading.Thread(target=_collect, args=(process, lines, on_line), daemon=True)
    reader.start()
    timed_out, next_memory = False, 0.0
    try:
        while True:
            now = time.monotonic() - began
            tree.look()
            if now >= next_memory:
                samples.append(Sample(at=now, by_group=tree.memory(shared_once=shared_once)))
                next_memory = now + memory_every_s
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=min(SAMPLE_SECONDS, max(0.01, limit_s - now)))
                break
            if now >= limit_s:
                timed_out = True
                break
        wall = time.monotonic() - began
    except BaseException:
        process.send_signal(signal.SIGINT)
        tree.end()
        raise
    leftovers = tree.end()
    process.wait()
    reader.join(timeout=GRACE_SECONDS)
    return Usage(
        wall_s=wall,
        cpu_s=max(children_cpu_seconds() - cpu_before, sum(tree.known.values())),
        peak_bytes=max((sample.total for sample in samples), default=0),
        exit_code=process.returncode,
        timed_out=timed_out,
        leftovers=leftovers,
        lines=tuple(lines),
        samples=tuple(samples),
    )


def _collect(process: subprocess.Popen[str], lines: list[str], on_line: Callable[[str], None] | None) -> None:
    if process.stdout is None:
        return
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if on_line:
            on_line(lines[-1])
