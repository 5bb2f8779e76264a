"""A server on loopback that answers as a test says, for what is not a page: robots.txt, above all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Reply = tuple[int, dict[str, str], bytes]
"""Status, headers, body."""
Say = Callable[[str], Reply | None]


@contextmanager
def answering(say: Say) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A server that answers so, by path (None: not at all); its origin, and (path, user agent) of what was asked."""
    asked: list[tuple[str, str]] = []
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked.append((self.path, self.headers["User-Agent"]))
            reply = say(self.path)
            if reply is None:
                closing.wait(30)
                self.close_connection = True
                return
            status, headers, body = reply
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(body)
            except ConnectionError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
