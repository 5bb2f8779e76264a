"""Commands in processes of their own, without the seconds that each would take to import what all of them import.

    with Warm() as warm:
        done = warm.run(["show", "ffff"], env=environment, cwd=folder)

A process that has imported the command and done nothing else is copied (fork) for each: it has its own memory, files,
environment, exit code and signals, and ends as the program does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-W", "error", "-m", "crawler.cli")
LIMIT_S = 300
"""A command that takes longer hangs."""


class Warm:
    """Where processes are not copied well (macOS), each command is started as usual."""

    def __init__(self) -> None:
        self._copies = sys.platform == "linux"

    def __enter__(self) -> Warm:
        if self._copies:
            asked = [sys.executable, "-W", "error", __file__]
            self._process = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._copies:
            self._process.communicate()

    def run(self, arguments: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
        """What the command printed, and its exit code; below 0 is the signal that ended it."""
        if not self._copies:
            return subprocess.run(
                [*COMMAND, *arguments], env=env, cwd=cwd, capture_output=True, text=True, timeout=LIMIT_S, check=False
            )
        assert self._process.stdin
        assert self._process.stdout
        with tempfile.TemporaryDirectory() as folder:
            out, err = Path(folder, "out"), Path(folder, "err")
            asked = {"arguments": [*arguments], "env": {**env}, "cwd": str(cwd), "out": str(out), "err": str(err)}
            print(json.dumps(asked), file=self._process.stdin, flush=True)
            code = int(self._process.stdout.readline())
            return subprocess.CompletedProcess([*arguments], code, out.read_text("utf-8"), err.read_text("utf-8"))


def _become_the_next_command() -> None:
    """Returns in each copy, as the process of one command. The process itself ends when nobody asks any more."""
    for line in iter(sys.stdin.readline, ""):
        with warnings.catch_warnings(action="ignore"):  # of threads: numpy has some, and copes
            copy = os.fork()
        if copy == 0:
            _become(json.loads(line))
            return
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])}\n")
        sys.stdout.flush()
    sys.exit()


def _become(asked: dict[str, Any]) -> None:
    """This process as whoever starts the command would have it."""
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv[1:] = asked["arguments"]
    new = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for descriptor, (place, flags) in enumerate(((os.devnull, os.O_RDONLY), (asked["out"], new), (asked["err"], new))):
        opened = os.open(place, flags, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    signal.alarm(LIMIT_S)


if __name__ == "__main__":
    from crawler import cli, cli_app

    assert cli_app.app  # what takes seconds, before there are copies

    _become_the_next_command()
    cli.main()
