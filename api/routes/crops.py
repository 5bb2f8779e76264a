"""Crops: where on the screenshot the region of a probe or a divergence is, as a picture."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from api.answers import known_already
from api.crops import FURTHEST, Crop, of_divergence, of_probe, picture
from api.dependencies import Archive, Stored
from api.problems import Problem
from api.terms import PRIVATE, is_private
from domain.probe import LIVE
from store.blobs import Blobs
from store.captures import find_capture
from store.database import Database
from store.divergences import find_divergence
from store.seen import shown_probe

router = APIRouter()
_PICTURE: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": "PNG where that is small, else JPEG", "content": {"image/png": _PICTURE, "image/jpeg": _PICTURE}},
    304: {"description": "The ETag is known already"},
    403: {"description": "The terms of its corpus forbid showing it", "model": Problem},
    404: {"description": "There is no such thing, or nothing to be seen of it: the detail says why", "model": Problem},
}


class CropAsked(BaseModel):
    """How a crop is to be."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    around: float | None = Field(
        default=None,
        ge=0,
        le=FURTHEST,
        allow_inf_nan=False,
        description="px of page to see on each side, in the region's unit; 0: the bare region, without the frame. "
        "Unset: enough to see where it is, framed, drawn smaller where it is large",
    )


Asked = Annotated[CropAsked, Query()]


@router.get("/probes/{probe_id}/crop", response_class=Response, responses=RESPONSES)
def crop_of_probe(
    request: Request,
    database: Stored,
    blobs: Archive,
    asked: Asked,
    probe_id: Annotated[str, Path(max_length=200, description="the whole id")],
) -> Response:
    """The region of the probe on its screenshot; of a corpus's, in the window that the probe shows."""
    probe = shown_probe(database, probe_id)
    crop = of_probe(probe, asked.around)
    if probe.provenance.source != LIVE:
        is_private(request, database, crop.screenshot)
    return _sent(request, database, blobs, crop)


@router.get("/divergences/{divergence_id}/crop", response_class=Response, responses=RESPONSES)
def crop_of_divergence(
    request: Request,
    database: Stored,
    blobs: Archive,
    asked: Asked,
    divergence_id: Annotated[str, Path(max_length=64, description="12 hex digits")],
) -> Response:
    """The box of the divergence on its screenshot."""
    found = find_divergence(database, divergence_id)
    visit, capture = find_capture(database, found.capture_id)
    return _sent(request, database, blobs, of_divergence(found, visit, capture, asked.around))


def _sent(request: Request, database: Database, blobs: Blobs, crop: Crop) -> Response:
    # A take-down hides the picture: a browser keeps it for an hour, nobody between does.
    headers = {"ETag": crop.tag, "Cache-Control": PRIVATE, "Cross-Origin-Resource-Policy": "same-origin"}
    found = picture(database, blobs, crop)  # first: of what cannot be seen nothing is known already (RFC 9110, 13.2.1)
    if known_already(request, crop.tag):
        return Response(status_code=304, headers=headers)
    return Response(found.content, 200, headers, found.media_type)
