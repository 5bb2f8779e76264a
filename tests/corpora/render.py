"""Renders the pages of the made corpora: HTML in, picture and the boxes of all elements with an id out. One browser for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import sync_playwright

from crawler.browsers.program import FLAGS, find_browser
from crawler.settings import CrawlerSettings

BOXES = """() => Object.fromEntries([...document.querySelectorAll('[id]')].map(e => {
  const b = e.getBoundingClientRect(); return [e.id, [b.x + scrollX, b.y + scrollY, b.width, b.height]]; }))"""


@dataclass(frozen=True, slots=True)
class Page:
    """One page to render. width, height: CSS px of the viewport. whole: all of it is photographed."""

    name: str
    html: str
    width: int
    height: int
    scale: float = 1
    whole: bool = False
    picture: Literal["png", "jpeg"] = "png"


@dataclass(frozen=True, slots=True)
class Rendered:
    """picture: the encoded file. boxes: id -> x, y, width, height in CSS px from the document's top left."""

    name: str
    picture: bytes
    boxes: dict[str, tuple[float, float, float, float]]


def render(pages: Iterable[Page]) -> Iterator[Rendered]:
    """Each page as Chromium draws it, in the order given."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(CrawlerSettings()), args=list(FLAGS))
        try:
            tabs = {}
            for page in pages:
                key = (page.width, page.height, page.scale)
                if key not in tabs:
                    size = {"width": page.width, "height": page.height}
                    tabs[key] = browser.new_context(viewport=size, device_scale_factor=page.scale).new_page()
                tab = tabs[key]
                tab.set_content(page.html)
                boxes = {name: tuple(box) for name, box in tab.evaluate(BOXES).items()}
                quality = {"quality": 90} if page.picture == "jpeg" else {}
                yield Rendered(page.name, tab.screenshot(type=page.picture, full_page=page.whole, **quality), boxes)
        finally:
            browser.close()
