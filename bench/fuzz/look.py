"""Looking: a page opened, read and photographed as the crawler does it, and the pixels that a text's own paint changes."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops

from channels.pixels import open_png
from crawler.browsers import Browser, Tab, launch
from crawler.freeze import freeze
from crawler.reading import Place, read
from crawler.settings import CrawlerSettings
from crawler.world import World
from domain.geometry import Box
from domain.reading import Snapshot

SEEN_STEP = 24
"""Levels of 256: a pixel that changes by less is not seen to change."""

PAINT_OFF = """(options) => {
  const everywhere = (root, found = []) => {
    for (const el of root.querySelectorAll('*')) {
      if (el.id === options.name) found.push(el);
      const shadow = el.shadowRoot ?? globalThis.parallaxMemory?.closed.get(el);
      if (shadow) everywhere(shadow, found);
      try { if (el.contentDocument) everywhere(el.contentDocument, found); } catch {}
    }
    return found;
  };
  const [el] = everywhere(document);
  if (!el) return false;
  globalThis.paintedBefore ??= new Map();
  if (options.back) { for (const [e, was] of globalThis.paintedBefore) was === null ? e.removeAttribute('style') : e.setAttribute('style', was); globalThis.paintedBefore.clear(); return true; }
  for (const e of [el, ...el.querySelectorAll('*')]) {
    globalThis.paintedBefore.set(e, e.getAttribute('style'));
    for (const [k, v] of Object.entries({ 'color': 'transparent', '-webkit-text-fill-color': 'transparent', 'text-shadow': 'none', '-webkit-text-stroke': '0', 'text-decoration': 'none', 'fill': 'transparent', 'stroke': 'none', '-webkit-text-security': 'none' }))
      e.style.setProperty(k, v, 'important');
  }
  return true;
}"""  # noqa: E501
"""In, {name, back}: makes all text of the element with this id transparent, or takes that back."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A page as it was read, beside its pixels. took: ms of the reading with hit tests."""

    reading: Snapshot
    png: bytes
    took: float


class Window:
    """One tab, for one page after another."""

    def __init__(self, browser: Browser, tab: Tab, settings: CrawlerSettings) -> None:
        self.browser, self.tab, self.settings = browser, tab, settings
        self.world: World | None = None

    async def look(self, page: Path) -> Looked:
        """Opens a file and looks at it, with a world of ours as the crawler has it."""
        tab = self.tab
        await tab.send("Page.enable")
        await tab.send(
            "Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}
        )
        await tab.send("Page.navigate", {"url": page.as_uri()})
        await tab.send(
            "Runtime.evaluate",
            {
                "expression": "new Promise(r => document.readyState === 'complete' ? r() : addEventListener('load', r))",
                "awaitPromise": True,
            },
        )
        world = self.world = await World.enter(tab)
        place = Place(0)
        served, _ = await read(world, self.settings, place, html=True)
        closed: tuple[str, ...] = ()
        if served.report["closedHosts"]:
            closed = await world.closed_roots()
            await read(world, self.settings, place, closed, html=True)
        await freeze(tab)
        before, _ = await read(world, self.settings, place, closed, hit=True)
        return Looked(before.snapshot, await self.picture(), before.report["took"])

    async def picture(self) -> bytes:
        shot = await self.tab.send(
            "Page.captureScreenshot",
            {"format": "png", "fromSurface": True, "captureBeyondViewport": False, "optimizeForSpeed": True},
        )
        return base64.b64decode(shot["data"])

    async def painted(self, name: str, whole: Image.Image) -> tuple[int, Box | None]:
        """(pixels, rectangle around them) that change when the text of this element is made transparent: what is seen of it.

        Not of a text that its ground is seen through.
        """
        if self.world is None:
            return 0, None
        send = {"functionDeclaration": PAINT_OFF, "executionContextId": self.world.context, "returnByValue": True}
        await self.tab.send("Runtime.callFunctionOn", {**send, "arguments": [{"value": {"name": name}}]})
        without = open_png(await self.picture())
        await self.tab.send("Runtime.callFunctionOn", {**send, "arguments": [{"value": {"name": name, "back": True}}]})
        changed = ImageChops.difference(whole, without).convert("L").point(lambda v: 255 if v > SEEN_STEP else 0)
        around = changed.getbbox()
        if around is None:
            return 0, None
        left, top, right, bottom = around
        return changed.histogram()[255], Box(left, top, right - left, bottom - top)


@asynccontextmanager
async def window() -> AsyncIterator[Window]:
    """A browser of the crawler's own making with one tab; both end with the block."""
    settings = CrawlerSettings(_env_file=None)
    browser = await launch(settings)
    try:
        yield Window(browser, await browser.open_tab(), settings)
    finally:
        await browser.close()
