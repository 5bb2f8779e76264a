"""What `crawler prune` does: read what was asked, say what would go, and with --yes remove it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from crawler import printing
from crawler.durations import parse_duration
from crawler.filing import Archive
from crawler.opened import kept_archive
from domain.errors import BadInput, Stopped
from store.prune import EVERYTHING, Orphans, Plan, Pruned, planned, prune, sweep_orphans

ORPHAN_AGE = timedelta(days=1)
"""A blob that no row names may be one of a visit that is being filed; none takes so long."""
_UNITS = {"": 1, "B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def prune_artifacts(
    older_than: str | None,
    keep_bytes: str | None,
    only: Sequence[str],
    *,
    visits: bool,
    orphans: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """crawler prune. Raises BadInput on what was asked wrongly, Stopped on Ctrl-C, Unavailable."""
    age = _age(older_than)
    keep = None if keep_bytes is None else size_of(keep_bytes)
    if age is None and keep is None and not orphans:
        raise BadInput("Say what may go: --older-than 90d, --keep-bytes 50GB, or --orphans. Nothing is removed without --yes.")
    if strange := [name for name in only if name not in EVERYTHING]:
        raise BadInput(f"--only {strange[0]!r}: there is no such artifact. There are: {', '.join(EVERYTHING)}.")
    if visits and (age is None or only):
        raise BadInput("--visits removes whole captures by their age: give --older-than, and no --only.")
    now = datetime.now(UTC)
    before = None if age is None else now - age
    archive = kept_archive()
    try:
        if before is not None or keep is not None:
            _artifacts(archive, before, keep, tuple(only) or EVERYTHING, visits=visits, yes=yes, as_json=as_json)
        if orphans:
            _orphans(archive, now - ORPHAN_AGE, yes=yes, as_json=as_json)
    finally:
        archive.close()


def size_of(text: str) -> int:
    """ "50GB" in bytes; units are powers of 1000, and a bare number is bytes. Raises BadInput."""
    written = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kKMGT]?B?)", text.strip())
    if written is None or written[2] not in _UNITS:
        raise BadInput(f'--keep-bytes {text!r} is no size. Write "500MB", "50GB" or "2TB".')
    return int(float(written[1]) * _UNITS[written[2]])


def _age(text: str | None) -> timedelta | None:
    if text is None:
        return None
    try:
        return parse_duration(text)
    except ValueError as error:
        raise BadInput(f'--older-than {text!r} {error}. Write "90d" or "12h".') from error


def _artifacts(
    archive: Archive, before: datetime | None, keep: int | None, only: Sequence[str], *, visits: bool, yes: bool, as_json: bool
) -> None:
    plan = planned(archive.database, before=before, keep_bytes=keep, only=only, visits=visits)
    if not yes:
        if as_json:
            printing.json_line(plan)
        else:
            _say_plan(plan, keep)
            if plan.going or plan.rows:
                printing.say("Nothing was removed. To remove it: the same command with --yes.")
        return
    with _bar("artifacts", sum(g.captures for g in plan.going), quiet=as_json) as bar:
        task = bar.task_ids[0]
        done = prune(
            archive.database, archive.blobs, before=before, keep_bytes=keep, only=only, visits=visits,
            on_step=lambda n: bar.advance(task, n),
        )  # fmt: skip
    if as_json:
        printing.json_line(done)
    else:
        _say_done(done)
    if done.stopped:
        raise Stopped("Stopped. What was removed is removed, whole; the same command goes on with the rest.")


def _orphans(archive: Archive, older_than: datetime, *, yes: bool, as_json: bool) -> None:
    with printing.counting("blobs looked at", quiet=as_json) as tick:
        try:
            found = sweep_orphans(archive.database, archive.blobs, older_than=older_than, dry_run=not yes, on_blob=tick)
        except KeyboardInterrupt as stop:
            raise Stopped("Stopped. The same command goes on with the rest.") from stop
    if as_json:
        printing.json_line(found)
    else:
        _say_orphans(found)


def _bar(what: str, total: int, *, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=printing.err(), disable=quiet or not printing.err().is_terminal, transient=True)
    bar.add_task(what, total=total)
    return bar


def _say_plan(plan: Plan, keep: int | None) -> None:
    if plan.going:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("artifact")
        for name in ("captures", "blobs", "MB"):
            table.add_column(name, justify="right")
        for one in plan.going:
            table.add_row(one.artifact, f"{one.captures:,}", f"{one.blobs:,}", f"{one.bytes / 1e6:,.1f}")
        printing.out().print(table)
    else:
        printing.say("No artifact would go.")
    printing.say(f"{plan.captures:,} captures would lose something; {plan.kept:,} keep all, for probes, audits or releases.")
    if plan.rows:
        printing.say(f"{plan.rows:,} captures would go whole, with their divergences and checks; their visits stay.")
    printing.say(f"Stored now: {plan.bytes_now / 1e6:,.1f} MB. Afterwards: {plan.bytes_after / 1e6:,.1f} MB.")
    if keep is not None and plan.bytes_after > keep:
        printing.say(f"That is over {keep / 1e6:,.1f} MB still: nothing else may go.")


def _say_done(done: Pruned) -> None:
    for name, count in done.artifacts.items():
        printing.say(f"  {count:8,}  {name}")
    if done.captures:
        printing.say(f"  {done.captures:8,}  captures, whole")
    printing.say(f"{done.blobs:,} blobs removed, {done.bytes / 1e6:,.1f} MB.")


def _say_orphans(found: Orphans) -> None:
    what = f"{found.blobs:,} blobs that no row names, {found.bytes / 1e6:,.1f} MB"
    halves = f"; {found.halves:,} files half written" if found.halves else ""
    printing.say(f"{what}{halves}. To remove them: --yes." if found.dry_run else f"Removed: {what}{halves}.")
