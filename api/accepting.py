"""What an asker takes: media types of `Accept`, codings of `Accept-Encoding`, as RFC 9110 has them."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import Headers

MOST_PARTS = 50
"""Entries of one header that are looked at."""


def whole(headers: Headers, name: str) -> str:
    """All lines of a header that is a list, as one (RFC 9110, 5.3); empty where there is none."""
    return ", ".join(headers.getlist(name))


def best_of(accept: str, offered: Sequence[str]) -> str | None:
    """The media type of `offered` that `accept` likes best; of several the first. None: it takes none of them.

    A header that is not there or blank takes everything. The most specific range that fits a type says how much it is liked.
    """
    ranges = _weighed(accept)
    if not ranges:
        return offered[0]
    liked = [(_liking(one, ranges), -place, one) for place, one in enumerate(offered)]
    weight, _, found = max(liked)
    return found if weight > 0 else None


def takes_gzip(accept_encoding: str) -> bool:
    """Whether an answer may be packed. A header that is not there: no, since not everyone who says nothing can unpack."""
    codings = dict(_weighed(accept_encoding))
    return codings.get("gzip", codings.get("x-gzip", codings.get("*", 0.0))) > 0


def _liking(media_type: str, ranges: list[tuple[str, float]]) -> float:
    major = media_type.split("/", 1)[0]
    for fitting in (media_type, f"{major}/*", "*/*"):
        weights = [weight for name, weight in ranges if name == fitting]
        if weights:
            return max(weights)
    return 0.0


def _weighed(header: str) -> list[tuple[str, float]]:
    """`a/b;q=0.5, c/d` -> [("a/b", 0.5), ("c/d", 1.0)]. A weight that is none counts as 0."""
    found = []
    for part in header.split(",")[:MOST_PARTS]:
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = 1.0
        for parameter in parameters:
            key, _, value = parameter.partition("=")
            if key.strip() == "q":
                weight = _weight(value.strip())
        if name:
            found.append((name, weight))
    return found


def _weight(text: str) -> float:
    try:
        given = float(text)
    except ValueError:
        return 0.0
    return given if 0 <= given <= 1 else 0.0
