"""playwright: a Chromium of our own, or someone else's over its debugging address. Many tabs share one browser."""

from __future__ import annotations

import asyncio
import contextlib
import time

from playwright.async_api import Browser as PlaywrightBrowserApi
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import ProxySettings

from crawler.browsers import BrowserGone, DriverTimeout, Json, Register, node, program
from crawler.browsers.playwright_tab import PlaywrightTab
from crawler.browsers.remote import Address
from crawler.browsers.scratch import Scratch
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable

# Playwright's own flags that change what a page may do or that only its test runner needs.
UNWANTED = ["--disable-popup-blocking", "--enable-automation", "--disable-field-trial-config", "--export-tagged-pdf"]
LAUNCH_S, CONNECT_S, ASK_S, CLOSE_S = 60, 20, 10, 5


class PlaywrightBrowser:
    """A Chromium that Playwright has started or is connected to."""

    driver = "playwright"

    def __init__(
        self,
        running: node.Node,
        scratch: Scratch,
        browser: PlaywrightBrowserApi,
        *,
        product: Json,
        flags: tuple[str, ...],
        limit_ms: int,
    ) -> None:
        self._node, self._scratch, self._browser, self._limit_ms = running, scratch, browser, limit_ms
        self.flags, self.ours = flags, bool(scratch.flags)
        self.name, _, self.version = str(product["product"]).partition("/")
        self.user_agent = str(product["userAgent"])

    async def open_tab(self, *, proxy: str | None = None) -> PlaywrightTab:
        limit = self._limit_ms / 1000
        # Without this, a browser passes by any proxy on its way to this machine.
        through: ProxySettings | None = {"server": proxy, "bypass": "<-loopback>"} if proxy else None
        try:
            async with asyncio.timeout(limit):
                context = await self._browser.new_context(no_viewport=True, accept_downloads=False, proxy=through)
                page = await context.new_page()
                session = await context.new_cdp_session(page)
        except TimeoutError as error:
            raise DriverTimeout("opening a tab", self._limit_ms) from error
        except PlaywrightError as error:
            raise BrowserGone(error.message.splitlines()[0]) from error
        return PlaywrightTab(context, page, session, self._limit_ms)

    async def alive(self) -> bool:
        return self._node.running and self._browser.is_connected()

    async def memory(self) -> int | None:
        return await asyncio.to_thread(self._weigh) if self.ours else None

    def _weigh(self) -> int:
        driver = [self._node.process] if self._node.process is not None else []
        return program.memory([*program.processes(*self._scratch.flags), *driver])

    async def close(self) -> None:
        # Nothing in a browser of ours is worth a farewell. Of a connection this ends our contexts, and not the browser.
        if not self.ours and self._node.running:
            with contextlib.suppress(TimeoutError, PlaywrightError):
                await asyncio.wait_for(self._browser.close(), CLOSE_S)
        await _leave(self._scratch, self._node)


async def _leave(scratch: Scratch, running: node.Node | None) -> None:
    """Ends by force what is left of a browser of ours and of its driver."""
    await asyncio.to_thread(program.end, *scratch.flags)
    if running is not None:
        await running.stop()
    await asyncio.to_thread(scratch.clear)


async def launch(settings: CrawlerSettings, register: Register | None = None) -> PlaywrightBrowser:
    """Starts a browser, or connects to that of CRAWLER_CDP_URL. Raises Unavailable with a remedy where none is to be had."""
    scratch, running = Scratch(register), None
    try:
        running = await node.start(scratch)
        if settings.cdp_url is not None:
            return await _connect(running, scratch, settings)
        return await _start(running, scratch, settings)
    except BaseException:
        await _leave(scratch, running)
        raise


async def _start(running: node.Node, scratch: Scratch, settings: CrawlerSettings) -> PlaywrightBrowser:
    flags, path = program.flags(settings), program.find_browser(settings)
    scratch.started(flags[-1])
    try:
        async with asyncio.timeout(LAUNCH_S + ASK_S):
            browser = await running.playwright.chromium.launch(
                executable_path=path,
                args=list(flags),
                chromium_sandbox="--no-sandbox" not in flags,
                ignore_default_args=UNWANTED,
                handle_sigint=False,
                timeout=LAUNCH_S * 1000,
            )
            session = await browser.new_browser_cdp_session()
            product = await session.send("Browser.getVersion")
            await session.detach()
    except (PlaywrightError, TimeoutError) as error:
        raise Unavailable(f"No browser starts ({_said(error, LAUNCH_S)}). {program.remedy(settings)}") from error
    return PlaywrightBrowser(running, scratch, browser, product=product, flags=flags, limit_ms=settings.command_timeout_ms)


async def _connect(running: node.Node, scratch: Scratch, settings: CrawlerSettings) -> PlaywrightBrowser:
    address, began = Address.of(settings.cdp_url), time.monotonic()
    try:
        async with asyncio.timeout(CONNECT_S + ASK_S):
            browser = await running.playwright.chromium.connect_over_cdp(
                address.url, headers=address.headers, no_defaults=True, timeout=CONNECT_S * 1000
            )
            session = await browser.new_browser_cdp_session()
            product = await session.send("Browser.getVersion")
            flags = ()
            # A browser tells its flags only to those who started it for automation.
            with contextlib.suppress(PlaywrightError):
                flags = tuple((await session.send("Browser.getBrowserCommandLine"))["arguments"])
            await session.detach()
    except (PlaywrightError, TimeoutError) as error:
        said = address.clean(_said(error, round(time.monotonic() - began)))
        raise Unavailable(
            f"No browser answers at CRAWLER_CDP_URL, {address} ({said}). Start one there with --remote-debugging-port=..., "
            "or unset it to start one here."
        ) from None
    return PlaywrightBrowser(running, scratch, browser, product=product, flags=flags, limit_ms=settings.command_timeout_ms)


def _said(error: Exception, limit_s: int) -> str:
    if isinstance(error, PlaywrightError):
        return error.message.splitlines()[0]
    return f"no answer within {limit_s} s"
