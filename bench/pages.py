"""Forty-odd pages of its own on loopback: light and heavy, still and live, so that anyone can measure without the web.

    python -m bench.pages [--port 0]      prints one JSON line {"base": ..., "paths": [...]}, then serves until ended

Everything is made from a fixed seed: the same pages on every machine. `/count` tells how many pages were served.
"""

from __future__ import annotations

import argparse
import contextlib
import html
import http.server
import io
import itertools
import json
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw

HOST = "127.0.0.1"
SEED = 7
PICTURE_SIZE = (480, 320)
PICTURES = 12
STREAM_SECONDS = 0.25  # between two events of a live feed
STREAM_EVENTS = 240  # then the feed ends: a minute
TABLE_CELLS = (300, 600, 1000, 2000, 3000)
COLUMNS = 6
START_SECONDS = 30

WORDS = tuple(re.findall(r"\w+", """
    amber board canal delta ember field grain harbour inlet jetty kiln ledger market north orchard platform quay river
    signal timber upland valley wharf yard zenith account balance carrier departure estimate freight
"""))  # fmt: skip

STYLE = """<style>
body{font:15px/1.5 system-ui,sans-serif;margin:0;color:#223;background:#f7f7f4}
header{background:#25364a;color:#fff;padding:14px 28px}nav a{color:#cde;margin-right:14px}
main{padding:20px 28px;max-width:1180px}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ddd;padding:3px 8px;text-align:left}tr:nth-child(even){background:#eef1ee}
.grid{display:grid;grid-template-columns:repeat(4,1fr);gap:12px}.card{background:#fff;border-radius:8px;padding:12px;
box-shadow:0 1px 4px #0002}img{max-width:100%;display:block}button{padding:6px 12px;margin:4px}
</style>"""

TIMER = """<script>
const cells = [...document.querySelectorAll('[data-live]')];
setInterval(() => { for (const c of cells) c.textContent = (Math.random() * 900 + 100).toFixed(2); }, EVERY);
</script>"""

FRAMES = """<script>
const clock = document.querySelector('#clock');
(function turn() { clock.textContent = new Date().toISOString(); requestAnimationFrame(turn); })();
</script>"""

FETCH = """<script>
(async () => { for (;;) { const r = await fetch('/tick'); document.querySelector('#tick').textContent = await r.text();
await new Promise(done => setTimeout(done, 200)); } })();
</script>"""

EVENTS = """<script>
new EventSource('/events').onmessage = e => { document.querySelector('#event').textContent = e.data; };
</script>"""

BUILT = """<script>
const list = document.querySelector('#built');
for (let i = 0; i < COUNT; i++) {
  const row = document.createElement('li');
  row.innerHTML = `<b>Item ${i}</b> <span>${(i * 37 % 991) / 10}</span> <a href="#${i}" title="About ${i}">open</a>`;
  list.append(row);
}
</script>"""

FORM = """<form><label>Name <input id=name value="start"></label> <label><input type=checkbox id=agree> agreed</label>
<select id=pick><option>One<option>Two<option>Three</select>
<details id=more><summary>More</summary><p>Inside</p></details></form>
<script>setTimeout(() => { document.querySelector('#name').value = 'typed later';
document.querySelector('#agree').checked = true; document.querySelector('#pick').selectedIndex = 2;
document.querySelector('#more').open = true; }, 500);</script>"""

CANVAS = """<canvas id=chart width=900 height=320 aria-label="Sales 12"></canvas><script>
const g = document.querySelector('#chart').getContext('2d'); let t = 0;
setInterval(() => { t++; g.clearRect(0, 0, 900, 320); g.beginPath();
for (let x = 0; x < 900; x += 3) g.lineTo(x, 160 + 120 * Math.sin((x + t * 5) / 40)); g.stroke(); }, 100);
</script>"""


@dataclass(frozen=True, slots=True)
class Page:
    path: str
    body: bytes


def sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(words)).capitalize() + "."


def document(title: str, body: str) -> bytes:
    links = "".join(f"<a href='#{w}' title='Go to {w}'>{w.capitalize()}</a>" for w in WORDS[:8])
    head = f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{html.escape(title)}</title>{STYLE}</head>"
    top = f"<header><h1>{html.escape(title)}</h1><nav>{links}</nav></header>"
    return f"{head}<body>{top}<main>{body}</main></body></html>".encode()


def article(rng: random.Random, paragraphs: int) -> str:
    parts = (f"<h2>{sentence(rng, 4)}</h2><p>{sentence(rng, 60)}</p>" for _ in range(paragraphs))
    return "".join(parts) + "<button aria-label='Close'>Shut it</button><button title='Save the draft'>Publish</button>"


