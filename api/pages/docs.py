"""/docs: all that can be asked, to read and to try. Everything on it is from the application's own OpenAPI document."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from threading import RLock, Thread
from typing import Any

import orjson
from anyio.to_thread import run_sync as to_thread
from fastapi import APIRouter, FastAPI, Request
from markupsafe import Markup, escape
from starlette.responses import RedirectResponse, Response

from api import answers
from api.addresses import address_of, asked_at
from api.answers import Fixed, fixed
from api.kept import Kept
from api.pages.operations import Operation, by_tag, operations
from api.pages.rendering import PageRoute, drawn
from api.pages.schemas import fields
from api.reading import Read
from domain.errors import NotFound

DOCUMENT = "/openapi.json"
RECORDS = "/docs/records"
TRY = "/docs/try/{name}"
MOST_PAGES = 8
"""Addresses for which the page is kept: a service has few, and whoever asks may write any."""
_CODE = re.compile(r"`([^`]+)`")
_MAKING = RLock()


@asynccontextmanager
async def _early(app: FastAPI) -> AsyncIterator[None]:
    """With app.state.docs_early it is made beside the first answers, once the application has begun."""
    if getattr(app.state, "docs_early", False):
        Thread(target=_docs, args=(app,), name="docs", daemon=True).start()
    yield


router = APIRouter(include_in_schema=False, route_class=PageRoute, lifespan=_early)


@dataclass(frozen=True, slots=True)
class Docs:
    """What is made of the document, once in a process."""

    pages: Kept[Fixed]
    """The page with command lines for each address at which it was asked for."""
    records: Fixed
    operations: dict[str, Operation]
    """By their ids."""


# Once it is made no thread is needed: those may all be waiting for a database, and of that nothing here tells.
@router.get("/docs")
async def docs(request: Request) -> Response:
    """Every operation: what it takes, what it answers, and a form to try it."""
    told = await _told_of(request.app)
    at = asked_at(request.url.scheme, request.headers.get("host", ""), _own(request.app))
    page = await asyncio.to_thread(told.pages.get, at, partial(_page_at, request.app, at))  # not one of those threads
    return answers.unchanged(request, page)


@router.get(RECORDS)
async def records(request: Request) -> Response:
    """Every record that is taken or answered, with its fields."""
    return answers.unchanged(request, (await _told_of(request.app)).records)


async def document(request: Request) -> Response:
    """The OpenAPI document, for programs."""
    made: Fixed | None = getattr(request.app.state, "document", None)
    return answers.unchanged(request, await to_thread(_document, request.app) if made is None else made)


async def tried(request: Request) -> Response:
    """Leads a form of the page to what it asks: a browser without scripts sends empty fields too, and knows no paths.

    Raises NotFound where there is no such form, Declined where a part of the path is missing.
    """
    name = request.path_params["name"]
    operation = (await _told_of(request.app)).operations.get(name)
    if operation is None or not operation.tried:
        raise NotFound(f"Nothing called {name!r} can be tried here. What can is at /docs.")
    return RedirectResponse(operation.address(request.query_params.multi_items()), 307)


router.add_api_route(DOCUMENT, document, route_class_override=Read)  # what is wrong with it is told to programs
router.add_route(TRY, tried, include_in_schema=False)  # a route without parameters of its own: it passes on what is given


async def _told_of(app: FastAPI) -> Docs:
    found: Docs | None = getattr(app.state, "docs", None)
    return await to_thread(_docs, app) if found is None else found


def _document(app: FastAPI) -> Fixed:
    with _MAKING:
        found: Fixed | None = getattr(app.state, "document", None)
        if found is None:
            found = app.state.document = fixed(orjson.dumps(app.openapi()), answers.JSON)
    return found


def _docs(app: FastAPI) -> Docs:
    with _MAKING:  # who comes while it is made waits for that, and makes no other
        found: Docs | None = getattr(app.state, "docs", None)
        if found is None:
            _document(app)
            found = app.state.docs = _made(app)
    return found


def _made(app: FastAPI) -> Docs:
    document: dict[str, Any] = app.openapi()
    at = _own(app)
    schemas = document["components"]["schemas"]
    told = [(name, schema.get("description", ""), fields(schema)) for name, schema in sorted(schemas.items())]
    pages = Kept[Fixed](MOST_PAGES, lambda _: 1)
    pages.get(at, partial(_page_at, app, at))
    return Docs(
        pages=pages,
        records=_page("docs_records.html.j2", RECORDS, records=told),
        operations={one.id: one for one in operations(document, at)},
    )


def _own(app: FastAPI) -> str:
    """Where it is asked for on this machine, as far as the settings tell."""
    settings = app.state.settings
    return address_of(settings.host, settings.port).rstrip("/")


def _page_at(app: FastAPI, at: str) -> Fixed:
    """The page as it is for who asks there. Of what takes long, the document, nothing is made again: it takes 25 ms."""
    document = app.openapi()
    return _page("docs.html.j2", "/docs", info=document["info"], tags=list(by_tag(document, operations(document, at))))


def _page(template: str, path: str, **values: Any) -> Fixed:
    return fixed(drawn(template, path=path, twin=DOCUMENT, told=_told, **values), answers.HTML)


def _told(text: str) -> Markup:
    """The document's words as HTML: `code`, and nothing else of Markdown."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before
