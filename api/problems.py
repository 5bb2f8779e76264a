"""Every error is answered as RFC 9457 problem+json, by one function. What can be wrong has a code that programs can tell."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Literal, get_args
from urllib.parse import quote, unquote

import structlog
from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from api.addresses import reference
from api.paging import BadCursor
from domain.errors import BadInput, NotFound, ParallaxError, Refused, Unavailable
from domain.record import Record

MEDIA_TYPE = "application/problem+json"
CHALLENGE = "WWW-Authenticate"
MOST_SAID = 2000
"""Characters of a detail and of a path: what was sent is told back in part only."""
MOST_GIVEN = 100
RETRY_S = 5
"""When to ask again while the database is away."""
_PLACE = re.compile(r"(?<![\w:/.])/(?:[^\s/\"']+/)+[^\s\"',;:]*")
"""A folder or a socket of this machine: nothing that whoever asks can use. The log has it."""
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
LOG_S = 60.0
"""The same 503 is logged once in so long."""
_logged: dict[str, float] = {}
log = structlog.get_logger()

Code = Literal[
    "bad-request",
    "bad-cursor",
    "bad-text",
    "bad-body",
    "unauthorized",
    "refused",
    "not-found",
    "picture-missing",
    "method-not-allowed",
    "not-acceptable",
    "too-slow",
    "conflict",
    "precondition-failed",
    "too-large",
    "unsupported-media-type",
    "range-not-satisfiable",
    "misdirected",
    "bad-parameter",
    "unknown-parameter",
    "doubled-parameter",
    "unknown-field",
    "too-many-requests",
    "head-too-large",
    "fault",
    "unavailable",
]
STATUS: dict[Code, int] = dict(
    zip(
        get_args(Code),
        (
            *(400, 400, 400, 400, 401, 403, 404, 404, 405, 406, 408, 409, 412, 413, 415, 416),
            *(421, 422, 422, 422, 422, 429, 431, 500, 503),
        ),
        strict=True,
    )
)
"""The status that goes with each code; of several codes the first is for a status that comes without one."""
TITLE: dict[Code, str] = {
    "bad-request": "the request is not as HTTP has it",
    "bad-cursor": "`after` is of another question, or was changed",
    "bad-text": "NUL, or bytes that are not UTF-8, or not percent-encoded",
    "bad-body": "the body is no JSON",
    "unauthorized": "the token is missing or wrong",
    "refused": "not done, on principle or by setting",
    "not-found": "there is no such thing, or it is hidden",
    "picture-missing": "the item is there, and its picture cannot be shown: skip it",
    "method-not-allowed": "the path is there, and does not take this method; see Allow",
    "not-acceptable": "Accept names nothing that there is",
    "too-slow": "the request did not come in time",
    "conflict": "not as things stand now; `detail` says why",
    "precondition-failed": "If-Match names another ETag than there is now",
    "too-large": "the body is larger than is taken",
    "unsupported-media-type": "the body is of a type or coding that is not read",
    "range-not-satisfiable": "Range begins behind the end",
    "misdirected": "this server does not go by the name in Host",
    "bad-parameter": "a value is not right",
    "unknown-parameter": "there is no such parameter",
    "doubled-parameter": "a parameter, or a key of the body, is given twice",
    "unknown-field": "`fields` names what there is not",
    "too-many-requests": "ask again later; see Retry-After",
    "head-too-large": "address and headers are too long",
    "fault": "a fault of ours",
    "unavailable": "the database or the archive cannot be had now; see Retry-After",
}
_OF_ERRORS: tuple[tuple[type[ParallaxError], Code], ...] = (
    (BadCursor, "bad-cursor"),
    (BadInput, "bad-parameter"),
    (NotFound, "not-found"),
    (Refused, "refused"),
    (Unavailable, "unavailable"),
)


class Problem(Record):
    """What an error is answered with. `type` is about:blank: `code` says what sort it is, `detail` the rest."""

    type: Literal["about:blank"] = "about:blank"
    title: str = Field(description="the status in words")
    status: int = Field(ge=400, le=599)
    code: Code = Field(description="; ".join(f"{code}: {title}" for code, title in TITLE.items()))
    detail: str = Field(description="what, which value, what now")
    instance: str = Field(description="the path that was asked for, as it was asked: a URI reference")
    request_id: str | None = Field(default=None, description="as in the header X-Request-ID, and in the server's log")


class Declined(HTTPException):
    """An answer that is a problem with this code and its status. detail: what, which value, what now.

    challenges: of a 401, what each `WWW-Authenticate` says.
    """

    def __init__(
        self, code: Code, detail: str, headers: Mapping[str, str] | None = None, *, challenges: Sequence[str] = ()
    ) -> None:
        super().__init__(STATUS[code], detail, headers)
        self.code = code
        self.challenges = challenges


def problem_of(error: Exception, asked: bytes, request_id: str | None = None) -> tuple[Problem, dict[str, str]]:
    """The problem that an error is, and the headers to send with it. asked: the path, as it came.

    Only what was raised on purpose tells its reason; of a bug only the log does.
    """
    path = unquote(asked.decode("latin-1"))
    headers: dict[str, str] = {}
    code: Code
    if isinstance(error, HTTPException):
        status, detail = error.status_code, str(error.detail)
        code = error.code if isinstance(error, Declined) else _code_of(status)
        if status == HTTPStatus.NOT_FOUND and detail == HTTPStatus.NOT_FOUND.phrase:  # the router's own
            detail = f"There is nothing at {_cut(path, MOST_GIVEN)!r}. What there is: /openapi.json, /docs."
        headers.update(error.headers or {})
    elif isinstance(error, RequestValidationError):
        code, detail = _validation(error)
        status = STATUS[code]
    elif isinstance(error, ParallaxError):
        code = next((code for kind, code in _OF_ERRORS if isinstance(error, kind)), "fault")
        status, detail = STATUS[code], _PLACE.sub("...", str(error)) if code == "unavailable" else str(error)
    else:
        code, status, detail = "fault", 500, "A fault of ours; the server's log tells of it."
        log.error("request.broke", path=path, exc_info=error)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", str(RETRY_S))
    problem = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        code=code,
        detail=_cut(detail, MOST_SAID),
        instance=reference(asked, MOST_SAID),
        request_id=request_id,
    )
    return problem, headers


def answer(request: Request, error: Exception) -> Response:
    """The problem as it is sent."""
    if isinstance(error, HTTPException) and error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        taken = ", ".join(_methods(request))
        error = Declined("method-not-allowed", f"{request.method} is not taken here; {taken} is.", {"Allow": taken})
    if isinstance(error, Unavailable):
        _log_now_and_then(error)
        revive(request)
    asked = request.scope.get("raw_path") or quote(request.scope["path"]).encode()
    problem, headers = problem_of(error, asked, request.scope.get("state", {}).get("request_id"))
    sent = Response(as_json(problem), problem.status, {"Cache-Control": "no-store", **headers}, MEDIA_TYPE)
    challenge(sent, error.challenges if isinstance(error, Declined) else ())
    return sent


def challenge(sent: Response, challenges: Sequence[str]) -> None:
    """Adds a header for each."""
    for one in challenges:
        sent.headers.append(CHALLENGE, one)


def revive(request: Request) -> None:
    """Beside the answer: who comes again finds it done."""
    if hasattr(request.app.state, "reviving"):
        request.app.state.reviving.begin()


def _log_now_and_then(error: Unavailable) -> None:
    """What everybody is told while something is away is one thing, and fills no log."""
    now = time.monotonic()
    if now >= _logged.get(str(error), now - LOG_S) + LOG_S:
        if len(_logged) >= MOST_GIVEN:
            _logged.clear()
        _logged[str(error)] = now
        log.warning("request.unavailable", reason=str(error))


def as_json(problem: Problem) -> bytes:
    return problem.model_dump_json(exclude_none=True).encode()


def _methods(request: Request) -> list[str]:
    """What this path takes, of all of its routes."""
    scope = {**request.scope, "path_params": {}}
    routes = request.app.router.routes
    taken = [
        method for method in _METHODS if any(route.matches({**scope, "method": method})[0] == Match.FULL for route in routes)
    ]
    return [*taken, "HEAD"] if "GET" in taken and "HEAD" not in taken else taken


def _code_of(status: int) -> Code:
    fallback: Code = "fault" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "bad-request"
    return next((code for code, its in STATUS.items() if its == status), fallback)


def _validation(error: RequestValidationError) -> tuple[Code, str]:
    """What is said of the first sorts of complaints: a body that is no JSON, a parameter there is not, else a bad value."""
    found = error.errors()
    said = "; ".join(map(_said, found[:20]))
    if any(one["type"] == "json_invalid" for one in found):
        return "bad-body", said
    if all(one["type"] == "extra_forbidden" and one["loc"][0] == "query" for one in found):
        return "unknown-parameter", said
    return "bad-parameter", said


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _said(problem: dict[str, Any]) -> str:
    """One complaint about what was given: `limit: Input should be less than or equal to 500, not '501'`."""
    name = ".".join(str(part) for part in problem["loc"][1:]) or str(problem["loc"][0])
    if problem["type"] == "missing":
        return f"{name}: it is missing"
    given = _cut(repr(problem["input"]), MOST_GIVEN)
    return f"{_cut(name, MOST_GIVEN)}: {problem['msg'].removeprefix('Value error, ')}, not {given}"
