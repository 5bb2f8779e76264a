"""How soon is a page to be seen? The gallery on 100,000 probes in a real browser, each time with an empty cache.

    python -m bench.gallery [--probes 100000] [--times 15] [--data FOLDER] [--json]

`api serve` in a process of its own, a fresh browser context each time, the questions in turn. Told are, in ms from the start of
the navigation by the browser's own clock: until the first byte of the page (the server's time and the way), first
contentful paint (PerformanceObserver), and largest contentful paint. With --data the store is kept and used again.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.table import Table

from bench.gallery.filling import filled
from bench.machine import describe
from crawler.browsers.program import find_browser
from crawler.settings import CrawlerSettings

START_S = 60
WATCH = """() => new Promise((done) => {
  const seen = {};
  const tell = (entries) => { for (const e of entries) seen[e.entryType === "paint" ? e.name : e.entryType] = e.startTime; };
  for (const type of ["paint", "largest-contentful-paint"])
    new PerformanceObserver((list) => tell(list.getEntries())).observe({ type, buffered: true });
  const [page] = performance.getEntriesByType("navigation");
  const wait = () => seen["first-contentful-paint"] && seen["largest-contentful-paint"]
    ? done({ first_byte: page.responseStart, first_paint: seen["first-contentful-paint"],
             largest_paint: seen["largest-contentful-paint"], bytes: page.encodedBodySize }) : setTimeout(wait, 20);
  wait();
})"""
PAGES = {
    "gallery": "/pages/probes",
    "one kind": "/pages/probes?kind=stale",
    "two filters": "/pages/probes?kind=aria&verdict=unreadable",
    "words": "/pages/probes?text=search+pay",
    "oldest first": "/pages/probes?sort=first_seen",
}


def main() -> None:
    """Fills, serves, opens, tells."""
    reader = argparse.ArgumentParser(prog="python -m bench.gallery", description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--probes", type=int, default=100_000)
    reader.add_argument("--times", type=int, default=15)
    reader.add_argument("--data", type=Path)
    reader.add_argument("--json", action="store_true")
    asked = reader.parse_args()
    talk = Console(stderr=True)
    machine = describe(str(find_browser(CrawlerSettings())))
    with tempfile.TemporaryDirectory(prefix="parallax-gallery-") as scratch:
        folder = asked.data or Path(scratch) / "data"
        filled(folder, asked.probes, talk.print).close()
        measured = _measured(folder, PAGES, asked.times)
    if asked.json:
        print(json.dumps({"machine": machine.sentence(), "probes": asked.probes, "pages": measured}))  # noqa: T201
        return
    table = Table("page", "first byte, ms", "first paint", "worst", "largest paint", "kB", title=f"{asked.probes:,} probes")
    for name, found in measured.items():
        paints = [one["first_paint"] for one in found]
        middle = {key: median(one[key] for one in found) for key in found[0]}
        table.add_row(name, *(f"{middle[key]:.0f}" for key in ("first_byte", "first_paint")), f"{max(paints):.0f}",
                      f"{middle['largest_paint']:.0f}", f"{middle['bytes'] / 1000:.1f}")  # fmt: skip
    Console().print(table)
    Console().print(machine.sentence())


def _measured(folder: Path, pages: dict[str, str], times: int) -> dict[str, list[dict[str, float]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"PARALLAX_DATA": str(folder), "API_RATE": "0"}
    command = [str(Path(sys.executable).with_name("api")), "serve", "--port", str(port)]
    server = subprocess.Popen(  # noqa: S603
        command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        _await(f"http://127.0.0.1:{port}/static/page.css")
        with sync_playwright() as playwright:
            flags = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=find_browser(CrawlerSettings()), args=flags)
            found: dict[str, list[dict[str, float]]] = {name: [] for name in pages}
            for _ in range(times):
                for name, path in pages.items():
                    found[name].append(_opened(browser, f"http://127.0.0.1:{port}{path}"))
            browser.close()
        return found
    finally:
        server.terminate()
        server.wait(30)


def _opened(browser: Browser, address: str) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        page.goto(address)
        told: dict[str, float] = page.evaluate(WATCH)
        return told
    finally:
        context.close()


def _await(address: str) -> None:
    for _ in range(START_S * 10):
        try:
            urllib.request.urlopen(address).close()  # noqa: S310
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"api serve does not answer at {address}")


if __name__ == "__main__":
    main()
