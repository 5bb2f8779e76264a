"""Headers in /openapi.json, of requests and of answers, by what a route is: nowhere is it said for one route alone."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
TEXT: Json = {"type": "string"}
HEADERS: dict[str, Json] = {
    "X-Request-ID": {"description": "names this request, in problems and in the log too: the asker's, if it is a sane one"},
    "RateLimit": {"description": "what is left, and for how many seconds", "example": '"default";r=5999;t=42'},
    "RateLimit-Policy": {"description": "so many requests in so many seconds", "example": '"default";q=6000;w=60'},
    "ETag": {"description": "strong, of the very bytes: for If-None-Match, If-Match and If-Range"},
    "Cache-Control": {"description": "who may keep the answer, and for how long", "example": "no-cache"},
    "Vary": {"description": "what the answer depends on besides its address", "example": "Accept-Encoding"},
    "Link": {
        "description": 'the page behind this one, rel="next"; without it there is none',
        "example": '</probes?limit=50&after=...>; rel="next"',
    },
    "Location": {"description": "where to go on"},
    "Retry-After": {"description": "seconds", "schema": {"type": "integer", "minimum": 0}},
    "WWW-Authenticate": {
        "description": "how to say who asks: Bearer, for reading Basic too",
        "example": 'Bearer realm="parallax"',
    },
    "Accept-Ranges": {"description": "parts can be asked for by Range", "example": "bytes"},
    "Content-Range": {"description": "which part it is, of how much", "example": "bytes 0-99/4812"},
    "Content-Disposition": {"description": "the name of the file to be kept"},
}
"""By name; where nothing is said, it is a text."""
UNTAGGED = ("/health",)
"""Read, and without an ETag: it is another answer each time."""
UNRATED = ("/health", "/metrics")
IF_NONE_MATCH: Json = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "schema": {"anyOf": [TEXT, {"type": "null"}], "title": "If-None-Match"},
    "description": "ETags that the asker has: 304 without content where one of them is what there is",
}
OK, CREATED, PART, REDIRECTED, KNOWN, UNKNOWN, NO_RANGE, OFTEN, AWAY = 200, 201, 206, 307, 304, 401, 416, 429, 503


def add_headers(operation: Json, path: str, *, read: bool, listed: bool, rated: bool) -> None:
    """Completes an operation whose answers are all there. read: by GET, and not at the desk. listed: page by page."""
    answers = operation["responses"]
    tagged = read and path not in UNTAGGED
    if tagged:
        answers.setdefault(str(KNOWN), {"description": "the asker has it already (If-None-Match)"})
        operation.setdefault("parameters", []).append(IF_NONE_MATCH)
    ranged = str(PART) in answers
    for status, answer in answers.items():
        names = _names(int(status), tagged=tagged, listed=listed, ranged=ranged)
        own = [*names, "X-Request-ID", *(("RateLimit", "RateLimit-Policy") if rated and path not in UNRATED else ())]
        answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in own}


def told_headers() -> Json:
    """For the document's components."""
    return {name: {"schema": TEXT, **said} for name, said in HEADERS.items()}


def _names(status: int, *, tagged: bool, listed: bool, ranged: bool) -> tuple[str, ...]:
    """Headers of an answer with this status."""
    if status in {OK, PART, KNOWN} and tagged:
        of_lists = ("Link", "Content-Disposition") if listed and status == OK else ("Link",) if listed else ()
        of_files = ("Accept-Ranges", "Content-Disposition") if ranged else ()
        return ("ETag", "Cache-Control", "Vary", *of_lists, *of_files, *(("Content-Range",) if status == PART else ()))
    others = {
        CREATED: ("Location",), REDIRECTED: ("Location",), UNKNOWN: ("WWW-Authenticate",), NO_RANGE: ("Content-Range",),
        OFTEN: ("Retry-After",), AWAY: ("Retry-After",),
    }  # fmt: skip
    return (*others.get(status, ()), "Cache-Control") if status >= UNKNOWN - 1 else others.get(status, ())
