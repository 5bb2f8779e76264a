"""Everything that matches, as a stream: NDJSON or CSV. Nothing is gathered, and no connection is held."""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Generic, Literal, TypeVar

import orjson
from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from api.accepting import best_of, whole
from api.answers import GZIP_LEVEL, JSON, head_only, known_already, link_to, may_pack
from api.attached import attachment
from api.listing import Listing
from api.problems import Declined
from api.shapes import chosen, columns
from domain.record import Record

__all__ = ["CSV", "NDJSON", "Page", "Part", "chosen", "listed", "streamed", "wanted"]

Format = Literal["json", "ndjson", "csv"]
NDJSON = "application/x-ndjson"
CSV = "text/csv"
_OFFERED: dict[str, Format] = {JSON: "json", NDJSON: "ndjson", CSV: "csv", "application/ndjson": "ndjson"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "'")
"""What a text begins with that a spreadsheet may run (also in full width), and the sign that guards it."""
Item = TypeVar("Item", bound=BaseModel)


class Part(BaseModel):
    """An item of which only some `fields` were asked for: it holds these."""

    model_config = ConfigDict(extra="allow", frozen=True)


class Page(Record, Generic[Item]):
    """One page of a list."""

    items: tuple[Item | Part, ...] = Field(description="whole, or only the `fields` asked for")
    after: str | None = Field(description="give it as `after` with the same filters: the page behind this one; null: the last")
    next: str | None = Field(description="the address of that page; also in the header Link")


def listed(item: type[BaseModel]) -> dict[str, Any]:
    """What a list's route declares: @router.get("/probes", **listed(Probe)). A page as JSON, or all of it as a stream."""
    streams = {
        NDJSON: {"schema": {"type": "string", "description": "a line of JSON for each item"}},
        CSV: {"schema": {"type": "string", "description": "a header, then a line for each item (docs/api.md)"}},
    }
    return {"response_model": Page[item], "responses": {200: {"content": streams}}}  # type: ignore[valid-type]


def wanted(request: Request, asked: Listing) -> Format:
    """What is to be answered: what `format=` says, else what `Accept` likes best. Raises Declined (406)."""
    if asked.format is not None:
        return asked.format
    accept = whole(request.headers, "accept")
    found = best_of(accept, tuple(_OFFERED))
    if found is None:
        given = accept[:100]
        raise Declined("not-acceptable", f"Accept: nothing of {given!r} is there. There is {JSON}, {NDJSON} and {CSV}.")
    return _OFFERED[found]


def streamed(
    request: Request,
    asked: Listing,
    batches: Iterable[list[bytes]],
    model: type[BaseModel],
    *,
    name: str | None = None,
    after: str | None = None,
) -> Response:
    """All items of all batches, as `wanted` says (ndjson or csv), one batch in memory at a time.

    batches: lists of JSON texts, each a question of its own (1,000 to 2,000 rows), from `after` on where that is given. The
    first is asked before anything is sent, the head alone too: what goes wrong there is a problem, what goes wrong later
    breaks the connection off, so that half a list cannot be taken for a whole one.
    model: what the items are, for `fields` and for the columns. name: of the file, whatever it is made of; else the end of
    the path. after: the cursor behind the last item, where the batches are a part of the list; `Link` leads to what comes
    then, in the same format.
    Raises Declined (412) for an If-Match, as there is no ETag.
    """
    form = wanted(request, asked)
    paths = columns(model, asked.fields)  # refuses unknown fields, before anything is asked
    name = name or request.scope["path"].rstrip("/").rsplit("/", 1)[-1] or "items"
    head = {
        "Content-Disposition": attachment(f"{name}.{form}"),
        "Cache-Control": "no-cache",
        "Vary": "Accept, Accept-Encoding",
    }
    some = iter(batches)
    first = next(some, [])  # before anything is said of it, to HEAD too
    known_already(request, None)
    if after is not None:
        head |= link_to(request, after)
    packed = may_pack(request)
    if packed:
        head["Content-Encoding"] = "gzip"
    media_type = "text/csv; charset=utf-8; header=present" if form == "csv" else NDJSON
    if head_only(request):
        return StreamingResponse(iter(()), 200, head, media_type)
    begun = chain([first], some)
    if form == "csv":
        lines = _table(begun, paths)
    else:
        lines = (b"".join(item + b"\n" for item in chosen(batch, asked.fields, model)) for batch in begun)
    return StreamingResponse(_packed(lines) if packed else lines, 200, head, media_type)


def _table(batches: Iterable[list[bytes]], paths: tuple[tuple[str, ...], ...]) -> Iterator[bytes]:
    """RFC 4180, with the header first. Columns are the dotted names."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(".".join(path) for path in paths)
    for batch in batches:
        for item in batch:
            found = orjson.loads(item)
            writer.writerow([_cell(found, path) for path in paths])
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue().encode()


def _cell(value: Any, path: tuple[str, ...]) -> str | int | float:
    for part in path:
        if not isinstance(value, dict):
            return ""
        value = value.get(part)
    if value is None:
        return ""
    if isinstance(value, str):
        # Strangers wrote these texts. One more sign in front makes a formula a text; taking one away gives the text back.
        return "'" + value if value.startswith(_FORMULA) else value
    if isinstance(value, bool | dict | list):
        return orjson.dumps(value).decode()
    return value  # type: ignore[no-any-return]


def _packed(parts: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(GZIP_LEVEL, wbits=31)
    for part in parts:
        # Each batch is sent as soon as it is there.
        yield packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
