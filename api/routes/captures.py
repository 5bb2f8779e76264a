"""Captures: the evidence pairs, each structure and the pixels beside it, newest visit first."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from api import answers
from api.artifacts import ArchiveLink, TimelineMoment, archives_of, moments_of
from api.dependencies import Stored
from api.listing import Listing
from api.lists import answered
from api.moments import When
from api.problems import Problem
from api.streams import listed
from domain.record import Record
from domain.visit import CaptureRecord, Visit
from store.capture_search import CaptureSummary, Wanted, slice_of
from store.captures import find_capture
from store.divergences import StoredDivergence, divergences

router = APIRouter()
MOST = 200
"""Divergences told with a capture; all of them: /divergences?capture=."""


class CapturesAsked(Listing):
    """A list of captures."""

    site: str | None = Field(default=None, min_length=1, max_length=255, description="name of the site in the list")
    visit: str | None = Field(default=None, min_length=1, max_length=64, description="the whole id")
    since: When | None = Field(default=None, description="of visits that began then or later, UTC where no zone is named")
    until: When | None = Field(default=None, description="the same, before then")

    @property
    def wanted(self) -> Wanted:
        """The same as the store is asked."""
        return Wanted(site=self.site, visit_id=self.visit, since=self.since, until=self.until)


class CaptureLinks(Record):
    """Where to go on from a capture."""

    visit: str
    divergences: str = Field(description="all that was found on it")


class CaptureShown(Record):
    """One capture with the visit that it is of, and what was found on it."""

    capture: CaptureRecord = Field(
        description="as it is stored: every reading's time, counts, frames, verdict on the page, tallies"
    )
    visit: Visit = Field(description="how it was made; without its captures")
    moments: tuple[TimelineMoment, ...] = Field(description="every reading in the order of time, ms since S0")
    archives: tuple[ArchiveLink, ...] = Field(description="where its artifacts are")
    divergences: tuple[StoredDivergence, ...] = Field(description=f"by kind and id, at most {MOST}")
    links: CaptureLinks


@router.get("/captures", **listed(CaptureSummary))
def list_captures(request: Request, database: Stored, asked: Annotated[CapturesAsked, Query()]) -> Response:
    """Captures that match everything given, newest visit first: a page, or all of them as a stream."""
    return answered(
        request, asked, CaptureSummary, lambda after, limit: slice_of(database, asked.wanted, after=after, limit=limit)
    )


@router.get("/captures/{capture_id}", response_model=CaptureShown, responses={404: {"description": "None", "model": Problem}})
def show_capture(
    request: Request, database: Stored, capture_id: Annotated[str, Path(max_length=64, description="or how it begins")]
) -> Response:
    """One capture: when each channel was read, where the artifacts are, what kind of page it is, what was found."""
    visit, capture = find_capture(database, capture_id)
    found = divergences(database, capture=capture.id, limit=MOST)
    shown = CaptureShown(
        capture=capture,
        visit=visit.model_copy(update={"captures": ()}),
        moments=moments_of(capture.timeline),
        archives=archives_of(database, capture.artifacts, capture.pruned),
        divergences=tuple(islice(found, MOST)),
        links=CaptureLinks(visit=f"/visits/{visit.id}", divergences=f"/divergences?capture={capture.id}"),
    )
    return answers.record(request, shown)
