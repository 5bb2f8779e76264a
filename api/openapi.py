"""What /openapi.json tells beyond what each route says: the problems there can be, who may ask, good names for a client."""

from __future__ import annotations

import re
from http import HTTPStatus
from threading import Lock
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.routing import APIRoute

from api.examples import exemplify
from api.headers_told import add_headers, told_headers
from api.problems import MEDIA_TYPE, STATUS, TITLE, Problem
from api.settings import ApiSettings
from api.streams import NDJSON
from api.tokens import OPEN, is_of_desk, is_private

DESCRIPTION = """\
Probes, the captures they were drawn from, and the releases made of them. Conventions: docs/api.md.

Lists are given in pages (`limit`, `after`) or whole as a stream (`format=ndjson`, `format=csv`). Every error is
`application/problem+json` with a `code` that programs can tell. Answers carry an `ETag` and an `X-Request-ID`.
Where no whole request comes, a connection is answered 408 (`too-slow`) or 431 (`head-too-large`), which is told here alone.
"""
TAGS = {
    "probes": "questions about one region of one screenshot",
    "divergences": "where structure and pixels disagree",
    "captures": "one look at a page, with the time of every reading",
    "archives": "what pages were made of, by digest",
    "elements": "one element over time",
    "sites": "the list, visits and drift",
    "visits": "one visit of a page: how it ended, what happened on the way",
    "releases": "frozen data sets",
    "families": "sorts of probes",
    "kinds": "sorts of divergences",
    "stats": "how many, by every filter",
    "crawl": "how the crawl goes",
    "takedowns": "what is not visited any more, and hidden",
    "audits": "the desk: what annotators are asked, pixels only, and their answers; with an annotator's token",
    "health": "whether this service can work",
    "metrics": "what it has answered so far, counted",
}
ALWAYS = (400, 404, 421, 422, 429, 500, 503)
LISTS = (406,)
READS = (412,)
GUARDED = (401,)
HELD = (403,)
WRITES = (408, 413, 415)
METHODS = ("get", "post", "put", "patch", "delete")
_SCHEMAS_OF_FASTAPI = ("HTTPValidationError", "ValidationError")


def operation_name(route: APIRoute) -> str:
    """The handler's name: list_probes, probe, add_takedown."""
    return route.name


def describe(app: FastAPI, settings: ApiSettings) -> None:
    """Has app.openapi() tell all of it. Made once, at the first question; who asks meanwhile waits, and has the same."""
    plain = app.openapi
    made: list[dict[str, Any]] = []
    making = Lock()

    def openapi() -> dict[str, Any]:
        if not made:
            with making:
                if not made:
                    made.append(_renamed(_completed(plain(), settings)))
        return made[0]

    app.openapi = openapi  # type: ignore[method-assign]


def _completed(document: dict[str, Any], settings: ApiSettings) -> dict[str, Any]:
    used = set()
    for path, operations in document["paths"].items():
        for method in METHODS:
            if operation := operations.get(method):
                _complete(operation, path, writes=method != "get", settings=settings)
                exemplify(operation, path, method)
                used.update(operation["tags"])
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in _SCHEMAS_OF_FASTAPI:
        schemas.pop(name, None)
    schemas["Problem"] = Problem.model_json_schema(mode="serialization")
    components["headers"] = told_headers()
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "API_TOKEN"},
        "password": {"type": "http", "scheme": "basic", "description": "any name, API_TOKEN as password; for reading only"},
        "annotator": {
            "type": "http",
            "scheme": "bearer",
            "description": "<name>:<token> of an annotator",
        },
    }
    document["tags"] = [{"name": name, "description": said} for name, said in TAGS.items() if name in used]
    return document


def _complete(operation: dict[str, Any], path: str, *, writes: bool, settings: ApiSettings) -> None:
    operation.setdefault("tags", [path.split("/")[1]])
    answers = operation["responses"]
    desk = is_of_desk(path)
    held = (writes or is_private(path)) and not desk
    guarded = held or desk or (settings.reads == "token" and path not in OPEN)
    listed = any(NDJSON in answer.get("content", {}) for answer in answers.values())
    told = {int(status) for status in answers if status.isdigit() and int(status) >= HTTPStatus.BAD_REQUEST}
    for status in sorted(
        {
            *ALWAYS,
            *told,
            *(LISTS if listed else ()),
            *(() if writes or desk else READS),
            *(GUARDED if guarded else ()),
            *(HELD if held else ()),
            *(WRITES if writes else ()),
        }
    ):
        answers[str(status)] = problem_answer(status) | {
            name: said
            for name, said in answers.get(str(status), {}).items()
            if name == "description" and status != 422  # noqa: PLR2004
        }
    add_headers(operation, path, read=not writes and not desk, listed=listed, rated=bool(settings.rate))
    if desk:
        operation["security"] = [{"annotator": []}]
    elif guarded:
        operation["security"] = [{"token": []}] if held else [{"token": []}, {"password": []}]


def _renamed(document: dict[str, Any]) -> dict[str, Any]:
    """Schemas under names that make good classes: SitePage for Page_Site_, VisitCounts where there are two Counts.

    Titles are the names: generators of clients call classes by them, and there must not be two of one.
    """
    schemas = document["components"]["schemas"]
    names = {name: _class_name(name) for name in schemas}
    text = orjson.dumps(document).decode()
    for name, better in names.items():
        text = text.replace(f'"#/components/schemas/{name}"', f'"#/components/schemas/{better}"')
    renamed: dict[str, Any] = orjson.loads(text)
    kept = renamed["components"]["schemas"]
    renamed["components"]["schemas"] = {names[name]: {**schema, "title": names[name]} for name, schema in kept.items()}
    return renamed


def _class_name(name: str) -> str:
    if page := re.fullmatch(r"Page_(?:Union_)?(\w+?)_+", name):
        return page[1].replace("__", "Or") + "Page"
    *modules, own = name.split("__")
    return (modules[-1].title().replace("_", "") if modules else "") + own


def problem_answer(status: int) -> dict[str, Any]:
    """How a problem with this status is described."""
    codes = [code for code, its in STATUS.items() if its == status]
    said = "; ".join(f"`{code}`: {TITLE[code]}" for code in codes) or HTTPStatus(status).phrase
    return {"description": said, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
