"""The same SQL through psycopg, rows fetched, nothing else: so fast the database is. Processes as the API has.

    python -m bench.api.bare --url ... --processes 2 --seconds 5 <<< '[["select ...", {}]]'

Prints a JSON line: the seconds of each question, and processor seconds of these processes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from typing import Any

import psycopg


def run(url: str, questions: list[list[Any]], seconds: float) -> tuple[list[float], float]:
    """Seconds of each question, and processor seconds of this process."""
    times: list[float] = []
    with psycopg.connect(url, autocommit=True) as connection:
        began, cpu = time.perf_counter(), time.process_time()
        while time.perf_counter() - began < seconds:
            for statements in questions:
                start = time.perf_counter()
                for sql, given in statements:
                    connection.execute(sql, given).fetchall()
                times.append(time.perf_counter() - start)
        return times, time.process_time() - cpu


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--url", required=True)
    asked.add_argument("--processes", type=int, default=1)
    asked.add_argument("--seconds", type=float, default=5)
    args = asked.parse_args()
    questions = json.load(sys.stdin)
    with multiprocessing.Pool(args.processes) as pool:
        found = pool.starmap(run, [(args.url, questions, args.seconds)] * args.processes)
    times = [one for some, _ in found for one in some]
    print(json.dumps({"times": times, "cpu_s": sum(cpu for _, cpu in found)}))  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
