"""The hands that kill: workers, browsers and Postgres, at moments and in an order that follow from a seed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

INSTANCE = "--parallax-instance="
KINDS = ("worker", "browser", "postgres")
WEIGHTS = (0.35, 0.45, 0.2)


@dataclass
class Workers:
    """The worker processes; one that has died is started again, as compose would."""

    commands: Sequence[Sequence[str]]
    environment: dict[str, str]
    logs: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    started: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    """Exit codes of those that ended, ours included (-9)."""

    def start(self) -> None:
        self.running = [self._start(number) for number in range(len(self.commands))]

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        self.started += 1
        with (self.logs / f"worker{number}.log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-m", "crawler.cli", *self.commands[number]], stdout=log, stderr=log, env=self.environment
            )

    def mend(self) -> None:
        """Starts again what has ended."""
        for number, process in enumerate(self.running):
            if process.poll() is not None:
                self.codes[process.returncode] += 1
                self.running[number] = self._start(number)

    def stop(self, patience_s: float) -> list[int]:
        """Asks them to stop, as compose does, and gives the exit codes of those that lived; -9 for one that had to be ended."""
        there = [process for process in self.running if process.poll() is None]
        for process in there:
            process.terminate()
        codes = []
        for process in there:
            try:
                codes.append(process.wait(patience_s))
            except subprocess.TimeoutExpired:
                process.kill()
                codes.append(process.wait())
        return codes

    def tree(self) -> list[psutil.Process]:
        """The workers and all that descends from them."""
        found = []
        for process in self.running:
            with contextlib.suppress(psutil.Error):
                top = psutil.Process(process.pid)
                found += [top, *top.children(recursive=True)]
        return found


def flags_of(workers: Workers) -> set[str]:
    """The marks of the browsers that are there under our workers now."""
    return {part for process in workers.tree() for part in _command(process) if part.startswith(INSTANCE)}


def browsers(flags: Collection[str]) -> list[psutil.Process]:
    """Every process of this machine that carries one of these marks."""
    return [process for process in psutil.process_iter() if any(part in flags for part in _command(process))]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline() if process.status() != psutil.STATUS_ZOMBIE else []
    except psutil.Error:
        return []


def drivers(workers: Workers) -> list[psutil.Process]:
    """chromedrivers and Playwright's node processes under our workers."""
    names = ("node", "chromedriver")
    return [p for p in workers.tree() if _name(p) in names]


def _name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return ""


def kill(kind: str, chance: random.Random, workers: Workers, data_dir: Path) -> bool:
    """Ends one process of the kind with -9; whether there was one."""
    if kind == "worker":
        pids = [process.pid for process in workers.running if process.poll() is None]
    elif kind == "browser":
        pids = [p.pid for p in workers.tree() if any(part.startswith(INSTANCE) for part in _command(p))]
    else:
        try:
            pids = [int((data_dir / "postgres" / "postmaster.pid").read_text().split("\n", 1)[0])]
        except (FileNotFoundError, ValueError):
            pids = []
        pids = [pid for pid in pids if psutil.pid_exists(pid)]
    if not pids:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(chance.choice(sorted(pids)), signal.SIGKILL)
        return True
    return False
