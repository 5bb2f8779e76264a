"""How a list is answered, whatever is in it: a page, or all of it as a stream, from its cursor on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel
from starlette.responses import Response

from api import answers
from api.addresses import PAGES
from api.answers import head_only
from api.listing import Listing
from api.paging import REFUSED, BadCursor, cursor_of, place_of
from api.streams import chosen, streamed, wanted
from store.slices import BATCH, Slice, slices

T = TypeVar("T")
Place = tuple[str, ...] | None
Read = Callable[[Place, int], Slice[T]]


def question_of(path: str, asked: Listing) -> dict[str, object]:
    """What a cursor is bound to: the list at this path, its filters and its order. A page for people shows its twin's list."""
    return {"list": path.removeprefix(PAGES), "asked": asked.question}


def behind(request: Request, asked: Listing, read: Callable[[Place], T]) -> T:
    """What is read behind the place of the question's cursor; from the beginning without one. Raises BadCursor."""
    place = place_of(asked.after, question_of(request.scope["path"], asked)) if asked.after else None
    try:
        return read(place)
    except (ValueError, OverflowError) as error:  # no moment, or none that there is in UTC
        if place is None:
            raise
        # The place is none: somebody has made a cursor by hand.
        raise BadCursor(REFUSED) from error


def page_of(request: Request, asked: Listing, read: Read[T]) -> tuple[list[T], str | None]:
    """One page of the list, and the cursor of the next one; None: there is none. read: see `answered`. Raises BadCursor."""
    found = behind(request, asked, lambda place: read(place, asked.limit))
    return found.items, cursor_of(found.place, question_of(request.scope["path"], asked)) if found.place else None


def answered(
    request: Request,
    asked: Listing,
    model: type[BaseModel],
    read: Read[T],
    *,
    name: str | None = None,
) -> Response:
    """The list as it is asked for. read: at most so many behind a place, as records or JSON; ValueError where it is no place.

    model: what the items are. name: of a stream's file.
    """
    if wanted(request, asked) != "json":
        if "limit" in asked.model_fields_set:
            items, after = page_of(request, asked, read)
            return streamed(request, asked, [_sent(items)], model, name=name, after=after)
        most = 1 if head_only(request) else BATCH  # whether there is anything to begin with is all that a head tells

        def all_of(place: Place) -> Response:
            batches = map(_sent, slices(lambda after: read(after, most), place))
            return streamed(request, asked, batches, model, name=name)

        return behind(request, asked, all_of)
    items, after = page_of(request, asked, read)
    return answers.page(request, chosen(_sent(items), asked.fields, model), after)


def _sent(items: Iterable[Any]) -> list[bytes]:
    return [item if isinstance(item, bytes) else item.model_dump_json().encode() for item in items]
