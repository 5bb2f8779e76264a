"""A loopback site of everything that can go wrong with a page, for tests. Standard library only.

    with serve() as site:               # site is the base address, e.g. "http://127.0.0.1:40213"
        visit(site + "/redirect")
        assert [r.path for r in site.requests] == ["/redirect", "/redirect/2", "/ok"]

`serve(name="localhost")` is the same site under another name: to a browser another origin and another process.
`serve_tls()`, `serve_garbage()` and `refused()` give addresses that fail before a page can come.
Every page that never answers is let go when its server closes, so nothing outlives the `with`.
"""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

TESTS = Path(__file__).resolve().parent.parent
# Folders of tests whose files are pages: /cases/aria/roles.html is tests/cases/aria/roles.html.
FOLDERS = {name: TESTS / name for name in ("cases", "act", "not_evidence")} | {"html": TESTS / "pages" / "html"}

HTML = "text/html; charset=utf-8"
GONE = (ConnectionError, ssl.SSLError, ValueError)  # ways in which the other side, or our closing, ends an answer


class Request(NamedTuple):
    """One request as it came in. `path` is with its query."""

    method: str
    path: str
    host: str
    user_agent: str


class Site(str):
    """The base address of a running server, without a slash at its end, that remembers what was asked of it."""

    __slots__ = ("requests",)

    requests: list[Request]


class _Server(ThreadingHTTPServer):
    """Threads are joined on closing: all connections are cut first, and whoever waits is told."""

    daemon_threads = False
    block_on_close = True
    request_queue_size = 64

    def __init__(self, routes: dict[str, Route], context: ssl.SSLContext | None = None) -> None:
        self.routes = routes
        self.context = context
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self.count = 0
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def next_count(self) -> int:
        with self._lock:
            self.count += 1
            return self.count

    def get_request(self) -> tuple[Any, Any]:
        connection, address = super().get_request()
        if self.context:
            connection = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        with self._lock:
            self._connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A visitor that hangs up is no news; anything else is, so it is printed as ever."""
        if not isinstance(sys.exception(), (*GONE, TimeoutError)):
            super().handle_error(request, client_address)

    def stop(self) -> None:
        self.closing.set()
        self.shutdown()
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        headers = self.headers
        self.server.requests.append(Request(self.command, self.path, headers.get("Host", ""), headers.get("User-Agent", "")))
        route = self.server.routes.get(parts.path)
        if route:
            route(self)
        elif (first := parts.path.split("/")[1]) in FOLDERS:
            self.file(FOLDERS[first], unquote(parts.path.removeprefix(f"/{first}/")))
        else:
            self.send(page("Not found", "<p>There is no such page.</p>"), status=404)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.do_GET()

    def query(self, key: str, default: str) -> str:
        return parse_qs(urlsplit(self.path).query).get(key, [default])[0]

    def file(self, folder: Path, name: str) -> None:
        """A page of a folder of tests, by its path there."""
        file = (folder / name).resolve()
        if file.is_relative_to(folder) and file.is_file():
            self.send(file.read_bytes())
        else:
            self.send("no such page", status=404)

    def send(self, body: str | bytes, mime: str = HTML, *, status: int = 200, **headers: str) -> None:
        content = body.encode() if isinstance(body, str) else body
        self.begin(mime, status=status, length=len(content), **headers)
        if self.command != "HEAD":
            self.write(content)

    def begin(self, mime: str, *, status: int = 200, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", mime)
        self.send_header("Cache-Control", "no-store")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if length is None:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def write(self, content: bytes) -> None:
        self.wfile.write(content)
        self.wfile.flush()

    def redirect(self, status: int, target: str) -> None:
        self.send("", status=status, Location=target)

    def hang(self) -> None:
        """Never answers, as long as the server lives."""
        self.server.closing.wait()
        self.close_connection = True

    def drip(self, pieces: Callable[[int], bytes], every_s: float) -> None:
        """Piece after piece until somebody has had enough."""
        number = 0
        with suppress(*GONE):
            while not self.server.closing.wait(every_s):
                self.write(pieces(number))
                number += 1
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Silent: the request log is a list."""


Route = Callable[[_Handler], None]


def page(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}'
        "<style>body { font: 22px/1.4 sans-serif; margin: 24px }</style></head>\n"
        f"<body><h1>{title}</h1>\n{body}\n</body></html>\n"
    )


