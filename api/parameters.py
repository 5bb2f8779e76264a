"""A parameter that there is not, or one given twice, is refused: a slip in a filter would match everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_origin

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel

from api.problems import Declined

_SEVERAL = (list, tuple, set, frozenset)
_MOST_SAID = 200
_KEPT = "query_parameters"


async def known_parameters(request: Request) -> None:
    """Raises Declined (422) where the query names what the route does not take, or gives twice what it takes once."""
    if not request.scope["query_string"]:
        return
    names = [name for name, _ in request.query_params.multi_items()]
    given, taken = set(names), taken_by(request.scope["route"])
    if unknown := sorted(given - taken.keys()):
        there = f"There is {', '.join(taken)}." if taken else "There is none here."
        raise Declined("unknown-parameter", f"{', '.join(unknown)[:_MOST_SAID]}: there is no such parameter. {there}")
    if len(given) < len(names) and (doubled := sorted(name for name in given if names.count(name) > 1 and not taken[name])):
        raise Declined("doubled-parameter", f"{', '.join(doubled)}: given more than once. Give it once.")


def taken_by(route: APIRoute) -> dict[str, bool]:
    """The parameters of a route, in their order; true: it may be given several times. Found once, and kept with the route."""
    found: dict[str, bool] | None = vars(route).get(_KEPT)
    if found is None:
        found = vars(route)[_KEPT] = dict(_fields(route.dependant))
    return found


def _fields(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    for parameter in dependant.query_params:
        annotation = parameter.field_info.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from ((one.alias or name, _several(one.annotation)) for name, one in annotation.model_fields.items())
        else:
            yield parameter.alias, _several(annotation)
    for other in dependant.dependencies:
        yield from _fields(other)


def _several(annotation: Any) -> bool:
    return annotation in _SEVERAL or get_origin(annotation) in _SEVERAL or any(map(_several, get_args(annotation)))
