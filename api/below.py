"""A problem that goes through no layer, since no whole request has come: with all that the layers would say with it."""

from __future__ import annotations

from collections.abc import Iterable

from api.layers.cors import leave_of
from api.layers.dressed import DATA_POLICY, HEADERS
from api.problems import MEDIA_TYPE, STATUS, Declined, as_json, problem_of


def answer_below(
    error: Declined, path: bytes, request_id: str, asked: Iterable[tuple[bytes, bytes]], origins: tuple[str, ...]
) -> bytes:
    """The whole answer, behind which the connection ends.

    path: as it came. asked: the request's headers as far as they came, names in lower case. origins: API_CORS.
    """
    problem, more = problem_of(error, path, request_id)
    content = as_json(problem)
    origin = next((value.decode("latin-1") for name, value in asked if name == b"origin"), None)
    headers = [
        (b"Content-Type", MEDIA_TYPE.encode()),
        (b"Content-Length", b"%d" % len(content)),
        (b"Connection", b"close"),
        (b"X-Request-ID", request_id.encode()),
        (b"Cache-Control", b"no-store"),
        (b"Content-Security-Policy", DATA_POLICY),
        *HEADERS,
        *leave_of(origin, origins),
        *((name.encode(), value.encode()) for name, value in more.items()),
    ]
    lines = [f"HTTP/1.1 {STATUS[error.code]} {problem.title}".encode(), *(b"%b: %b" % one for one in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + content
