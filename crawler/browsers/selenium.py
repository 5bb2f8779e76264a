"""selenium: a chromedriver of our own, or someone else's WebDriver server. A session, with a browser of its own, per tab."""

from __future__ import annotations

import asyncio
import time

from selenium.common.exceptions import SessionNotCreatedException, WebDriverException
from selenium.webdriver import ChromeOptions, Proxy, Remote
from selenium.webdriver.common.proxy import ProxyType
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from urllib3.exceptions import HTTPError

from crawler.browsers import BrowserGone, CommandFailed, DriverTimeout, Json, Register, chromedriver, program
from crawler.browsers.remote import Address
from crawler.browsers.scratch import Scratch
from crawler.browsers.selenium_tab import SeleniumTab, SessionThread, said
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable

UNWANTED = ["enable-automation", "disable-popup-blocking"]
START_S, STATUS_S = 30, 5
WAITS = 3
"""A full Grid is waited for as long as so many commands may take together."""
AGAIN_S = 1.0
# What a WebDriver server says that no waiting will change.
FINAL = ("no nodes support", "no matching capabilities", "invalid argument", "unrecognized", "this version of chromedriver")


class SeleniumBrowser:
    """A WebDriver server; each tab is a session of it with a browser and a profile of its own."""

    driver = "selenium"

    def __init__(
        self, settings: CrawlerSettings, scratch: Scratch, service: chromedriver.Chromedriver | None, address: Address | None
    ) -> None:
        self._settings, self._scratch, self._service, self._address = settings, scratch, service, address
        self.name = self.version = self.user_agent = ""
        self.ours = service is not None
        self.flags = program.flags(settings, here=self.ours)

    def _options(self, flags: tuple[str, ...]) -> ChromeOptions:
        options = ChromeOptions()
        # On another machine a path of this one says nothing; one that was set on purpose may be meant for there.
        path = program.find_browser(self._settings) if self.ours else self._settings.browser_path
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

    def _client(self, timeout_s: float) -> ClientConfig:
        if self._address is None:
            # No proxy of this machine stands between it and itself.
            url = self._service.url if self._service is not None else ""
            return ClientConfig(url, timeout=int(timeout_s), proxy=Proxy({"proxyType": ProxyType.DIRECT}))
        address = self._address
        return ClientConfig(address.url, timeout=int(timeout_s), username=address.user, password=address.password)

    async def open_tab(self, *, proxy: str | None = None) -> SeleniumTab:
        """Raises Unavailable where someone else's server gives no session."""
        flags = program.flags(self._settings, here=self.ours)
        if proxy:
            # Without the second, a browser passes by any proxy on its way to this machine. The unique flag stays the last.
            flags = (f"--proxy-server={proxy}", "--proxy-bypass-list=<-loopback>", *flags)
        limit, flag, thread = self._settings.command_timeout_ms, flags[-1], SessionThread()
        if self.ours:
            self._scratch.started(flag)
        patience_s = max(limit / 1000, START_S) if self.ours else WAITS * limit / 1000
        # The client gives up a little after our own limit, so that its thread comes free.
        config, options = self._client(patience_s + 5), self._options(flags)

        def start() -> tuple[Remote, Json]:
            session = self._session(config, options, patience_s)
            config.timeout = int(limit / 1000) + 5
            return session, session.execute_cdp_cmd("Browser.getVersion", {})

        try:
            session, product = await thread.call("opening a tab", int(patience_s * 1000), start)
        except BaseException as error:
            if self.ours:
                await asyncio.to_thread(program.end, flag)
                self._scratch.ended(flag)
            thread.leave()
            if not self.ours and isinstance(error, (CommandFailed, DriverTimeout)):
                raise Unavailable(
                    f"{self._address} gives no session: {error}. It may be full; or it has no Chrome, or one that does not "
                    "start there as it should (as root: CRAWLER_SANDBOX=off)."
                ) from error
            raise
        self.name, _, self.version = str(product["product"]).partition("/")
        self.user_agent, self.flags = str(product["userAgent"]), flags
        if not self.ours:
            return SeleniumTab(session, thread, None, limit)
        return SeleniumTab(session, thread, flag, limit, lambda: self._scratch.ended(flag))

    def _session(self, config: ClientConfig, options: ChromeOptions, patience_s: float) -> Remote:
        """A new session, asked for again while someone else's server has none to give. Blocks; raises as selenium does."""
        ends = time.monotonic() + patience_s
        while True:
            try:
                return Remote(command_executor=config.remote_server_addr, options=options, client_config=config)
            except SessionNotCreatedException as error:
                if self.ours or time.monotonic() + AGAIN_S > ends or any(word in said(error).lower() for word in FINAL):
                    raise
                time.sleep(AGAIN_S)
            except (TypeError, KeyError, ValueError) as error:
                raise WebDriverException(f"this is no answer of a WebDriver server ({type(error).__name__})") from error

    async def alive(self) -> bool:
        if self._service is not None:
            return self._service.running
        try:
            await self.answers()
        except Unavailable:
            return False
        return True

    async def answers(self) -> None:
        """Raises Unavailable where no WebDriver server answers."""
        try:
            async with asyncio.timeout(2 * STATUS_S):
                why = await asyncio.to_thread(self._status)
        except TimeoutError:
            why = "it does not answer"
        if why:
            raise Unavailable(
                f"No WebDriver server at CRAWLER_WEBDRIVER_URL, {self._address} ({why}). "
                "Give the address of a chromedriver or a Selenium Grid, or unset it to start a chromedriver here."
            )

    def _status(self) -> str:
        """Why this is no WebDriver server to use; nothing where it is one."""
        config = self._client(STATUS_S)
        config.init_args_for_pool_manager = {"init_args_for_pool_manager": {"retries": False}}
        connection = RemoteConnection(client_config=config)
        connection.add_command("status", "GET", "/status")  # type: ignore[no-untyped-call]
        try:
            told = connection.execute("status", {})  # type: ignore[no-untyped-call]
        except (HTTPError, OSError, WebDriverException, ValueError) as error:
            return f"nobody answers: {type(error).__name__}"
        value = told.get("value") if isinstance(told, dict) else None
        if isinstance(value, dict) and "ready" in value:
            return ""
        return "it wants another user and password" if value == "Authorization Required" else "what answers there is none"

    async def memory(self) -> int | None:
        service = self._service
        return await asyncio.to_thread(lambda: program.memory(service.family())) if service is not None else None

    async def close(self) -> None:
        await asyncio.to_thread(program.end, *self._scratch.flags)
        if self._service is not None:
            await self._service.stop()
        await asyncio.to_thread(self._scratch.clear)


async def launch(settings: CrawlerSettings, register: Register | None = None) -> SeleniumBrowser:
    """Starts chromedriver, or asks the server of CRAWLER_WEBDRIVER_URL, and shows that a browser starts.

    Raises Unavailable with a remedy where none does.
    """
    scratch = Scratch(register)
    browser: SeleniumBrowser | None = None
    try:
        if settings.webdriver_url is not None:
            browser = SeleniumBrowser(settings, scratch, None, Address.of(settings.webdriver_url))
            await browser.answers()
        else:
            browser = SeleniumBrowser(settings, scratch, await chromedriver.start(settings, scratch), None)
        await (await browser.open_tab()).close()
    except BaseException as error:
        await (browser or SeleniumBrowser(settings, scratch, None, None)).close()
        if not isinstance(error, (CommandFailed, BrowserGone, DriverTimeout)):
            raise
        remedy = program.remedy(settings, " of chromedriver's version")
        raise Unavailable(f"No browser starts ({error}). {remedy}") from error
    return browser
