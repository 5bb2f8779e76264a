"""Pictures of all pages for docs/pages.md: `python -m tools.page_pictures`, of the store that `api serve` would show.

Each page is opened at 1280 and at 420 px and written to docs/pictures/ as a PNG of at most 256 colours, under 150 kB.
Which site, probe and release are shown is what the store has first; a fresh `make demo` is good for them.
The audit's desk is shown to an annotator: `--annotator NAME:TOKEN` of an open audit, else where one signs in.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from crawler.browsers.program import find_browser
from crawler.settings import CrawlerSettings

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZES = {"wide": (1280, 860), "narrow": (420, 860)}
MOST_BYTES = 150_000
START_S = 60
CLAIM = "label[for=show-structure]"


def main() -> None:
    """Serves, opens, writes."""
    asked = argparse.ArgumentParser("page_pictures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--only", nargs="+", default=(), metavar="NAME", help="of the pictures, without -wide: probes docs")
    asked.add_argument("--annotator", default="", metavar="NAME:TOKEN", help="who sits at the desk")
    given = asked.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("api")), "serve", "--port", str(port)]
    server = subprocess.Popen(command, env=os.environ | {"API_RATE": "0"})
    address = f"http://127.0.0.1:{port}"
    try:
        _await(f"{address}/static/page.css")
        with sync_playwright() as playwright:
            flags = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=find_browser(CrawlerSettings()), args=flags)
            for name, path, pressed in _pages(address):
                if given.only and name not in given.only:
                    continue
                token = given.annotator if name == "audit" else ""
                for size, pixels in SIZES.items():
                    scheme = "dark" if size == "narrow" and name in {"probe", "probes"} else "light"
                    file = FOLDER / f"{name}-{size}.png"
                    written = _picture(browser, address + path, file, size=pixels, scheme=scheme, pressed=pressed, token=token)
                    print(f"{written.relative_to(FOLDER.parents[1])}  {written.stat().st_size / 1000:.0f} kB  {path}")
            browser.close()
    finally:
        server.terminate()
        server.wait(30)


def _pages(address: str) -> list[tuple[str, str, str]]:
    """(name, path, what is clicked on first) of each page."""
    probe = _first(address, "/probes?source=live&kind=stale&sort=id") or _first(address, "/probes")
    divergence = _first(address, "/divergences?verdict=flagged&kind=aria")
    site = probe["provenance"]["site"] if probe else ""
    release = _first(address, "/releases")
    pages = [
        ("probes", "/pages/probes?source=live", ""),
        ("probe", f"/pages/probes/{probe['id']}", "") if probe else None,
        ("claim", f"/pages/probes/{probe['id']}", CLAIM) if probe else None,
        ("divergences", "/pages/divergences", ""),
        ("divergence", f"/pages/divergences/{divergence['id']}", "") if divergence else None,
        ("sites", "/pages/sites", ""),
        ("site", f"/pages/sites/{site}", "") if site else None,
        ("crawl", "/pages/crawl", ""),
        ("releases", "/pages/releases", ""),
        ("release", f"/pages/releases/{release['name']}", "") if release else None,
        ("audit", "/audit", ""),
        ("docs", "/docs", ""),
    ]
    return [page for page in pages if page is not None]


def _first(address: str, path: str) -> dict[str, Any] | None:
    with urllib.request.urlopen(f"{address}{path}{'&' if '?' in path else '?'}limit=1") as answer:  # noqa: S310 - our own
        items = json.loads(answer.read())["items"]
    found: dict[str, Any] | None = items[0] if items else None
    return found


def _picture(
    browser: Browser, address: str, path: Path, *, size: tuple[int, int], scheme: Any, pressed: str, token: str
) -> Path:
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    try:
        page = context.new_page()
        page.goto(address)
        if pressed:
            page.click(pressed)
        if token:
            name, _, secret = token.partition(":")
            page.fill("#name", name)
            page.fill("#token", secret)
            page.press("#token", "Enter")
            page.locator("#work:not([aria-busy]) #shot").wait_for()
        page.wait_for_load_state("networkidle")
        shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
    finally:
        context.close()
    for colours in (256, 128, 64, 32, 16):
        shot.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size < MOST_BYTES:
            break
    return path


def _await(address: str) -> None:
    for _ in range(START_S * 10):
        try:
            urllib.request.urlopen(address).close()  # noqa: S310 - our own
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"api serve does not answer at {address}")


if __name__ == "__main__":
    main()
