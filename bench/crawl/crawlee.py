"""crawlee's PlaywrightCrawler doing the paper's steps: content, wait, screenshot, both written to disk.

At its best: results in memory, no retries, no made-up fingerprints (they would change the viewport), one shared
context, as crawlee does by default. `--concurrency N` fixes the number of pages at a time; 0 leaves it to crawlee's
autoscaling.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from bench.crawl.baseline import HEIGHT, WIDTH, Options, PageLine, end_descendants, options, parser, say_total

LOOK_SECONDS = 1.0
MOST_AT_ONCE = 20  # of autoscaling; crawlee's own default of 100 is meant for larger machines


def write(out: Path, number: int, source: str, picture: bytes) -> None:
    (out / f"{number}.html").write_text(source, encoding="utf-8", errors="replace")
    (out / f"{number}.png").write_bytes(picture)


def make_crawler(opts: Options) -> Any:
    # crawlee is not among the project's packages: found at run time, so that types are checked without it too.
    crawlee = importlib.import_module("crawlee")
    crawlers = importlib.import_module("crawlee.crawlers")
    storage = importlib.import_module("crawlee.storage_clients")
    if opts.concurrency:
        scale = crawlee.ConcurrencySettings(
            min_concurrency=opts.concurrency, desired_concurrency=opts.concurrency, max_concurrency=opts.concurrency
        )
    else:
        scale = crawlee.ConcurrencySettings(max_concurrency=MOST_AT_ONCE)
    return crawlers.PlaywrightCrawler(
        headless=True,
        browser_launch_options={"executable_path": opts.browser, "args": list(opts.flags), "chromium_sandbox": False},
        browser_new_context_options={"viewport": {"width": WIDTH, "height": HEIGHT}},
        fingerprint_generator=None,
        concurrency_settings=scale,
        navigation_timeout=timedelta(seconds=opts.page_limit_s),
        request_handler_timeout=timedelta(seconds=opts.page_limit_s),
        max_request_retries=0,
        max_session_rotations=0,
        use_session_pool=False,
        storage_client=storage.MemoryStorageClient(),
        configure_logging=False,
        abort_on_error=False,
    )


async def crawl(opts: Options) -> None:
    crawlee = importlib.import_module("crawlee")
    origin = time.monotonic()
    numbers = {str(number): url for number, url in enumerate(opts.urls)}
    lines: dict[str, PageLine] = {}
    crawler = make_crawler(opts)

    told: set[str] = set()
    last_word = time.monotonic()

    def tell(key: str) -> None:
        nonlocal last_word
        last_word = time.monotonic()
        told.add(key)
        lines[key].say()

    async def begin(context: Any) -> None:
        key = context.request.unique_key
        lines[key] = PageLine(numbers[key], origin)

    async def handle(context: Any) -> None:
        key = context.request.unique_key
        line = lines[key]
        line.steps["goto"] = round(time.monotonic() - line.started, 4)
        with line.step("content"):
            source = await context.page.content()
        await asyncio.sleep(opts.delay_s)
        with line.step("screenshot"):
            picture = await context.page.screenshot()
        with line.step("write"):
            await asyncio.to_thread(write, opts.out, int(key), source, picture)
        line.size, line.ok = len(source) + len(picture), True
        tell(key)

    async def failed(context: Any, error: Exception) -> None:
        key = context.request.unique_key
        line = lines.setdefault(key, PageLine(numbers[key], origin))
        line.failed(error)
        tell(key)

    crawler.pre_navigation_hook(begin)
    crawler.router.default_handler(handle)
    crawler.failed_request_handler(failed)
    requests = [crawlee.Request.from_url(url, unique_key=key) for key, url in numbers.items()]
    running = asyncio.ensure_future(crawler.run(requests))
    patience = 2 * opts.page_limit_s + opts.delay_s
    while not running.done() and time.monotonic() - last_word < patience:
        await asyncio.wait({running}, timeout=LOOK_SECONDS)
    for key, url in numbers.items():
        if key not in told:
            line = lines.setdefault(key, PageLine(url, origin))
            line.failed(TimeoutError("never came back"))
            line.say()
    say_total(list(lines.values()), origin)
    if not running.done():  # a page that does not close keeps crawlee from ending
        end_descendants()
        os._exit(0)
    running.result()


def main() -> None:
    opts = options(parser("crawlee", __doc__).parse_args())
    logging.disable(logging.WARNING)
    try:
        asyncio.run(crawl(opts))
    finally:
        end_descendants()


if __name__ == "__main__":
    main()
