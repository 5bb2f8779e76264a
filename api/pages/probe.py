"""The pages of one probe and of one divergence: both channels at the place, and all that proves them."""

from __future__ import annotations

from collections import deque
from contextlib import closing
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from api.dependencies import Archive, Stored
from api.evidence import of_divergence, of_probe
from api.evidence_told import Evidence
from api.pages.claim import claim_of
from api.pages.made import made_how
from api.pages.place import mark_of, on_screen, piece_of
from api.pages.rendering import PageRoute, render, safe_link
from api.pages.timeline import line_of
from api.terms import withheld
from channels.values import pair
from domain.geometry import Box
from domain.made import is_made, own_machine
from domain.probe import LIVE
from store.database import Database
from store.divergences import find_divergence
from store.history import Past, history
from store.probes import find_probe

router = APIRouter(include_in_schema=False, route_class=PageRoute)

PAST = 15
"""Visits shown of an element's history: the newest."""


@router.get("/pages/probes/{id}")
def probe_page(request: Request, database: Stored, blobs: Archive, id: str) -> Response:  # noqa: A002 - the address's own word
    """One probe. The beginning of an id leads to it."""
    found = find_probe(database, id)
    if found.probe.id != id:
        return RedirectResponse(f"/pages/probes/{found.probe.id}", 307)
    return _page(request, database, of_probe(database, blobs, found, partial(withheld, request)))


@router.get("/pages/divergences/{id}")
def divergence_page(request: Request, database: Stored, blobs: Archive, id: str) -> Response:  # noqa: A002
    """One divergence."""
    found = find_divergence(database, id)
    if found.id != id:
        return RedirectResponse(f"/pages/divergences/{found.id}", 307)
    return _page(request, database, of_divergence(database, blobs, found))


def _page(request: Request, database: Database, seen: Evidence) -> Response:
    structural, rendered = pair(seen.structural, seen.rendered)
    return render(
        request,
        "probe.html.j2",
        seen=seen,
        structural=structural,
        rendered=rendered,
        **_place(seen),
        line=line_of(seen.moments),
        most_past=PAST,
        made=made_how(live=seen.source == LIVE) if _is_made(seen) else "",
        past=_past(database, seen.element) if seen.source == LIVE else [],
        link=safe_link(seen.url),
        pair=pair,
    )


def _is_made(seen: Evidence) -> bool:
    """Of a divergence without a probe, too: its page's address tells."""
    return is_made(seen.probe.provenance) if seen.probe else own_machine(seen.url)


def _place(seen: Evidence) -> dict[str, Any]:
    """What is drawn at the place; claim is None where the element is not on a screenshot."""
    shot = seen.screenshot
    screen = Box(0, 0, shot.width, shot.height) if shot else None
    if screen is None or (box := on_screen(seen.box, screen)) is None:
        return {"claim": None}
    claim = claim_of(seen.structural, seen.variable, box, screen.width, screen.height)
    piece = piece_of(box, seen.lines, claim.box, screen)
    return {
        "claim": claim,
        "mark": mark_of(box, screen),
        "view": mark_of(Box(seen.view.x, seen.view.y, seen.view.width, seen.view.height), screen) if seen.view else None,
        "piece": piece,
        "piece_mark": mark_of(box, piece.region),
    }


def _past(database: Database, element: str | None) -> list[Past]:
    """The newest visits of the element's history, newest first."""
    if element is None:
        return []
    with closing(history(database, element)) as all_of_it:
        return [*reversed(deque(all_of_it, PAST))]
