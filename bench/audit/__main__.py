"""Milliseconds until an annotator has the next item, alone and thirty at once; memory of opening an audit of large screens.

    python -m bench.audit                                      # 735, 10,000, 100,000 items; then opening
    python -m bench.audit --only next --items 100000           # parts: next, open
    python -m bench.audit --only open --large 12,48

Beside it, in the same Postgres and the same run: a bare queue (`select ... for update skip locked`), the contestants in turn.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.audit import asking, opening
from bench.audit.filling import audit_of
from bench.parts import Row, run
from store.database import Database, open_database
from store.settings import StoreSettings

PARTS = ("next", "open")
AT_ONCE = (1, 30)


def arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(
        prog="python -m bench.audit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--items", default="735,10000,100000", help="of the audits (default: %(default)s)")
    asked.add_argument("--times", type=int, default=300, help="questions of all annotators together (default: %(default)s)")
    asked.add_argument("--large", default="12,48", help="items on large screens, of the opening (default: %(default)s)")
    asked.add_argument("--only", default=",".join(PARTS), help="parts, with commas (default: %(default)s)")
    asked.add_argument("--json", action="store_true")
    return asked.parse_args()


def next_item(args: argparse.Namespace, folder: Path) -> list[Row]:
    """The first question of newcomers, and the later ones; beside the bare queue."""
    found: list[Row] = []
    with open_database(StoreSettings(data_dir=folder / "data", database_url=None)) as database:
        for items in [int(one) for one in args.items.split(",")]:
            audit = audit_of(database, items)
            asking.fill_bare(database, audit)
            for at_once in AT_ONCE:
                found += _asked(database, audit, items, at_once, max(2, args.times // at_once))
    return found


def _asked(database: Database, audit: str, items: int, at_once: int, times: int) -> list[Row]:
    found = []
    with asking.wide(database, at_once) as many:
        asking.timed([asking.bare(many, audit)] * at_once, 1)  # connections are made before anything is measured
        people = asking.newcomers(many, at_once, f"{audit}-{at_once}")
        of = {"items": items, "at once": at_once}
        first, later = asking.timed([asking.ours(many, audit, one) for one in people], times)
        _, bare = asking.timed([asking.bare(many, audit)] * at_once, times)
        for what, seconds in (("ours, a newcomer's first", first), ("ours, later", later), ("bare queue", bare)):
            found.append({**of, "what": what, "asked": len(seconds), **asking.numbers(seconds)})
    return found


def open_(args: argparse.Namespace, folder: Path) -> list[Row]:
    """Peak memory of `builder audit open`."""
    return opening.measured(folder, [int(one) for one in args.large.split(",")])


def main() -> int:
    return run("audit", arguments(), {"next": next_item, "open": open_}, digits=1)


if __name__ == "__main__":
    sys.exit(main())
