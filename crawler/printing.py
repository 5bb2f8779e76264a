"""What people and programs are told: data to stdout, talk to stderr."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import orjson
from pydantic import BaseModel
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from crawler.detect import Redetected
from crawler.durations import format_duration
from crawler.run import Progress
from crawler.sites import Site
from crawler.visit import Visited
from domain.divergence import Finding
from domain.divergences import KINDS
from domain.looked import Looked, looked_at
from domain.visit import Visit

WIDE = 180
CHECK_MARKS = {"confirmed": "green", "contradicted": "red", "unreadable": "bright_black"}
MARKS = {"flagged": "red", "review": "yellow", "clean": "green", "skipped": "bright_black"}


def out() -> Console:
    """The console for data, made anew so that a redirected stdout is seen."""
    console = Console(highlight=False, soft_wrap=False)
    # A file or a pipe has no width: give the table the room it needs.
    return console if console.is_terminal else Console(highlight=False, soft_wrap=False, width=WIDE)


def err() -> Console:
    """The console for talk."""
    return Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """One line of data, as it is."""
    out().print(text, markup=False, soft_wrap=True)


def talk(text: str) -> None:
    """One line for the person, on stderr."""
    err().print(text, markup=False, soft_wrap=True)


def _jsonable(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} is not for JSON")


def _clean(value: Any) -> Any:
    """Lone surrogates, which page text may hold, cannot be written as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_clean(k): _clean(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(v) for v in value]
    return _clean(_jsonable(value)) if isinstance(value, BaseModel) else value


def json_line(value: Any) -> None:
    """One JSON document on a line of stdout."""
    try:
        text = orjson.dumps(value, default=_jsonable)
    except TypeError:
        text = orjson.dumps(_clean(value), default=_jsonable)
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.buffer.flush()


def document(visited: Visited) -> dict[str, Any]:
    """A visit as `crawler visit --json` prints it (docs/visit-json.md)."""
    elements = [f for e in visited.evidence for f in looked_at(e.findings, e.record.index, e.checks)]
    return {"visit": visited.visit, "elements": elements}


@contextlib.contextmanager
def live(progress: Progress, *, quiet: bool) -> Iterator[None]:
    """Shows how far a run is while it goes on; on no terminal, nothing."""
    console = err()
    if quiet or not console.is_terminal:
        yield
        return

    def view() -> Text:
        ended = Counter(v.outcome for v in progress.done)
        told = ", ".join(f"{n} {outcome}" for outcome, n in ended.most_common())
        now = "  ".join(list(progress.running.values())[:4])
        line = f"{len(progress.done)}/{progress.total} visited ({told or 'none yet'}), {len(progress.running)} open, "
        line += f"{progress.checking} at the pixel check: {now}"
        return Text(line, overflow="ellipsis", no_wrap=True)

    with Live(get_renderable=view, console=console, refresh_per_second=4, transient=True):
        yield


