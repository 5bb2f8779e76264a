"""Probes: a list of those that are asked for, and each by its id."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import RedirectResponse, Response

from api import answers
from api.dependencies import Archive, Stored
from api.evidence import of_probe
from api.evidence_told import Evidence
from api.listing import Listing
from api.lists import answered
from api.probes_asked import ProbesAsked
from api.reading import Read
from api.streams import Page, listed
from api.terms import withheld
from domain.errors import NotFound
from domain.probe import LIVE, Probe
from domain.record import Record
from domain.released import ReleasedProbe
from store.probe_search import slice_of
from store.probe_seen import ProbeSeen, probe_seen
from store.probes import find_probe
from store.seen import Seen, probe_beginning, shown_probe, sightings_slice

router = APIRouter(route_class=Read)
Id = Annotated[str, Path(max_length=200, description="the whole id")]
Begun = Annotated[str, Path(max_length=200, description="the whole id; how one begins leads to it")]
SHORTENED: dict[int | str, dict[str, Any]] = {307: {"description": "to the only probe whose id begins so"}}
_LISTED: dict[str, Any] = {**listed(Probe), "response_model": Page[Probe | ReleasedProbe]}


class SightingsAsked(Listing):
    """The sightings of a probe."""


class ProbeLinks(Record):
    """Where to go on from a probe."""

    crop: str = Field(description="its region, cut out of the screenshot")
    screenshot: str | None = Field(description="the picture file; null: it is not held here (docs/rebuild.md)")
    structure: str | None = Field(description="the structure file; null: it is not held here")
    capture: str | None = Field(description="the first one it was seen in; null: of a corpus's, or it was removed")
    divergence: str | None = Field(description="what the rules found there; null: as `capture`")
    history: str | None = Field(description="its element's pair over time; null: of a corpus's")
    sightings: str = Field(description="every capture it was seen in")
    evidence: str = Field(description="all that its page shows: moments, checks, structure")
    page: str = Field(description="for people")


class ProbeRecord(Record):
    """One probe, and what is known of it besides."""

    probe: Probe = Field(description="as its first sighting shows it")
    sightings: int = Field(ge=1, description="captures it was seen in; of a corpus's: 1")
    first_seen: datetime = Field(description="UTC; of a corpus's: when it was stored")
    last_seen: datetime = Field(description="UTC")
    releases: tuple[str, ...] = Field(description="names of the releases it is in, the oldest first")
    links: ProbeLinks


@router.get("/probes", **_LISTED)
def list_probes(request: Request, database: Stored, asked: Annotated[ProbesAsked, Query()]) -> Response:
    """Probes that match everything given: a page, or all of them as a stream."""
    model = ReleasedProbe if asked.release else Probe
    return answered(
        request,
        asked,
        model,
        lambda after, limit: slice_of(database, asked.wanted, sort=asked.sort, after=after, limit=limit),
    )


@router.get("/probes/{probe_id}", response_model=ProbeRecord, responses=SHORTENED)
def show_probe(
    request: Request,
    database: Stored,
    probe_id: Begun,
) -> Response:
    """The probe with this id."""
    try:
        return answers.buffered(request, _told(probe_id, probe_seen(database, probe_id)))
    except NotFound:
        if (whole := probe_beginning(database, probe_id)) is None:
            raise
        return RedirectResponse(f"/probes/{whole}", 307)


@router.get("/probes/{probe_id}/sightings", **listed(Seen))
def list_sightings(request: Request, database: Stored, asked: Annotated[SightingsAsked, Query()], probe_id: Id) -> Response:
    """Every capture that the probe was seen in, newest first; of a corpus's there is none."""
    shown_probe(database, probe_id)
    return answered(
        request,
        asked,
        Seen,
        lambda after, limit: sightings_slice(database, probe_id, after=after, limit=limit),
        name=f"sightings-{probe_id}",
    )


@router.get("/probes/{probe_id}/evidence", response_model=Evidence, responses=SHORTENED)
def show_evidence(request: Request, database: Stored, blobs: Archive, probe_id: Begun) -> Response:
    """All that the probe's page shows: when each channel was read, every look at the pixels, the structure around the element.

    Of a corpus whose terms forbid to hand it out, links and structure are for the store's keeper alone (docs/api.md).
    """
    found = find_probe(database, probe_id)
    if found.probe.id != probe_id:
        return RedirectResponse(f"/probes/{found.probe.id}/evidence", 307)
    seen = of_probe(database, blobs, found, partial(withheld, request))
    cache = answers.REVALIDATE if seen.source == LIVE else f"private, {answers.REVALIDATE}"
    return answers.record(request, seen, cache=cache)


def _told(probe_id: str, seen: ProbeSeen) -> bytes:
    """A ProbeRecord, with the probe as the database writes it."""
    links = {
        "crop": f"/probes/{probe_id}/crop",
        "screenshot": seen.screenshot and f"/archives/{seen.screenshot}",
        "structure": seen.structure and f"/archives/{seen.structure}",
        "capture": seen.capture and f"/captures/{seen.capture}",
        "divergence": seen.divergence and f"/divergences/{seen.divergence}",
        "history": seen.element and f"/elements/{seen.element}/history",
        "sightings": f"/probes/{probe_id}/sightings",
        "evidence": f"/probes/{probe_id}/evidence",
        "page": f"/pages/probes/{probe_id}",
    }
    rest = {
        "sightings": seen.sightings, "first_seen": seen.first_seen, "last_seen": seen.last_seen,
        "releases": seen.releases, "links": links,
    }  # fmt: skip
    return b'{"probe":' + seen.record + b"," + orjson.dumps(rest, option=orjson.OPT_UTC_Z)[1:]
