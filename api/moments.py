"""A moment that is asked for: a date, or a date and time, as people and RFC 3339 write it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, TypeAdapter, ValidationError

from store.lookup import utc

_WRITTEN = re.compile(r"\d{4}-\d\d-\d\d([Tt ].+)?")
_PLUS_LOST = re.compile(r"(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) (\d\d:?\d\d)")
_MOMENT = TypeAdapter(datetime)
REMEDY = "write 2026-03-01, or 2026-03-01T12:00:00Z"


def _written(given: object) -> object:
    """Numbers are not taken for seconds since 1970: "20260301" would be a day of that year.

    In an address a plus sign that is not written as %2B comes as a blank: before a zone it is one again.
    """
    if not isinstance(given, str):
        return given
    found = _PLUS_LOST.fullmatch(given)
    text = f"{found[1]}+{found[2]}" if found else given
    try:
        if _WRITTEN.fullmatch(text):
            return _MOMENT.validate_python(text)
    except ValidationError as error:
        why = error.errors()[0].get("ctx", {}).get("error", "no moment")
        raise ValueError(f"{why}: {REMEDY}") from error
    raise ValueError(REMEDY)


def _in_utc(given: datetime) -> datetime:
    try:
        return utc(given)
    except OverflowError as error:
        raise ValueError("in UTC that is no moment of the years 1 to 9999") from error


When = Annotated[datetime, BeforeValidator(_written), AfterValidator(_in_utc)]
"""In UTC; where no zone is named, UTC is meant."""
