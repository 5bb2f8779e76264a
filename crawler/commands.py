"""What the commands do, one function each: read what was asked, call one thing, print."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from crawler import detect as detection
from crawler import printing
from crawler.demo import PAGES
from crawler.demo.server import serve
from crawler.durations import parse_duration
from crawler.filing import open_archive
from crawler.report import write_report
from crawler.run import Progress, Wish, run
from crawler.settings import CrawlerSettings
from crawler.showing import save_recording, show_divergence, show_visit
from crawler.site_urls import name_of, url_complaint, with_scheme
from crawler.sites import Site, check, default_sites_path, read_sites
from crawler.visit import Visited
from domain.errors import BadInput, NotFound, ParallaxError, Unavailable
from domain.text import PolicyName
from store.captures import find_divergence, find_visit, recent_visits

LONGEST_DELAY_MS = 120_000


@dataclass(frozen=True, slots=True)
class Knobs:
    """What the visiting commands have in common. None leaves a thing to the settings."""

    policy: PolicyName | None
    delay: str | None
    driver: str | None
    viewport: str | None
    allow_private: bool
    as_json: bool
    dry_run: bool
    concurrency: int | None


class Stopped(ParallaxError):
    """Ended before everything was done; what was done is kept."""


def settings_for(knobs: Knobs) -> CrawlerSettings:
    """The settings, with what was asked for on the command line on top."""
    asked: dict[str, Any] = {
        k: v for k in ("driver", "viewport", "concurrency", "policy") if (v := getattr(knobs, k)) is not None
    }
    if knobs.delay is not None:
        asked["delay_ms"] = delay_ms(knobs.delay)
    try:
        return CrawlerSettings(**asked)
    except ValidationError as error:
        problems = [f"{_knob(e['loc'], asked)}: {e['msg']}" for e in error.errors(include_url=False)]
        raise BadInput("\n".join(problems)) from error


def _knob(location: tuple[int | str, ...], asked: dict[str, Any]) -> str:
    name = str(location[0]) if location else "settings"
    return f"--{name.removesuffix('_ms')}" if name in asked else f"CRAWLER_{name.removeprefix('CRAWLER_').upper()}"


def delay_ms(text: str) -> int:
    """ "3s" and "500ms" in ms; a bare number is seconds, as one says it. Raises BadInput."""
    try:
        seconds = text.replace(".", "", 1).isdigit()
        delay = timedelta(seconds=float(text)) if seconds else parse_duration(text)
    except ValueError as error:
        raise BadInput(f'--delay {text!r} {error}. Write "3s" or "500ms".') from error
    milliseconds = int(delay / timedelta(milliseconds=1))
    if milliseconds > LONGEST_DELAY_MS:
        raise BadInput(f"--delay {text!r} is longer than two minutes.")
    return milliseconds


def _wish(knobs: Knobs, settings: CrawlerSettings) -> Wish:
    return Wish(settings.policy, knobs.allow_private, settings.delay_ms if knobs.delay is not None else None)


def _go(sites: Sequence[Site], knobs: Knobs, on_visit: Any, progress: Progress) -> None:
    """Runs the visits, stored unless it is a dry run, with live progress on the terminal."""
    settings = settings_for(knobs)
    try:
        with printing.live(progress, quiet=knobs.as_json and not sys.stderr.isatty()):
            asyncio.run(
                run(
                    sites,
                    settings,
                    _wish(knobs, settings),
                    None if knobs.dry_run else open_archive,
                    on_visit=on_visit,
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


def run_list(knobs: Knobs, list_file: Path | None, *, limit: int | None, since: datetime | None, once: bool) -> None:
    """crawler run --once."""
    if not once:
        raise BadInput("Only `crawler run --once` is there so far: it visits every site of the list and stops.")
    sites = read_sites(list_file or default_sites_path(), limit=limit, allow_private=knobs.allow_private)
    started = datetime.now(UTC)
    if since is not None:
        sites = _not_since(sites, since.astimezone(UTC))
    progress = Progress(len(sites))
    _go(sites, knobs, (lambda v: printing.json_line({"visit": v.visit})) if knobs.as_json else (lambda _: None), progress)
    if not knobs.as_json:
        printing.summary(progress.done)
    if progress.stopped and len(progress.done) < len(sites):
        again = " ".join(
            [
                "crawler run --once",
                *(["--list", str(list_file)] if list_file else []),
                f"--since {(since or started):%Y-%m-%dT%H:%M:%S}",
            ]
        )
        raise Stopped(f"Stopped after {len(progress.done)} of {len(sites)} sites; these are kept. To go on: {again}")


def _not_since(sites: Sequence[Site], since: datetime) -> list[Site]:
    archive = open_archive()
    try:
        visited = {v.site for v in recent_visits(archive.database, limit=1_000_000, since=since)}
    finally:
        archive.close()
    return [site for site in sites if site.name not in visited]


def visit_urls(knobs: Knobs, urls: Sequence[str]) -> None:
    """crawler visit URL..."""
    sites = sites_for(urls)
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
                printing.visited(done[name])
    if progress.stopped and len(done) < len(sites):
        raise Stopped(f"Stopped after {len(done)} of {len(sites)} pages; these are kept.")


def sites_for(urls: Sequence[str]) -> list[Site]:
    """Sites for addresses given by hand. Raises BadInput with every address that is none."""
    problems, sites, taken = [], [], set[str]()
    for given in urls:
        url = with_scheme(given.strip())
        complaint = url_complaint(url)
        if complaint is not None:
            problems.append(f"{given!r} {complaint.message}. {complaint.remedy}")
            continue
        name = name_of(url, taken)
        # The same address may be asked for more than once: each is a visit of its own.
        name = next(n for k in count(1) if (n := name if k == 1 else f"{name}-{k}") not in taken)
        taken.add(name)
        sites.append(Site(name=name, url=url, why="asked for by hand", topic="other", every=timedelta(days=1)))
    if problems:
        raise BadInput("\n".join(problems))
    return sites


def detect_again(policy: PolicyName | None, site: str | None, *, dry_run: bool, as_json: bool) -> None:
    """crawler detect."""
    archive = open_archive()
    try:
        policy = policy or CrawlerSettings().policy
        with printing.counting("captures", quiet=as_json) as tick:
            outcome = detection.again(archive, policy, site=site, dry_run=dry_run, on_capture=tick)
    finally:
        archive.close()
    printing.redetected(outcome, as_json=as_json, dry_run=dry_run)


def show(id_or_prefix: str, *, elements: bool, save: Path | None, as_json: bool) -> None:
    """crawler show ID."""
    archive = open_archive()
    try:
        try:
            visit = find_visit(archive.database, id_or_prefix)
        except NotFound as no_visit:
            try:
                divergence = find_divergence(archive.database, id_or_prefix)
            except NotFound:
                raise no_visit from None
            show_divergence(archive, divergence, as_json=as_json)
            visit = find_visit(archive.database, divergence.visit_id)
        else:
            show_visit(archive, visit, elements=elements, as_json=as_json)
        if save is not None:
            save_recording(archive, visit, save)
    finally:
        archive.close()


def report(
    output: Path, *, site: str | None, kind: str | None, verdict: str, since: datetime | None, limit: int, as_json: bool
) -> None:
    """crawler report."""
    archive = open_archive()
    try:
        since = since.astimezone(UTC) if since else None
        written = write_report(archive, output, site=site, kind=kind, verdict=verdict, since=since, limit=limit)
    finally:
        archive.close()
    if as_json:
        printing.json_line(written)
    else:
        printing.say(f"{written.divergences} divergences of {written.sites} sites: {output.resolve()}")


def demo(output: Path, *, as_json: bool) -> None:
    """crawler demo."""
    knobs = Knobs(None, None, None, None, allow_private=True, as_json=as_json, dry_run=False, concurrency=None)
    started = datetime.now(UTC)
    with serve() as base:
        printing.talk(f"The demo site is at {base} while this runs; crawling {len(PAGES)} pages of it.")
        sites = [_demo_site(base.rstrip("/") + page, page) for page in PAGES]
        progress = Progress(len(sites))
        _go(sites, knobs, lambda _: None, progress)
    if any(v.outcome != "captured" for v in progress.done):
        failed = [f"{v.site}: {v.outcome}, {v.reason}" for v in progress.done if v.outcome != "captured"]
        raise Unavailable("The demo's own pages could not all be captured. " + "; ".join(failed))
    if not as_json:
        printing.summary(progress.done)
    output.parent.mkdir(parents=True, exist_ok=True)
    report(output, site=None, kind=None, verdict="flagged", since=started, limit=500, as_json=as_json)


def _demo_site(url: str, page: str) -> Site:
    name = f"demo-{page.strip('/').removesuffix('.html') or 'home'}"
    return Site(name=name, url=url, why="made for the demo", topic="other", every=timedelta(hours=1))


def check_sites(path: Path | None, *, allow_private: bool, as_json: bool) -> None:
    """crawler sites check."""
    path = path or default_sites_path()
    problems = check(path, allow_private=allow_private)
    if as_json:
        for problem in problems:
            printing.json_line(problem)
    elif not problems:
        printing.say(f"{path}: {len(read_sites(path, allow_private=allow_private))} sites, no problem.")
    if problems:
        listed = "" if as_json else "\n".join(p.sentence(path.name) for p in problems) + "\n"
        raise BadInput(f"{listed}{path}: {len(problems)} problem{'s' * (len(problems) != 1)}.")


def show_sites(path: Path | None, *, allow_private: bool, as_json: bool) -> None:
    """crawler sites show."""
    sites = read_sites(path or default_sites_path(), allow_private=allow_private)
    if as_json:
        for site in sites:
            printing.json_line(site)
    else:
        printing.sites(sites)
