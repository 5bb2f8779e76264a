"""selenium: DevTools commands through chromedriver. A WebDriver session, with a browser of its own, per tab."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from selenium.common.exceptions import UnexpectedAlertPresentException, WebDriverException
from selenium.webdriver import ChromeOptions, Remote
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.client_config import ClientConfig
from urllib3.exceptions import HTTPError

from crawler.browsers import BrowserGone, CommandFailed, DriverTimeout, FrameTab, Json, program, sockets
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable

GONE = (
    "disconnected",
    "no such window",
    "not reachable",
    "crash",
    "invalid session",
    "chrome not",
    "target frame detached",
)
DIALOGS = 20
"""Dialogs in a row that one command outlasts."""
UNWANTED = ["enable-automation", "disable-popup-blocking"]


def _said(error: WebDriverException) -> str:
    lines = (error.msg or "").splitlines()
    return lines[0] if lines else type(error).__name__


class _Thread:
    """One thread for one session: WebDriver calls block, and a session takes one at a time."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="selenium")

    async def call(self, what: str, limit_ms: int, command: Callable[[], Json]) -> Json:
        """Runs a blocking call within the limit, in the errors of this package."""
        try:
            async with asyncio.timeout(limit_ms / 1000):
                return await asyncio.get_running_loop().run_in_executor(self._pool, command)
        except TimeoutError as error:
            raise DriverTimeout(what, limit_ms) from error
        except WebDriverException as error:
            if any(word in _said(error).lower() for word in GONE):
                raise BrowserGone(_said(error)) from error
            raise CommandFailed(_said(error)) from error
        except (HTTPError, OSError) as error:
            raise BrowserGone(f"chromedriver does not answer: {type(error).__name__}") from error

    def leave(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class SeleniumTab:
    """The one window of a session."""

    def __init__(self, session: Remote, thread: _Thread, flag: str, limit_ms: int) -> None:
        self._session, self._thread, self._flag, self._limit_ms = session, thread, flag, limit_ms
        self._dialogs: list[tuple[str, Json]] = []
        self._frames: dict[str, sockets.SocketFrame] = {}

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:
        def command() -> Json:
            for _ in range(DIALOGS):
                try:
                    answer = self._session.execute_cdp_cmd(method, dict(params or {}))
                except UnexpectedAlertPresentException:
                    answer = None
                if answer is not None:
                    return dict(answer)
                # A dialog was open: chromedriver has closed it by now (unhandledPromptBehavior), and not run the command.
                self._dialogs.append(("Page.javascriptDialogOpening", {}))
            raise CommandFailed(f"{method}: the page opens one dialog after another")

        return await self._thread.call(method, limit_ms or self._limit_ms, command)

    async def frames(self) -> list[FrameTab]:
        # chromedriver passes commands to the page alone; the browser's own port passes them to any target.
        address = self._session.capabilities["goog:chromeOptions"]["debuggerAddress"]
        self._frames = await asyncio.to_thread(sockets.frames_at, address, self._frames, self._limit_ms)
        return list(self._frames.values())

    async def events(self) -> list[tuple[str, Json]]:
        def read() -> Json:
            return {"log": self._session.execute("getLog", {"type": "performance"})["value"]}

        events, self._dialogs = self._dialogs, []
        for entry in (await self._thread.call("the event log", self._limit_ms, read))["log"]:
            message = json.loads(entry["message"])["message"]
            name, params = message["method"], message.get("params", {})
            if not name.startswith("Network.") or params.get("type") == "Document":
                events.append((name, params))
        return events

    async def close(self) -> None:
        def leave() -> Json:
            self._session.quit()
            return {}

        try:
            for frame in self._frames.values():
                frame.close()
            await self._thread.call("closing the tab", self._limit_ms, leave)
        finally:
            await asyncio.to_thread(program.end, self._flag)
            self._thread.leave()


class SeleniumBrowser:
    """A chromedriver; each tab is a session of it with a browser and a profile of its own."""

    driver = "selenium"

    def __init__(self, service: Service, settings: CrawlerSettings) -> None:
        self._service, self._settings = service, settings
        self.name = self.version = self.user_agent = ""
        self.flags = program.flags(settings)

    def _options(self, flags: tuple[str, ...]) -> ChromeOptions:
        options = ChromeOptions()
        path = program.find_browser(self._settings)
        if path:
            options.binary_location = path
        for flag in flags:
            options.add_argument(flag)
        options.unhandled_prompt_behavior = "dismiss"
        options.page_load_strategy = "none"
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": True})
        options.add_experimental_option("excludeSwitches", UNWANTED)
        return options

    async def open_tab(self, *, proxy: str | None = None) -> SeleniumTab:
        thread, flags = _Thread(), program.flags(self._settings)
        if proxy:
            # Without the second, a browser passes by any proxy on its way to this machine. The unique flag stays the last.
            flags = (f"--proxy-server={proxy}", "--proxy-bypass-list=<-loopback>", *flags)
        limit = self._settings.command_timeout_ms

        def start() -> Json:
            # The client gives up a little after our own limit, so that its thread comes free.
            config = ClientConfig(remote_server_addr=self._service.service_url, timeout=int(limit / 1000) + 5)
            session = Remote(command_executor=self._service.service_url, options=self._options(flags), client_config=config)
            return {"session": session, "product": session.execute_cdp_cmd("Browser.getVersion", {})}

        try:
            started = await thread.call("opening a tab", max(limit, 30_000), start)
        except BaseException:
            await asyncio.to_thread(program.end, flags[-1])
            thread.leave()
            raise
        self.name, _, self.version = str(started["product"]["product"]).partition("/")
        self.user_agent, self.flags = str(started["product"]["userAgent"]), flags
        return SeleniumTab(started["session"], thread, flags[-1], limit)

    async def alive(self) -> bool:
        return self._service.process is not None and self._service.process.poll() is None

    async def close(self) -> None:
        process = self._service.process
        with contextlib.suppress(TimeoutError, OSError, HTTPError, WebDriverException):
            async with asyncio.timeout(10):
                await asyncio.to_thread(self._service.stop)
        if process is not None and process.poll() is None:
            process.kill()
            await asyncio.to_thread(process.wait)


async def launch(settings: CrawlerSettings) -> SeleniumBrowser:
    """Starts chromedriver and shows that a browser starts. Raises Unavailable with a remedy where none does."""
    path = settings.chromedriver_path or shutil.which("chromedriver")
    if path is None:
        raise Unavailable("No chromedriver on PATH. Install it (Debian: chromium-driver) or set CRAWLER_CHROMEDRIVER_PATH.")
    service = Service(path)
    try:
        await asyncio.to_thread(service.start)
    except WebDriverException as error:
        raise Unavailable(f"chromedriver does not start ({_said(error)}). Check CRAWLER_CHROMEDRIVER_PATH.") from error
    browser = SeleniumBrowser(service, settings)
    try:
        await (await browser.open_tab()).close()
    except (CommandFailed, BrowserGone, DriverTimeout) as error:
        await browser.close()
        raise Unavailable(
            f"No browser starts ({error}). "
            "Run: make setup, or set CRAWLER_BROWSER_PATH to a Chrome or Chromium of chromedriver's version."
        ) from error
    return browser
