"""A place in a list that is ordered by time and id: where the next page goes on, whatever comes in meanwhile."""

from __future__ import annotations

import base64
import binascii
from datetime import datetime

from domain.errors import BadInput


def cursor_of(moment: datetime, identifier: str) -> str:
    """The place just after this item, in characters that fit a URL."""
    return base64.urlsafe_b64encode(f"{moment.isoformat()} {identifier}".encode()).decode().rstrip("=")


def place_of(cursor: str) -> tuple[datetime, str]:
    """What `cursor_of` was given. Raises BadInput where the text is no cursor."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
        moment, _, identifier = text.partition(" ")
        place = datetime.fromisoformat(moment)
    except (binascii.Error, ValueError) as error:
        raise BadInput(f"after: {cursor!r} is no cursor. Give the `next` of the page before.") from error
    if place.tzinfo is None or not identifier:
        raise BadInput(f"after: {cursor!r} is no cursor. Give the `next` of the page before.")
    return place, identifier
