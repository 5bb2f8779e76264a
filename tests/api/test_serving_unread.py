"""What is sent that nobody wants, and what is no request: one answer, with all that every answer says, and an end in order."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest
from structlog.testing import capture_logs

from api.app import create_app
from api.layers.cors import SHOWN
from api.layers.dressed import HEADERS
from api.serving import MOST_HEAD
from api.settings import ApiSettings
from store.blobs import Blobs
from store.database import Database
from tests.api.serving import serving
from tests.api.test_serving import connected, told

LONG = 200_000
NEXT = b"GET /kinds HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def port(server: Database) -> Iterator[int]:
    """Of an API that waits half a second for a head or a body, and lets one origin's pages ask."""
    settings = ApiSettings(rate="0", head_s=0.5, body_s=0.5, connections=2, cors="https://lab.example")
    with serving(create_app(server, Blobs("memory://"), settings)) as address:
        yield int(address.rsplit(":", 1)[1])


def until_end(opened: socket.socket) -> bytes:
    """All that comes; whoever breaks the connection fails the test."""
    with opened.makefile("rb") as answer:
        return answer.read()


def statuses(sent: bytes) -> list[bytes]:
    return [part[:3] for part in sent.split(b"HTTP/1.1 ")[1:]]


PLAIN = b"%b HTTP/1.1\r\nHost: %b\r\nContent-Length: %d\r\n\r\n"
CHUNKED = b"%b HTTP/1.1\r\nHost: %b\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n"
ASKED = [
    (b"GET /health", b"localhost", b"200"), (b"GET /nope", b"localhost", b"404"), (b"OPTIONS /kinds", b"localhost", b"405"),
    (b"POST /takedowns", b"evil.example", b"421"), (b"GET /kinds", b"evil.example", b"421"),
]  # fmt: skip
"""(request, name, status), of which no body is read."""


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("form", [PLAIN, CHUNKED])
def test_a_body_that_nobody_wants(port: int, question: tuple[bytes, bytes, bytes], form: bytes, *, late: bool) -> None:
    """It is thrown away, whether it comes with its head or after the answer, and what is asked behind it is answered too."""
    asked, host, status = question
    head = form % (asked, host, LONG)
    rest = b"x" * LONG + (b"\r\n0\r\n\r\n" if form == CHUNKED else b"") + NEXT
    with connected(port) as opened:
        opened.sendall(head if late else head + rest)
        first = opened.recv(15)
        if late:
            opened.sendall(rest)
        assert statuses(first + until_end(opened)) == [status, b"200"]


