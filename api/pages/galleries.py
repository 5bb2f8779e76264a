"""What every gallery shows around its cards: filters and what is on of them, counts, a search, and the way to the next page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fastapi import Request
from starlette.responses import Response

from api.listing import Listing
from api.lists import question_of
from api.pages.cards import Card
from api.pages.facets import chips, facets, wordless
from api.pages.rendering import address_with, render
from api.paging import cursor_of

MOST_VALUES = 60
"""Values of one facet, behind the fold too."""


@dataclass(frozen=True, slots=True)
class Gallery:
    """What is one gallery's own."""

    heading: str
    noun: tuple[str, str]
    """One of what it shows, and many."""
    lead: str
    labels: Mapping[str, str]
    """Of facets by their names, in the order they are shown."""
    others: Mapping[str, str]
    """Of filters that are no facets."""
    usual: Mapping[str, str] = field(default_factory=dict)
    """Filters that are on where nothing is asked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """What matches."""

    cards: Sequence[Card]
    place: tuple[str, ...] | None
    """Of the last card in the list; None: there is no more."""
    total: int
    counts: Mapping[str, Mapping[str, int | None]]
    """By name of a facet and value, commonest first, each with the facet's own filter aside; None: not counted."""


def searched(text: str | None) -> str | None:
    """The text where there is a word in it to search for. Any other is left aside, and the page complains of it."""
    return None if wordless(text) else text


def show(
    request: Request,
    gallery: Gallery,
    asked: Listing,
    found: Found,
    *,
    text: str | None,
    sort: str | None = None,
    sorts: Mapping[str, str] | None = None,
) -> Response:
    """The page; 422 where the text holds nothing to search for.

    asked: its fields are the filters, by name. text: as it was given. sorts: what the orders are called, the usual one first.
    """
    complaint = wordless(text)
    given = asked.model_dump(exclude_none=True, exclude={"text"} if complaint else None)
    sorts = sorts or {}
    return render(
        request,
        "gallery.html.j2",
        status=422 if complaint else 200,
        heading=gallery.heading,
        noun=gallery.noun,
        lead=gallery.lead,
        total=found.total,
        asked=asked,
        order=sort or next(iter(sorts), ""),
        sorts=sorts,
        facets=facets(request, gallery.labels, given, found.counts),
        chips=chips(request, {**gallery.labels, **gallery.others}, given, gallery.usual),
        stored=any(found.counts[name] for name in gallery.usual),
        complaint=complaint,
        cards=found.cards,
        first=address_with(request),
        next=found.place and address_with(request, after=cursor_of(found.place, question_of(request.scope["path"], asked))),
    )
