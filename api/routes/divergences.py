"""Divergences: what rules flagged or could not decide, each with what the pixels said, newest visit first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from api import answers
from api.dependencies import Archive, Stored
from api.evidence import of_divergence
from api.evidence_told import Evidence
from api.listing import Listing, words_in
from api.lists import answered
from api.moments import When
from api.probes_asked import CountsAsked, one_of
from api.problems import Problem
from api.rounds import Rounds
from api.streams import listed
from domain.divergences import KINDS
from domain.probe import Probe
from domain.record import Record
from domain.text import Grade, PolicyName
from store.checks import StoredCheck, checks_of
from store.divergence_counts import Counts, divergence_counts
from store.divergence_search import Wanted, slice_of
from store.divergences import StoredDivergence, find_divergence
from store.probes import find_probe
from store.seen import probe_of_divergence

router = APIRouter()
Id = Annotated[str, Path(max_length=64, description="12 hex digits, or how they begin")]


class DivergenceFilters(BaseModel):
    """Divergences that match everything given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    site: str | None = Field(default=None, min_length=1, max_length=255, description="name of the site in the list")
    kind: Annotated[str, *one_of(KINDS)] | None = Field(default=None, description="see /kinds")
    verdict: Literal["flagged", "review"] | None = Field(
        default=None, description="flagged: the channels disagree; review: only a person can tell"
    )
    check: Literal["confirmed", "contradicted", "unreadable", "unchecked"] | None = Field(
        default=None, description="what the look at its pixels that counts came to; unchecked: nobody has looked"
    )
    grade: Annotated[str, *one_of(get_args(Grade))] | None = Field(
        default=None, description="how the two values relate, from near to far"
    )
    policy: Annotated[str, *one_of(get_args(PolicyName))] | None = Field(
        default=None, description="by which the rules said so last"
    )
    element: str | None = Field(default=None, min_length=1, max_length=64, description="what names the element over time")
    visit: str | None = Field(default=None, min_length=1, max_length=64, description="the whole id")
    capture: str | None = Field(default=None, min_length=1, max_length=64, description="the whole id")
    since: When | None = Field(default=None, description="of visits that began then or later, UTC where no zone is named")
    until: When | None = Field(default=None, description="the same, before then")
    text: str | None = Field(
        default=None, min_length=1, max_length=200, description=words_in("the structural or the rendered value")
    )

    @property
    def wanted(self) -> Wanted:
        """The same as the store is asked."""
        names = ("site", "kind", "verdict", "check", "grade", "policy", "element", "since", "until", "text")
        given = {name: getattr(self, name) for name in names}
        return Wanted(**given, visit_id=self.visit, capture_id=self.capture)


class DivergencesAsked(DivergenceFilters, Listing):
    """A list of divergences."""


class DivergenceStatsAsked(CountsAsked, DivergenceFilters):
    """Counts of divergences."""


class DivergenceStats(Record):
    """Counts of divergences under the filters that were given."""

    total: int = Field(ge=0, description="divergences that match everything given")
    facets: Mapping[str, Mapping[str, int]] = Field(
        description="by kind, verdict, grade and site: values, the most frequent first; what has no grade counts in none of it"
    )


class DivergenceLinks(Record):
    """Where to go on from a divergence."""

    crop: str = Field(description="its box, cut out of the screenshot")
    capture: str = Field(description="what it was found on")
    evidence: str = Field(description="all that its page shows: moments, checks, structure")
    history: str | None = Field(description="the element's pair over time; null in rows of a time when elements had no names")
    page: str = Field(description="for people")


class DivergenceRecord(Record):
    """One divergence, and what is known of it besides."""

    divergence: StoredDivergence
    checks: tuple[StoredCheck, ...] = Field(description="every reader's look at its pixels, newest first")
    probe: Probe | None = Field(description="the probe that it is a sighting of; null: it is none")
    links: DivergenceLinks


@router.get("/divergences", **listed(StoredDivergence))
def list_divergences(request: Request, database: Stored, asked: Annotated[DivergencesAsked, Query()]) -> Response:
    """Divergences that match everything given, newest visit first: a page, or all of them as a stream."""
    return answered(
        request, asked, StoredDivergence, lambda after, limit: slice_of(database, asked.wanted, after=after, limit=limit)
    )


@router.get("/divergences/stats", response_model=DivergenceStats)
async def count_divergences(request: Request, database: Stored, asked: Annotated[DivergenceStatsAsked, Query()]) -> Response:
    """Divergences that match everything given, counted by kind, verdict, grade and site."""
    rounds: Rounds[Counts] = request.app.state.counting
    key = (asked.wanted, asked.aside, asked.top)
    found = await rounds.get(key, lambda: divergence_counts(database, asked.wanted, aside=asked.aside, most=asked.top))
    return answers.record(request, DivergenceStats(total=found.total, facets=found.facets))


@router.get(
    "/divergences/{divergence_id}", response_model=DivergenceRecord, responses={404: {"description": "None", "model": Problem}}
)
def show_divergence(
    request: Request,
    database: Stored,
    divergence_id: Id,
) -> Response:
    """The divergence with this id, with every look at its pixels and the probe that it is a sighting of."""
    found = find_divergence(database, divergence_id)
    probe = probe_of_divergence(database, found.id)
    links = DivergenceLinks(
        crop=f"/divergences/{found.id}/crop",
        capture=f"/captures/{found.capture_id}",
        evidence=f"/divergences/{found.id}/evidence",
        history=found.element and f"/elements/{found.element}/history",
        page=f"/pages/divergences/{found.id}",
    )
    record = DivergenceRecord(
        divergence=found,
        checks=tuple(checks_of(database, found.id)),
        probe=find_probe(database, probe).probe if probe else None,
        links=links,
    )
    return answers.record(request, record)


@router.get(
    "/divergences/{divergence_id}/evidence", response_model=Evidence, responses={404: {"description": "None", "model": Problem}}
)
def show_evidence_of_divergence(request: Request, database: Stored, blobs: Archive, divergence_id: Id) -> Response:
    """All that the divergence's page shows: when each channel was read, every look at the pixels, the structure around it."""
    return answers.record(request, of_divergence(database, blobs, find_divergence(database, divergence_id)))
