"""What is wrong, told to whoever asks: to programs as a problem, and where a page was asked for as a page."""

from __future__ import annotations

from http import HTTPStatus

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from structlog.contextvars import bound_contextvars

from api import problems
from api.accepting import best_of, whole
from api.addresses import PAGES
from api.pages.rendering import problem_page
from api.problems import Declined
from domain.errors import ParallaxError, Unavailable

_IS_TOLD = "told"
log = structlog.get_logger()


def answer(request: Request, error: Exception) -> Response:
    """The problem, or its page: at an address of a page that there is not, and where no page is come to (429, 503).

    At an address that is of nothing at all, whoever would rather have HTML gets a page, and everybody else the problem.
    """
    path, problem = request.scope["path"], problems.answer(request, error)
    foreign = isinstance(error, Declined) and error.code == "misdirected"  # no page is ours under a strange name
    if foreign:
        return problem
    if path in {"/", PAGES, "/audit", "/docs", "/docs/records"} or path.startswith(f"{PAGES}/"):
        return _page(request, problem)
    if not _of_nothing(error):
        return problem
    offered = (problems.MEDIA_TYPE, "application/json", "text/html")
    wants = best_of(whole(request.headers, "accept"), offered)
    told = _page(request, problem) if wants == "text/html" else problem
    told.headers["Vary"] = "Accept, Accept-Encoding"
    return told


def _of_nothing(error: Exception) -> bool:
    """Whether it is the router's own 404: no route has this address."""
    return type(error) is HTTPException and (error.status_code, error.detail) == (404, HTTPStatus.NOT_FOUND.phrase)


def _page(request: Request, problem: Response) -> Response:
    try:
        return problem_page(request, problem)
    except Exception:
        log.exception("page.broke", path=request.scope["path"])  # pages are what does not work
        return problem


def broken_off(request: Request, error: Exception) -> Response:
    """What is raised past all layers: an answer had begun, and the server breaks it off. This is all the log has of it.

    Of what was raised on purpose the reason, of a bug how it came about. The answer is sent only where none had begun.
    """
    vars(error)[_IS_TOLD] = True
    path, request_id = request.scope["path"], request.scope.get("state", {}).get("request_id")
    cause = error.__cause__ if isinstance(error, RuntimeError) else error  # Starlette's "response already started"
    with bound_contextvars(request_id=request_id):
        if not isinstance(cause, ParallaxError):
            return answer(request, error)
        log.warning("request.broken_off", path=path, reason=str(cause))
    if isinstance(cause, Unavailable):
        problems.revive(request)
    return Response(status_code=HTTPStatus.INTERNAL_SERVER_ERROR)


def is_told(error: BaseException | None) -> bool:
    """Whether the log has it already: of what the application raises, servers log all that they see once more."""
    return error is not None and _IS_TOLD in vars(error)


def register(app: FastAPI) -> None:
    """Of whatever is raised. On the event loop: what is no coroutine takes a thread, and all may wait for the database."""

    async def answered(request: Request, error: Exception) -> Response:
        return answer(request, error)

    async def broken(request: Request, error: Exception) -> Response:
        return broken_off(request, error)

    for kind in (HTTPException, RequestValidationError, ParallaxError):
        app.add_exception_handler(kind, answered)
    app.add_exception_handler(Exception, broken)
