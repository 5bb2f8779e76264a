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

from api.below import answer_below
from api.problems import Code, Declined
from api.settings import ApiSettings, api_settings
from api.told import is_told
from api.unread import Unread

MOST_HEAD = 65_536
"""Bytes of address and headers, with what stands around them."""
_TOO_LARGE = f"Address and headers have more than {MOST_HEAD} bytes. Ask for less at once, or send less with it."
_NO_HTTP = "Invalid HTTP request received."
"""What uvicorn logs just before it has it answered, and cannot say which answer that is."""
_NO_TEXT = "What is not ASCII is written as %C3%A9, and NUL is in no text here."
_ODD = re.compile(rb"[\0\x80-\xff]")
_ABSOLUTE = re.compile(rb"[a-z][a-z0-9+.-]*://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)
log = structlog.get_logger()


@cache
def _settings() -> ApiSettings:
    return api_settings()


def _is_news(record: LogRecord) -> bool:
    """Whether it is not what is told of elsewhere: the same bug is in the log once."""
    return record.msg != _NO_HTTP and not (record.exc_info and is_told(record.exc_info[1]))


def _odd_in(data: bytes) -> str:
    """The first byte in an address that must be escaped there, as 0xe9; empty where there is none. data: heads of requests."""
    lines = (head.lstrip(b"\r\n").partition(b"\n")[0] for head in data.split(b"\r\n\r\n"))
    return next((f"{found[0][0]:#04x}" for line in lines if (found := _ODD.search(line))), "")


class _Outlet:
    """What an answer is written to: the transport, but for how it is closed."""

    def __init__(self, connection: Guarded) -> None:
        self.write, self.is_closing = connection.transport.write, connection.transport.is_closing
        self.close = connection.close


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
        self.fed = b""
        self.leaving = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.outlet = _Outlet(self)
        self.unread = Unread(self.loop, self.limits.body_s, transport.close)
        if len(self.connections) > self.limits.connections:
            self.end_with("unavailable", "Too many connections. Ask again in a while.")
            return
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        self._is_read()
        self.unread.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.unread.count(data)
        if self._is_over():
            return
        if self._is_answered() and not self.in_body:
            self._await_head()  # blank lines count as no request
        rest = b""
        if self.head_timer is not None:
            # First as much as a head may have: whether it is too large does not hang on how its bytes come.
            data, rest = data[: MOST_HEAD - self.head_bytes], data[MOST_HEAD - self.head_bytes :]
            self.head_bytes += len(data)
        self._feed(data)
        if self._is_over():
            return
        if self.head_timer is not None and self.head_bytes + len(rest) > MOST_HEAD:
            self.end_with("head-too-large", _TOO_LARGE, more=True)
        elif rest:
            self._feed(rest)
        if self.in_head and self._is_answered() and not self._is_over():  # a request behind what was thrown away
            self._await_head()

    def _feed(self, data: bytes) -> None:
        self.fed = data
        super().data_received(data)
        self.fed = b""

    def on_message_begin(self) -> None:
        self._unset_keepalive_if_required()  # where a body that is thrown away has just ended
        super().on_message_begin()
        self.in_head = True

    def on_headers_complete(self) -> None:
        self._head_is_here()
        self._take_authority()
        super().on_headers_complete()  # raises where the address is none
        self.cycle.transport = self.outlet  # type: ignore[assignment]
        self.in_head, self.in_body = False, True

    def on_message_complete(self) -> None:
        self.in_body = False
        super().on_message_complete()
        if self.unread.end():
            self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def on_response_complete(self) -> None:
        if self.transport.get_write_buffer_size() > 0:
            self._await_reader()
        if self.leaving:
            return  # whatever else was asked
        super().on_response_complete()
        if self.transport.is_closing():
            return
        if self.in_body and self._is_answered():
            self._unset_keepalive_if_required()
            self.unread.begin()
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
        """What is no HTTP is told so as a problem too; and so is an address that is too long to be taken apart, or no text."""
        if self.in_head and len(self.url) >= MOST_HEAD:  # of a request that was sent behind another one
            self.end_with("head-too-large", _TOO_LARGE, more=True)
        elif self.in_head and not self.headers and (odd := _odd_in(self.fed)):
            self.end_with("bad-text", f"The address holds the byte {odd}. {_NO_TEXT}", logged=True, more=True)
        else:
            self.end_with("bad-request", msg, logged=True, more=True)

    def end_with(self, code: Code, detail: str, *, logged: bool = False, more: bool = False) -> None:
        """Says why, and ends the connection. Where an answer is under way, it is only cut off; nothing is answered twice.

        logged: the log has it too, under the same id. An id that was sent is not taken: no whole head has come.
        more: the other end is still sending.
        """
        request_id = uuid.uuid4().hex
        if logged:
            log.warning("request.broken", code=code, detail=detail, request_id=request_id)
        if told := self._is_answered() and not self.in_body:
            path = self.url.partition(b"?")[0] if self.in_head else b""
            asked = self.headers if self.in_head else ()
            self.transport.write(answer_below(Declined(code, detail), path, request_id, asked, self.limits.origins))
        self._head_is_here()
        self._await_reader()
        if told and more:
            self._leave()
        else:
            self.transport.close()

    def close(self) -> None:
        """Ends the connection behind an answer; one whose request is not whole yet is left in order."""
        if self.in_body and not self.transport.is_closing():
            self._leave()
        else:
            self.transport.close()

    def _leave(self) -> None:
        """Nothing more is said; what still comes is taken in for a while."""
        self.leaving = True
        self.transport.write_eof()
        self.flow.resume_reading()
        self.unread.begin()

    def _is_answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _is_over(self) -> bool:
        return self.leaving or self.transport.is_closing()

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
