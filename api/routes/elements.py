"""Elements: the pair of one element over time, what its structure said and its pixels showed at each visit."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from api.dependencies import Stored
from api.listing import Listing
from api.lists import answered
from api.streams import listed
from store.history import Past, history_slice

router = APIRouter()


class HistoryAsked(Listing):
    """The history of an element."""

    sort: Literal["-when", "when"] = Field(default="-when", description="-: newest visit first")


@router.get("/elements/{element}/history", **listed(Past))
def element_history(
    request: Request,
    database: Stored,
    asked: Annotated[HistoryAsked, Query()],
    element: Annotated[str, Path(max_length=64, description="as divergences and probes name it: 24 hex digits")],
) -> Response:
    """Every captured visit to the element's page: both values where they differed, null where they agreed."""
    newest_first = asked.sort == "-when"
    return answered(
        request,
        asked,
        Past,
        lambda after, limit: history_slice(database, element, after=after, limit=limit, newest_first=newest_first),
        name=f"history-{element}",
    )
