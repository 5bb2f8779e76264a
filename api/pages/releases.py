"""The frozen releases, and one of them: what it holds, how it came about, how severe its conflicts are, how to have it."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from api.dependencies import Archive, Stored
from api.kept import Kept
from api.lists import page_of
from api.pages.release_charts import MOST_PAIRS, Bar, Panel, Spread, bars, panels, spread
from api.pages.rendering import PageRoute, address_with, render
from api.released import SEVERITY, Name, ReleasesAsked, is_whole, newest, released, severity_of
from domain.errors import NotFound
from domain.families import NAMES
from domain.release import Manifest
from domain.selection import REASONS
from domain.severity_report import NATURAL, SYNTHETIC, SeverityReport
from store.blobs import Blobs
from store.database import Database
from store.release_files import documents
from store.releases import released_pairs

router = APIRouter(include_in_schema=False, route_class=PageRoute)
LOCAL = "127.0.0.1:8000"
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:]{2,45}\](:\d{1,5})?")
_spreads: Kept[tuple[Spread, Spread]] = Kept(16, lambda _: 1)


@router.get("/pages/releases")
def releases_page(request: Request, database: Stored, asked: Annotated[ReleasesAsked, Query()]) -> Response:
    """All of them, the newest first."""
    shown, more = page_of(request, asked, partial(newest, database))
    return render(
        request,
        "releases.html.j2",
        shown=shown,
        asked=asked,
        next=address_with(request, after=more) if more else None,
        first=address_with(request),
    )


@router.get("/pages/releases/{name}")
def release_page(request: Request, database: Stored, archive: Archive, name: Name) -> Response:
    """One release, whole."""
    found = released(database, name)
    manifest = found.manifest
    report, drawn = _severity(database, archive, found.digest, manifest)
    files = documents(database, name)
    return render(
        request,
        "release.html.j2",
        release=found,
        whole=is_whole(database, found),
        manifest=manifest,
        probes=_probes(name),
        composition=_composition(manifest),
        funnel=_funnel(manifest),
        reasons=_reasons(manifest),
        report=report,
        panels=drawn,
        severity_frozen=any(file.path == SEVERITY for file in files),
        documents=[(file, f"/releases/{name}/files/{quote(file.path)}") for file in files],
        tables=[file.path for file in files if file.path.endswith(".parquet")],
        host=_host(request),
    )


def _probes(name: str, **more: str) -> str:
    """The gallery of this release's probes, or of some of them."""
    return f"/pages/probes?{urlencode({'release': name, **more})}"


def _composition(manifest: Manifest) -> list[tuple[str, str, list[Bar]]]:
    """(heading, what a row is, bars), by everything that one would ask for."""
    counts, name = manifest.counts, manifest.name
    parts = (
        ("By family", "family", counts.families),
        ("Natural conflicts by kind", "kind", counts.kinds),
        ("By source", "source", counts.sources),
        ("By platform", "platform", counts.platforms),
        ("By split", "split", counts.splits),
    )
    return [
        (heading, what, bars(found, {} if what == "split" else {one: _probes(name, **{what: one}) for one in found}))
        for heading, what, found in parts
        if found
    ]


def _funnel(manifest: Manifest) -> list[tuple[str, list[Bar]]]:
    """(family, its way): nodes that were looked at, probes that were drawn, and those that are here."""
    found = []
    for family in (name for name in NAMES if name in manifest.funnel.families):
        one = manifest.funnel.families[family]
        looked = one.drawn + sum(one.passed_over.values())
        steps = (("considered", looked), ("drawn", one.drawn), ("released", one.released))
        found.append((family, [Bar(what, count, count / (looked or 1)) for what, count in steps]))
    return found


def _reasons(manifest: Manifest) -> list[tuple[str, str]]:
    """Every reason for which a probe was not chosen, in words."""
    named = {reason for one in manifest.funnel.families.values() for reason in one.not_chosen}
    return [(reason, REASONS.get(reason, "")) for reason in sorted(named)]


def _severity(database: Database, archive: Blobs, digest: str, manifest: Manifest) -> tuple[SeverityReport | None, list[Panel]]:
    """The report as frozen, and its pictures; neither where there is nothing to compare."""
    try:
        report = SeverityReport.model_validate_json(severity_of(database, archive, manifest.name).content)
    except NotFound:
        return None, []

    def spreads() -> tuple[Spread, Spread]:
        natural, synthetic = (
            spread(islice(released_pairs(database, manifest.name, family), MOST_PAIRS)) for family in (NATURAL, SYNTHETIC)
        )
        return natural, synthetic

    natural, synthetic = _spreads.get(digest, spreads)
    return report, panels(natural, synthetic, report.comparisons[0].measures)


def _host(request: Request) -> str:
    """Where this was asked, for lines to copy; what is no name of a host is not written into them."""
    given = request.headers.get("host", "")
    return f"{request.url.scheme}://{given if _HOST.fullmatch(given) else LOCAL}"