@contextlib.contextmanager
def counting(what: str, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """A counter for long work on stored things."""
    n = 0

    def tick() -> None:
        nonlocal n
        n += 1

    console = err()
    if quiet or not console.is_terminal:
        yield tick
        return
    with Live(get_renderable=lambda: Text(f"{n} {what}"), console=console, refresh_per_second=4, transient=True):
        yield tick


def _tally(visit: Visit, kind: str, verdict: str) -> int:
    return sum(n for c in visit.captures for label, n in c.tallies.get(kind, {}).items() if label.split(":")[0] == verdict)


def summary(progress: Progress) -> None:
    """The table at the end of a run: a row a site, flagged and for review by kind; then what the pixels said."""
    visits = progress.done
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("site", overflow="fold")
    table.add_column("outcome")
    table.add_column("seconds", justify="right")
    for kind in KINDS:
        table.add_column(f"{kind}\nflagged/review", justify="right")
    table.add_column("elements", justify="right")
    table.add_column("settled", justify="right")
    for visit in sorted(visits, key=lambda v: v.site):
        seconds = (visit.finished.monotonic_ns - visit.started.monotonic_ns) / 1e9
        outcome = Text(visit.outcome, "green" if visit.outcome == "captured" else "red")
        if visit.incidents:
            outcome.append(f" ({', '.join(visit.incidents)})", "bright_black")
        elif visit.reason:
            outcome.append(f" {visit.reason[:60]}", "bright_black")
        cells = [f"{_tally(visit, k, 'flagged') or '-'} / {_tally(visit, k, 'review') or '-'}" for k in KINDS]
        counts = [c.counts for c in visit.captures]
        read, settled = sum(c.elements for c in counts), sum(c.settled for c in counts)
        table.add_row(
            Text(visit.site), outcome, f"{seconds:.1f}", *cells, str(read), f"{100 * settled / read:.0f}%" if read else "-"
        )
    console = out()
    console.print(table)
    ended = Counter(v.outcome for v in visits)
    flagged = {k: sum(_tally(v, k, "flagged") for v in visits) for k in KINDS}
    console.print(
        f"{len(visits)} visits: {', '.join(f'{n} {o}' for o, n in ended.most_common()) or 'none'}. "
        f"Flagged: {', '.join(f'{n} {k}' for k, n in flagged.items())}.",
        soft_wrap=True,
    )
    if progress.checks:
        told = ", ".join(f"{n} {verdict}" for verdict, n in progress.checks.most_common())
        console.print(f"Pixel check of what is flagged: {told}. See: crawler probes", soft_wrap=True)


def findings(found: Sequence[Finding]) -> None:
    """A table of findings: verdict, kind, both values, where."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("verdict", "kind", "structure says", "the screen shows", "pixels", "grade", "reason", "element"):
        table.add_column(name, overflow="fold")
    for f in found:
        where = f"#{f.element_id}" if f.element_id else f.path.rsplit(" > ", 2)[-1]
        table.add_row(
            Text(f.verdict, MARKS[f.verdict]),
            f.kind,
            Text((f.structural or "")[:120]),
            Text((f.rendered or "")[:120]),
            Text(f.check.verdict, CHECK_MARKS[f.check.verdict]) if isinstance(f, Looked) and f.check else "",
            f.grade or "",
            f.reason,
            Text(where),
        )
    out().print(table)


def visited(done: Visited, *, stored: bool) -> None:
    """One visit for a person."""
    visit = done.visit
    console = out()
    console.print(
        Text(visit.url, "bold"), Text(visit.outcome, "green" if visit.outcome == "captured" else "red"), Text(visit.reason)
    )
    found = [f for e in done.evidence for f in looked_at(e.findings, e.record.index, e.checks)]
    told = [f for f in found if f.verdict in {"flagged", "review"}]
    if told:
        findings(told)
    counted: Counter[str] = Counter(f.verdict for f in found)
    if found:
        told_all = ", ".join(f"{counted[v]} {v}" for v in MARKS)
        more = f" More: crawler show {visit.id[:12]} --elements" if stored else ""
        console.print(f"{len(found)} looked at: {told_all}.{more}", soft_wrap=True)


def redetected(outcome: Redetected, *, as_json: bool, dry_run: bool) -> None:
    """What asking the rules again has changed."""
    if as_json:
        json_line(outcome)
        return
    console = out()
    for change in outcome.changes[:200]:
        console.print(Text(f"{change.what:8} {change.id} {change.kind} {change.before} -> {change.after}  {change.site}"))
    for rules, n in sorted(outcome.rules_before.items()):
        console.print(f"{n} captures were judged by: {rules}", markup=False)
    console.print(f"Now: {outcome.rules}", markup=False)
    console.print(
        f"{outcome.captures} captures: {outcome.added} divergences added, {outcome.removed} removed, {outcome.changed} changed"
        f"{' (dry run: nothing written)' if dry_run else ''}; {outcome.unreadable} captures could not be read, "
        f"{outcome.pruned} were pruned.",
        soft_wrap=True,
    )


def sites(listed: Sequence[Site]) -> None:
    """The list for a person."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("name", "every", "topic", "url", "why"):
        table.add_column(name, overflow="fold")
    for site in listed:
        table.add_row(site.name, format_duration(site.every), site.topic, site.url, site.why)
    out().print(table)
    out().print(f"{len(listed)} sites")