def table(rng: random.Random, cells: int, *, live: bool) -> str:
    def cell(column: int) -> str:
        if column == 0:
            return f"<td>{rng.choice(WORDS)}</td>"
        return f"<td{' data-live' if live and column == 1 else ''}>{rng.uniform(1, 999):.2f}</td>"

    rows = "".join("<tr>" + "".join(map(cell, range(COLUMNS))) + "</tr>" for _ in range(cells // COLUMNS))
    return f"<table><tr>{''.join(f'<th>{w}</th>' for w in WORDS[:COLUMNS])}</tr>{rows}</table>"


def gallery(rng: random.Random, pictures: int) -> str:
    images = (f"<img src='/picture/{n % PICTURES}.png' alt='{rng.choice(WORDS)}'>" for n in range(pictures))
    made = (f"<div class=card>{image}<p>{sentence(rng, 9)}</p></div>" for image in images)
    return f"<div class=grid>{''.join(made)}</div>"


def cards(rng: random.Random, count: int) -> str:
    values = ((rng.choice(WORDS), rng.uniform(1, 999)) for _ in range(count))
    made = (f"<div class=card><b>{word}</b><p data-live>{value:.2f}</p></div>" for word, value in values)
    return f"<div class=grid>{''.join(made)}</div>"


def outside(rng: random.Random) -> str:
    """What most real pages do: call hosts that are not theirs. The names end in .invalid, so nobody is reached."""
    calls = "".join(
        f"<script async src='https://cdn{n}.example.invalid/lib.js'></script>"
        f"<img src='https://pixel{n}.example.invalid/p.gif' alt=''>"
        for n in range(6)
    )
    return article(rng, 6) + calls


def make_pages() -> tuple[Page, ...]:
    rng = random.Random(SEED)  # noqa: S311 - the same pages everywhere is the point
    makers: list[tuple[str, str]] = []
    makers += [(f"article-{n}", article(rng, n)) for n in (2, 4, 6, 10, 16, 24, 40)]
    makers += [(f"table-{n}", table(rng, n, live=False)) for n in TABLE_CELLS]
    makers += [(f"quotes-{n}", table(rng, n, live=True) + TIMER.replace("EVERY", "400")) for n in TABLE_CELLS]
    makers += [(f"gallery-{n}", gallery(rng, n)) for n in (4, 8, 16, 24)]
    makers += [(f"board-{n}", cards(rng, n) + TIMER.replace("EVERY", "250")) for n in (8, 24, 60)]
    makers += [(f"clock-{n}", "<p id=clock>-</p>" + FRAMES + article(rng, n)) for n in (2, 8)]
    makers += [(f"fetch-{n}", "<p id=tick>-</p>" + FETCH + article(rng, n)) for n in (2, 8)]
    makers += [(f"feed-{n}", "<p id=event>-</p>" + EVENTS + article(rng, n)) for n in (2, 8)]
    makers += [(f"built-{n}", "<ul id=built></ul>" + BUILT.replace("COUNT", str(n))) for n in (100, 400, 1000)]
    makers += [(f"form-{n}", FORM + article(rng, n)) for n in (1, 5)]
    makers += [(f"chart-{n}", CANVAS + table(rng, n, live=True)) for n in (60, 300)]
    makers += [(f"outside-{n}", outside(rng)) for n in range(3)]
    return tuple(Page(path=f"/{name}", body=document(name.replace("-", " "), body)) for name, body in makers)


def make_pictures() -> tuple[bytes, ...]:
    rng = random.Random(SEED)  # noqa: S311 - the same pictures everywhere is the point
    made = []
    for number in range(PICTURES):
        image = Image.radial_gradient("L").resize(PICTURE_SIZE).convert("RGB")
        draw = ImageDraw.Draw(image)
        for _ in range(60):
            x, y = rng.randrange(PICTURE_SIZE[0]), rng.randrange(PICTURE_SIZE[1])
            colour = (rng.randrange(256), rng.randrange(256), rng.randrange(256))
            draw.ellipse((x, y, x + rng.randrange(5, 80), y + rng.randrange(5, 80)), fill=colour)
        draw.text((20, 20), f"Picture {number}", fill=(255, 255, 255))
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        made.append(buffer.getvalue())
    return tuple(made)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages: dict[str, bytes] = {page.path: page.body for page in make_pages()}  # noqa: RUF012 - filled once, never changed
    pictures = make_pictures()
    served = itertools.count(1)
    count = 0
    lock = threading.Lock()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path in self.pages:
            with self.lock:
                Handler.count = next(self.served)
            self.answer(self.pages[path], "text/html; charset=utf-8")
        elif path.startswith("/picture/") and path.endswith(".png"):
            self.answer(self.pictures[int(path[9:-4]) % PICTURES], "image/png")
        elif path == "/tick":
            self.answer(f"{time.time():.3f}".encode(), "text/plain")
        elif path == "/count":
            self.answer(str(Handler.count).encode(), "text/plain")
        elif path == "/events":
            self.feed()
        else:
            self.send_error(http.HTTPStatus.NOT_FOUND)

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def feed(self) -> None:
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        with contextlib.suppress(OSError):  # the browser went away
            for number in range(STREAM_EVENTS):
                self.wfile.write(f"data: event {number}\n\n".encode())
                self.wfile.flush()
                time.sleep(STREAM_SECONDS)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Quiet: a line a request would be noise."""


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that drops its connections is every visit's end, not an error."""


@contextlib.contextmanager
def served() -> Iterator[list[str]]:
    """Serves the pages from a process of their own; yields their URLs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.pages"], stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
    )
    try:
        if process.stdout is None:
            raise RuntimeError("bench.pages has no output to read")
        said = json.loads(process.stdout.readline())
        yield [said["base"] + path for path in said["paths"]]
    finally:
        process.terminate()
        process.wait(timeout=START_SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    port = parser.parse_args().port
    with Server((HOST, port), Handler) as server:
        base = f"http://{HOST}:{server.server_address[1]}"
        sys.stdout.write(json.dumps({"base": base, "paths": list(Handler.pages)}) + "\n")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
