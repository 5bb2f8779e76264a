"""Range: which bytes of a content are asked for (RFC 9110, 14.1.2). Of several, all is given."""

from __future__ import annotations

import re

from api.problems import Declined

_ONE = re.compile(r"bytes=\s*(\d{0,18})-(\d{0,18})\s*", re.IGNORECASE)


def range_of(header: str | None, size: int) -> tuple[int, int] | None:
    """(start, end) of what is asked for, end not included; None: all of it, as where the header is none that is understood.

    Raises Declined (416) where it begins behind the end.
    """
    match = _ONE.fullmatch(header.strip()) if header else None
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < start:
            return None
    if start >= size:
        told = f"Range: {header!r} begins behind the end; there are {size} bytes."
        raise Declined("range-not-satisfiable", told, {"Content-Range": f"bytes */{size}"})
    return start, end
