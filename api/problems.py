"""Every error is answered as RFC 9457 problem+json, by one function."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from domain.errors import BadInput, NotFound, ParallaxError, Refused, Unavailable
from domain.record import Record

MEDIA_TYPE = "application/problem+json"
STATUS: tuple[tuple[type[ParallaxError], HTTPStatus], ...] = (
    (BadInput, HTTPStatus.UNPROCESSABLE_ENTITY),
    (NotFound, HTTPStatus.NOT_FOUND),
    (Refused, HTTPStatus.FORBIDDEN),
    (Unavailable, HTTPStatus.SERVICE_UNAVAILABLE),
)
RETRY_S = 5
"""When to ask again while the database is away."""
log = structlog.get_logger()


class Problem(Record):
    """What an error is answered with. `type` is about:blank: the status says what sort it is, `detail` the rest."""

    type: str = "about:blank"
    title: str = Field(description="the status in words")
    status: int = Field(ge=400, le=599)
    detail: str = Field(description="what, which value, what now")
    instance: str = Field(description="the path that was asked for")


def answer(request: Request, error: Exception) -> Response:
    """The problem as it is sent. Only what was raised on purpose tells its reason; of a bug only the log does."""
    headers: dict[str, str] = {}
    if isinstance(error, HTTPException):
        status, detail = HTTPStatus(error.status_code), str(error.detail)
        headers.update(error.headers or {})
    elif isinstance(error, RequestValidationError):
        status, detail = HTTPStatus.UNPROCESSABLE_ENTITY, "; ".join(map(_said, error.errors()))
    elif isinstance(error, ParallaxError):
        status = next((status for kind, status in STATUS if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR)
        detail = str(error)
    else:
        status, detail = HTTPStatus.INTERNAL_SERVER_ERROR, "A fault of ours; the server's log tells of it."
        log.error("request.broke", path=request.url.path, exc_info=error)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", str(RETRY_S))
    problem = Problem(title=status.phrase, status=status, detail=detail, instance=request.url.path)
    return Response(problem.model_dump_json(), status, headers, MEDIA_TYPE)


def register(app: FastAPI) -> None:
    for kind in (HTTPException, RequestValidationError, ParallaxError, Exception):
        app.add_exception_handler(kind, answer)


def _said(problem: dict[str, Any]) -> str:
    """One complaint about what was given: `limit: Input should be less than or equal to 500, not '501'`."""
    name = ".".join(str(part) for part in problem["loc"][1:]) or str(problem["loc"][0])
    return f"{name}: {problem['msg'].removeprefix('Value error, ')}, not {problem['input']!r}"
