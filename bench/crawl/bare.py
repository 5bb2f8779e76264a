"""The bare limit: plain Playwright, N pages at a time: goto, wait, screenshot. Nothing is read, nothing kept.

The options beyond the common ones are for finding out what makes a crawl quick; the comparison uses none of them.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, async_playwright

from bench.crawl.baseline import (
    END_SECONDS,
    HEIGHT,
    WIDTH,
    Options,
    PageLine,
    end_descendants,
    options,
    parser,
    say_total,
)

VIEWPORT = ViewportSize(width=WIDTH, height=HEIGHT)
Wait = Literal["load", "domcontentloaded", "commit"]


@dataclass(frozen=True, slots=True)
class Tricks:
    png: Literal["playwright", "devtools", "fast"]  # page.screenshot(), captureScreenshot, the same for speed
    wait: Wait
    contexts: Literal["own", "shared", "pool"]  # one a page, one for all, one a worker with its page kept
    browsers: int


@contextlib.asynccontextmanager
async def opened(browser: Browser, shared: BrowserContext | None, line: PageLine) -> AsyncIterator[Page]:
    with line.step("open"):
        context = shared or await browser.new_context(viewport=VIEWPORT)
        page = await context.new_page()
    try:
        yield page
    finally:
        with line.step("close"), contextlib.suppress(Exception):
            async with asyncio.timeout(END_SECONDS):
                await (page.close() if shared else context.close())


async def picture(page: Page, png: str) -> bytes:
    if png == "playwright":
        return await page.screenshot()
    session = await page.context.new_cdp_session(page)
    made = await session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": png == "fast"})
    return base64.b64decode(made["data"])


async def steps(page: Page, line: PageLine, opts: Options, tricks: Tricks) -> None:
    with line.step("goto"):
        await page.goto(line.url, wait_until=tricks.wait)
    await asyncio.sleep(opts.delay_s)
    with line.step("screenshot"):
        line.size = len(await picture(page, tricks.png))


async def worker(
    browser: Browser, shared: BrowserContext | None, waiting: list[PageLine], opts: Options, tricks: Tricks
) -> None:
    kept: Page | None = None
    while waiting:
        line = waiting.pop(0)
        line.started = time.monotonic()
        try:
            async with asyncio.timeout(opts.page_limit_s):
                if tricks.contexts == "pool":
                    kept = kept or await browser.new_page(viewport=VIEWPORT)
                    await steps(kept, line, opts, tricks)
                else:
                    async with opened(browser, shared, line) as page:
                        await steps(page, line, opts, tricks)
            line.ok = True
        except Exception as error:  # noqa: BLE001 - whatever a page does, the run goes on
            line.failed(error)
            kept = None
        line.say()


async def crawl(opts: Options, tricks: Tricks) -> None:
    origin = time.monotonic()
    lines = [PageLine(url, origin) for url in opts.urls]
    waiting = list(lines)
    async with async_playwright() as playwright:
        browsers = [
            await playwright.chromium.launch(executable_path=opts.browser, args=list(opts.flags))
            for _ in range(tricks.browsers)
        ]
        one = tricks.contexts == "shared"
        shared = [await browser.new_context(viewport=VIEWPORT) if one else None for browser in browsers]
        async with asyncio.TaskGroup() as group:
            for number in range(opts.concurrency):
                which = number % len(browsers)
                group.create_task(worker(browsers[which], shared[which], waiting, opts, tricks))
        for browser in browsers:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(END_SECONDS):
                    await browser.close()
    say_total(lines, origin)


def tricks_of(args: argparse.Namespace) -> Tricks:
    return Tricks(png=args.png, wait=args.wait, contexts=args.contexts, browsers=args.browsers)


def main() -> None:
    asked = parser("bare", __doc__)
    asked.add_argument("--png", choices=("playwright", "devtools", "fast"), default="playwright")
    asked.add_argument("--wait", choices=("load", "domcontentloaded", "commit"), default="load")
    asked.add_argument("--contexts", choices=("own", "shared", "pool"), default="own")
    asked.add_argument("--browsers", type=int, default=1)
    args = asked.parse_args()
    try:
        asyncio.run(crawl(options(args), tricks_of(args)))
    finally:
        end_descendants()


if __name__ == "__main__":
    main()
