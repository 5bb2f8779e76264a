"""Other people's browsers: the same verdicts over CDP and remote WebDriver, nothing of theirs ended, faults in plain words."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import tempfile
import threading
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from crawler.browsers import BrowserGone, launch, program
from crawler.knobs import settings_of
from crawler.pool import BrowserPool
from crawler.settings import CrawlerSettings
from domain.errors import BadInput, Unavailable
from tests.crawler.batch import QUICK, visit_all
from tests.pages.server import Site

pytestmark = pytest.mark.browser
APART = "--site-per-process"
IN_BETWEEN = threading.Event()
NAMES = {"playwright": "cdp_url", "selenium": "webdriver_url"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Theirs:
    """Someone else's browser (CDP) or WebDriver server on a port of this machine, started and ended by the test."""

    def __init__(self, driver: str) -> None:
        self.driver, self.port, self.flag = driver, free_port(), program.instance_flag()
        self.url = f"http://127.0.0.1:{self.port}"
        self.profile = tempfile.mkdtemp(prefix="plx-test-")
        self.start()

    def start(self) -> None:
        if self.driver == "selenium":
            self.process = subprocess.Popen(
                [str(shutil.which("chromedriver")), f"--port={self.port}", self.flag], stdout=subprocess.DEVNULL
            )
        else:
            path = program.find_browser(CrawlerSettings(_env_file=None))
            assert path is not None
            flags = [
                "--headless",
                "--no-sandbox",
                APART,
                f"--remote-debugging-port={self.port}",
                f"--user-data-dir={self.profile}",
            ]
            self.process = subprocess.Popen([path, *flags, self.flag, "about:blank"], stderr=subprocess.DEVNULL)
        asked = self.url + ("/status" if self.driver == "selenium" else "/json/version")
        for _ in range(600):
            try:
                with urllib.request.urlopen(asked, timeout=30):  # noqa: S310 - loopback
                    return
            except OSError:
                IN_BETWEEN.wait(0.05)
        raise AssertionError(f"no {self.driver} at {asked}")

    def end(self) -> None:
        program.end(self.flag)
        self.process.kill()
        self.process.wait()

    @property
    def settings(self) -> dict[str, Any]:
        # Who runs it as root, as these tests may do, has to say so: nobody can see that from here.
        return {NAMES[self.driver]: self.url, "sandbox": "off"}


@pytest.fixture(scope="module")
def theirs(driver: str) -> Iterator[Theirs]:
    """One for this driver, for all tests that leave it running."""
    started = Theirs(driver)
    try:
        yield started
    finally:
        started.end()
        shutil.rmtree(started.profile, ignore_errors=True)


def settings(**more: Any) -> CrawlerSettings:
    return CrawlerSettings(**{**QUICK, **more})


