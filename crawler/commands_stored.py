"""What the commands on stored things and on lists do, one function each: read what was asked, call one thing, print."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from crawler import detect as detection
from crawler import printing, showing_visits
from crawler.asked import some_id
from crawler.filing import Archive
from crawler.knobs import settings_of
from crawler.opened import kept_archive
from crawler.report import write_report
from crawler.showing import save_recording, show_divergence, show_visit
from crawler.showing_probes import is_probe, show_probe
from crawler.sites import check, default_sites_path, read_sites
from domain.errors import BadInput, NotFound
from domain.text import PolicyName
from domain.visit import Visit
from store.captures import find_divergence, find_visit, known_site
from store.divergences import Checked
from store.probes import find_probe


def detect_again(policy: PolicyName | None, site: str | None, *, dry_run: bool, as_json: bool) -> None:
    """crawler detect."""
    archive = kept_archive()
    try:
        if site is not None:
            known_site(archive.database, site)
        policy = policy or settings_of({}).policy
        with printing.counting("captures", quiet=as_json) as tick:
            outcome = detection.again(archive, policy, site=site, dry_run=dry_run, on_capture=tick)
    finally:
        archive.close()
    showing_visits.redetected(outcome, as_json=as_json, dry_run=dry_run)


def show(id_or_prefix: str, *, elements: bool, save: Path | None, as_json: bool) -> None:
    """crawler show ID."""
    some_id(id_or_prefix, "a visit, a divergence or a probe")
    archive = kept_archive()
    try:
        visit = _shown(archive, id_or_prefix, elements=elements, as_json=as_json)
        if save is not None:
            save_recording(archive, visit, save)
    finally:
        archive.close()


def _shown(archive: Archive, id_or_prefix: str, *, elements: bool, as_json: bool) -> Visit:
    """Shows the probe, visit or divergence with this id; the visit that it is or is of."""
    if is_probe(id_or_prefix):
        stored = find_probe(archive.database, id_or_prefix)
        show_probe(archive, stored, as_json=as_json)
        return find_visit(archive.database, stored.probe.live.visit)
    try:
        visit = find_visit(archive.database, id_or_prefix)
    except NotFound as no_visit:
        try:
            divergence = find_divergence(archive.database, id_or_prefix)
        except NotFound:
            raise no_visit from None
        show_divergence(archive, divergence, as_json=as_json)
        return find_visit(archive.database, divergence.visit_id)
    show_visit(archive, visit, elements=elements, as_json=as_json)
    return visit


def report(
    output: Path,
    *,
    site: str | None,
    kind: str | None,
    verdict: str,
    check: Checked | None = None,
    since: datetime | None,
    limit: int,
    as_json: bool,
) -> None:
    """crawler report. A folder that it makes for it is said."""
    archive = kept_archive()
    folder = output.expanduser().absolute().parent
    new = next((at for at in reversed((folder, *folder.parents)) if not at.exists()), None)
    try:
        if site is not None:
            known_site(archive.database, site)
        since = since.astimezone(UTC) if since else None
        written = write_report(archive, output, site=site, kind=kind, verdict=verdict, check=check, since=since, limit=limit)
    finally:
        archive.close()
    if new is not None:
        printing.talk(f"Made the folder {new}, which was not there.")
    if as_json:
        printing.json_line(written)
    else:
        printing.say(
            f"{printing.plural(written.divergences, 'divergence')} at {printing.plural(written.elements, 'element')} "
            f"of {printing.plural(written.sites, 'site')}: {output.resolve()}"
        )


def check_sites(path: Path | None, *, allow_private: bool, as_json: bool) -> None:
    """crawler sites check."""
    path = path or default_sites_path()
    problems = check(path, allow_private=allow_private)
    if as_json:
        for problem in problems:
            printing.json_line(problem)
    elif not problems:
        printing.say(f"{path}: {printing.plural(len(read_sites(path, allow_private=allow_private)), 'site')}, no problem.")
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
        showing_visits.sites(sites)
