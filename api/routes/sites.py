"""Sites: a list of those that are asked for, and each with its history, its drift and its live elements."""

from __future__ import annotations

from math import isnan
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from api import answers
from api.dependencies import Stored
from api.lists import Place, Read, answered
from api.sites_asked import ElementsAsked, SitesAsked, VisitsAsked
from api.streams import listed
from api.watching import Drift
from domain.identity import digest
from domain.record import Record
from store.database import Database
from store.site_drift import SiteElement, WindowDrift, with_divergences
from store.site_pages import SiteLine, SiteRecord, lines, site
from store.site_visits import SiteVisit, visits_of
from store.slices import Slice, cut

ELEMENTS_TOLD = 20

router = APIRouter()
SiteName = Annotated[str, Path(max_length=255, description="as the list has it, or one made of the URL")]


class SiteLinks(Record):
    """Where to go on from a site."""

    visits: str
    drift: str
    elements: str
    probes: str
    page: str = Field(description="for people")


class SiteTold(SiteRecord):
    """Everything that is known of one site, and where there is more."""

    links: SiteLinks


def sites_read(database: Database, asked: SitesAsked) -> Read[SiteLine]:
    """How the sites that are asked for are read."""
    return lambda after, limit: lines(database, asked.asked, asked.sort, after=after, limit=limit)


def visits_read(database: Database, name: str, asked: VisitsAsked) -> Read[SiteVisit]:
    """How the visits to a site that are asked for are read."""
    return lambda after, limit: visits_of(
        database, name, outcome=asked.outcome, since=asked.since, until=asked.until, after=after, limit=limit
    )


def told(database: Database, name: str) -> SiteTold:
    """The site with its links. Raises NotFound."""
    found = site(database, name)
    named = quote(found.site.name, safe="")
    here = f"/sites/{named}"
    links = SiteLinks(
        visits=f"{here}/visits", drift=f"{here}/drift", elements=f"{here}/elements",
        probes=f"/probes?site={named}", page=f"/pages{here}",
    )  # fmt: skip
    return SiteTold(**{key: getattr(found, key) for key in SiteRecord.model_fields}, links=links)


@router.get("/sites", **listed(SiteLine))
def list_sites(request: Request, database: Stored, asked: Annotated[SitesAsked, Query()]) -> Response:
    """Sites that are scheduled or were visited: a page, or all of them as a stream."""
    return answered(request, asked, SiteLine, sites_read(database, asked))


@router.get("/sites/{name}", response_model=SiteTold)
def show_site(request: Request, database: Stored, name: SiteName) -> Response:
    """How the site is visited, when next, how its visits ended, and why its host rests."""
    return answers.record(request, told(database, name))


@router.get("/sites/{name}/visits", **listed(SiteVisit))
def list_visits(request: Request, database: Stored, name: SiteName, asked: Annotated[VisitsAsked, Query()]) -> Response:
    """The visits to the site, newest first."""
    site(database, name)
    read = visits_read(database, name, asked)
    return answered(request, asked, SiteVisit, read, name=f"{name}-visits")


@router.get("/sites/{name}/drift", response_model=WindowDrift)
def show_drift(
    request: Request,
    database: Stored,
    drift: Drift,
    name: SiteName,
    elements: Annotated[int, Query(ge=0, le=500, description="live elements that are told")] = ELEMENTS_TOLD,
) -> Response:
    """How texts of the site moved away from what was read first, over its newest visits."""
    site(database, name)
    return answers.record(request, drift.model_copy(update={"elements": drift.elements[:elements]}))


@router.get("/sites/{name}/elements", **listed(SiteElement))
def list_elements(
    request: Request,
    database: Stored,
    drift: Drift,
    name: SiteName,
    asked: Annotated[ElementsAsked, Query()],
) -> Response:
    """Elements of the site that changed during a visit, shortest half-life first, with the divergences found of them."""
    site(database, name)
    known = sorted(with_divergences(database, drift), key=_pace)

    def read(after: Place, limit: int) -> Slice[SiteElement]:
        behind = None if after is None else _pace_at(after)
        rest = known if behind is None else [one for one in known if _pace(one) > behind]
        return cut(rest, limit, lambda one: tuple(map(str, _pace(one))))

    return answered(request, asked, SiteElement, read, name=f"{name}-elements")


Pace = tuple[float, float, str]


def _pace(one: SiteElement) -> Pace:
    """The order of live elements. Paths may be long, and a cursor is to fit an address: a digest names the element."""
    live = one.element
    high = float("inf") if live.half_life.high_ms is None else live.half_life.high_ms
    return high, live.half_life.low_ms, digest(live.url, str(live.frame), live.path, live.element_id or "")[:16]


def _pace_at(place: tuple[str, ...]) -> Pace:
    high, low, name = place
    pace = float(high), float(low), name
    if isnan(pace[0] + pace[1]):  # nothing is before or behind it
        raise ValueError(f"{high}, {low}")
    return pace
