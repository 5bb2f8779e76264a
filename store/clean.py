"""The one place where text from pages is made fit for Postgres."""

from __future__ import annotations

import math
import re
from typing import Any

import orjson

# Postgres text holds neither NUL nor half a surrogate pair; JSONB refuses their escapes too. Pages hold both.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def clean(text: str) -> str:
    """The text with U+FFFD for every character that Postgres cannot hold. Idempotent; the length stays."""
    return _UNSTORABLE.sub("\ufffd", text)


def clean_json(value: Any) -> Any:
    """The same for every string and key in a JSON value, which may hold datetimes too.

    Raises ValueError on a number JSON has no word for: as null, the record could never be read again.
    """
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(key)): clean_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} cannot be stored")
    return value


def as_json(value: Any) -> str:
    """The value as JSON that Postgres can hold. Seldom is anything to be cleaned, so it is looked for in the text first."""
    try:
        written = orjson.dumps(value)
    except TypeError:  # half a surrogate pair
        return orjson.dumps(clean_json(value)).decode()
    return (orjson.dumps(clean_json(value)) if b"\\u0000" in written else written).decode()
