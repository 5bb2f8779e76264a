"""A browser's life: it is replaced when used up, too big, hurt or gone; what hangs is killed; nothing is left of it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import psutil
import pytest

from crawler.browsers import Browser, BrowserGone, DriverTimeout, program
from crawler.pool import BrowserPool
from crawler.settings import CrawlerSettings
from tests.crawler.alive import alive, called, lives
from tests.crawler.batch import QUICK

pytestmark = pytest.mark.browser


def started_here() -> list[psutil.Process]:
    """Browsers and drivers below this process, whatever they are called."""
    names = ("chrom", "headless", "node")
    return [p for p in psutil.Process().children(recursive=True) if any(name in called(p) for name in names)]


def with_pool(story: Callable[[BrowserPool], Awaitable[None]], driver: str, **settings: Any) -> None:
    """Tells a story of a pool, closes it, and finds nothing left."""

    async def told() -> None:
        pool = BrowserPool(CrawlerSettings(**{**QUICK, "driver": driver, **settings}))
        try:
            await story(pool)
        finally:
            await pool.close()

    before = {p.pid for p in started_here()}
    asyncio.run(told())
    assert [p for p in started_here() if p.pid not in before and lives(p)] == []


async def works(browser: Browser) -> None:
    """The browser runs a page that answers."""
    tab = await browser.open_tab()
    assert (await tab.send("Runtime.evaluate", {"expression": "6 * 7"}))["result"]["value"] == 42
    await tab.close()


def stop(processes: list[psutil.Process]) -> None:
    """From now on they do not answer, and do not end when they are asked to."""
    for process in processes:
        os.kill(process.pid, signal.SIGSTOP)


def test_visits(driver: str) -> None:
    """After so many visits the next one finds another browser and another driver process, and the old ones have ended."""

    async def story(pool: BrowserPool) -> None:
        seen: list[set[int]] = []
        for _ in range(3):
            browser = await pool.take()
            await works(browser)
            seen.append({p.pid for p in started_here() if "node" in called(p) or called(p) == "chromedriver"} - before)
            await pool.give_back(browser, hurt=False)
            await pool.settled()
        first, second, third = seen
        assert len(first) == 1
        assert first == second
        # Looked at while the second browser was in use: the first one's driver was gone.
        await pool.settled()
        assert third - first
        assert not any(alive(pid) for pid in first)
        assert (pool.started, pool.ended) == (2, {"visits": 1})

    before = {p.pid for p in started_here()}
    with_pool(story, driver, browser_visits=2)


def test_memory(driver: str) -> None:
    """What browser and driver hold is what the kernel says of all their processes; more than allowed, and they are replaced."""

    async def story(pool: BrowserPool) -> None:
        browser = await pool.take()
        tab = await browser.open_tab()
        grow = "globalThis.kept = new Uint8Array(200_000_000).fill(7); kept.length"
        assert (await tab.send("Runtime.evaluate", {"expression": grow}))["result"]["value"] == 200_000_000
        # An independent sum: proportional sizes, as the kernel writes them.
        family = [p for p in started_here() if p.pid not in before]
        told = 0
        for process in family:
            with open(f"/proc/{process.pid}/smaps_rollup") as lines:  # noqa: PTH123, ASYNC230
                told += next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
        assert told > 250_000_000
        await pool.give_back(browser, hurt=False)
        assert pool.memory == pytest.approx(told, rel=0.25)
        assert pool.ended == {"memory": 1}
        await pool.settled()
        assert [p for p in family if lives(p)] == []

    before = {p.pid for p in started_here()}
    with_pool(story, driver, browser_memory_mb=250)


@pytest.mark.parametrize("driver", ["playwright", pytest.param("selenium", marks=pytest.mark.slow)], indirect=True)
def test_gone(driver: str) -> None:
    """A browser whose processes were ended from outside says so, and the next visit has another."""

    async def story(pool: BrowserPool) -> None:
        browser = await pool.take()
        tab = await browser.open_tab()
        ours = [p for p in started_here() if p.pid not in before]
        program.kill(ours)
        with pytest.raises(BrowserGone):
            await tab.send("Runtime.evaluate", {"expression": "1"})
        await pool.give_back(browser, hurt=True)
        await works(another := await pool.take())
        await pool.give_back(another, hurt=False)
        assert (pool.started, pool.ended) == (2, {"gone": 1})

    before = {p.pid for p in started_here()}
    with_pool(story, driver)


@pytest.mark.parametrize(
    ("what", "driver"),
    [
        ("browser", "playwright"),
        ("driver", "playwright"),
        ("browser", "selenium"),
        pytest.param("driver", "selenium", marks=pytest.mark.slow),
    ],
    indirect=["driver"],
)
def test_hangs(what: str, driver: str) -> None:
    """Browser or driver process stops answering, also to being closed: each call ends, a new browser is there at once."""

    async def story(pool: BrowserPool) -> None:
        browser = await pool.take()
        tab = await browser.open_tab()
        ours = [p for p in started_here() if p.pid not in before]
        drives = [p for p in ours if "node" in p.name() or p.name() == "chromedriver"]
        assert len(drives) == 1
        stop(drives if what == "driver" else [p for p in ours if p not in drives])
        with pytest.raises(DriverTimeout):
            await tab.send("Runtime.evaluate", {"expression": "1"}, limit_ms=200)
        with pytest.raises(DriverTimeout):
            await tab.close()
        await pool.give_back(browser, hurt=True)
        await works(another := await pool.take())
        await pool.give_back(another, hurt=False)
        assert pool.ended == {"hurt": 1}
        await pool.settled()
        assert [p for p in ours if lives(p)] == []

    before = {p.pid for p in started_here()}
    with_pool(story, driver, command_timeout_ms=2000)


def test_open_visits_go_on() -> None:
    """A browser that is to be replaced serves the visits that are open in it, and ends with the last of them."""

    async def story(pool: BrowserPool) -> None:
        first, same = await pool.take(), await pool.take()
        assert first is same
        await pool.renew()
        second = await pool.take()
        assert second is not first
        await pool.give_back(first, hurt=False)
        await pool.settled()
        await works(first)
        await pool.give_back(first, hurt=False)
        await pool.settled()
        assert not await first.alive()
        await works(second)
        await pool.give_back(second, hurt=False)

    with_pool(story, "playwright")
