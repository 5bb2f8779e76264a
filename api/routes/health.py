"""Whether this service can do its work, and since when the crawler has not done its own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import PlainTextResponse, Response

from api import answers
from api.dependencies import Stored
from api.metrics import exposition
from domain.errors import Unavailable
from domain.record import Record
from store.latest import last_finished
from store.schema import current_version, known_versions

router = APIRouter()
_COUNTED: dict[str, Any] = {
    "schema": {"type": "string"},
    "example": 'parallax_api_requests_total{method="GET",route="/probes",status="200"} 12.0\n',
}


class Health(Record):
    """The service can answer. Where it cannot, the answer is a problem with status 503 that gives the reason."""

    status: str = "ok"
    schema_version: str = Field(description="of the tables; it is the one this code was written for")
    last_visit: datetime | None = Field(description="when the last visit was finished, UTC; null: none yet")
    last_visit_age_s: float | None = Field(description="so long ago, s; how old is too old depends on the list")


@router.get("/health", responses={503: {"description": "No database, or its tables are of another version"}})
def health(database: Stored) -> Health:
    """200 where the database answers and its tables are of this code's version, else 503 with the reason."""
    found, wanted = current_version(database), known_versions()[-1]
    if found != wanted:
        remedy = "Run `python -m store.database upgrade`." if found is None or found < wanted else "Update this service."
        raise Unavailable(f"The tables are at version {found or 'none'}, and this code needs {wanted}. {remedy}")
    last = last_finished(database)
    age = None if last is None else round((datetime.now(UTC) - last).total_seconds(), 1)
    return Health(schema_version=found, last_visit=last, last_visit_age_s=age)


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={200: {"description": "Prometheus's text format", "content": {"text/plain": _COUNTED}}},
)
async def metrics(request: Request) -> Response:
    """Requests by route and status, and how long they took, for Prometheus."""
    return answers.buffered(request, *exposition())  # in no thread: those may all be waiting for a database
