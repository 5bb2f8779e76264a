"""Pages in the Chromium that the crawler would use, with all that they ask for and complain of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Request, Response, sync_playwright

from crawler.browsers.program import find_browser
from crawler.settings import CrawlerSettings


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for a whole file of tests."""
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find_browser(CrawlerSettings()), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


class Opened:
    """A tab at an address of the server. options: of the browser's context (viewport, color_scheme, java_script_enabled)."""

    def __init__(self, browser: Browser, server: str, path: str, **options: Any) -> None:
        self.server = server
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._request)
        self.page.on("response", self._response)
        self.page.goto(server + path)

    def _request(self, request: Request) -> None:
        self.asked.append(request.url)

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status} {response.url}")

    def follow(self, link: Locator) -> None:
        """Clicks, and waits for the page that this leads to: a click alone may be over while the old one still stands."""
        with self.page.expect_navigation():
            link.click()

    @property
    def path(self) -> str:
        """Where the tab is, without the server."""
        return self.page.url.removeprefix(self.server)

    @property
    def outside(self) -> list[str]:
        """What was asked of anyone but the server."""
        return [address for address in self.asked if not address.startswith(self.server + "/")]

    def texts(self, selector: str) -> list[str]:
        """The texts of all that match, blanks put together."""
        return [" ".join(text.split()) for text in self.page.locator(selector).all_inner_texts()]

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()
