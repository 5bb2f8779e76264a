"""Are visits lost or doubled while workers, browsers and Postgres are killed? Counts what is in the books at the end.

    python -m bench.faults [--visits 300] [--hosts 60] [--workers 2] [--seed 1] [--every 6] [--driver selenium] [--json]

Local pages on many loopback hosts are due once each. While `crawler run` and `crawler work` visit them, a worker, a browser
or Postgres is killed with -9, at moments and in an order that follow from the seed. A worker that died is started again, as
compose does.
Exit code 1 where any promise was broken.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.faults.round import Books, Plan, run
from bench.machine import describe, find_browser

talk = Console(stderr=True)
OPEN_FOLDER = 0o755  # as root, the embedded Postgres runs as another user, who must get there


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--visits", type=int, default=300)
    parser.add_argument("--hosts", type=int, default=60)
    parser.add_argument(
        "--workers", type=int, default=2, help="processes that visit: one `crawler run`, the others `crawler work`"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=6.0, metavar="S", help="mean time between two kills")
    parser.add_argument("--limit", type=float, default=1800.0, metavar="S", help="the run is given up after so long")
    parser.add_argument("--driver", default="playwright", choices=("playwright", "selenium"))
    parser.add_argument("--keep", action="store_true", help="keep data and logs, and say where")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    plan = Plan(given.visits, given.hosts, given.workers, given.seed, given.every, given.limit, given.driver)
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    folder.chmod(OPEN_FOLDER)
    books = run(plan, folder, lambda line: talk.print(line, highlight=False))
    if given.keep or not books.good:
        talk.print(f"Data and logs: {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    machine = describe(find_browser())
    if given.json:
        sys.stdout.write(json.dumps({"machine": machine.as_dict(), **asdict(books), "good": books.good}, default=str) + "\n")
    else:
        show(books)
        talk.print(machine.sentence(), highlight=False)
    return 0 if books.good else 1


def show(books: Books) -> None:
    """The books as a table, what must be zero marked."""
    memory = sorted(books.memory_mib) or [0]
    rows = [
        ("killed", ", ".join(f"{kind} {n}" for kind, n in sorted(books.killed.items())) or "nothing", ""),
        ("workers started again", books.restarts, ""),
        ("visits due", books.due, ""),
        ("visits recorded", books.records, "as many as due"),
        ("due visits without a record", books.missing, "0"),
        ("records too many", books.doubled, "0"),
        ("pages asked for", books.asked, "more than due: killed visits are made again"),
        ("records with earlier tries", books.several_tries, ""),
        ("outcomes", ", ".join(f"{name} {n}" for name, n in books.outcomes.most_common()), ""),
        ("blobs named by rows", books.blobs_named, ""),
        ("of them missing", books.dangling, "0"),
        ("recorded visits that overlap on a host", books.overlaps, "0"),
        ("orphan processes", books.orphans, "0"),
        ("exit codes at the end", ", ".join(map(str, books.exit_codes)), "0; -15 for one that had just begun"),
        ("memory, MiB: median, most", f"{memory[len(memory) // 2]}, {memory[-1]}", ""),
        ("took, s", f"{books.wall_s:.0f}", ""),
    ]
    table = Table(title=f"{books.plan.visits} visits, {books.plan.workers} workers, seed {books.plan.seed}")
    for column in ("what", "found", "wanted"):
        table.add_column(column)
    for what, found, wanted in rows:
        table.add_row(what, str(found), wanted)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
