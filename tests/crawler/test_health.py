"""Health means that the job is done: every state by a clock of the test's own, and the self-check by a real browser."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from crawler import cli_app as cli
from crawler.breaker import Breaker
from crawler.browsers import Browser, CommandFailed, Tab
from crawler.cli_health import ask
from crawler.health import QUIET_S, Health
from crawler.health_check import look, mind, self_check
from crawler.lookout import watching
from crawler.metrics import Metrics
from crawler.pool import BrowserPool, Lanes
from crawler.serving import base_url, serve
from crawler.settings import CrawlerSettings
from crawler.waiting import Stop
from domain.errors import Unavailable
from tests.crawler.made import made_visit

SETTINGS = CrawlerSettings()


class Now:
    """A clock that stands still until it is told, and how much there is to do."""

    def __init__(self) -> None:
        self.s, self.due = 1000.0, 0
        self.lost = False

    def health(self) -> Health:
        return Health(SETTINGS, worker="here-1", due=lambda: None if self.lost else self.due, clock=lambda: self.s)

    def passes(self, seconds: float, health: Health) -> None:
        """So long, with the event loop turning."""
        for _ in range(round(seconds / 10)):
            self.s += 10
            health.beat()


def test_a_worker_begins_and_is_idle() -> None:
    """Not well before its first page was read; then well, although nothing is due."""
    now = Now()
    health = now.health()
    assert (health.report().state, health.report().ok) == ("starting", False)
    health.checked(None, "Chromium 140")
    report = health.report()
    assert (report.state, report.ok, report.worker) == ("idle", True, "here-1")
    assert "or what is due waits for its host" in report.reason  # 0 of what could begin: more may be due, of hosts that rest
    assert report.versions["browser"] == "Chromium 140"


def test_visits_that_finish_are_work() -> None:
    """With something due and a visit each minute it works for an hour; the age of the last one is told."""
    now = Now()
    health, now.due = now.health(), 5
    health.checked(None)
    for _ in range(60):
        now.passes(60, health)
        health.finished(made_visit("http-error"))
        assert health.report().state == "working"
    now.passes(30, health)
    assert health.report().last_visit_age_s == 30
    assert health.report().last_visit_outcome == "http-error"


def test_due_and_nothing_finishes_is_stuck() -> None:
    """Ten minutes after the first site came due, with no visit finished: not well. The next finished one mends it.

    A visit may take 2 minutes, three times that is less than 10 minutes: 10 minutes it is.
    """
    now = Now()
    health = now.health()
    health.checked(None)
    now.passes(3600, health)
    assert health.report().state == "idle"
    now.due = 5
    now.passes(590, health)
    assert health.report().ok
    now.passes(30, health)
    report = health.report()
    assert (report.state, report.ok) == ("stuck", False)
    assert "5 visits could be made" in report.reason
    health.finished(made_visit())
    assert health.report().state == "working"


def test_hosts_that_want_rest_are_no_fault() -> None:
    """Due for an hour, and each turn is put off: nothing finishes, and the worker is well."""
    now = Now()
    health, now.due = now.health(), 1
    health.checked(None)
    for _ in range(12):
        now.passes(300, health)
        health.moved()
        assert health.report().ok


def test_a_longer_visit_has_longer() -> None:
    """With visits of up to 20 minutes, stuck is an hour."""
    assert Health(CrawlerSettings(visit_timeout_ms=1_200_000)).stuck_s == 3600


def test_a_failed_check_is_broken_until_one_passes() -> None:
    """The process is up and idle, and yet not well; the reason says what was seen. It is checked again within a minute."""
    now = Now()
    health = now.health()
    health.checked("the picture shows (0, 0, 0)")
    assert (health.report().state, health.report().check) == ("broken", "failed")
    assert "(0, 0, 0)" in health.report().reason
    assert not health.wants_check()
    now.passes(60, health)
    assert health.wants_check()
    health.checked(None)
    assert health.report().state == "idle"


def test_when_it_is_checked() -> None:
    """At the start, and after some minutes in which no visit finished; visits that finish make it needless."""
    now = Now()
    health = now.health()
    assert health.wants_check()
    health.checked(None)
    now.passes(QUIET_S - 10, health)
    assert not health.wants_check()
    health.finished(made_visit())
    now.passes(QUIET_S - 10, health)
    assert not health.wants_check()
    now.passes(10, health)
    assert health.wants_check()


def test_a_lost_store_is_told_as_such() -> None:
    """Neither stuck nor broken: the database does not answer, or what is finished waits for it."""
    now = Now()
    health = now.health()
    health.checked(None)
    now.lost = True
    assert health.report().state == "waiting-for-store"
    now.lost = False
    health.store_waits("the disk is full")
    assert "the disk is full" in health.report().reason
    health.store_waits(None)
    assert health.report().ok


def test_a_loop_that_hangs_is_stuck() -> None:
    """The server answers from a thread of its own, and says that the event loop has not turned for five minutes."""
    now = Now()
    health = now.health()
    health.checked(None)
    now.s += 300
    assert health.report().state == "stuck"
    assert "has not turned for 300 s" in health.report().reason


def test_a_first_check_that_never_comes_back_is_broken() -> None:
    """Starting does not last for ever."""
    now = Now()
    health = now.health()
    now.passes(200, health)
    assert health.report().state == "broken"


@contextmanager
def served(health: Health) -> Iterator[str]:
    """A server at a free port of loopback."""
    with serve(CrawlerSettings(metrics_port=free_port()), Metrics(), health) as url:
        assert url is not None
        yield url


def free_port() -> int:
    """A port that nobody listens at just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_served_and_asked() -> None:
    """/health answers 200 or 503 with the report, `crawler health` exits 0 or 1 with a line; /metrics is there beside it."""
    now = Now()
    health = now.health()
    health.checked(None)
    with served(health) as url:
        answer = httpx2.get(f"{url}/health", trust_env=False)
        assert (answer.status_code, answer.json()["state"]) == (200, "idle")
        asked = CliRunner().invoke(cli.app, ["health", "--url", url])
        assert (asked.exit_code, asked.stderr.split(":")[0]) == (0, "idle")
        health.checked("it is black")
        assert httpx2.get(f"{url}/health", trust_env=False).status_code == 503
        asked = CliRunner().invoke(cli.app, ["health", "--json", "--url", f"{url}/health"])
        assert (asked.exit_code, json.loads(asked.stdout)["state"]) == (1, "broken")
        metrics = httpx2.get(f"{url}/metrics", trust_env=False)
        assert "parallax_build_info" in metrics.text
        assert metrics.headers["content-type"].startswith("text/plain")
        assert httpx2.get(f"{url}/etc/passwd", trust_env=False).status_code == 404
        with pytest.raises(Unavailable, match="CRAWLER_METRICS_PORT"), served_again(url, health):
            pass
    with pytest.raises(Unavailable, match="No worker answers"):
        ask(url)