def told(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server with this handler."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_same_verdicts(driver: str, theirs: Theirs, pages: Site) -> None:
    """A visit in someone else's browser finds what one in our own finds, and their browser and its page are there afterwards.

    Frames of other processes are out of reach for a remote WebDriver: that is recorded, of each.
    """
    urls = {"roles": f"{pages}/cases/aria/roles.html", "text": f"{pages}/cases/stale/text.html"}
    here = visit_all(urls, driver, archive_mhtml=False)
    more = {**theirs.settings, "archive_mhtml": False, **({"browser_flags": APART} if driver == "selenium" else {})}
    there = visit_all({**urls, "frames": f"{pages}/html/frames.html"}, driver, **more)
    for name in urls:
        seen = [
            [(f.kind, f.verdict, f.element_id, f.reason) for e in done[name].evidence for f in e.findings]
            for done in (here, there)
        ]
        assert here[name].visit.outcome == there[name].visit.outcome == "captured"
        assert len(seen[0]) > 3
        assert seen[0] == seen[1]
    visit = there["frames"].visit
    apart = [f for f in visit.captures[0].frames if f.url.startswith("http://localhost") and f.reason != "not on the screen"]
    assert len(apart) > 3
    if driver == "playwright":
        assert all(f.read and f.process == "other" for f in apart)
        assert visit.browser is not None
        assert visit.browser.flags == ()  # It does not tell.
        with urllib.request.urlopen(f"{theirs.url}/json/list", timeout=30) as answer:  # noqa: S310 - loopback
            assert [t["url"] for t in json.load(answer) if t["type"] == "page"] == ["about:blank"]
    else:
        assert all(not f.read and "out of reach" in f.reason for f in apart)
        assert "frame-unreadable" in visit.incidents
    assert theirs.process.poll() is None


def test_proxy(theirs: Theirs) -> None:
    """A tab's connections go through its own proxy there too, those to the browser's own machine included."""
    asked: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>through</title>")

    async def story(proxy: str) -> None:
        browser = await launch(settings(**theirs.settings))
        tab = await browser.open_tab(proxy=f"http://{proxy}")
        await tab.send("Page.enable")
        for url in ("http://127.0.0.1:9999/a", "http://nowhere.test/b"):
            await tab.send("Page.navigate", {"url": url})
        await tab.close()
        await browser.close()

    with serving(Proxy) as proxy:
        told(lambda: story(proxy))
    assert {"http://127.0.0.1:9999/a", "http://nowhere.test/b"} <= set(asked)


def test_lost_and_found(driver: str) -> None:
    """A connection lost in mid-visit is a browser that is gone. Nobody there: that is said. Later visits connect anew."""
    theirs = Theirs(driver)

    async def story() -> None:
        pool = BrowserPool(settings(**theirs.settings))
        browser = await pool.take()
        tab = await browser.open_tab()
        # What is not ours is neither weighed nor killed.
        assert not browser.ours
        assert await browser.memory() is None
        theirs.end()
        with pytest.raises(BrowserGone):
            await tab.send("Runtime.evaluate", {"expression": "1"})
        await pool.give_back(browser, hurt=True)
        assert pool.ended == {"gone": 1}
        with pytest.raises(Unavailable, match=f"CRAWLER_{NAMES[driver].upper()}, http://127.0.0.1:{theirs.port}"):
            await pool.take()
        theirs.start()
        browser = await pool.take()
        tab = await browser.open_tab()
        assert (await tab.send("Runtime.evaluate", {"expression": "6 * 7"}))["result"]["value"] == 42
        await tab.close()
        await pool.give_back(browser, hurt=False)
        await pool.close()

    try:
        told(story)
    finally:
        theirs.end()
        shutil.rmtree(theirs.profile, ignore_errors=True)


def test_wrong_servers(driver: str, pages: Site) -> None:
    """A server of another kind, and one that wants another password: named, with a remedy, and never with what is secret."""
    seen: list[str] = []

    class Closed(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get("Authorization", ""))
            self.send_response(401)
            self.end_headers()

    async def story(url: str) -> None:
        with pytest.raises(Unavailable) as refused:
            await launch(settings(**{NAMES[driver]: url}))
        assert "s3cret" not in str(refused.value)
        assert "unset it" in str(refused.value)

    told(lambda: story(str(pages)))
    with serving(Closed) as address:
        told(lambda: story(f"http://me:s3cret@{address}/hub"))
    assert set(seen) == {"Basic bWU6czNjcmV0"}  # me:s3cret, in base 64


@pytest.mark.parametrize("driver", ["selenium"], indirect=True)
def test_full_grid(theirs: Theirs) -> None:
    """A server that has no session to give is asked again, up to a limit; then that is said. A wish it cannot meet is final."""
    answers: list[str] = []
    refusals = ["Could not start a new session. New session request timed out"] * 2

    class Grid(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.forward()

        do_DELETE = do_GET  # noqa: N815 - http.server's name

        def do_POST(self) -> None:
            if self.path == "/session" and refusals:
                answers.append(message := refusals.pop())
                self.answer(
                    500, json.dumps({"value": {"error": "session not created", "message": message, "stacktrace": ""}}).encode()
                )
            else:
                self.forward()

        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
            kind = {"Content-Type": "application/json"}
            asked = urllib.request.Request(theirs.url + self.path, body, kind, method=self.command)  # noqa: S310 - loopback
            with urllib.request.urlopen(asked, timeout=30) as got:  # noqa: S310 - loopback
                self.answer(got.status, got.read())

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    async def served(url: str) -> None:
        browser = await launch(settings(webdriver_url=url, sandbox="off"))
        assert browser.version
        await browser.close()

    async def refused(url: str, why: str) -> None:
        with pytest.raises(Unavailable, match=f"gives no session: .*{why}"):
            await launch(settings(webdriver_url=url, sandbox="off", command_timeout_ms=400))

    with serving(Grid) as address:
        told(lambda: served(f"http://{address}"))
        assert len(answers) == 2
        refusals[:] = ["No nodes support the capabilities in the request"]
        told(lambda: refused(f"http://{address}", "No nodes support"))
        assert len(answers) == 3
        refusals[:] = ["full"] * 1000
        told(lambda: refused(f"http://{address}", "full"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"webdriver_url": "http://u:s3cret@grid:4444", "driver": "playwright"}, "CRAWLER_WEBDRIVER_URL|--webdriver_url"),
        ({"cdp_url": "ws://u:s3cret@there:9222", "driver": "selenium"}, "for the driver playwright"),
        ({"cdp_url": "ws://u:s3cret@there", "webdriver_url": "http://grid"}, "Unset one of the two"),
        ({"cdp_url": "ftp://u:s3cret@there"}, "no address"),
        ({"webdriver_url": "http://u:s3cret@"}, "no address"),
        ({"webdriver_url": "http://u:s3cret@grid:99999"}, "no address"),
    ],
)
def test_settings(given: dict[str, str], said: str) -> None:
    """Each of the two implies its driver; what contradicts it, or is no address, is told, without the password."""
    with pytest.raises(BadInput, match=said) as refused:
        settings_of(given)
    assert "s3cret" not in str(refused.value)


def test_one_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """One variable is enough: it chooses the driver, and is not shown with the other settings."""
    monkeypatch.setenv("CRAWLER_WEBDRIVER_URL", "http://u:s3cret@grid:4444/wd/hub")
    assert settings().driver == "selenium"
    assert "s3cret" not in repr(settings())
    monkeypatch.delenv("CRAWLER_WEBDRIVER_URL")
    monkeypatch.setenv("CRAWLER_CDP_URL", "wss://browsers.example/?token=s3cret")
    assert settings().driver == "playwright"
    assert settings(driver="recorded").driver == "recorded"
    assert "s3cret" not in repr(settings())
