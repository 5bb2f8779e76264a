"""The gallery of divergences: what the rules say of captures, whether or not it became a probe. Its twin is /divergences."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from api.dependencies import Stored
from api.lists import behind
from api.pages.cards import of_divergences
from api.pages.galleries import MOST_VALUES, Found, Gallery, searched, show
from api.pages.rendering import PageRoute, address_with
from api.routes.divergences import DivergencesAsked
from store.divergence_counts import divergence_counts
from store.divergence_search import slice_of

router = APIRouter(include_in_schema=False, route_class=PageRoute)

USUAL = "flagged"
"""Verdict of those that are shown where none is asked for."""
DIVERGENCES = Gallery(
    heading="Divergences",
    noun=("divergence", "divergences"),
    lead="Places of crawled pages where structure and pixels disagree, or seem to; those confirmed become probes.",
    labels={"kind": "Kind", "verdict": "Verdict", "check": "Pixel check", "grade": "How they differ", "site": "Site"},
    others={
        "policy": "Policy", "element": "Element", "visit": "Visit", "capture": "Capture", "text": "Words",
        "since": "Visited since", "until": "Visited before",
    },
    usual={"verdict": USUAL},
)  # fmt: skip
LOOKED = dict.fromkeys(("confirmed", "contradicted", "unreadable", "unchecked"))
"""Not counted: which look at the pixels counts is worked out for each divergence anew."""


@router.get("/pages/divergences")
def divergences_page(request: Request, database: Stored, asked: Annotated[DivergencesAsked, Query()]) -> Response:
    """The gallery: those that are flagged, unless others are asked for."""
    if asked.verdict is None:
        return RedirectResponse(address_with(request, verdict=USUAL, after=asked.after), 307)
    wanted = replace(asked.wanted, text=searched(asked.text))
    divergences = behind(request, asked, lambda after: slice_of(database, wanted, after=after, limit=asked.limit))
    total, counted = divergence_counts(database, wanted, most=MOST_VALUES)
    cards = of_divergences(database, divergences.items)
    return show(
        request, DIVERGENCES, asked, Found(cards, divergences.place, total, counted | {"check": LOOKED}), text=asked.text
    )
