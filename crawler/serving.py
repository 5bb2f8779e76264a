"""serving: /metrics and /health of a worker, by a server in threads of its own: it answers when the event loop does not."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import structlog
from prometheus_client import make_wsgi_app

from crawler.health import Health
from crawler.metrics import Metrics
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = structlog.get_logger()
WHERE = "/metrics is for Prometheus, /health for whoever asks whether this worker works.\n"


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 16

    def server_bind(self) -> None:
        # Without the name look-up of the base class: it may take seconds, and the name is used by nobody.
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no event."""


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = 10
    """A client that says nothing holds a thread no longer, s."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name for it
        """A probe every few seconds is no event."""


def application(metrics: Metrics, health: Health) -> Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]]:
    """GET /metrics and /health; anything else is 404 with a line that says so."""
    numbers = make_wsgi_app(metrics.registry)

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "/")
        if path == "/metrics":
            return numbers(environ, start)  # type: ignore[no-any-return]
        if path == "/health":
            report = health.report()
            status, kind, body = (
                "200 OK" if report.ok else "503 Service Unavailable",
                "application/json",
                report.model_dump_json(),
            )
        else:
            status, kind, body = "200 OK" if path == "/" else "404 Not Found", "text/plain; charset=utf-8", WHERE
        content = body.encode()
        start(status, [("Content-Type", kind), ("Content-Length", str(len(content))), ("Cache-Control", "no-store")])
        return [content]

    return answer


@contextlib.contextmanager
def serve(settings: CrawlerSettings, metrics: Metrics, health: Health) -> Iterator[str | None]:
    """Serves while the block lasts; gives the base URL, None where CRAWLER_METRICS_PORT is 0.

    Raises Unavailable where the port cannot be opened.
    """
    if settings.metrics_port == 0:
        yield None
        return
    with _opened(settings.metrics_host, settings.metrics_port) as server:
        server.set_app(application(metrics, health))
        thread = threading.Thread(target=server.serve_forever, name="serving", daemon=True)
        thread.start()
        url = base_url(settings.metrics_host, server.server_port)
        log.info("metrics.served", url=url)
        try:
            yield url
        finally:
            server.shutdown()
            thread.join()


def base_url(host: str, port: int) -> str:
    """Where a server that listens there is asked on this machine."""
    host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - asked, not opened
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _opened(host: str, port: int) -> _Server:
    try:
        return (_Server6 if ":" in host else _Server)((host, port), _Handler)
    except (OSError, OverflowError) as error:
        raise Unavailable(
            f"/metrics and /health cannot be served at {host}:{port} (CRAWLER_METRICS_HOST, CRAWLER_METRICS_PORT): "
            f"{getattr(error, 'strerror', None) or error}. Two workers on one machine need two ports; 0 serves nothing."
        ) from error
