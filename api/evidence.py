"""What there is to show of one probe or divergence, as one record: the page for people draws it, `.../evidence` is it.

Everything about time, archives and excerpts is of one capture: a probe's first sighting, or the divergence's own. A probe of
a corpus has no capture: `moments`, `checks`, `sightings` and `history` are empty; its archives are what this store holds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from api.artifacts import NOT_HANDED_OUT, links_of, moments_of
from api.crops import not_kept
from api.evidence_told import Evidence, Shot
from api.excerpted import Excerpt, excerpt_of, excerpt_of_corpus
from domain.divergence import Finding
from domain.errors import NotFound
from domain.geometry import Box
from domain.probe import LIVE, CorpusProvenance, Probe
from domain.visit import CaptureRecord, Visit
from store.blobs import Blobs
from store.captures import find_capture
from store.checks import checks_of
from store.database import Database
from store.divergences import StoredDivergence, divergence_id, find_divergence
from store.probes import StoredProbe, find_probe
from store.release_recipes import recipes_alone
from store.seen import known_blobs, newest_sightings, probe_of_divergence, releases_with

NEWEST = 20
"""Sightings in the record."""


Withheld = Callable[[Database, Iterable[str]], Container[str]]


def of_divergence(database: Database, blobs: Blobs, found: StoredDivergence) -> Evidence:
    """What there is to show of a divergence. Raises NotFound where its capture is gone, Unavailable."""
    visit, capture = find_capture(database, found.capture_id)
    named = probe_of_divergence(database, found.id)
    finding = found.finding
    probe, seen = None, None
    if named is not None:
        seen = find_probe(database, named)
        probe = seen.probe
    return Evidence(
        id=found.id,
        what="divergence",
        probe=probe,
        divergence=found,
        source=LIVE,
        kind=finding.kind,
        structural=finding.structural,
        rendered=finding.rendered,
        grade=finding.grade,
        variable=probe.variable if probe else None,
        box=Box(*finding.box) if finding.box else None,
        check=found.check,
        crop=f"/divergences/{found.id}/crop",
        **_of_capture(database, blobs, visit, capture, path=finding.path, value=finding.structural or "", kind=finding.kind),
        **_of_sightings(database, seen),
        **_of_element(found.element),
        checks=tuple(checks_of(database, found.id)),
        lines=_lines(finding),
    )


def of_probe(database: Database, blobs: Blobs, found: StoredProbe, withheld: Withheld = recipes_alone) -> Evidence:
    """What there is to show of a probe. withheld: which of its blobs are not to be shown, by the terms of their corpus."""
    probe, where = found.probe, found.probe.provenance
    shared = {
        "id": probe.id,
        "what": "probe",
        "probe": probe,
        "source": where.source,
        "kind": probe.kind,
        "structural": probe.structural,
        "rendered": probe.gold,
        "variable": probe.variable,
        "box": probe.region,
        "view": probe.view,
        "check": where.check,
        "crop": f"/probes/{probe.id}/crop",
        **_of_sightings(database, found),
    }
    if isinstance(where, CorpusProvenance):
        return Evidence(**shared, **_of_corpus(database, blobs, probe, where, withheld))
    divergence = _divergence_behind(database, probe)
    try:
        visit, capture = find_capture(database, where.capture)
    except NotFound:  # pruned with all its rows: the probe is known by a later sighting, and is what is left
        gone = f"The capture {where.capture} was removed to save space."
        return Evidence(
            **shared, **_of_element(where.element), divergence=divergence, site=where.site, url=where.url, grade=where.grade,
            visit=where.visit, capture=where.capture, when=where.when, delay_ms=where.delay_ms,
            screenshot=Shot(digest=probe.screenshot, width=where.viewport.width, height=where.viewport.height,
                            scale=where.scale, link=None, problem=gone),
            excerpt=Excerpt(pieces=(), problem=gone),
        )  # fmt: skip
    finding = divergence.finding if divergence else None
    return Evidence(
        **shared,
        divergence=divergence,
        grade=where.grade,
        **_of_capture(database, blobs, visit, capture, path=where.path, value=probe.structural, kind=probe.kind or ""),
        **_of_element(where.element),
        checks=tuple(checks_of(database, divergence.id)) if divergence else (),
        lines=_lines(finding) if finding else (),
    )


def _divergence_behind(database: Database, probe: Probe) -> StoredDivergence | None:
    where = probe.live
    try:
        return find_divergence(database, divergence_id(where.capture, probe.kind or "", where.path))
    except NotFound:
        return None


def _lines(finding: Finding) -> tuple[Box, ...]:
    return tuple(Box(*line) for line in finding.lines)


def _of_capture(
    database: Database, blobs: Blobs, visit: Visit, capture: CaptureRecord, *, path: str, value: str, kind: str
) -> dict[str, object]:
    known = known_blobs(database, capture.artifacts.values())
    archives = links_of(capture.artifacts, known, capture.pruned)
    by_name = {link.name: link for link in archives}
    held = {name: known[digest] for name, digest in capture.artifacts.items() if digest in known}
    shot = by_name.get("screenshot")
    return {
        "site": visit.site,
        "url": visit.url,
        "title": visit.title or "",
        "visit": visit.id,
        "capture": capture.id,
        "when": (capture.timeline.screenshot_sent or visit.started).wall,
        "delay_ms": visit.delay_ms,
        "moments": moments_of(capture.timeline),
        "archives": archives,
        "screenshot": None
        if shot is None
        else Shot(
            digest=shot.digest,
            width=visit.viewport.width,
            height=visit.viewport.height,
            scale=visit.viewport.scale,
            link=shot.link,
            problem=shot.problem,
        ),
        "excerpt": excerpt_of(blobs, held, path, value, kind),
    }


def _of_corpus(
    database: Database, blobs: Blobs, probe: Probe, where: CorpusProvenance, withheld: Withheld
) -> dict[str, object]:
    known = known_blobs(database, (probe.screenshot, probe.structure))
    kept_back = withheld(database, known)
    archives = links_of({"screenshot": probe.screenshot, "structure": probe.structure}, known, {}, kept_back)
    shot = archives[0]
    structure = excerpt_of_corpus(blobs, probe, known.get(probe.structure))
    if probe.structure in kept_back:
        structure = Excerpt(pieces=(), problem=NOT_HANDED_OUT)
    return {
        "divergence": None,
        "site": where.site,
        "url": where.url,
        "archives": archives,
        "screenshot": Shot(
            digest=probe.screenshot,
            width=where.picture.width,
            height=where.picture.height,
            scale=1.0,
            link=shot.link,
            problem=shot.problem and (shot.problem if probe.screenshot in kept_back else not_kept(where)),
        ),
        "excerpt": structure,
    }


def _of_sightings(database: Database, found: StoredProbe | None) -> dict[str, object]:
    if found is None:
        return {}
    probe = found.probe
    live = probe.provenance.source == LIVE
    return {
        "sightings": tuple(newest_sightings(database, probe.id, NEWEST)) if live else (),
        "sightings_total": found.sightings,
        "first_seen": found.first_seen,
        "last_seen": found.last_seen,
        "releases": tuple(releases_with(database, probe.id)),
    }


def _of_element(element: str | None) -> dict[str, object]:
    return {"element": element, "history": f"/elements/{element}/history" if element else None}