@pytest.mark.parametrize("asked", [b"GET /health", b"GET /nope", b"POST /takedowns"])
def test_the_connection_ends_in_order(port: int, asked: bytes) -> None:
    """Who wants it closed has its end behind the answer, and may send the body to its end: nothing tells that it broke."""
    head = b"%b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Encoding: x\r\nContent-Length: %d\r\n\r\n" % (
        asked,
        LONG,
    )
    with connected(port) as opened:
        opened.sendall(head)
        answer = until_end(opened)
        assert len(statuses(answer)) == 1
        assert b"connection: close" in answer.lower()
        for _ in range(4):
            opened.sendall(b"x" * (LONG // 4))


@pytest.mark.parametrize("sent", [b"x", b"zz\r\n", b"5\r\nhelloXX"])
def test_what_is_wrong_behind_an_answer_is_not_answered(port: int, sent: bytes) -> None:
    """Neither a body that does not end, nor one that is no HTTP: the connection ends, and there is one answer."""
    form = PLAIN if sent == b"x" else b"%b HTTP/1.1\r\nHost: %b\r\nTransfer-Encoding: chunked\r\nX-A: %d\r\n\r\n"
    with connected(port) as opened:
        opened.sendall(form % (b"GET /health", b"localhost", LONG))
        first = opened.recv(15)
        opened.sendall(sent)
        assert statuses(first + until_end(opened)) == [b"200"]


def test_a_body_without_end(port: int) -> None:
    """Who goes on sending what is answered is cut off, in time and after so many bytes."""
    with connected(port) as opened:
        opened.sendall(PLAIN % (b"GET /health", b"localhost", 10**12))
        sent = 0
        with suppress(ConnectionError):
            while sent < 10**8:
                sent += opened.send(b"x" * 1_000_000)
        assert sent < 10**8


SENT = {
    "bad-request": b"\x16\x03\x01 hello\r\n\r\n",
    "bad-text": b"GET /kinds\0 HTTP/1.1\r\n",
    "head-too-large": b"GET /kinds HTTP/1.1\r\nOrigin: https://lab.example\r\nX-Long: " + b"a" * MOST_HEAD,
    "too-slow": b"GET /kinds HTTP/1.1\r\nHost: ",
    "unavailable": b"",
}


@pytest.mark.parametrize("code", SENT)
def test_what_is_below_all_layers_is_dressed_too(port: int, code: str) -> None:
    """A problem of a connection without a whole request says what every answer says, and a page that may ask can read it."""
    held = [socket.create_connection(("127.0.0.1", port), 20) for _ in range(2 if code == "unavailable" else 0)]
    for one in held:
        one.sendall(b"GET /kinds HTTP/1.1\r\nHost: localhost\r\n\r\n")
        one.recv(15)
    with connected(port) as opened:
        opened.sendall(SENT[code])
        answer = until_end(opened)
    for one in held:
        one.close()
    assert told(answer)["code"] == code
    lines = answer.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:]
    sent = {name.lower(): value for name, value in (line.split(b": ", 1) for line in lines)}
    assert len(sent) == len(lines), "each once"
    assert dict(HEADERS).items() <= sent.items()
    assert sent[b"cache-control"] == b"no-store"
    assert sent[b"content-security-policy"].startswith(b"default-src 'none'")
    assert sent[b"access-control-allow-origin"] == b"https://lab.example"
    assert sent[b"access-control-expose-headers"] == ", ".join(SHOWN).encode()
    assert (b"retry-after" in sent) == (code == "unavailable")


def test_pages_of_other_origins_read_no_problem(port: int) -> None:
    """Where the origin has come and may not ask, it gets no leave."""
    with connected(port) as opened:
        opened.sendall(b"GET /kinds HTTP/1.1\r\nOrigin: https://evil.example\r\nX-Long: " + b"a" * MOST_HEAD)
        assert b"access-control" not in until_end(opened)


@pytest.mark.parametrize(
    ("line", "code"),
    [(b"GET /probes/\0 HTTP/1.1", "bad-text"), (b"GET /probes?text=a\0 HTTP/1.1", "bad-text"),
     (b"GET /caf\xc3\xa9 HTTP/1.1", "bad-text"), (b"GET /probes?text=caf\xc3\xa9 HTTP/1.1", "bad-text"),
     (b"GET /probes?text=caf\xe9 HTTP/1.1", "bad-text"), (b"GET \xe9 HTTP/1.1", "bad-text"),
     (b"GET /a\x01b HTTP/1.1", "bad-request"), (b"GET /kinds HTTP/1.1\r\nHost: a\0b", "bad-request")],
)  # fmt: skip
@pytest.mark.parametrize("before", [b"", b"\r\n", b"GET /kinds HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_an_address_that_is_no_text(port: int, line: bytes, code: str, before: bytes) -> None:
    """Bytes that are not escaped are told as the same bytes are that are: on their own, or behind another request."""
    with capture_logs(), connected(port) as opened:
        if before.startswith(b"GET"):
            opened.sendall(before)
            opened.recv(65_536)
            before = b""
        opened.sendall(before + line + b"\r\nHost: localhost\r\n\r\n")
        assert told(until_end(opened))["code"] == code
