"""What the commands of a crawler that runs for months do, one function each: read what was asked, call one thing, print."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from rapidfuzz import process
from rich.live import Live

from crawler import printing
from crawler.addresses import private_reason
from crawler.asked import listed, warn_nameless, wish_of
from crawler.durations import format_duration
from crawler.filing import open_archive
from crawler.knobs import Knobs, settings_for, settings_of
from crawler.schedule import at_once
from crawler.service import listing, serve
from crawler.showing_status import table
from crawler.site_rows import Complaint
from crawler.site_rules import RULES
from crawler.site_urls import name_of, url_complaint, with_scheme
from crawler.sites import Site
from crawler.visit import Visited
from domain.errors import BadInput, NotFound
from store import sites as site_store
from store.database import Database, open_database
from store.takedowns import taken_down
from store.turns import status

ADDED_PRIORITY = 10
"""Whoever adds a site by hand waits for it."""
WATCH_S = 2.0


def run(knobs: Knobs, list_file: Path | None, *, limit: int | None, since: datetime | None) -> None:
    """crawler run."""
    if knobs.dry_run or since is not None:
        raise BadInput("--dry-run and --since are for one pass over a list: add --once.")
    _serve(knobs, listed(knobs, list_file, limit))


def work(knobs: Knobs) -> None:
    """crawler work."""
    _serve(knobs, None)


def _serve(knobs: Knobs, sites: Sequence[Site] | None) -> None:
    settings = settings_for(knobs)
    warn_nameless(settings, sites or ())

    def on_visit(visited: Visited) -> None:
        if knobs.as_json:
            printing.json_line({"visit": visited.visit})
        elif sys.stderr.isatty():
            visit = visited.visit
            printing.talk(f"{visit.finished.wall.astimezone():%H:%M:%S}  {visit.outcome:<12} {visit.site}  {visit.reason[:80]}")

    def on_sync(synced: site_store.Synced) -> None:
        printing.talk(
            f"{synced.total} sites: {synced.added} new, {synced.changed} changed, {synced.gone} no longer in the list. "
            "Ctrl-C stops after the visits under way; see them with: crawler status"
        )

    done = asyncio.run(serve(settings, wish_of(knobs, settings), open_archive, sites=sites, on_visit=on_visit, on_sync=on_sync))
    printing.talk(f"Stopped; the last {len(done.done)} visits are kept. What is due stays due." if done.done else "Stopped.")


def show_status(*, watch: bool, as_json: bool) -> None:
    """crawler status."""
    with _database() as database:
        if as_json:
            while True:
                printing.json_line(status(database))
                if not watch:
                    return
                time.sleep(WATCH_S)
        if not watch:
            printing.out().print(table(status(database)))
            return
        with Live(table(status(database)), console=printing.out(), screen=False, auto_refresh=False) as live:
            while True:
                time.sleep(WATCH_S)
                live.update(table(status(database)), refresh=True)


def pause(given: str, why: str, *, as_json: bool) -> None:
    """crawler pause SITE."""
    with _database() as database:
        names = _known(database, given)
        changed = site_store.pause(database, names, why, now=datetime.now(UTC))
    if as_json:
        printing.json_line({"paused": names, "changed": changed, "why": why})
    else:
        printing.talk(f"{_named(names)} will not be visited until: crawler resume {given}" + _before(changed, names, "paused"))


def resume(given: str, *, as_json: bool) -> None:
    """crawler resume SITE."""
    with _database() as database:
        names = _known(database, given)
        changed = site_store.resume(database, names)
    if as_json:
        printing.json_line({"resumed": names, "changed": changed})
    else:
        printing.talk(f"{_named(names)} will be visited again." + _before(changed, names, "resumed or never paused"))


def add(url: str, *, every: str, name: str | None, why: str, allow_private: bool, as_json: bool) -> None:
    """crawler add URL."""
    url = with_scheme(url.strip())
    problems = []
    complaint = url_complaint(url)
    if complaint is None and not allow_private and (reason := private_reason(urlsplit(url).hostname or "")):
        complaint = Complaint(f"is not public: {reason}", "For pages of your own, --allow-private lets it pass.")
    if complaint is not None:
        problems.append(f"{url!r} {complaint.message}. {complaint.remedy}")
    for knob, value in (("every", every), ("name", name)):
        if value is not None and isinstance(meant := RULES[knob](value), Complaint):
            problems.append(f"--{knob} {value!r} {meant.message}. {meant.remedy}")
    if problems:
        raise BadInput("\n".join(problems))
    interval = RULES["every"](every)
    assert isinstance(interval, timedelta)  # noqa: S101 - no complaint
    with _database() as database:
        if entry := taken_down(database, url):
            raise BadInput(
                f"{entry.covered} is taken down: {entry.why}. To visit it again: crawler takedown lift {entry.covered}"
            )
        if there := site_store.find(database, url):
            raise BadInput(f"{url} is visited already, as {there[0].name}. To have another interval, change the list.")
        taken = set(site_store.names(database))
        if name in taken:
            raise BadInput(f"There is a site {name!r} already. Give another --name.")
        site = Site(name=name or name_of(url, taken), url=url, why=why or "added by hand", topic="other", every=interval)
        site_store.add(database, listing(site, priority=ADDED_PRIORITY), now=datetime.now(UTC))
        at_once(database, site.name)
    if as_json:
        printing.json_line(site)
    else:
        printing.talk(
            f"Added {site.name}: visited now and every {format_duration(interval)}, by any crawler that runs "
            "(crawler run, crawler work). See: crawler status"
        )


def _known(database: Database, given: str) -> list[str]:
    """Names of the sites that are meant. Raises NotFound with names that are near."""
    if found := site_store.find(database, with_scheme(given) if "/" in given else given):
        return [row.name for row in found]
    names = site_store.names(database)
    if not names:
        raise NotFound(f"No site {given!r}: there is none yet. They come with: crawler run --list FILE, or crawler add URL")
    near = [name for name, _, _ in process.extract(given, names, limit=3, score_cutoff=60)]
    hint = f"Did you mean {', '.join(near)}?" if near else f"There are {len(names)}: crawler status"
    raise NotFound(f"No site {given!r}: give its name, host or URL. {hint}")


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} sites ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''})"  # noqa: PLR2004


def _before(changed: int, names: Sequence[str], what: str) -> str:
    return "" if changed == len(names) else f" ({len(names) - changed} of them {what} before)"


@contextmanager
def _database() -> Iterator[Database]:
    settings_of({})  # a wrong setting is told before anything is opened
    with open_database() as database:
        yield database
