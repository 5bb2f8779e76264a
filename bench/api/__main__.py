"""The API on a million probes, beside Datasette over the same rows and beside the same SQL with nothing around it.

    python -m bench.api                                      # makes the million first: five minutes or more
    python -m bench.api --folder FOLDER --datasette PATH     # keeps them there; Datasette's program, of its own environment
    python -m bench.api --probes 100000 --seconds 2 --only page

All in one run, the contestants in turn for each question: a busy machine slows all alike. How to read it: bench/README.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console
from rich.table import Table

from bench.api import client, servers
from bench.api.client import Measured
from bench.api.filling import filled
from bench.api.questions import Question, questions
from bench.api.sqlite import copied
from bench.machine import describe
from store.database import Database

talk = Console(stderr=True, highlight=False)
EXPORT = "/probes?format=ndjson"
EXPORT_LIMIT_S = 1200
LONG_MS = 1000


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(
        prog="python -m bench.api", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--folder", type=Path, help="where the database is kept and found again (default: a temporary one)")
    asked.add_argument("--probes", type=int, default=1_000_000)
    asked.add_argument("--datasette", default=shutil.which("datasette"), help="its program (default: on PATH; else left out)")
    asked.add_argument("--seconds", type=float, default=5, help="of each contestant for each question")
    asked.add_argument("--connections", default="1,50")
    asked.add_argument("--workers", default="1,2")
    asked.add_argument("--only", default="", help="questions whose names hold this; export: the bulk export")
    asked.add_argument("--json", action="store_true")
    return asked.parse_args()


@dataclass(frozen=True, slots=True)
class Line:
    """One contestant's answer to one question."""

    question: str
    who: str
    connections: int
    measured: Measured


def compare(args: argparse.Namespace, folder: Path, database: Database, asked: list[Question]) -> list[Line]:
    """Every contestant for every question; those with the same number of connections are to be compared."""
    url = database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    postgres = servers.postgres_of(folder)
    lines: list[Line] = []
    with contextlib.ExitStack() as stack:
        ours = {
            n: stack.enter_context(servers.api(folder, n, folder / f"api{n}.log")) for n in map(int, args.workers.split(","))
        }
        other = None
        if args.datasette:
            path = copied(database, folder / "million.db", args.probes, talk.print)
            other = stack.enter_context(servers.datasette(args.datasette, path, folder / "datasette.log"))
        for question in asked:
            for connections in map(int, args.connections.split(",")):
                for workers, (port, process) in ours.items():
                    found = over_http(port, (process, postgres), question.paths, connections, args.seconds)
                    lines.append(Line(question.name, f"ours, {workers} worker{'s' * (workers > 1)}", connections, found))
                if other and question.datasette and not _takes_long(lines, question.name):
                    found = over_http(other[0], (other[1],), question.datasette, connections, args.seconds)
                    lines.append(Line(question.name, "datasette", connections, found))
            for processes in map(int, args.workers.split(",")) if question.sql else ():
                found = bare(url, postgres, question, processes, args.seconds)
                lines.append(Line(question.name, f"bare SQL, {processes} process{'es' * (processes > 1)}", processes, found))
            for line in lines:
                if line.question == question.name:
                    one = line.measured
                    talk.print(
                        f"{line.question}, {line.who}, {line.connections} at once: {one.rate:.1f}/s, "
                        f"median {one.median_ms:.1f} ms, p99 {one.p99_ms:.1f} ms, CPU {one.cpu_ms:.2f} ms"
                    )
    return lines


def _takes_long(lines: list[Line], question: str) -> bool:
    """Datasette took seconds for it alone: fifty at once would take minutes, and tell nothing more."""
    return any(line.who == "datasette" and line.measured.median_ms > LONG_MS for line in lines if line.question == question)


def over_http(port: int, processes: tuple[psutil.Process, ...], paths: list[str], connections: int, seconds: float) -> Measured:
    """processes: whose CPU time counts."""
    client.ask(port, paths, connections=min(connections, 2), seconds=0.5)
    before = servers.cpu_of(*processes)
    found = client.ask(port, paths, connections=connections, seconds=seconds)
    found.cpu_s = servers.cpu_of(*processes) - before
    return found


