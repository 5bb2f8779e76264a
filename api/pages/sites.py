"""Sites: the list, one site, and the history of its visits. Each has its twin without /pages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, get_args

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from api.dependencies import Stored
from api.lists import page_of
from api.pages.charts import curve
from api.pages.rendering import PageRoute, address_with, render
from api.routes.sites import SiteName, sites_read, told, visits_read
from api.sites_asked import SitesAsked, VisitsAsked
from api.watching import Drift
from domain.visit import Outcome
from store.site_drift import with_divergences
from store.site_search import State

router = APIRouter(include_in_schema=False, route_class=PageRoute)
STATES: dict[State, str] = {
    "listed": "visited in its turn",
    "paused": "paused",
    "gone": "no longer in the list",
    "visited": "in no list",
}
SORTS = {"name": "By name", "-last_visit": "Visited last first", "next_due": "Next turn first"}
VISITS_SHOWN, ELEMENTS_SHOWN = 20, 20


@router.get("/pages/sites")
def sites_page(request: Request, database: Stored, asked: Annotated[SitesAsked, Query()]) -> Response:
    """Sites that are scheduled or were visited. Filters, order and cursor are those of /sites."""
    found, after = page_of(request, asked, sites_read(database, asked))
    return render(
        request,
        "sites.html.j2",
        asked=asked,
        sites=found,
        states=STATES,
        sorts=SORTS,
        outcomes=get_args(Outcome),
        filtered=any(value is not None for value in (asked.host, asked.outcome, asked.state, asked.text)),
        later=after and address_with(request, after=after),
        first=asked.after and address_with(request),
    )


@router.get("/pages/sites/{name}")
def site_page(request: Request, database: Stored, name: SiteName, drift: Drift) -> Response:
    """One site: how it stands, its newest visits, its drift, and the elements that change."""
    found = told(database, name)
    newest = visits_read(database, name, VisitsAsked())(None, VISITS_SHOWN)
    return render(
        request,
        "site.html.j2",
        found=found,
        site=found.site,
        asked=datetime.now(UTC),
        states=STATES,
        drift=drift,
        chart=curve(drift.points),
        elements=with_divergences(database, drift.model_copy(update={"elements": drift.elements[:ELEMENTS_SHOWN]})),
        visits=newest.items,
        more=newest.place is not None,
    )


@router.get("/pages/sites/{name}/visits")
def visits_page(request: Request, database: Stored, name: SiteName, asked: Annotated[VisitsAsked, Query()]) -> Response:
    """The history of one site. Filters and cursor are those of /sites/{name}/visits."""
    found = told(database, name)
    visits, after = page_of(request, asked, visits_read(database, name, asked))
    return render(
        request,
        "site_visits.html.j2",
        site=found.site,
        asked=asked,
        visits=visits,
        outcomes=get_args(Outcome),
        later=after and address_with(request, after=after),
        first=asked.after and address_with(request),
    )
