"""A place in a list: where the next page goes on, whatever comes in meanwhile.

A cursor is bound to the list and the question it was made for: given with another, or changed, it is refused. It guards
against mistakes, not against people: whoever forges one gets a page of the same public list.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping

import orjson

from domain.errors import BadInput

_SUM_BYTES = 9
REFUSED = "after: this is no cursor of this question. Give `after` of the page before, with the same filters and sort."


class BadCursor(BadInput):
    """A cursor was changed, or belongs to another question."""


def cursor_of(place: tuple[str, ...], question: Mapping[str, object]) -> str:
    """The place just after an item (its sort keys as texts), for this question, in characters that fit a URL."""
    content = orjson.dumps(place)
    return base64.urlsafe_b64encode(_sum(content, question) + content).decode().rstrip("=")


def place_of(cursor: str, question: Mapping[str, object]) -> tuple[str, ...]:
    """What `cursor_of` was given with the same question. Raises BadCursor."""
    try:
        given = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadCursor(REFUSED) from error
    total, content = given[:_SUM_BYTES], given[_SUM_BYTES:]
    # The last character has bits to spare: only as it was written is it the same cursor.
    if total != _sum(content, question) or base64.urlsafe_b64encode(given).decode().rstrip("=") != cursor:
        raise BadCursor(REFUSED)
    place = _read(content)
    if place is None:
        raise BadCursor(REFUSED)
    return place


def _read(content: bytes) -> tuple[str, ...] | None:
    """The texts of a place; None: somebody has made this by hand."""
    try:
        place = orjson.loads(content)
    except ValueError:
        return None
    return tuple(place) if isinstance(place, list) and all(map(_is_key, place)) else None


def _is_key(part: object) -> bool:
    """Whether it may be a text of the database, which holds no NUL. Half a surrogate pair is no JSON."""
    return isinstance(part, str) and "\0" not in part


def _sum(content: bytes, question: Mapping[str, object]) -> bytes:
    bound = orjson.dumps(dict(question), option=orjson.OPT_SORT_KEYS, default=str)
    return hashlib.blake2b(bound + b"\0" + content, digest_size=_SUM_BYTES, person=b"parallax-cursor").digest()
