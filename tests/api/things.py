"""Things to stream: an application with lists of them, one that breaks off and one with a bug."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

from fastapi import FastAPI, Query, Request
from starlette.responses import Response

from api import answers
from api.app import create_app
from api.listing import Listing
from api.settings import ApiSettings
from api.streams import chosen, listed, streamed, wanted
from domain.errors import Unavailable
from domain.geometry import Box
from domain.record import Record
from store.blobs import Blobs
from store.database import Database


class Inner(Record):
    when: str | None
    sums: dict[str, int]


class Thing(Record):
    id: str
    text: str | None
    box: Box
    words: tuple[str, ...]
    inner: Inner | None
    others: tuple[Inner, ...]


NOWHERE = {"x": 0, "y": 0, "width": 0, "height": 0}
THINGS = (
    {"id": "a", "text": "Pay 10", "box": {"x": -1.5, "y": 2, "width": 3, "height": 4}, "words": ["x", "y"],
     "inner": {"when": None, "sums": {"one": 1}}, "others": [{"when": "now", "sums": {}}]},
    {"id": "b", "text": '=1+1,"q"\nx', "box": NOWHERE, "words": [], "inner": None, "others": []},
    {"id": "c", "text": None, "box": NOWHERE, "words": [], "inner": None, "others": []},
)  # fmt: skip
LINES = [json.dumps(one, separators=(",", ":")).encode() for one in THINGS]


def batches(*, broken: int | None = None) -> Iterator[list[bytes]]:
    """Two of them; broken: that one cannot be had."""
    for place, some in enumerate(([*LINES[:2]], [LINES[2]])):
        if place == broken:
            raise Unavailable("The database is gone.")
        yield some


def faults() -> Iterator[list[bytes]]:
    """One batch, then a bug."""
    yield LINES
    raise ZeroDivisionError


def application(database: Database, blobs: Blobs) -> FastAPI:
    """With /things, /broken/{at} and /faulty."""
    app = create_app(database, blobs, ApiSettings(rate="0"))

    @app.get("/things", **listed(Thing))
    def list_things(request: Request, asked: Annotated[Listing, Query()]) -> Response:
        if wanted(request, asked) == "json":
            return answers.page(request, chosen(LINES, asked.fields, Thing), None)
        return streamed(request, asked, batches(), Thing)

    @app.get("/broken/{at}")
    def broken(request: Request, asked: Annotated[Listing, Query()], at: int) -> Response:
        return streamed(request, asked, batches(broken=at), Thing)

    @app.get("/faulty")
    def faulty(request: Request, asked: Annotated[Listing, Query()]) -> Response:
        return streamed(request, asked, faults(), Thing)

    return app
