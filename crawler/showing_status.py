"""How the crawler's state looks to a person."""

from __future__ import annotations

from datetime import timedelta

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from crawler.durations import format_duration
from store.turns import Status

LATE_S = 60.0
"""A worker that has not beaten for so long is taken for dead."""


def table(status: Status) -> RenderableType:
    """All of it, for a terminal."""
    numbers = Table(box=None, padding=(0, 3, 0, 0))
    counts = {
        "due": status.due,
        "waiting": status.waiting,
        "resting": status.resting,
        "doing": status.doing,
        "failing": status.failing,
        "paused": status.paused,
        "sites": status.sites,
    }
    for name in counts:
        numbers.add_column(name, justify="right")
    numbers.add_row(*(str(count) for count in counts.values()))
    done = (
        f"done: {status.done_hour} in the last hour ({status.captured_hour} captured), "
        f"{status.done_day} in the last day ({status.captured_day} captured)"
    )
    following = "nothing is due later" if status.next_due is None else f"next due in {_in(status)}"
    parts: list[RenderableType] = [numbers, Text(f"{done}; {following}"), Text()]
    if status.hosts:
        parts += [_hosts(status), Text()]
    parts.append(_workers(status) if status.workers else Text("No worker runs. Start one: crawler run", style="yellow"))
    return Group(*parts)


def _in(status: Status) -> str:
    left = (status.next_due or status.at) - status.at
    return format_duration(timedelta(seconds=max(0, round(left.total_seconds()))))


def _hosts(status: Status) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0))
    table.add_column("host")
    for name in ("waiting", "resting", "doing", "failing"):
        table.add_column(name, justify="right")
    for line in status.hosts:
        table.add_row(Text(line.host), str(line.waiting), str(line.resting), str(line.doing), str(line.failing))
    return table


def _workers(status: Status) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0))
    for name in ("worker", "doing", "since", "last beat"):
        table.add_column(name)
    for worker in status.workers:
        late = worker.beat_s is None or worker.beat_s > LATE_S
        beat = "never" if worker.beat_s is None else f"{worker.beat_s:.0f} s ago"
        style = "red" if late else ""
        table.add_row(Text(worker.name), str(worker.doing), f"{worker.begun.astimezone():%Y-%m-%d %H:%M}", Text(beat, style))
    return table
