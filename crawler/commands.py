"""What the visiting commands do, one function each: read what was asked, call one thing, print."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from crawler import printing, showing_visits
from crawler.asked import listed, own_too, warn_nameless, wish_of
from crawler.commands_stored import report
from crawler.demo import PAGES
from crawler.demo.boards import BOARDS
from crawler.demo.server import PORT, serve
from crawler.knobs import Knobs, settings_for
from crawler.opened import kept_archive, made_archive
from crawler.pages_at import pages_at
from crawler.private_urls import private_complaint, scheme_taken
from crawler.run import Progress, run
from crawler.site_urls import name_of, url_complaint, with_scheme
from crawler.sites import Site
from crawler.visit import Visited
from domain.errors import BadInput, ParallaxError, Stopped, Unavailable
from store.captures import recent_visits


def _go(sites: Sequence[Site], knobs: Knobs, on_visit: Any, progress: Progress) -> None:
    """Runs the visits, stored unless it is a dry run, with live progress on the terminal."""
    settings = settings_for(knobs)
    warn_nameless(settings, sites)
    try:
        with printing.live(progress, quiet=knobs.as_json and not sys.stderr.isatty()):
            asyncio.run(
                run(
                    sites,
                    settings,
                    wish_of(knobs, settings),
                    None if knobs.dry_run else made_archive,
                    on_visit=on_visit,
                    on_stop=printing.stopping,
                    progress=progress,
                )
            )
    except BaseExceptionGroup as group:
        raise _plain(group) from group


def _plain(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error made on purpose in a group, else the group itself."""
    found, _ = group.split(ParallaxError)
    while isinstance(found, BaseExceptionGroup):
        first = found.exceptions[0]
        if not isinstance(first, BaseExceptionGroup):
            return first
        found = first
    return group


def run_list(knobs: Knobs, list_file: Path | None, *, limit: int | None, since: datetime | None) -> None:
    """crawler run --once."""
    sites = listed(knobs, list_file, limit)
    started = datetime.now(UTC)
    if since is not None:
        sites = _not_since(sites, since.astimezone(UTC))
    progress = Progress(len(sites))
    _go(sites, knobs, (lambda v: printing.json_line({"visit": v.visit})) if knobs.as_json else (lambda _: None), progress)
    if not knobs.as_json:
        showing_visits.summary(progress)
    if progress.stopped and len(progress.done) < len(sites):
        again = " ".join(
            [
                "crawler run --once",
                *(["--list", str(list_file)] if list_file else []),
                f"--since {(since or started):%Y-%m-%dT%H:%M:%S}",
            ]
        )
        raise Stopped(_short(progress, knobs, "site", f"To go on: {again}"))
    tell_unchecked(progress)


def _short(progress: Progress, knobs: Knobs, noun: str, more: str) -> str:
    """What is told of a run that was stopped before its last visit."""
    n = len(progress.done)
    kept = "" if not n else "; nothing is kept of a dry run" if knobs.dry_run else "; what was visited is kept"
    told = f"Stopped after {n} of {printing.plural(progress.total, noun)}{kept}."
    return "\n".join(part for part in (told, printing.unchecked(progress), more) if part)


def tell_unchecked(progress: Progress) -> None:
    """Says what no reader has looked at. Raises Stopped where Ctrl-C is why, though all was visited."""
    if progress.unchecked and progress.stopped:
        raise Stopped(f"Stopped after the last visit. {printing.unchecked(progress)}")
    if progress.unchecked:
        printing.talk(printing.unchecked(progress))


def _not_since(sites: Sequence[Site], since: datetime) -> list[Site]:
    archive = kept_archive()
    try:
        visited = {v.site for v in recent_visits(archive.database, limit=1_000_000, since=since)}
    finally:
        archive.close()
    return [site for site in sites if site.name not in visited]


