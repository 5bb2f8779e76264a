"""One visit, as it is stored."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from api import answers
from api.dependencies import Stored
from domain.visit import Visit
from store.captures import find_visit

router = APIRouter()


@router.get("/visits/{visit_id}", response_model=Visit)
def show_visit(
    request: Request, database: Stored, visit_id: Annotated[str, Path(max_length=64, description="or how it begins")]
) -> Response:
    """How the visit went, its captures and where their artifacts are."""
    return answers.record(request, find_visit(database, visit_id))
