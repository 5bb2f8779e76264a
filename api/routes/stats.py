"""How many probes there are, by everything that they can be filtered by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.responses import Response

from api import answers
from api.dependencies import Stored
from api.probes_asked import StatsAsked
from api.reading import Read
from api.rounds import Rounds
from domain.record import Record
from store.probe_counts import Counts, counts

router = APIRouter(route_class=Read)


class Stats(Record):
    """Counts of probes under the filters that were given."""

    total: int = Field(ge=0, description="probes that match everything given")
    facets: Mapping[str, Mapping[str, int]] = Field(
        description="by filter and value, the most frequent first; probes without a value (a kind, a grade) count in none"
    )


@router.get("/stats", response_model=Stats)
async def count_probes(request: Request, database: Stored, asked: Annotated[StatsAsked, Query()]) -> Response:
    """Probes that match everything given, counted by each filter's values."""
    rounds: Rounds[Counts] = request.app.state.counting
    key = (asked.wanted, asked.aside, asked.top)
    found = await rounds.get(key, lambda: counts(database, asked.wanted, aside=asked.aside, most=asked.top))
    return answers.record(request, Stats(total=found.total, facets=found.facets))
