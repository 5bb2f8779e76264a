"""The self-check: a page of our own, through the very browser that makes the visits, must be read and photographed rightly.

The page has another word and another colour each time: an old answer or an old picture is no answer. It is a data: URL, so it
needs no network and no guard, and says of these nothing; the breaker does.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import secrets
from typing import Protocol
from urllib.parse import quote

import structlog

from channels.pixels import open_png
from crawler.browsers import Browser, CommandFailed, Tab
from crawler.health import AGAIN_S, Health
from crawler.waiting import Stop
from domain.errors import ParallaxError

log = structlog.get_logger()
LIMIT_S = 60.0
"""For one browser, its start included."""
BEAT_S = 10.0
SIZE = {"width": 480, "height": 320, "deviceScaleFactor": 1, "mobile": False}
PICTURE = {"format": "png", "fromSurface": True, "captureBeyondViewport": False}
NEAR = 4
"""Levels of 256 by which a colour may differ: colour profiles round."""
TRIES, PAUSE_S = 5, 0.5
"""A page that has only just come has no surface yet to take a picture of, on a busy machine; the command fails then."""
_READ = (
    "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))"
    ".then(() => document.body.innerText)"
)


class Lender(Protocol):
    """Where browsers come from: crawler.pool.BrowserPool."""

    async def take(self) -> Browser: ...

    async def give_back(self, browser: Browser, *, hurt: bool) -> None: ...


async def mind(health: Health, pool: Lender, stop: Stop) -> None:
    """Until stop is set: lets the health know that the loop turns, and checks whenever it wants a check."""
    while not stop.is_set():
        await asyncio.to_thread(health.beat)  # it may ask the database
        if health.wants_check():
            why, browser = await self_check(pool)
            if why is not None:
                log.error("selfcheck.failed", why=why, again_s=AGAIN_S)
            health.checked(why, browser)
        await stop.rest(BEAT_S)


async def self_check(pool: Lender) -> tuple[str | None, str | None]:
    """(why it failed or None, the browser). A browser that fails is given back as hurt; a fresh one has a second chance."""
    why, browser = await _once(pool)
    return (why, browser) if why is None else await _once(pool)


async def _once(pool: Lender) -> tuple[str | None, str | None]:
    browser: Browser | None = None
    why: str | None = "it was interrupted"
    try:
        async with asyncio.timeout(LIMIT_S):
            browser = await pool.take()
            why = await look(browser)
    except TimeoutError:
        why = f"no answer within {LIMIT_S:.0f} s"
    except Exception as error:  # noqa: BLE001 - whatever a browser does, it is the answer
        why = str(error) if isinstance(error, ParallaxError) else f"{type(error).__name__}: {error}"
    finally:
        if browser is not None:
            await pool.give_back(browser, hurt=why is not None)
    return why, f"{browser.name} {browser.version}" if browser is not None else None


async def look(browser: Browser) -> str | None:
    """Why the browser is not right, in a sentence; None where it is. Raises what the driver raises."""
    if browser.driver == "recorded":
        return None  # it replays what was stored, and loads nothing
    word, colour = secrets.token_hex(8), tuple(secrets.token_bytes(3))
    page = (
        f"<!doctype html><meta charset=utf-8><title>Self-check</title><body style='margin:0;background:rgb{colour}'>"
        f"<p style='width:20em;background:#fff;color:#000'>{word}"
    )
    tab = await browser.open_tab()
    try:
        # As visits do: a window without a size of its own has no picture.
        await tab.send("Emulation.setDeviceMetricsOverride", SIZE)
        await tab.send("Page.navigate", {"url": "data:text/html," + quote(page)})
        answer = await tab.send("Runtime.evaluate", {"expression": _READ, "awaitPromise": True, "returnByValue": True})
        read = str(answer.get("result", {}).get("value", "")).strip()
        if read != word:
            return f"the page says {word}, and {read[:40]!r} was read"
        picture = open_png(await _picture(tab))
        seen = picture.getpixel((picture.width - 5, picture.height - 5))
        if not isinstance(seen, tuple) or max(abs(a - b) for a, b in zip(seen, colour, strict=True)) > NEAR:
            return f"the page is of the colour {colour}, and the picture shows {seen}"
    finally:
        with contextlib.suppress(ParallaxError):
            await tab.close()
    return None


async def _picture(tab: Tab) -> bytes:
    for _ in range(TRIES - 1):
        with contextlib.suppress(CommandFailed):
            return base64.b64decode((await tab.send("Page.captureScreenshot", PICTURE))["data"])
        await asyncio.sleep(PAUSE_S)
    return base64.b64decode((await tab.send("Page.captureScreenshot", PICTURE))["data"])
