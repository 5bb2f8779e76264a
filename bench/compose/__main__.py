"""Does the compose file hold? Brings everything up, kills a crawler, makes it three, takes all down and up, and counts.

    python -m bench.compose [--probes 3] [--limit 600] [--keep]

The crawler visits the demo's pages, served in a container beside it under five host names. Needs Docker with compose; where the
public images cannot be had, PYTHON_IMAGE, POSTGRES_IMAGE and POSTGRES_RUN_AS name others. A project of its own (parallax-bench)
on port 8089, with volumes of its own, which are removed at the end but for --keep. What it runs stands after a $.
Exit code 1 where anything was lost or doubled, or did not come up in time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PORT = "8089"
API = f"http://127.0.0.1:{PORT}"
OURS = {
    "COMPOSE_PROJECT_NAME": "parallax-bench",
    "COMPOSE_FILE": "docker-compose.yml:bench/compose/site.yml",
    "SITES_FILE": "./bench/compose/sites.toml",
    "CRAWLER_CONTACT": "https://bench.example/",
    "API_PORT": PORT,
}
# Ids of all that is stored; and every turn of a site that has more than one finished visit.
IDS = """select 'visits', id from visits union all select 'captures', id from captures
union all select 'divergences', id from divergences union all select 'probes', id from probes"""
DOUBLED = "select site, record->>'due', count(*) from visits where record->>'due' is not null group by 1, 2 having count(*) > 1"
BY_WORKER = "select record->>'worker', count(*) from visits group by 1 order by 2 desc"
BY_OUTCOME = "select outcome, count(*) from visits group by 1 order by 2 desc"
# Digests from the names of the files: sha256/ab/cdef... or with .gz at the end.
FILES = (
    "import pathlib; [print(p.parent.name + p.name.removesuffix('.gz')) for p in pathlib.Path('/data/blobs').rglob('*/??/*')"
    " if len(p.name.removesuffix('.gz')) == 62]"
)
KILL = """import os, pathlib, signal
for place in pathlib.Path("/proc").glob("[0-9]*"):
    if place.name not in {"1", str(os.getpid())} and b"crawler\\0run" in (place / "cmdline").read_bytes():
        os.kill(int(place.name), signal.SIGKILL)"""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclass
class Round:
    """One run of it all. `broken` holds what did not hold."""

    limit_s: float
    compose: list[str]
    environment: dict[str, str]
    broken: list[str]

    def run(self, *command: str, show: bool = True, lines: int = 30) -> str:
        """What the command said; it is shown, shortened to its last lines. Raises RuntimeError where it fails."""
        if show:
            say("$ " + " ".join(command))
        began = time.monotonic()
        done = subprocess.run(  # noqa: S603 - our own commands
            command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        said = done.stdout.strip().splitlines()
        if show or done.returncode:
            say("\n".join((["..."] if len(said) > lines else []) + said[-lines:]))
        if command[0] == "make":
            say(f"# it took {time.monotonic() - began:.0f} s")
        if done.returncode:
            raise RuntimeError(f"{command[0]} ended with {done.returncode}")
        return done.stdout

    def sql(self, question: str) -> list[list[str]]:
        """The rows of an answer, as text."""
        inside = ("psql", "-U", "parallax", "-d", "parallax", "-tA", "-F", "\t", "-c", question)
        said = self.run(*self.compose, "exec", "-T", "postgres", *inside, show=False)
        return [line.split("\t") for line in said.splitlines() if line]

    def containers(self, service: str) -> list[dict[str, Any]]:
        """`docker inspect` of each container of the service."""
        ids = self.run(*self.compose, "ps", "-q", service, show=False).split()
        told = json.loads(self.run("docker", "inspect", *ids, show=False)) if ids else []
        return [container for container in told if container["State"]["Running"]]

    def until(self, what: str, holds: Callable[[], object]) -> None:
        """Waits until something holds. Raises RuntimeError when it takes too long."""
        began = time.monotonic()
        while not holds():
            if time.monotonic() - began > self.limit_s:
                raise RuntimeError(f"after {self.limit_s:g} s still not: {what}")
            time.sleep(1)
        say(f"# {what}, after {time.monotonic() - began:.0f} s")

    def expect(self, what: str, holds: object) -> None:
        say(f"# {'holds' if holds else 'BROKEN'}: {what}")
        if not holds:
            self.broken.append(what)

    def visits(self) -> int:
        return int(self.sql("select count(*) from visits")[0][0])

    def stored(self) -> set[tuple[str, str]]:
        """(table, id) of every row, and (blob, digest) of every file."""
        files = self.run(*self.compose, "exec", "-T", "api", "python3", "-c", FILES, show=False).split()
        return {(table, identity) for table, identity in self.sql(IDS)} | {("blob files", digest) for digest in files}

    def counts(self, stored: set[tuple[str, str]]) -> str:
        tables = ("visits", "captures", "divergences", "probes", "blob files")
        return ", ".join(f"{sum(table == name for table, _ in stored)} {name}" for name in tables)


def probes() -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/probes?family=web-natural", timeout=10) as answer:
        items: list[dict[str, Any]] = json.load(answer)["items"]
        return items


def first_probe(a: Round, wanted: int) -> None:
    a.run("make", "--no-print-directory", "up")
    a.until(f"GET /probes?family=web-natural has {wanted} probes", lambda: len(probes()) >= wanted)
    say(f"$ curl {API}/probes?family=web-natural&limit=1")
    shown = ("id", "family", "kind", "variable", "options", "gold", "structural")
    say("... " + json.dumps({key: probes()[0][key] for key in shown}, ensure_ascii=False))
    a.run("curl", "-s", f"{API}/health")


def the_sandbox(a: Round) -> None:
    flags = a.sql("select distinct record->'browser'->>'flags' from visits where record->'browser' is not null")
    a.expect("no visit was made without Chromium's sandbox", flags and not any("--no-sandbox" in row[0] for row in flags))
    users = a.run(*a.compose, "exec", "-T", "crawler", "id", "-u", show=False).strip()
    a.expect(f"user {users} runs it, not root", users != "0")


def a_crash(a: Round) -> None:
    """The process dies where it is: the container ends, and is started again by its restart policy."""
    [before] = a.containers("crawler")
    made = a.visits()
    a.run(*a.compose, "exec", "-T", "crawler", "python3", "-c", KILL, show=False)
    say("# the crawler's process was killed with -9 inside its container")
    a.until(
        "its container was started again",
        lambda: (now := a.containers("crawler")) and now[0]["State"]["StartedAt"] != before["State"]["StartedAt"],
    )
    a.until("more visits are finished", lambda: a.visits() > made + 2)


def by_hand(a: Round) -> None:
    """`docker kill` is somebody's wish, which Docker minds: it stays down until it is asked for again."""
    [before] = a.containers("crawler")
    a.run("docker", "kill", before["Name"].lstrip("/"))
    made = a.visits()
    a.run("make", "--no-print-directory", "up", lines=8)
    a.until("more visits are finished", lambda: a.visits() > made + 2)


