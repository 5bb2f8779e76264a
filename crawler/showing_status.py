"""How the crawler's state looks to a person."""

from __future__ import annotations

from datetime import timedelta

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from crawler.durations import format_duration
from store.status import HostLine, Status

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
    if status.taken_down:
        counts["taken down"] = status.taken_down
    for name in counts:
        numbers.add_column(name, justify="right")
    numbers.add_row(*(str(count) for count in counts.values()))
    done = (
        f"done: {status.done_hour} in the last hour ({status.captured_hour} captured), "
        f"{status.done_day} in the last day ({status.captured_day} captured)"
    )
    parts: list[RenderableType] = [numbers, Text(f"{done}; {_following(status)}"), Text()]
    if status.hosts:
        parts += [_hosts(status), Text()]
    if status.workers:
        parts.append(_workers(status))
    if not lives(status):
        parts.append(Text(_nobody(status), style="yellow"))
    return Group(*parts)


def lives(status: Status) -> bool:
    """Whether some worker does: it queues what is due, and visits."""
    return any(worker.beat_s is not None and worker.beat_s <= LATE_S for worker in status.workers)


def _nobody(status: Status) -> str:
    """What to do where no worker lives, and what it will visit."""
    if not status.sites:
        return "Nothing is scheduled, and no worker runs. Begin: crawler add URL, then crawler work; or crawler run --list FILE"
    due = f"what is due ({status.due} now)" if status.due else "what comes due"
    sites = f"the {status.active} active site{'s' * (status.active != 1)} counted here"
    return (
        f"No worker runs: nobody queues {due}, nobody visits. Start one: crawler work. It visits {sites}. "
        "(crawler run takes over a list as well: the shipped one without --list.)"
    )


def _following(status: Status) -> str:
    if status.next_due is not None:
        return f"next due in {_in(status)}"
    return f"{status.due} due now" if status.due else "nothing is due later"


def _in(status: Status) -> str:
    left = (status.next_due or status.at) - status.at
    return format_duration(timedelta(seconds=max(0, round(left.total_seconds()))))


def _hosts(status: Status) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0))
    table.add_column("host")
    for name in ("waiting", "resting", "doing", "failing"):
        table.add_column(name, justify="right")
    table.add_column("rests", overflow="fold")
    for line in status.hosts:
        table.add_row(
            Text(line.host), str(line.waiting), str(line.resting), str(line.doing), str(line.failing), Text(_why(line, status))
        )
    return table


def _why(line: HostLine, status: Status) -> str:
    """For how long the host is left alone, and why: "12m, it answered 429"; empty where nothing holds it back."""
    if line.until is None:
        return ""
    left = timedelta(seconds=max(0, round((line.until - status.at).total_seconds())))
    return f"{format_duration(left)}, {line.why}" if line.why else format_duration(left)


def _workers(status: Status) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0))
    for name in ("worker", "doing", "since", "last beat"):
        table.add_column(name)
    for worker in status.workers:
        late = worker.beat_s is None or worker.beat_s > LATE_S
        beat = "never" if worker.beat_s is None else f"{max(0, round(worker.beat_s))} s ago"
        style = "red" if late else ""
        table.add_row(Text(worker.name), str(worker.doing), f"{worker.begun.astimezone():%Y-%m-%d %H:%M}", Text(beat, style))
    return table
