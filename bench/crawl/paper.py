"""The paper's way: one Selenium browser, and for each page, one after another: get, page source, sleep, screenshot."""

from __future__ import annotations

import contextlib
import shutil
import threading
import time

import psutil
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.remote_connection import RemoteConnection

from bench.crawl.baseline import HEIGHT, WIDTH, Options, PageLine, end_descendants, options, parser, say_total


class Browser:
    """One Chromium and its driver; when a page takes too long, both are ended and begun anew for the next."""

    def __init__(self, opts: Options) -> None:
        self.opts = opts
        self.driver: webdriver.Chrome | None = None
        self.service: Service | None = None

    def get(self) -> webdriver.Chrome:
        if self.driver is None:
            self.driver = self.start()
        return self.driver

    def start(self) -> webdriver.Chrome:
        chrome = webdriver.ChromeOptions()
        if self.opts.browser:
            chrome.binary_location = self.opts.browser
        for flag in ("--headless=new", f"--window-size={WIDTH},{HEIGHT}", *self.opts.flags):
            chrome.add_argument(flag)
        self.service = Service(executable_path=shutil.which("chromedriver"))
        driver = webdriver.Chrome(options=chrome, service=self.service)
        if isinstance(driver.command_executor, RemoteConnection):  # it may be an address too, by its type
            driver.command_executor.client_config.timeout = self.opts.page_limit_s
        driver.set_page_load_timeout(self.opts.page_limit_s)
        # --window-size counts the window's frame too; this makes the picture as large as everybody else's.
        metrics = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        return driver

    def end(self, *, kindly: bool) -> None:
        process = getattr(self.service, "process", None)
        below = []
        if process is not None:
            with contextlib.suppress(psutil.Error):
                below = psutil.Process(process.pid).children(recursive=True)
        if kindly and self.driver is not None:
            with contextlib.suppress(Exception):
                self.driver.quit()
        if process is not None:
            with contextlib.suppress(OSError):
                process.kill()
        for child in below:
            with contextlib.suppress(psutil.Error):
                child.kill()
        self.driver = self.service = None


def visit(browser: Browser, number: int, line: PageLine) -> None:
    opts = browser.opts
    with line.step("open"):
        driver = browser.get()
    with line.step("goto"):
        driver.get(line.url)
    with line.step("content"):
        source = driver.page_source
    time.sleep(opts.delay_s)
    with line.step("screenshot"):
        picture = driver.get_screenshot_as_png()
    with line.step("write"):
        (opts.out / f"{number}.html").write_text(source, encoding="utf-8", errors="replace")
        (opts.out / f"{number}.png").write_bytes(picture)
    line.size, line.ok = len(source) + len(picture), True


def main() -> None:
    opts = options(parser("paper", __doc__).parse_args())
    origin, lines = time.monotonic(), []
    browser = Browser(opts)
    try:
        for number, url in enumerate(opts.urls):
            line = PageLine(url, origin)
            # Selenium's own time limits are tried again and again; ending the browser makes any command come back.
            guard = threading.Timer(opts.page_limit_s + opts.delay_s, browser.end, kwargs={"kindly": False})
            guard.start()
            try:
                visit(browser, number, line)
            except Exception as error:  # noqa: BLE001 - whatever a page does, the run goes on
                line.failed(error)
                browser.end(kindly=False)
            finally:
                guard.cancel()
            line.say()
            lines.append(line)
    finally:
        browser.end(kindly=True)
        end_descendants()
    say_total(lines, origin)


if __name__ == "__main__":
    main()