def bare(url: str, postgres: psutil.Process, question: Question, processes: int, seconds: float) -> Measured:
    before = servers.cpu_of(postgres)
    command = [sys.executable, "-m", "bench.api.bare", "--url", url, "--processes", str(processes), "--seconds", str(seconds)]
    done = subprocess.run(command, input=json.dumps(question.sql), capture_output=True, text=True, check=True)  # noqa: S603 - ours
    told = json.loads(done.stdout)
    return Measured(seconds, told["times"], cpu_s=told["cpu_s"] + servers.cpu_of(postgres) - before)


def export(args: argparse.Namespace, folder: Path, database: Database) -> list[dict[str, Any]]:
    """All probes as NDJSON: rows a second, and the memory of the server before, at its most, and after."""
    found = []
    with servers.api(folder, 1, folder / "api-export.log") as (port, process):
        client.ask(port, ["/probes?limit=500"], connections=2, seconds=1)
        found.append(_drained("ours, NDJSON", port, process, EXPORT, args.probes))
    if args.datasette:
        path = copied(database, folder / "million.db", args.probes, talk.print)
        with servers.datasette(args.datasette, path, folder / "datasette.log") as (port, process):
            address = "/million/probes.csv?_stream=1&_size=max"
            found.append(_drained("datasette, CSV", port, process, address, args.probes))
    return found


def _drained(who: str, port: int, process: psutil.Process, path: str, rows: int) -> dict[str, Any]:
    before, most = servers.memory_of(process), 0.0
    began = time.perf_counter()
    curl = ["curl", "-s", "--max-time", str(EXPORT_LIMIT_S), f"http://127.0.0.1:{port}{path}"]
    with subprocess.Popen(curl, stdout=subprocess.PIPE) as reading:  # noqa: S603 - ours
        count = subprocess.Popen(["wc", "-l"], stdin=reading.stdout, stdout=subprocess.PIPE, text=True)  # noqa: S607
        while count.poll() is None:
            most = max(most, servers.memory_of(process))
            with contextlib.suppress(subprocess.TimeoutExpired):
                count.wait(1)
        lines = int(count.communicate()[0])
    seconds = time.perf_counter() - began
    after = servers.memory_of(process)
    return {"who": who, "rows": lines, "of": rows, "rows/s": lines / seconds, "MB before": before, "most": most, "after": after}


def shown(lines: list[Line]) -> Table:
    table = Table()
    for name in ("question", "who", "at once", "a second", "median ms", "p99 ms", "CPU ms"):
        table.add_column(name, justify="left" if name in {"question", "who"} else "right")
    for line in lines:
        one = line.measured
        table.add_row(
            line.question, line.who, str(line.connections), f"{one.rate:.1f}", f"{one.median_ms:.1f}", f"{one.p99_ms:.1f}",
            f"{one.cpu_ms:.2f}",
        )  # fmt: skip
    return table


def main() -> None:
    args = arguments()
    console = Console()
    talk.print(describe(None).sentence())
    with contextlib.ExitStack() as stack:
        folder = args.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parallax-api-")))
        database, blob = filled(folder, args.probes, talk.print)
        stack.enter_context(database)
        asked = [one for one in questions(database, blob) if args.only in one.name]
        lines = compare(args, folder, database, asked) if asked else []
        exported = export(args, folder, database) if args.only in "export" else []
        if args.json:
            told = [{"question": one.question, "who": one.who, "connections": one.connections, "rate": one.measured.rate,
                     "median_ms": one.measured.median_ms, "p99_ms": one.measured.p99_ms, "cpu_ms": one.measured.cpu_ms}
                    for one in lines]  # fmt: skip
            console.print_json(data={"questions": told, "export": exported})
            return
        console.print(shown(lines))
        for one in exported:
            console.print({name: round(value) if isinstance(value, float) else value for name, value in one.items()})


if __name__ == "__main__":
    main()
