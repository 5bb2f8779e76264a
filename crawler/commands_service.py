"""What the commands of a crawler that runs for months do, one function each: read what was asked, call one thing, print."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from rapidfuzz import process
from rich.live import Live

from crawler import printing
from crawler.addresses import private_reason
from crawler.asked import listed, warn_nameless, wish_of
from crawler.durations import format_duration
from crawler.knobs import Knobs, settings_for, settings_of
from crawler.opened import kept_database, made_archive, made_database
from crawler.private_urls import private_complaint, scheme_taken
from crawler.schedule import at_once
from crawler.service import listing, serve
from crawler.showing_status import lives, table
from crawler.site_rows import Complaint
from crawler.site_rules import RULES
from crawler.site_urls import name_of, url_complaint, with_scheme
from crawler.sites import Site
from crawler.visit import Visited
from domain.errors import BadInput, NotFound
from store import sites as site_store
from store.database import Database
from store.status import status
from store.takedowns import taken_down

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
            printing.talk(
                f"{visit.finished.wall.astimezone():%H:%M:%S}  {visit.outcome:<12} {visit.site}  {printing.cut(visit.reason)}"
            )

    def on_sync(synced: site_store.Synced) -> None:
        printing.talk(
            f"{synced.total} sites: {synced.added} new, {synced.changed} changed, {synced.gone} no longer in the list. "
            "Ctrl-C stops after the visits under way; see them with: crawler status"
        )

    done = asyncio.run(
        serve(
            settings,
            wish_of(knobs, settings),
            made_archive,
            sites=sites,
            on_visit=on_visit,
            on_sync=on_sync,
            on_stop=printing.stopping,
        )
    )
    n = len(done.done)
    last = "its visit is" if n == 1 else f"the last {n:,} visits are"
    printing.talk(f"Stopped; {last} kept. What is due stays due. {printing.unchecked(done)}".rstrip() if n else "Stopped.")


def show_status(*, watch: bool, as_json: bool) -> None:
    """crawler status. That --watch goes on until Ctrl-C is its orderly end."""
    with suppress(KeyboardInterrupt) if watch else nullcontext(), _database() as database:
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
        printing.talk(f"{_named(names)} will not be visited until: crawler resume {given}." + _before(changed, names))


def resume(given: str, *, as_json: bool) -> None:
    """crawler resume SITE."""
    with _database() as database:
        names = _known(database, given)
        changed = site_store.resume(database, names)
        not_visited = site_store.not_visited(database, names)
    if as_json:
        printing.json_line({"resumed": names, "changed": changed})
    else:
        printing.talk(" ".join(_resumed(names, changed, not_visited)))


def add(url: str, *, every: str, name: str | None, why: str, allow_private: bool, as_json: bool) -> None:
    """crawler add URL."""
    given = url.strip()
    url = with_scheme(given)
    problems = []
    complaint = url_complaint(url) or (None if allow_private else private_complaint(url))
    if complaint is not None:
        problems.append(f"{url!r} {complaint.message}. {complaint.remedy}")
    for knob, value in (("every", every), ("name", name)):
        if value is not None and isinstance(meant := RULES[knob](value), Complaint):
            problems.append(f"--{knob} {value!r} {meant.message}. {meant.remedy}")
    if problems:
        raise BadInput("\n".join(problems))
    if (told := scheme_taken(given)) is not None:
        printing.talk(told)
    interval = RULES["every"](every)
    assert isinstance(interval, timedelta)  # noqa: S101 - no complaint
    with _database(make=True) as database:
        if entry := taken_down(database, url):
            raise BadInput(
                f"{entry.covered} is taken down: {entry.why}. To visit it again: crawler takedown lift {entry.covered}"
            )
        if there := site_store.find(database, url):
            paused = {row.name: row.paused is not None for row in there}
            raise BadInput(_there(url, paused, site_store.not_visited(database, list(paused))))
        taken = set(site_store.names(database))
        if name in taken:
            raise BadInput(f"There is a site {name!r} already. Give another --name.")
        site = Site(name=name or name_of(url, taken), url=url, why=why or "added by hand", topic="other", every=interval)
        site_store.add(database, listing(site, priority=ADDED_PRIORITY), now=datetime.now(UTC))
        at_once(database, site.name)
        worker = lives(status(database))
    if as_json:
        printing.json_line(site)
    else:
        printing.talk(" ".join(_added(site, worker=worker)))


def _there(url: str, paused: Mapping[str, bool], not_visited: Collection[str]) -> str:
    """Why a page is not added twice, whether it is visited, and what to do. paused: of each site that has it, by name.

    A site that was given another name in its list is there twice: under the old one it is no longer visited.
    """
    if listed := [name for name in paused if name not in not_visited]:
        if going := [name for name in listed if not paused[name]]:
            again = "To have another interval, give it that in a list: crawler run --list FILE."
            return f"{url} is visited already, as {going[0]}. {again}"
        return f"{url} is known as {listed[0]}, and paused. To visit it again: crawler resume {listed[0]}"
    name = next(iter(paused))
    return f"{url} is known as {name}, and not visited: no longer in the list. Put it there again: crawler run --list FILE."


def _added(site: Site, *, worker: bool) -> Iterator[str]:
    """Sentences: when it is visited, and what that still needs. worker: one lives."""
    option = " --allow-private" if private_reason(urlsplit(site.url).hostname or "") else ""
    yield f"Added {site.name}: visited every {format_duration(site.every)}, the first time as soon as a worker is free."
    if not worker:
        yield f"No worker runs. Start one: crawler work{option}. It visits all sites that are stored."
    elif option:
        yield "Its address is private: only workers that were started with --allow-private open it."
    yield "See: crawler status"


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


def _before(changed: int, names: Sequence[str]) -> str:
    if changed == len(names):
        return ""
    return " It was paused before." if len(names) == 1 else f" {len(names) - changed} of them were paused before."


def _resumed(names: Sequence[str], changed: int, not_visited: Mapping[str, str]) -> Iterator[str]:
    """Sentences: what is visited again, what was not paused anyway, and what is not visited all the same, and why."""
    if visited := [name for name in names if name not in not_visited]:
        yield f"{_named(visited)} will be visited in turn."
    if gone := [name for name, why in not_visited.items() if why == "gone"]:
        yield f"{_named(gone)} will not be visited: no longer in the list. Put it there again: crawler run --list FILE."
    if down := [name for name, why in not_visited.items() if why == "taken down"]:
        yield f"{_named(down)} will not be visited: taken down. See: crawler takedown list."
    if changed < len(names):
        yield "It was not paused." if len(names) == 1 else f"{len(names) - changed} of them were not paused."


@contextmanager
def _database(*, make: bool = False) -> Iterator[Database]:
    settings_of({})  # a wrong setting is told before anything is opened
    with made_database() if make else kept_database() as database:
        yield database