def visit_urls(knobs: Knobs, urls: Sequence[str]) -> None:
    """crawler visit URL..."""
    sites = sites_for(urls, own=own_too(knobs))
    done: dict[str, Visited] = {}
    progress = Progress(len(sites))
    order = [site.name for site in sites]
    printed = 0

    def on_visit(visited: Visited) -> None:
        nonlocal printed
        done[visited.visit.site] = visited
        # In the order asked for, each as soon as those before it are there.
        while knobs.as_json and printed < len(order) and order[printed] in done:
            printing.json_line(printing.document(done[order[printed]]))
            printed += 1

    _go(sites, knobs, on_visit, progress)
    if not knobs.as_json:
        for name in order:
            if name in done:
                showing_visits.visited(done[name], stored=not knobs.dry_run)
    if progress.stopped and len(done) < len(sites):
        raise Stopped(_short(progress, knobs, "page", ""))
    tell_unchecked(progress)
    if not any(visited.visit.outcome == "captured" for visited in done.values()):
        ended = Counter(visited.visit.outcome for visited in done.values())
        told = ", ".join(outcome if len(done) == 1 else f"{n} {outcome}" for outcome, n in ended.most_common())
        raise Unavailable(f"{'The page was not' if len(done) == 1 else f'Of {len(done)} pages, none was'} captured: {told}.")


def sites_for(urls: Sequence[str], *, own: bool) -> list[Site]:
    """Sites for addresses given by hand. Raises BadInput with every address that is none.

    own: private addresses may be meant; else what can only be one is refused before it is filed.
    """
    problems, sites, taken = [], [], set[str]()
    for given in urls:
        url = with_scheme(given.strip())
        complaint = url_complaint(url) or (None if own else private_complaint(url))
        if complaint is not None:
            problems.append(f"{given!r} {complaint.message}. {complaint.remedy}")
            continue
        if (told := scheme_taken(given.strip())) is not None:
            printing.talk(told)
        name = name_of(url, taken)
        # The same address may be asked for more than once: each is a visit of its own.
        name = next(n for k in count(1) if (n := name if k == 1 else f"{name}-{k}") not in taken)
        taken.add(name)
        sites.append(Site(name=name, url=url, why="asked for by hand", topic="other", every=timedelta(days=1)))
    if problems:
        raise BadInput("\n".join(problems))
    return sites


def demo(output: Path, *, boards: bool, as_json: bool) -> None:
    """crawler demo."""
    knobs = Knobs(None, None, None, None, allow_private=True, as_json=as_json, dry_run=False, concurrency=None)
    pages, started = (*PAGES, *BOARDS) if boards else PAGES, datetime.now(UTC)
    with serve(rather=PORT) as base:
        if not base.endswith(f":{PORT}"):
            printing.talk(f"Port {PORT} is taken: what is found is filed under another one, apart from what other demos find.")
        printing.talk(f"The demo site is at {base} while this runs; crawling {len(pages)} pages of it.")
        sites = [_demo_site(base.rstrip("/") + page, page) for page in pages]
        progress = Progress(len(sites))
        _go(sites, knobs, lambda _: None, progress)
    if progress.stopped and len(progress.done) < len(sites):
        raise Stopped(_short(progress, knobs, "page", "Again: crawler demo"))
    if any(v.outcome != "captured" for v in progress.done):
        failed = [f"{v.site}: {v.outcome}, {v.reason}" for v in progress.done if v.outcome != "captured"]
        raise Unavailable("The demo's own pages could not all be captured. " + "; ".join(failed))
    if not as_json:
        showing_visits.summary(progress)
    tell_unchecked(progress)
    report(output, site=None, kind=None, verdict="flagged", since=started, limit=500, as_json=as_json)
    printing.talk(f"To look at it in a browser: api serve (or make serve), then open {pages_at()}")


def _demo_site(url: str, page: str) -> Site:
    name = f"demo-{page.strip('/').removesuffix('.html') or 'home'}"
    return Site(name=name, url=url, why="made for the demo", topic="other", every=timedelta(hours=1))
