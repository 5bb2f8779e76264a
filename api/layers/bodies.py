"""What is sent to us: JSON, not packed, not large, not slow. Read whole before anybody looks at it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Declined

_MOST_SAID = 100
BODILESS = ("GET", "HEAD", "OPTIONS", "TRACE")
"""A body of these means nothing: it is not read."""
CLOSE: Mapping[str, str] = {"Connection": "close"}
"""What is left of a body is not waited for."""
JSON = "application/json"


class Bodies:
    """Raises Declined: 408, 413, 415, 422 for a key that is there twice, or 400 for what is no JSON or holds NUL.

    most: bytes. wait_s: until the whole body is there.
    """

    def __init__(self, app: ASGIApp, most: int, wait_s: float) -> None:
        self.app = app
        self.most = most
        self.wait_s = wait_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] in BODILESS:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        coding = headers.get("content-encoding", "identity").strip().lower()
        if coding != "identity":
            raise Declined("unsupported-media-type", f"Content-Encoding: {coding[:50]!r} is not read. Send it as it is.", CLOSE)
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self.most:
            raise self._too_large()
        try:
            async with asyncio.timeout(self.wait_s):
                body = await self._whole(receive)
        except TimeoutError:
            raise Declined("too-slow", f"The body was not here within {self.wait_s:g} s. Send it at once.", CLOSE) from None
        if body is None:
            return  # whoever sent it is gone
        if body:
            _must_be_json(headers.get("content-type", ""), body)
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, again, send)

    async def _whole(self, receive: Receive) -> bytes | None:
        content = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            content += message.get("body", b"")
            if len(content) > self.most:
                raise self._too_large()
            if not message.get("more_body", False):
                return bytes(content)

    def _too_large(self) -> Declined:
        return Declined("too-large", f"The body has more than {self.most} bytes, which is the most that is taken.", CLOSE)


def _must_be_json(media_type: str, body: bytes) -> None:
    kind = media_type.split(";", 1)[0].strip().lower()
    if kind != JSON:
        raise Declined("unsupported-media-type", f"Content-Type: {kind[:50]!r} is not read. Send {JSON}.")
    try:
        found = orjson.loads(body)  # stricter than Python's own: no NaN, no half of a surrogate pair
    except orjson.JSONDecodeError as error:
        raise Declined("bad-body", f"The body is no JSON: {error}.") from None
    _must_be_said_once(body)
    if b"\\u0000" in body and _holds_nul(found):
        raise Declined("bad-text", "The body holds NUL (\\u0000), which no text here holds.")


def _must_be_said_once(body: bytes) -> None:
    """Which of two values counts is for each reader to guess: what one checked, another would not have seen."""
    try:
        json.loads(body, object_pairs_hook=_once, parse_int=str, parse_float=str)  # numbers of any length
    except RecursionError:
        raise Declined("bad-body", "The body is nested too deep.") from None


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        doubled = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise Declined("doubled-parameter", f"{doubled[:_MOST_SAID]}: given more than once in the body. Give it once.")
    return found


def _holds_nul(value: Any) -> bool:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and "\0" in one:
            return True
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
    return False
