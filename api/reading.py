"""How a handler is called: what it takes is read from the request by a plan that is made once.

FastAPI walks through a handler's parameters, and through each field of its query, for every request: for a page of probes that
took as long as to ask the database. What is documented, taken and refused stays FastAPI's.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cached_property
from inspect import iscoroutinefunction
from typing import Any

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from api.parameters import taken_by

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Read(APIRoute):
    """Of handlers that take the request, parts of the path, one model of the query and what `api.dependencies` has.

    Others are called as FastAPI does. The application's own dependencies are asked first; each is a coroutine of the request.
    """

    def get_route_handler(self) -> Handler:
        """The handler, with what it takes read for it."""
        return self.reading or super().get_route_handler()

    async def read(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request that this route matches, without anything of FastAPI around it. Only where there is `reading`."""
        assert self.reading is not None  # noqa: S101
        found = await self.reading(Request(scope, receive, send))
        await found(scope, receive, send)

    @cached_property
    def reading(self) -> Handler | None:
        """None: it takes more than that."""
        asked = self.dependant
        if not _is_plain(asked):
            return None
        call: Callable[..., Any] = self.endpoint
        waits = iscoroutinefunction(call)

        async def handling(request: Request) -> Response:
            app = request.scope["app"]
            for one in app.router.dependencies:
                await one.dependency(request)
            values: dict[str, Any] = {}
            errors: list[Any] = []
            for field in asked.path_params:
                _take(field, request.path_params[field.alias], ("path", field.alias), values, errors)
            for field in asked.query_params:
                _take(field, _query(request), ("query",), values, errors)
            if errors:
                raise RequestValidationError(errors)
            for other in asked.dependencies:
                values[str(other.name)] = await other.call(request)  # type: ignore[misc]
            if asked.request_param_name:
                values[asked.request_param_name] = request
            found: Response = await call(**values) if waits else await app.state.threads.run(call, **values)
            return found

        return handling


def _take(field: Any, given: object, place: tuple[str, ...], values: dict[str, Any], errors: list[Any]) -> None:
    value, wrong = field.validate(given, values, loc=place)
    values[field.name] = value
    errors += wrong


def _query(request: Request) -> dict[str, object]:
    """What is given, by name; a list of what may be given several times."""
    given, taken = request.query_params, taken_by(request.scope["route"])
    return {name: given.getlist(name) if taken.get(name) else value for name, value in given.items()}


def _is_plain(asked: Dependant) -> bool:
    others = (asked.header_params, asked.cookie_params, asked.body_params)
    names = (
        asked.http_connection_param_name, asked.websocket_param_name, asked.response_param_name,
        asked.background_tasks_param_name, asked.security_scopes_param_name,
    )  # fmt: skip
    return (
        not any(others)
        and not any(names)
        and all(map(_is_model, asked.query_params))
        and len(asked.query_params) <= 1
        and all(map(_is_of_request, asked.dependencies))
    )


def _is_model(field: Any) -> bool:
    annotation = field.field_info.annotation
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _is_of_request(asked: Dependant) -> bool:
    """Whether it is a coroutine of the request, which is all that it takes."""
    parameters = (asked.path_params, asked.query_params, asked.dependencies)
    return (
        iscoroutinefunction(asked.call)
        and bool(asked.name and asked.request_param_name)
        and _is_plain(asked)
        and not any(parameters)
    )