def script(title: str, source: str, body: str = "") -> str:
    return page(title, f"{body}\n<script>\n{source}\n</script>")


LABELS = (
    '<p><button id="flagged1-button" aria-label="Add to wishlist">Buy now</button> '
    '<button id="clean1-button" aria-label="Buy now, red">Buy now</button></p>'
)

_PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)

# The clock of /clock-squares: 34 squares in a row, 24 CSS px each, from (24, 24). The first is always black, the
# second always white, then 32 bits of the number, highest first, black for 1. Everything else is grey.
SQUARES_LEFT = SQUARES_TOP = SQUARE = 24
SQUARES_BITS = 32

_CLOCK_SQUARES = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Clock and squares</title><style>
body {{ margin: 0; background: #888; font: 40px/1 monospace }}
#squares {{ position: absolute; left: {SQUARES_LEFT}px; top: {SQUARES_TOP}px; display: flex }}
#squares i {{ width: {SQUARE}px; height: {SQUARE}px; background: #fff }}
#clock {{ position: absolute; left: 24px; top: 90px; background: #fff; padding: 8px }}
</style><div id="squares"></div><div id="clock">0</div><script>
const squares = document.getElementById("squares"), clock = document.getElementById("clock");
for (let n = 0; n < {SQUARES_BITS} + 2; n++) squares.append(document.createElement("i"));
const all = [...squares.children];
all[0].style.background = "#000";
function show() {{
  const now = Math.floor(performance.timeOrigin + performance.now()) % 4294967296;
  clock.textContent = now;
  for (let bit = 0; bit < {SQUARES_BITS}; bit++)
    all[bit + 2].style.background = Math.floor(now / 2 ** ({SQUARES_BITS} - 1 - bit)) % 2 ? "#000" : "#fff";
}}
show();
setInterval(show, 5);
</script></html>"""


def decode_squares(is_dark: Callable[[int, int], bool], scale: float = 1) -> int:
    """The number that the squares of /clock-squares show.

    is_dark: whether the image is dark at (x, y), in image px. Raises ValueError where the two squares of reference
    are not black and white: then this is no picture of that page.
    """

    def dark(n: int) -> bool:
        return is_dark(int((SQUARES_LEFT + (n + 0.5) * SQUARE) * scale), int((SQUARES_TOP + 0.5 * SQUARE) * scale))

    if not dark(0) or dark(1):
        raise ValueError("no squares of reference in this image")
    return sum(dark(bit + 2) << (SQUARES_BITS - 1 - bit) for bit in range(SQUARES_BITS))


SIX_UPDATES = ("timer", "frame", "fetch", "events", "channel", "worker")

_SIX_UPDATES = page(
    "Six updates",
    "".join(f'<p>{name}: <b id="{name}">0</b></p>' for name in SIX_UPDATES)
    + """<script>
const set = (id, text) => { document.getElementById(id).textContent = text; };
let ticks = 0, frames = 0, messages = 0;
setInterval(() => set("timer", ++ticks), 4);
(function frame() { set("frame", ++frames); requestAnimationFrame(frame); })();
(async () => { for (;;) set("fetch", await (await fetch("/count")).text()); })();
new EventSource("/events").onmessage = event => set("events", event.data);
const channel = new MessageChannel();
channel.port1.onmessage = () => { set("channel", ++messages); setTimeout(() => channel.port2.postMessage(0), 1); };
channel.port2.postMessage(0);
new Worker("/worker.js").onmessage = event => set("worker", event.data);
</script>""",
)

# The parser limits nesting, scripts do not: layout of flex boxes this deep runs out of stack and the renderer dies,
# in a second or two and with little memory.
_CRASH = """
let inner = document.body;
for (let depth = 0; depth < 5000; depth++) {
  const box = document.createElement("div");
  box.style.display = "flex";
  inner.append(box);
  inner = box;
}
document.body.offsetTop;
"""

_ENDLESS = """
const add = () => {
  for (let n = 0; n < 20; n++) {
    const row = document.createElement("p");
    row.textContent = `Row ${document.querySelectorAll("p").length + 1}`;
    document.body.append(row);
  }
};
add(); add();
addEventListener("scroll", add);
"""

_BIG_MB = 40


def _big_text(handler: _Handler) -> None:
    start = page("Big text", '<p>Little to see</p><div hidden id="big">').removesuffix("\n</body></html>\n").encode()
    block = b"all work and no play makes a dull page\n" * 26_887  # about 1 MiB
    handler.begin(HTML, length=len(start) + len(block) * _BIG_MB)
    with suppress(*GONE):
        handler.write(start)
        for _ in range(_BIG_MB):
            handler.write(block)


def _never(handler: _Handler) -> None:
    handler.hang()


def _slow_body(handler: _Handler) -> None:
    handler.begin(HTML)
    handler.write(page("Slow body", LABELS).removesuffix("</body></html>\n").encode())
    handler.drip(lambda n: f"<p>Line {n}</p>\n".encode(), 0.2)


def _events(handler: _Handler) -> None:
    handler.begin("text/event-stream")
    handler.drip(lambda n: f"data: {n}\n\n".encode(), 0.004)


def _count(handler: _Handler) -> None:
    handler.send(str(handler.server.next_count()), "text/plain")


def _outer(handler: _Handler) -> None:
    frame = handler.query("frame", "/ticker").replace("&", "&amp;").replace('"', "&quot;")
    body = f'<p id="time">0</p><iframe src="{frame}" width="800" height="300"></iframe>{_TIME}'
    handler.send(page("Outer", body))


def _reload(handler: _Handler) -> None:
    handler.send(script("Reload loop", "setTimeout(() => location.reload(), 300);", f"<p>{handler.server.next_count()}</p>"))


def _font_never(handler: _Handler) -> None:
    face = "<style>@font-face { font-family: late; src: url(/never/font.woff2) } p { font-family: late, serif }</style>"
    handler.send(page("Font never", "<p>Words in a font that never comes</p>" + LABELS, face))


_TIME = '<script>setInterval(() => { document.getElementById("time").textContent = Date.now(); }, 5);</script>'


def _challenge() -> str:
    """A bot wall with status 200 and 200 kB of filler around the script that gives it away."""
    filler = "<!-- " + "x" * 100_000 + " -->"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Just a moment...</title></head><body>'
        f'<h1>Checking your browser</h1><p>This may take a few seconds.</p>{filler}<script src="/cdn-cgi/challenge-platform/'
        f'h/b/orchestrate/chl_page/v1"></script>{filler}<noscript>Enable JavaScript and cookies to continue</noscript>'
        "</body></html>"
    )


def _fixed(body: str | bytes, mime: str = HTML, *, status: int = 200, **headers: str) -> Route:
    return lambda handler: handler.send(body, mime, status=status, **headers)


def _to(status: int, target: str) -> Route:
    return lambda handler: handler.redirect(status, target)


def _rows(count: int, text: str, style: str = "") -> str:
    return "".join(f'<div class="row"{style}>{text} {n}</div>' for n in range(count))


def routes() -> dict[str, Route]:
    """What is served, by path. Grouped as the ways a visit can end, then pages that are only hard to read."""
    return {
        "/": _fixed(page("Index", '<p><a href="/ok">ok</a></p>')),
        "/ok": _fixed(page("All is well", LABELS)),
        "/robots.txt": _fixed("User-agent: *\nAllow: /\n", "text/plain"),
        "/favicon.ico": _fixed(b"", "image/x-icon"),
        # answers that are no page
        "/404": _fixed(page("Not found", LABELS), status=404),
        "/410": _fixed(page("Gone", LABELS), status=410),
        "/500": _fixed(page("Server error", LABELS), status=500),
        "/503": _fixed(page("Come back later", LABELS), status=503, Retry_After="120"),
        "/404-empty": _fixed("", status=404),
        "/redirect": _to(301, "/redirect/2"),
        "/redirect/2": _to(302, "/ok"),
        "/redirect-loop": _to(302, "/redirect-loop/2"),
        "/redirect-loop/2": _to(302, "/redirect-loop"),
        "/redirect-private": _to(302, "http://10.0.0.1/"),
        "/redirect-file": _to(302, "file:///etc/passwd"),
        "/pdf": _fixed(_PDF, "application/pdf"),
        "/empty": _fixed(""),
        "/empty-body": _fixed("<!doctype html><title>Empty</title><body></body>"),
        "/no-content": lambda handler: handler.send("", status=204),
        "/svg": _fixed('<svg xmlns="http://www.w3.org/2000/svg"><text y="20">Text</text></svg>', "image/svg+xml"),
        "/xml": _fixed("<?xml version='1.0'?><rows><row>1</row></rows>", "application/xml"),
        "/xhtml": _fixed(
            f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>XHTML</title></head><body>{LABELS}</body></html>',
            "application/xhtml+xml",
        ),
        "/text": _fixed("Plain text\n", "text/plain; charset=utf-8"),
        "/json": _fixed('{"plain": "data"}', "application/json"),
        "/image": _fixed('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', "image/svg+xml"),
        "/frameset": _fixed(
            "<!doctype html><title>Frameset</title><frameset cols='50%,50%'><frame src='/ok'><frame src='/text'></frameset>"
        ),
        "/download": _fixed("a,b\n1,2\n", "text/csv", Content_Disposition='attachment; filename="table.csv"'),
        "/download-later": _fixed(script("Download later", "setTimeout(() => { location.href = '/download'; }, 200);", LABELS)),
        # answers that never end
        "/slow-headers": _never,
        "/slow-body": _slow_body,
        "/font-never": _font_never,
        "/never/font.woff2": _never,
        "/image-never": _fixed(page("Image never", LABELS + '<img alt="" src="/never/image.png" width="90" height="90">')),
        "/never/image.png": _never,
        "/script-never": _fixed(page("Script never", LABELS, '<script async src="/never/script.js"></script>')),
        "/never/script.js": _never,
        # pages too big
        "/many-nodes": _fixed(page("Many nodes", _rows(100_000, "Row"))),
        "/big-text": _big_text,
        "/tall": _fixed(page("Tall", _rows(500, "Row", ' style="height: 40px"'))),
        "/endless-scroll": _fixed(script("Endless scroll", _ENDLESS)),
        # pages that misbehave
        "/while-true": _fixed(script("While true", "setTimeout(() => { while (true); }, 1000);", LABELS)),
        "/while-true-now": _fixed(script("While true at once", "while (true);", LABELS)),
        "/crash": _fixed(script("Crash", f"setTimeout(() => {{ {_CRASH} }}, 300);", LABELS)),
        "/alert": _fixed(
            script("Alert", "alert('Hello'); onbeforeunload = event => { event.preventDefault(); return 'Stay?'; };", LABELS)
        ),
        "/alert-later": _fixed(script("Alert later", "setTimeout(() => alert('Hello'), 500);", LABELS)),
        "/alert-loop": _fixed(script("Alert loop", "for (;;) { alert('Again'); }", LABELS)),
        "/confirm": _fixed(script("Confirm", "confirm('Sure?'); prompt('Name?', '');", LABELS)),
        "/print-dialog": _fixed(script("Print", "print();", LABELS)),
        "/popup": _fixed(
            script("Pop-up", "open('/ok', '_blank', 'width=300,height=200'); setTimeout(() => open('/ok'), 300);", LABELS)
        ),
        # pages that leave
        "/meta-refresh": _fixed(page("Meta refresh", LABELS, '<meta http-equiv="refresh" content="1; url=/ok">')),
        "/js-navigate": _fixed(script("Script navigates", "setTimeout(() => { location.href = '/ok'; }, 300);", LABELS)),
        "/js-navigate-loop": _fixed(
            script(
                "Navigates for ever", "setTimeout(() => { location.href = '/js-navigate-loop?' + Date.now(); }, 300);", LABELS
            )
        ),
        "/push-state": _fixed(
            script("Same document", "setTimeout(() => history.pushState({}, '', '/push-state?2'), 300);", LABELS)
        ),
        "/reload-loop": _reload,
        # pages that move
        "/ticker": _fixed(page("Ticker", f'<p>Price <b id="time">0</b></p>{LABELS}{_TIME}')),
        "/clock-squares": _fixed(_CLOCK_SQUARES),
        "/six-updates": _fixed(_SIX_UPDATES),
        "/count": _count,
        "/events": _events,
        "/worker.js": _fixed("let n = 0; setInterval(() => postMessage(++n), 4);", "text/javascript"),
        "/resize-writes": _fixed(
            script(
                "Resize",
                "let n = 0; onresize = () => { document.getElementById('n').textContent = `resized ${++n}`; };",
                '<p id="n">resized 0</p>' + LABELS,
            )
        ),
        "/animation": _fixed(
            page(
                "Animation",
                '<p><b id="run">Runs about</b></p>' + LABELS,
                "<style>#run { position: relative; animation: run 1s infinite alternate } "
                "@keyframes run { to { left: 600px } }</style>",
            )
        ),
        "/outer": _outer,
        # pages hard to read
        "/csp": _fixed(
            page("Strict policy", LABELS),
            Content_Security_Policy="default-src 'none'; style-src 'unsafe-inline'; "
            "require-trusted-types-for 'script'; sandbox",
        ),
        "/utf16": _fixed(page("UTF-16", LABELS + "<p>Grüße, 价格</p>").encode("utf-16"), "text/html"),
        "/gb18030": _fixed(
            page("GB18030", LABELS + '<p><a href="#" id="flagged2-chinese" aria-label="立即购买">加入购物车</a></p>')
            .replace('<meta charset="utf-8">', "")
            .encode("gb18030"),
            "text/html; charset=gb18030",
        ),
        "/latin1-meta": _fixed(
            page("Latin-1", LABELS + "<p>Grüße</p>").replace('charset="utf-8"', 'charset="iso-8859-1"').encode("latin-1"),
            "text/html",
        ),
        "/nul": _fixed(page("NUL", LABELS + '<p id="flagged2-nul" title="one\x00two">three four</p>')),
        "/red": _fixed("<!doctype html><title>Red</title><body style='background: red'><p>Red page</p>"),
        "/green": _fixed("<!doctype html><title>Green</title><body style='background: green'><p>Green page</p>"),
        # pages that are no evidence
        "/challenge": _fixed(_challenge()),
        "/article": _fixed(
            page("How bot walls work", "<p>Vendors such as Cloudflare show a page that says Just a moment.</p>" * 9 + LABELS)
        ),
        "/consent": _fixed(
            page(
                "News",
                LABELS
                + '<div id="consent" role="dialog" aria-label="Cookies" style="position: fixed; inset: 0; background: #fff">'
                "<h2>We value your privacy</h2><button>Accept all cookies</button> <button>Reject</button></div>",
            )
        ),
        "/spinner": _fixed(page("Spinner", '<p role="progressbar" aria-label="Loading">Loading…</p>')),
    }


@contextmanager
def _running(server: _Server, base: str) -> Iterator[Site]:
    site = Site(base)
    site.requests = server.requests
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="test site")
    thread.start()
    try:
        yield site
    finally:
        server.stop()
        thread.join()


@contextmanager
def serve(name: str = "127.0.0.1", more: Mapping[str, Route] | None = None) -> Iterator[Site]:
    """The site on a free port of 127.0.0.1, addressed by `name` ("localhost" for another origin), with `more` routes."""
    server = _Server(routes() | dict(more or {}))
    with _running(server, f"http://{name}:{server.server_port}") as site:
        yield site


@contextmanager
def serve_tls() -> Iterator[Site]:
    """The site over TLS with a certificate that nobody trusts; where there is no openssl, a port that speaks garbage."""
    openssl = shutil.which("openssl")
    if not openssl:
        with serve_garbage() as base:
            site = Site(base.replace("http://", "https://"))
            site.requests = []
            yield site
        return
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = Path(folder, "key.pem"), Path(folder, "certificate.pem")
        command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=parallax.test"]
        subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
    server = _Server(routes(), context)
    with _running(server, f"https://127.0.0.1:{server.server_port}") as site:
        yield site


@contextmanager
def serve_garbage(answer: bytes = b"\x00\x01 no protocol at all \xff\xfe\r\n") -> Iterator[str]:
    """A port that answers every connection with the same bytes, which are no HTTP, and hangs up."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listening.settimeout(0.05)
        closing = threading.Event()

        def speak() -> None:
            while not closing.is_set():
                with suppress(OSError):  # nobody there, or gone already
                    connection, _ = listening.accept()
                    with connection:
                        connection.settimeout(1)
                        connection.recv(4096)
                        connection.sendall(answer)

        thread = threading.Thread(target=speak, name="garbage")
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            closing.set()
            thread.join()


def refused() -> str:
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"http://127.0.0.1:{listening.getsockname()[1]}"
