"""The gallery of probes: crops beside both values, with filters, counts and a search. Its twin is /probes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

from anyio.to_thread import run_sync as to_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from api.counted import Counting
from api.dependencies import Stored
from api.lists import behind
from api.pages.cards import of_probes
from api.pages.galleries import MOST_VALUES, Found, Gallery, searched, show
from api.pages.rendering import PageRoute
from api.probes_asked import ProbesAsked
from api.terms import withheld
from store.database import Database
from store.probe_counts import Counts
from store.probe_filters import Wanted
from store.probe_search import slice_of
from store.releases import releases

router = APIRouter(include_in_schema=False, route_class=PageRoute)

PROBES = Gallery(
    heading="Probes",
    noun=("probe", "probes"),
    lead="Questions about one place of one screen, where the structure says something else than the pixels show.",
    labels={
        "family": "Family",
        "kind": "Kind",
        "verdict": "Pixel check",
        "grade": "How they differ",
        "platform": "Platform",
        "source": "Source",
        "policy": "Policy",
        "release": "Release",
        "site": "Site",
    },
    others={"text": "Words", "since": "Seen since", "until": "Seen before"},
)
SORTS = {
    "-first_seen": "Found, latest first",
    "first_seen": "Found, earliest first",
    "-last_seen": "Last seen, latest first",
    "last_seen": "Last seen, earliest first",
    "id": "By id",
    "-id": "By id, backwards",
}
RELEASED = {sort: SORTS[sort] for sort in ("id", "-id")}
"""Of a release: its order has no time in it. The first of either is the usual one."""


@router.get("/")
async def front() -> Response:
    """Whoever comes to the front sees the probes."""
    return RedirectResponse("/pages/probes", 307)


@router.get("/pages/probes")
async def probes_page(
    request: Request, database: Stored, counted_of: Counting, asked: Annotated[ProbesAsked, Query()]
) -> Response:
    """The gallery. Filters, order and cursor are those of /probes."""
    wanted = replace(asked.wanted, text=searched(asked.text))
    counted = await counted_of(wanted, MOST_VALUES)
    return await to_thread(_shown, request, database, asked, wanted, counted)


def _shown(request: Request, database: Database, asked: ProbesAsked, wanted: Wanted, counted: Counts) -> Response:
    probes = behind(
        request,
        asked,
        lambda after: slice_of(database, wanted, sort=asked.sort, after=after, limit=asked.limit),
    )
    names: dict[str, int | None] = dict.fromkeys(release.name for release in releases(database))
    sorts = RELEASED if wanted.release else SORTS
    cards = of_probes(database, probes.items, partial(withheld, request), asked.sort or next(iter(sorts)))
    found = Found(cards, probes.place, counted.total, counted.facets | {"release": names})
    return show(request, PROBES, asked, found, text=asked.text, sort=asked.sort, sorts=sorts)