@contextmanager
def served_again(url: str, health: Health) -> Iterator[None]:
    with serve(CrawlerSettings(metrics_port=int(url.rsplit(":", 1)[1])), Metrics(), health):
        yield


def test_nothing_is_served_at_port_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens, and `crawler health` says what to set."""
    with serve(CrawlerSettings(metrics_port=0), Metrics(), Now().health()) as url:
        assert url is None
    monkeypatch.setenv("CRAWLER_METRICS_PORT", "0")
    asked = CliRunner().invoke(cli.app, ["health"])
    assert isinstance(asked.exception, Unavailable)
    assert "Set it for the worker and here" in str(asked.exception)


@pytest.mark.parametrize(
    ("host", "url"),
    [("0.0.0.0", "http://127.0.0.1:9"), ("::", "http://[::1]:9"), ("10.0.0.7", "http://10.0.0.7:9")],  # noqa: S104
)
def test_where_a_listening_address_is_asked(host: str, url: str) -> None:
    """All addresses of a machine are asked at loopback."""
    assert base_url(host, 9) == url


class Wrapped:
    """A real browser that lies in one point."""

    def __init__(self, browser: Browser, lie: str) -> None:
        self._browser, self._lie, self._tab = browser, lie, None
        self.driver, self.name, self.version = browser.driver, browser.name, browser.version

    async def open_tab(self, *, proxy: str | None = None) -> Any:
        return Liar(await self._browser.open_tab(proxy=proxy), self._lie)


class Liar:
    """A tab whose picture is another page's, or whose text is, or that fails."""

    def __init__(self, tab: Tab, lie: str) -> None:
        self._tab, self._lie = tab, lie

    async def send(self, method: str, params: Any = None, *, limit_ms: int | None = None) -> Any:
        if method == self._lie == "Page.navigate":
            raise CommandFailed("Page.navigate: the renderer is gone")
        if method == self._lie == "Page.captureScreenshot":
            await self._tab.send("Page.navigate", {"url": "data:text/html,another"})
            await self._tab.send("Runtime.evaluate", {"expression": "0"})
        answer = await self._tab.send(method, params, limit_ms=limit_ms)
        return {"result": {"value": "yesterday"}} if method == self._lie == "Runtime.evaluate" else answer

    async def close(self) -> None:
        await self._tab.close()