def three(a: Round) -> None:
    a.run("make", "--no-print-directory", "up", "CRAWLERS=3", lines=12)
    names = {container["Config"]["Hostname"] for container in a.containers("crawler")}
    a.expect("three crawlers run", len(names) == 3)  # noqa: PLR2004
    by = "select distinct record->>'worker' from visits"
    a.until("each of the three has finished visits", lambda: all(any(n in w for [w] in a.sql(by)) for n in names))
    a.run("docker", "stats", "--no-stream", "--format", "{{.Name}}\t{{.MemUsage}}\t{{.CPUPerc}}")


def down_and_up(a: Round) -> None:
    before = a.stored()
    say(f"# before: {a.counts(before)}")
    a.run("make", "--no-print-directory", "down", lines=12)
    a.run("make", "--no-print-directory", "up", lines=8)
    after = a.stored()
    say(f"# after:  {a.counts(after)}")
    a.expect("nothing that was stored before is lost", before <= after)
    made = a.visits()
    a.until("visits go on", lambda: a.visits() > made + 2)


def the_books(a: Round) -> None:
    doubled = a.sql(DOUBLED)
    a.expect(f"no turn of a site has two visits ({len(doubled)} have)", not doubled)
    rows = [
        row[0] for row in a.sql("select digest from blobs")
    ]  # first: the crawler goes on, and a blob is there before its row
    on_file = {digest for table, digest in a.stored() if table == "blob files"}
    lost = [digest for digest in rows if digest not in on_file]
    a.expect(f"no row points at a missing blob ({len(lost)} do)", not lost)
    say("# by outcome: " + ", ".join(f"{count} {outcome}" for outcome, count in a.sql(BY_OUTCOME)))
    say("# by worker: " + ", ".join(f"{count} {worker or '?'}" for worker, count in a.sql(BY_WORKER)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.compose", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--probes", type=int, default=3, help="how many must show before the killing begins")
    parser.add_argument("--limit", type=float, default=600, metavar="S", help="longest wait for any one thing")
    parser.add_argument("--keep", action="store_true", help="leave it running at the end")
    given = parser.parse_args()
    docker = shutil.which("docker") or ""
    newer = docker and subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode == 0  # noqa: S603
    compose = [docker, "compose"] if newer else ["docker-compose"]
    if shutil.which(compose[0]) is None:
        sys.stderr.write("There is no docker compose here.\n")
        return 1
    a = Round(given.limit, compose, os.environ | OURS, [])
    try:
        first_probe(a, given.probes)
        for step in (the_sandbox, a_crash, by_hand, three, down_and_up, the_books):
            step(a)
    except RuntimeError as error:
        a.broken.append(str(error))
        a.run(*a.compose, "logs", "--tail", "30", lines=100)
    if not given.keep:
        a.run("make", "--no-print-directory", "down", "VOLUMES=1", lines=3)
    say("# all of it held" if not a.broken else "# did not hold: " + "; ".join(a.broken))
    return 1 if a.broken else 0


if __name__ == "__main__":
    sys.exit(main())
