"""The one sentence that all depends on: what is called settled is what the screenshot shows."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image

from crawler.arrive import go, ready
from crawler.browsers import Tab, launch
from crawler.capture import RawCapture, capture
from crawler.dress import dress
from crawler.settings import CrawlerSettings
from domain.reading import Snapshot, parse
from domain.visit import Viewport
from tests.crawler.batch import QUICK, site
from tests.pages.server import SIX_UPDATES, Site, decode_squares

pytestmark = pytest.mark.browser
TEXTS = "() => [...document.querySelectorAll('[id]')].map(e => e.id + '=' + e.textContent).join('|')"
VIEWPORT = Viewport(width=1280, height=720)


async def nothing(_: Tab) -> None:
    """No settle: the page's own timers run, and that is all."""


async def _captures(driver: str, url: str, times: int) -> list[tuple[RawCapture, list[str]]]:
    """Captures of one page, and the texts of its elements read in the page's own world some time afterwards."""
    settings = CrawlerSettings(**{**QUICK, "driver": driver})
    browser = await launch(settings)
    taken: list[tuple[RawCapture, list[str]]] = []
    try:
        for _ in range(times):
            tab = await browser.open_tab()
            page = site("x", url)
            await dress(tab, browser, page, VIEWPORT, settings)
            await go(tab, url, settings)
            world, readiness, _ = await ready(tab, page, settings)
            [raw] = await capture(tab, world, readiness, nothing, settings)
            later = []
            for _ in range(3):
                answer = await tab.send(
                    "Runtime.callFunctionOn",
                    {
                        "functionDeclaration": TEXTS,
                        "executionContextId": world.context,
                        "returnByValue": True,
                    },
                )
                later.append(answer["result"]["value"])
            taken.append((raw, later))
            await tab.close()
    finally:
        await browser.close()
    return taken


def _texts(snapshot: Snapshot) -> dict[str, str]:
    return {e.element_id: e.text for e in snapshot.elements if e.element_id}


def test_text_equals_pixels(driver: str, pages: Site) -> None:
    """A clock that changes every 5 ms is drawn as text and as 32 black and white squares: each capture reads what it shows."""
    moved = []
    for raw, _ in asyncio.run(_captures(driver, f"{pages}/clock-squares", 4)):
        image = Image.open(io.BytesIO(raw.screenshot)).convert("L")
        shown = decode_squares(lambda x, y, image=image: image.getpixel((x, y)) < 128)  # type: ignore[misc,operator]
        before, after = parse(raw.before.report), parse(raw.after.report)
        texts = _texts(before)
        assert str(shown) in texts.values(), (shown, texts)
        # Settled: the reading after the pixels says the same.
        element = next(e for e in before.elements if e.text == str(shown))
        assert after.elements[after.by_key[element.key]].text == element.text
        served = parse(raw.served.report)
        moved.append(served.elements[served.by_key[element.key]].text != element.text)
    # And it moved while the structure waited, or the page proves nothing. A busy machine may give a page no turn for as long.
    assert any(moved)


def test_nothing_settled_moved(driver: str, pages: Site) -> None:
    """Timer, animation frame, fetch loop, server-sent events, message channel, worker: stopped when called settled."""
    for raw, later in asyncio.run(_captures(driver, f"{pages}/six-updates", 3)):
        before, after = parse(raw.before.report), parse(raw.after.report)
        texts = _texts(before)
        assert set(SIX_UPDATES) <= texts.keys()
        settled = {
            e.element_id for e in before.elements
            if e.element_id in SIX_UPDATES and after.elements[after.by_key[e.key]].text == e.text
        }  # fmt: skip
        assert settled, "a freeze that settles nothing makes no evidence"
        for reading in later:
            now = dict(part.split("=", 1) for part in reading.split("|"))
            assert {i: now[i] for i in settled} == {i: texts[i] for i in settled}


def test_every_moment_is_in_order(driver: str, pages: Site) -> None:
    """The record's times tell the story in order: S0, frozen, read, screenshot sent and received, read."""
    [(raw, _)] = asyncio.run(_captures(driver, f"{pages}/ticker", 1))
    t = raw.timeline
    moments = [t.served, t.frozen, t.before, t.screenshot_sent, t.screenshot_received, t.after]
    stamps = [m.monotonic_ns for m in moments if m is not None]
    assert len(stamps) == 6
    assert stamps == sorted(stamps)
    pages_own = [m.page_ms for m in (t.served, t.before, t.after) if m is not None and m.page_ms is not None]
    assert len(pages_own) == 3
    assert pages_own == sorted(pages_own)


def test_capture_is_read_only(driver: str, pages: Site) -> None:
    """A page that rewrites a label on every resize shows the same label before and after: nothing was resized or edited."""
    [(raw, _)] = asyncio.run(_captures(driver, f"{pages}/resize-writes", 1))
    served, before = _texts(parse(raw.served.report)), _texts(parse(raw.before.report))
    assert served == before
    assert any("resized 0" in text for text in before.values()), before
