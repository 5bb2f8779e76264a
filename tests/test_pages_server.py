"""The loopback site for tests does what its routes say and leaves nothing behind."""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

from tests.pages.server import decode_squares, refused, routes, serve, serve_garbage, serve_tls


def get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 - loopback only
        return bytes(answer.read())


def test_redirects_are_followed_and_remembered() -> None:
    """A chain of 301 and 302 ends on a page, and the request log has every step."""
    with serve() as site:
        assert b"All is well" in get(site + "/redirect")
        assert [request.path for request in site.requests] == ["/redirect", "/redirect/2", "/ok"]


def test_statuses() -> None:
    """Error pages carry their status, unknown paths are 404, cases are served."""
    with serve() as site:
        for path, status in (("/404", 404), ("/500", 500), ("/nowhere", 404), ("/cases/../server.py", 404)):
            with pytest.raises(urllib.error.HTTPError) as caught:
                get(site + path)
            with caught.value:
                assert caught.value.code == status
        assert b"aria-label" in get(site + "/cases/aria/roles.html")


def test_closing_lets_go_of_everybody() -> None:
    """Pages that never answer do not keep the server from closing, and no thread outlives it."""
    before = threading.active_count()
    with serve() as site, serve("localhost") as other, serve_tls() as secure, serve_garbage() as garbage:
        waiting = []
        for path in ("/slow-headers", "/slow-body", "/events", "/never/font.woff2"):
            connection = socket.create_connection(("127.0.0.1", urlsplit(site).port or 0), timeout=5)
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode())
            waiting.append(connection)
        assert b"All is well" in get(other + "/ok")
        with pytest.raises(urllib.error.URLError):
            get(secure + "/ok")
        with socket.create_connection(("127.0.0.1", urlsplit(garbage).port or 0), timeout=30) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert not connection.recv(100).startswith(b"HTTP")
        with pytest.raises(urllib.error.URLError):
            get(refused() + "/")
    for connection in waiting:
        connection.close()
    assert threading.active_count() == before


def test_squares_are_decoded() -> None:
    """The number comes back from squares drawn as the page draws them; an image without them is refused."""
    number = 691_757_056
    row = [True, False] + [bool(number >> (31 - bit) & 1) for bit in range(32)]
    assert decode_squares(lambda x, _: row[(x - 24) // 24]) == number
    assert decode_squares(lambda x, _: row[(x // 2 - 24) // 24], scale=2) == number
    with pytest.raises(ValueError, match="no squares"):
        decode_squares(lambda _x, _y: False)


def test_the_routes_that_tests_rely_on_are_there() -> None:
    """Each route begins with a slash; the ways of ending that visits know each have one."""
    paths = set(routes())
    assert all(path.startswith("/") for path in paths)
    assert paths >= {
        "/404",
        "/redirect-loop",
        "/pdf",
        "/empty",
        "/many-nodes",
        "/font-never",
        "/while-true",
        "/alert",
        "/download",
    }
    assert paths >= {"/popup", "/meta-refresh", "/crash", "/clock-squares", "/six-updates", "/outer", "/challenge"}
