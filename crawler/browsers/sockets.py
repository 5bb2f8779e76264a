"""sockets: DevTools commands to one target by a socket of its own, where a driver passes them to the page alone."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from urllib3 import PoolManager
from urllib3.exceptions import HTTPError
from websocket import WebSocket, WebSocketException, WebSocketTimeoutException, create_connection

from crawler.browsers import FRAME_ANSWER_MS, BrowserGone, CommandFailed, DriverTimeout, Json

CONNECT_S = 2
FRAMES = 50
"""Sockets that are opened for one page at most."""


class SocketFrame:
    """A frame that is a DevTools target of its own. One thread each: the socket blocks, and takes one command at a time."""

    def __init__(self, target: Json) -> None:
        self.id = str(target["id"])
        self._numbers, self._ends = itertools.count(1), 0.0
        # Without an origin: the browser refuses sockets that web pages open.
        self._socket: WebSocket = create_connection(
            target["webSocketDebuggerUrl"], timeout=CONNECT_S, suppress_origin=True, http_no_proxy=["*"]
        )
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="frame")

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:
        limit = limit_ms or FRAME_ANSWER_MS
        # Commands sent together wait for one another here; each has its time once it is its turn, and all of them an end.
        self._ends = max(self._ends, time.monotonic()) + limit / 1000
        try:
            async with asyncio.timeout(self._ends - time.monotonic() + CONNECT_S):
                return await asyncio.get_running_loop().run_in_executor(
                    self._pool, self._ask, method, dict(params or {}), limit
                )
        except TimeoutError as error:
            raise DriverTimeout(method, limit) from error

    def _ask(self, method: str, params: Json, limit_ms: int) -> Json:
        number, ends = next(self._numbers), time.monotonic() + limit_ms / 1000
        try:
            self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
            while (left := ends - time.monotonic()) > 0:
                self._socket.settimeout(left)
                # Events, and answers that came after their time, are passed over.
                answer = json.loads(self._socket.recv())
                if answer.get("id") == number:
                    break
            else:
                raise DriverTimeout(method, limit_ms)
        except WebSocketTimeoutException as error:
            raise DriverTimeout(method, limit_ms) from error
        except (WebSocketException, OSError, ValueError) as error:
            # A frame that went took no browser with it.
            raise CommandFailed(f"{method}: the frame is gone ({type(error).__name__})") from error
        if "error" in answer:
            raise CommandFailed(str(answer["error"].get("message", answer["error"])))
        result: Json = answer.get("result", {})
        return result

    def close(self) -> None:
        """Ends the socket at once; a command that waits for an answer ends with it."""
        with contextlib.suppress(WebSocketException, OSError):
            self._socket.abort()  # type: ignore[no-untyped-call]
            self._socket.shutdown()  # type: ignore[no-untyped-call]
        self._pool.shutdown(wait=False, cancel_futures=True)


def frames_at(address: str, known: Mapping[str, SocketFrame], limit_ms: int) -> dict[str, SocketFrame]:
    """By id, the frames of other processes among a browser's targets; those known already keep their sockets.

    address: host:port of the browser's DevTools. Raises BrowserGone.
    """
    try:
        with PoolManager(timeout=limit_ms / 1000, retries=False) as pool:
            targets: list[Json] = json.loads(pool.request("GET", f"http://{address}/json/list").data)
    except (HTTPError, OSError, ValueError) as error:
        raise BrowserGone(f"the browser does not list its targets: {type(error).__name__}") from error
    found = dict(known)
    for target in [t for t in targets if t.get("type") == "iframe" and "webSocketDebuggerUrl" in t]:
        if target["id"] not in found and len(found) < FRAMES:
            # One that went between the list and the socket is no frame any more.
            with contextlib.suppress(WebSocketException, OSError):
                found[target["id"]] = SocketFrame(target)
    return found
