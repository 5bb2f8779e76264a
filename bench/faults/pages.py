"""The pages of the fault run: many hosts on loopback, every page with a divergence of its own, every visit counted."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# Texts and colours differ from page to page: the same picture twice would be taken for a browser that no longer draws.
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Page {number}</title>
<style>body {{ font: 20px sans-serif; background: hsl({hue} 60% 92%) }} p {{ width: 40em }}</style>
<h1>Order {number} of host {host}</h1>
<button aria-label="Delete order {number}">Save changes {number}</button>
<p>Waiting: <b id="t">12:{minute:02}</b> <span>for parcel {number}</span></p>
<script>setTimeout(() => {{ document.getElementById("t").textContent = "13:{minute:02}" }}, 150)</script>"""


@dataclass
class Counts:
    """What the servers were asked for."""

    documents: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """host -> when a page was asked for, by this machine's monotonic clock."""
    robots: int = 0

    @property
    def asked(self) -> int:
        return sum(map(len, self.documents.values()))


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        if not self.path.startswith("/page/"):
            self.server.counts.robots += self.path == "/robots.txt"
            self.send_error(404)
            return
        self.server.counts.documents[self.server.host].append(time.monotonic())
        number = int(self.path.rsplit("/", 1)[1])
        body = PAGE.format(number=number, host=self.server.host, hue=number * 37 % 360, minute=number % 60).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, host: str, port: int, counts: Counts) -> None:
        self.host, self.counts = host, counts
        super().__init__((host, port), _Handler)

    def handle_error(self, *_: Any) -> None:
        """A browser that is killed hangs up: no news here."""


@contextmanager
def serve(hosts: int) -> Iterator[tuple[list[str], Counts]]:
    """Base addresses of so many hosts, 127.0.1.1 and up (Linux has all of 127/8), and what was asked of them."""
    counts, servers = Counts(), []
    try:
        for number in range(1, hosts + 1):
            server = _Server(f"127.0.1.{number}", 0, counts)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            servers.append(server)
        yield [f"http://{server.server_address[0]!s}:{server.server_address[1]}" for server in servers], counts
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
