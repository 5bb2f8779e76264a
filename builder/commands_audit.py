"""What the commands that run an audit do: read what was asked, call one thing, print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from builder import printing
from builder.audit_open import Opened, Wanted, begin_audit
from builder.audit_screens import NOT_SHOWN
from builder.printing import some
from builder.settings import builder_settings
from domain.audit import AnnotatorKind
from domain.audit_reads import OPEN_READS
from domain.errors import Refused
from store import annotators
from store.audit_results import AuditStatus, OfKind, audits, check_removable
from store.audit_results import close as close_audit
from store.audit_results import remove as remove_audit
from store.audit_results import reopen as reopen_audit
from store.audit_results import status as status_of
from store.blobs import Blobs
from store.database import open_database
from store.settings import store_settings

TOLD = 20
"""Probes that are named with why they are not shown; JSON has them all."""


def open_(
    name: str,
    *,
    release: str,
    families: str | None,
    seed: int | None,
    adjudicate: bool,
    items: int | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """builder audit open."""
    settings = store_settings()
    of = None if families is None else tuple(dict.fromkeys(one.strip() for one in families.split(",") if one.strip()))
    wanted = Wanted(name, release, of, seed, adjudicate, items)
    threads = builder_settings(workers=workers).processes
    with open_database(settings) as database, printing.progress(quiet=as_json) as told:
        opened = begin_audit(database, Blobs(settings.blobs), wanted, workers=threads, told=told)
    printing.talk(f"Mind: {OPEN_READS}")
    if as_json:
        left = [
            {"probe": one.probe, "family": one.family, "reason": one.reason, "detail": one.detail} for one in opened.not_shown
        ]
        printing.json_line({"audit": opened.status, "rows": opened.rows, "not_shown": left})
        return
    _print_opened(opened)


def _print_opened(opened: Opened) -> None:
    made = opened.status
    printing.say(f"Audit {made.name}: {some(made.items, 'item')} of {some(opened.rows, 'row')} of release {made.release}.")
    if made.hidden:
        printing.say(f"{made.hidden} of them are hidden by take-downs, and not asked.")
    if opened.not_shown:
        printing.say(f"{some(len(opened.not_shown), 'row')} cannot be shown:")
        for reason, count in sorted(Counter(one.reason for one in opened.not_shown).items()):
            printing.say(f"  {count} {reason}: {NOT_SHOWN[reason]}")
        for one in opened.not_shown[:TOLD]:
            printing.talk(f"{one.probe}: {one.reason}{f' ({one.detail})' if one.detail else ''}")
        if len(opened.not_shown) > TOLD:
            printing.talk(f"... and {len(opened.not_shown) - TOLD} more; all of them: --json")
    printing.talk("Next: builder audit annotator add NAME; then the desk at /audit, or builder audit sheet.")


def status(name: str | None, *, as_json: bool) -> None:
    """builder audit status."""
    with open_database() as database:
        found: Sequence[AuditStatus] = audits(database) if name is None else [status_of(database, name)]
    if as_json:
        for one in found:
            kinds = [{**of.model_dump(), "labels": labels(one, of)} for of in one.kinds]
            printing.json_line({**one.model_dump(mode="json"), "kinds": kinds})
        return
    if not found:
        printing.talk("There is no audit yet. To open one: builder audit open NAME --release v1")
    for one in found:
        state = f"closed {one.closed:%Y-%m-%d %H:%M} UTC" if one.closed else "open"
        hidden = f", {one.hidden} of them taken down since" if one.hidden else ""
        printing.say(f"Audit {one.name} of release {one.release}: {some(one.items, 'item')}{hidden}; {state}.")
        _print_kinds(one)


def labels(one: AuditStatus, of: OfKind) -> dict[str, int]:
    """How many of the items have no, one and two labels of this kind of annotators, before adjudication."""
    ones = of.answers - 2 * of.complete
    return {"0": one.items - one.hidden - ones - of.complete, "1": ones, "2": of.complete}


def _print_kinds(one: AuditStatus) -> None:
    if not one.kinds:
        printing.say("  Nobody has answered yet.")
        return
    numbers = ("annotators", "no label", "one", "two", "being answered", "disagree", "adjudicated")
    table = printing.table("annotated by", *numbers, right=numbers)
    for of in one.kinds:
        counted = labels(one, of)
        cells = (of.annotators, *counted.values(), of.leased, of.disputed, of.adjudicated)
        table.add_row(f"{of.kind}s", *map(str, cells))
    printing.out().print(table)


def close(name: str, *, again: bool) -> None:
    """builder audit close."""
    with open_database() as database:
        done = reopen_audit(database, name) if again else close_audit(database, name)
    printing.say(f"Audit {done.name} is {'closed: no answers are taken' if done.closed else 'open'}.")


def remove(name: str, *, yes: bool) -> None:
    """builder audit remove."""
    settings = store_settings()
    with open_database(settings) as database:
        there = status_of(database, name)
        check_removable(database, name)
        answers = sum(of.answers + of.adjudicated for of in there.kinds)
        if not yes:
            raise Refused(f"Audit {name} has {some(answers, 'answer')}, which would be gone for good. To do it: --yes")
        pictures = remove_audit(database, Blobs(settings.blobs), name)
    kept = "" if pictures >= there.items else " Those that another audit has too stay."
    printing.say(f"Audit {name} is gone, with {some(answers, 'answer')}. Pictures that were removed: {pictures}.{kept}")


def add_annotator(name: str, kind: AnnotatorKind, *, adjudicates: bool, as_json: bool) -> None:
    """builder audit annotator add."""
    with open_database() as database:
        token = annotators.add(database, name, kind, adjudicates)
    if as_json:
        printing.json_line({"name": name, "kind": kind, "adjudicates": adjudicates, "token": token})
        return
    printing.say(token)
    printing.talk(f"This is the token of {name} ({kind}): it is told this once.")
    if kind == "human":
        printing.talk("At the desk (/audit) they give both. For a sheet no token is needed: builder audit sheet.")
    else:
        printing.talk(f"A model needs none: builder audit model AUDIT --annotator {name}")


def list_annotators(*, as_json: bool) -> None:
    """builder audit annotator list."""
    with open_database() as database:
        found = annotators.annotators(database)
    if as_json:
        for one in found:
            printing.json_line(one)
        return
    table = printing.table("name", "kind", "adjudicates", "answers", "added (UTC)", "removed (UTC)", right=("answers",))
    for one in found:
        added, gone = (f"{when:%Y-%m-%d %H:%M}" if when else "" for when in (one.added, one.gone))
        table.add_row(one.name, one.kind, "yes" if one.adjudicates else "", str(one.answers), added, gone)
    if found:
        printing.out().print(table)
    else:
        printing.talk("There are no annotators yet. To add one: builder audit annotator add NAME")


def remove_annotator(name: str) -> None:
    """builder audit annotator remove."""
    with open_database() as database:
        annotators.remove(database, name)
    printing.say(f"The token of {name} is void. What {name} answered stays.")