class AfterOneRound(Stop):
    """Set as soon as somebody waits for it."""

    async def wait(self) -> bool:
        self.set()
        return True


@pytest.mark.browser
def test_a_page_of_our_own() -> None:
    """A real browser passes, twice (another word and colour each time); one that shows or reads something else fails."""

    async def story() -> None:
        pool = BrowserPool(SETTINGS)
        try:
            browser = await pool.take()
            assert await look(browser) is None
            assert await look(browser) is None
            for lie, told in (("Page.captureScreenshot", "255, 255, 255"), ("Runtime.evaluate", "'yesterday' was read")):
                liar: Any = Wrapped(browser, lie)
                assert told in str(await look(liar))
            await pool.give_back(browser, hurt=False)
            health = Now().health()
            await mind(health, pool, AfterOneRound())
            assert health.report().state == "idle"
            assert "hrom" in health.report().versions["browser"]
            await watched(pool)
        finally:
            await pool.close()

    asyncio.run(story())


@dataclass
class Worker:
    """As much of a worker as can be watched."""

    pool: BrowserPool
    settings: CrawlerSettings
    health: Health
    metrics: Metrics = field(default_factory=Metrics)
    breaker: Breaker = field(default_factory=lambda: Breaker(2))
    lanes: Lanes = field(default_factory=lambda: Lanes(2))
    stop: Stop = field(default_factory=Stop)


async def watched(pool: BrowserPool) -> None:
    """All of it together: what a worker has counted, and what waits in the queue, is served; what is due is known."""
    settings = CrawlerSettings(metrics_port=free_port())
    worker = Worker(pool, settings, Health(settings, worker="here-1"))
    async with watching(worker, depth=lambda: {"due": 3, "waiting": 1, "later": 9}) as url:
        worker.breaker.note(made_visit("timeout", "a.test"))
        worker.metrics.put_off("a.test wants rest: crawl-delay")
        worker.health.finished(made_visit())
        served = (await asyncio.to_thread(httpx2.get, f"{url}/metrics", trust_env=False)).text
        for line in (
            'parallax_put_offs_total{reason="crawl-delay"} 1.0',
            'parallax_queue_depth{state="later"} 9.0',
            "parallax_browsers_started_total 1.0",
            "parallax_lanes 2.0",
            "parallax_breaker_hosts 1.0",
        ):
            assert line in served
        report = await asyncio.to_thread(ask, str(url))
        assert (report.state, report.due, report.worker) == ("working", 4, "here-1")


def test_a_browser_that_does_not_start_is_told() -> None:
    """No browser at the path of the setting: the check fails with what the launch says."""

    async def story() -> str | None:
        pool = BrowserPool(CrawlerSettings(browser_path="/nowhere/chromium"))
        try:
            return (await self_check(pool))[0]
        finally:
            await pool.close()

    assert "/nowhere/chromium" in str(asyncio.run(story()))
