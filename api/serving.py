"""Connections of slow and of many: uvicorn's protocol over httptools, which waits for ever, with ends to waiting.

Each limit is one that a person on a bad line does not meet and that a program which holds connections open does.
"""

from __future__ import annotations

import re
import uuid
from asyncio.events import TimerHandle
from functools import cache
from logging import LogRecord
from typing import Any

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.layers.dressed import DATA_POLICY
from api.problems import MEDIA_TYPE, STATUS, Code, Declined, as_json, problem_of
from api.settings import ApiSettings, api_settings
from api.told import is_told

MOST_HEAD = 65_536
"""Bytes of address and headers, with what stands around them."""
_TOO_LARGE = f"Address and headers have more than {MOST_HEAD} bytes. Ask for less at once, or send less with it."
_NO_HTTP = "Invalid HTTP request received."
"""What uvicorn logs just before it has it answered, and cannot say which answer that is."""
_ABSOLUTE = re.compile(rb"[a-z][a-z0-9+.-]*://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)
log = structlog.get_logger()


@cache
def _settings() -> ApiSettings:
    return api_settings()


def _is_news(record: LogRecord) -> bool:
    """Whether it is not what is told of elsewhere: the same bug is in the log once."""
    return record.msg != _NO_HTTP and not (record.exc_info and is_told(record.exc_info[1]))


class Guarded(HttpToolsProtocol):
    """A connection that ends where a head is not sent in time or has no end, or where nobody reads what is sent."""

    settings: ApiSettings | None = None
    """Those of the process, where there are none."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.limits = self.settings or _settings()
        self.logger.addFilter(_is_news)
        self.head_timer: TimerHandle | None = None
        self.stall_timer: TimerHandle | None = None
        self.head_bytes = 0
        self.in_head = False
        self.in_body = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            self.end_with("unavailable", "Too many connections. Ask again in a while.")
            return
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        self._is_read()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            self._await_head()  # blank lines, or the rest of a body nobody wanted, count as no request
        rest = b""
        if self.head_timer is not None:
            if not self.in_body:
                # First as much as a head may have: whether it is too large does not hang on how its bytes come.
                data, rest = data[: MOST_HEAD - self.head_bytes], data[MOST_HEAD - self.head_bytes :]
            self.head_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.head_timer is not None and self.head_bytes + len(rest) > MOST_HEAD:
            self.end_with("head-too-large", _TOO_LARGE)
        elif rest:
            super().data_received(rest)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.in_head = True

    def on_headers_complete(self) -> None:
        self._head_is_here()
        self._take_authority()
        super().on_headers_complete()  # raises where the address is none
        self.in_head, self.in_body = False, True

    def on_message_complete(self) -> None:
        self.in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self.transport.get_write_buffer_size() > 0:
            self._await_reader()
        super().on_response_complete()
        if self.in_head:  # the beginning of another request came while this one was answered
            self._unset_keepalive_if_required()
            self._await_head()

    def pause_writing(self) -> None:
        self._await_reader()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._is_read()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is told so as a problem too; and so is an address that is too long to be taken apart."""
        if self.in_head and len(self.url) >= MOST_HEAD:  # of a request that was sent behind another one
            self.end_with("head-too-large", _TOO_LARGE)
        else:
            self.end_with("bad-request", msg, logged=True)

    def end_with(self, code: Code, detail: str, *, logged: bool = False) -> None:
        """Says why, and ends the connection. Where an answer is under way, it is only cut off.

        logged: the log has it too, under the same id. An id that was sent is not taken: no whole head has come.
        """
        request_id = uuid.uuid4().hex
        if logged:
            log.warning("request.broken", code=code, detail=detail, request_id=request_id)
        if self.cycle is None or self.cycle.response_complete:
            path = self.url.partition(b"?")[0].decode("latin-1") if self.in_head else ""
            problem, headers = problem_of(Declined(code, detail), path, request_id)
            content = as_json(problem)
            lines = [
                f"HTTP/1.1 {STATUS[code]} {problem.title}",
                f"Content-Type: {MEDIA_TYPE}",
                f"Content-Length: {len(content)}",
                f"Content-Security-Policy: {DATA_POLICY.decode()}",
                "X-Content-Type-Options: nosniff",
                f"X-Request-ID: {request_id}",
                *(f"{name}: {value}" for name, value in headers.items()),
                "Connection: close",
            ]
            self.transport.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        self._head_is_here()
        self._await_reader()
        self.transport.close()

    def _take_authority(self) -> None:
        """`GET http://name/path`: the name in it counts, and not the one in Host (RFC 9112, 3.2.2). Where there is no Host,
        or more than one, that stays what is wrong.
        """
        if self.url.startswith(b"/") or not (absolute := _ABSOLUTE.fullmatch(self.url)):
            return
        authority, rest = absolute.groups()
        self.url = rest if rest.startswith(b"/") else b"/" + rest
        self.headers[:] = [(name, authority if name == b"host" else value) for name, value in self.headers]

    def _await_head(self) -> None:
        if self.head_timer is None:
            self.head_bytes = 0
            self.head_timer = self.loop.call_later(self.limits.head_s, self._head_is_late)

    def _head_is_here(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None

    def _head_is_late(self) -> None:
        self.head_timer = None
        if not self.transport.is_closing():
            self.end_with("too-slow", f"No whole request came within {self.limits.head_s:g} s.")

    def _await_reader(self) -> None:
        self._is_read()
        self.stall_timer = self.loop.call_later(self.limits.stall_s, self._stalled)

    def _is_read(self) -> None:
        if self.stall_timer is not None:
            self.stall_timer.cancel()
            self.stall_timer = None

    def _stalled(self) -> None:
        self.stall_timer = None
        if self.transport.is_closing() or self.transport.get_write_buffer_size() > 0:
            self.transport.abort()
