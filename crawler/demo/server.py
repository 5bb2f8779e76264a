"""Serves the demo site on a port of 127.0.0.1. Standard library only.

`python -m crawler.demo.server [HOST] [PORT]` does so by hand, until it is stopped.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from crawler.demo.boards import BOARDS, board

PORT = 8735
"""Where `crawler demo` serves it. What is found is filed under its address: on another port it is found anew."""

_TYPES = {"html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def site() -> dict[str, tuple[str, bytes]]:
    """Every file of the site: path -> (content type, content)."""
    found = {}
    for file in files("crawler.demo").joinpath("site").iterdir():
        kind = _TYPES.get(file.name.rpartition(".")[2])
        if kind:
            found[f"/{file.name}"] = (kind, file.read_bytes())
    boards = {path: (_TYPES["html"], board(number).encode()) for number, path in enumerate(BOARDS, 1)}
    return found | boards | {"/": found["/index.html"]}


class _Handler(BaseHTTPRequestHandler):
    files: dict[str, tuple[str, bytes]]

    def do_GET(self) -> None:
        kind, content = self.files.get(urlsplit(self.path).path, ("", b""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(ConnectionError):  # the visitor left
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Silent: a crawl has its own log."""


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # joined on closing; each connection is one short request

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A visitor that hangs up midway is no news."""


def _listening(host: str, port: int, rather: int, handler: type[_Handler]) -> _Server:
    with suppress(OSError):  # taken
        if rather:
            return _Server((host, rather), handler)
    return _Server((host, port), handler)


@contextmanager
def serve(host: str = "127.0.0.1", port: int = 0, *, rather: int = 0) -> Iterator[str]:
    """The site while the `with` lasts; gives its base address, without a slash at its end. port 0: any that is free.

    rather: this one of those, where it is free. Raises OSError where `port` is not.
    """
    handler = type("Handler", (_Handler,), {"files": site(), "timeout": 5})
    with _listening(host, port, rather, handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="demo site")
        thread.start()
        try:
            yield f"http://{host}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def main(host: str = "127.0.0.1", port: str = "0") -> None:
    """Serves until somebody ends it, and says where."""
    with serve(host, int(port)) as base:
        sys.stderr.write(f"The demo site is at {base}\n")
        threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
