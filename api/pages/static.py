"""/static: our own styles, scripts and icon. Their address has their hash, so they are kept for ever.

They lie in api/static; what an audit's sheet has too, which is a file without a server, in channels/showing.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from api import answers
from api.answers import Fixed, fixed
from domain.errors import NotFound

TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_DIGITS = 12

router = APIRouter(include_in_schema=False)


@cache
def _read() -> dict[str, Fixed]:
    """Every file in the two folders by its name. Read once: nothing that is asked for is made a path."""
    folders = files("api").joinpath("static"), files("channels").joinpath("showing")
    types = ((entry, TYPES.get(entry.name.rpartition(".")[2])) for folder in folders for entry in folder.iterdir())
    return {entry.name: fixed(entry.read_bytes(), media_type) for entry, media_type in types if media_type}


def address(name: str) -> str:
    """Where a page finds the file with this name, as it is now."""
    return f"/static/{name}?v={_read()[name].tag[:_DIGITS]}"


# It needs no thread: those may all be waiting for a database.
@router.get("/static/{name}")
async def static_file(request: Request, name: str, v: Annotated[str | None, Query(max_length=_DIGITS)] = None) -> Response:
    """The file. Asked for by its hash it never changes; else it is to be asked for again."""
    if name not in _read():
        raise NotFound(f"No file {name!r}; there are {', '.join(sorted(_read()))}.")
    found = _read()[name]
    return answers.unchanged(request, found, cache=answers.FOR_EVER if v == found.tag[:_DIGITS] else answers.REVALIDATE)
