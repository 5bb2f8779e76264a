"""Pages and servers that misbehave: each ends in its own named outcome, in bounded time, and the rest of the run goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import ExitStack

import pytest

from crawler.run import Wish, run
from crawler.settings import CrawlerSettings
from crawler.visit import Visited
from domain.visit import Incident, Outcome
from tests.crawler.batch import QUICK, site, visit_all
from tests.pages.server import Site, refused, serve_garbage, serve_tls

pytestmark = pytest.mark.browser

# Path -> (outcome, a word of the reason).
ENDS: dict[str, tuple[Outcome, str]] = {
    "/404": ("http-error", "404"),
    "/410": ("http-error", "410"),
    "/500": ("http-error", "500"),
    "/503": ("rate-limited", "503"),
    "/404-empty": ("http-error", ""),
    "/redirect-loop": ("redirect-loop", "TOO_MANY_REDIRECTS"),
    "/pdf": ("not-html", "application/pdf"),
    "/empty": ("empty", "nothing"),
    "/empty-body": ("empty", "nothing"),
    "/svg": ("not-html", "svg"),
    "/xml": ("not-html", "xml"),
    "/text": ("not-html", "text/plain"),
    "/json": ("not-html", "json"),
    "/image": ("not-html", "image"),
    "/many-nodes": ("too-large", "elements"),
    "/big-text": ("too-large", "characters"),
    "/download": ("download", "file"),
    "/slow-headers": ("timeout", "navigation"),
    "/while-true": ("timeout", "timeout:"),
    "/meta-refresh": ("captured", ""),
    "/reload-loop": ("navigated", "another document"),
    "/js-navigate": ("captured", ""),
    "/js-navigate-loop": ("navigated", "another document"),
    "/font-never": ("captured", ""),
    "/image-never": ("captured", ""),
    "/alert": ("captured", ""),
    "/confirm": ("captured", ""),
    "/popup": ("captured", ""),
    "/redirect": ("captured", ""),
    "/xhtml": ("captured", ""),
    "/csp": ("captured", ""),
    "/utf16": ("captured", ""),
    "/gb18030": ("captured", ""),
    "/nul": ("captured", ""),
    "/tall": ("captured", ""),
    "/endless-scroll": ("captured", ""),
    "/push-state": ("captured", ""),
    "/print-dialog": ("captured", ""),
    "/ok": ("captured", ""),
}
INCIDENTS: dict[str, Incident] = {
    "/font-never": "fonts-pending",
    "/image-never": "load-pending",
    "/alert": "dialog-dismissed",
    "/confirm": "dialog-dismissed",
    "/popup": "popup-closed",
    "/meta-refresh": "retried",
}
# A delay that covers what these pages do after a second; limits that are short, so that hanging ends soon.
LIMITS = {
    "delay_ms": 1500, "ready_timeout_ms": 2000, "navigation_timeout_ms": 4000, "command_timeout_ms": 20_000,
    "visit_timeout_ms": 40_000, "concurrency": 6,
}  # fmt: skip


# A page that never answers costs as long as a command may take: short for itself, and for one that is visited beside it.
HANGS = ("/while-true", "/ok")
HANGING_MS = 4000
# A host that asks for rest gets it: what would follow this page has to wait for two minutes.
RESTS = ("/503",)
LEADS_ON = ("/meta-refresh", "/reload-loop", "/js-navigate", "/js-navigate-loop")
"""Pages that go to another document by themselves."""


# What a page is called is settled by one code for both drivers, and a session of selenium's takes seconds: in CI it visits
# those at which the driver itself has to do something, and the slow test all of them.
BY_SELENIUM = (
    "/404", "/redirect-loop", "/pdf", "/download", "/while-true", "/js-navigate", "/alert", "/popup", "/redirect", "/ok",
)  # fmt: skip
UNTRIED = "selenium visits those at which the driver has to do something; all of them in the slow test"


def name_of(path: str) -> str:
    return "page-" + path.strip("/").replace("/", "-")


def visits_to(paths: Iterable[str], driver: str, pages: Site) -> dict[str, Visited]:
    """These of the loopback site, and those behind no server."""
    with ExitStack() as stack:
        sites = {name_of(path): f"{pages}{path}" for path in paths}
        sites["dead-name"] = "http://no-such-host.invalid/"
        sites["refused"] = refused()
        sites["garbage"] = stack.enter_context(serve_garbage())
        sites["bad-certificate"] = stack.enter_context(serve_tls())
        resting = {name: sites.pop(name) for name in map(name_of, RESTS) if name in sites}
        hanging = {name: sites.pop(name) for name in map(name_of, HANGS)}
        done = visit_all(sites, driver, **LIMITS)  # type: ignore[arg-type]
        done |= visit_all(hanging, driver, **{**LIMITS, "command_timeout_ms": HANGING_MS})  # type: ignore[arg-type]
        return done | (visit_all(resting, driver, **LIMITS) if resting else {})  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def bad_pages(driver: str, pages: Site) -> dict[str, Visited]:
    """All of them in one run."""
    return visits_to(ENDS if driver == "playwright" else BY_SELENIUM, driver, pages)


@pytest.mark.parametrize("path", ENDS)
def test_outcome(path: str, bad_pages: dict[str, Visited]) -> None:
    """The outcome is the named one, and its reason says what happened."""
    if name_of(path) not in bad_pages:
        pytest.skip(UNTRIED)
    _check(path, bad_pages)


@pytest.mark.slow
def test_outcomes_of_all_by_selenium(pages: Site) -> None:
    """As above, of every page."""
    visits = visits_to(ENDS, "selenium", pages)
    for path in ENDS:
        _check(path, visits)


def _check(path: str, visits: dict[str, Visited]) -> None:
    visit = visits[name_of(path)].visit
    outcome, word = ENDS[path]
    driver = visit.browser.driver if visit.browser else ""
    if visit.outcome == "timeout" and path in LEADS_ON and (driver == "selenium" or path == "/js-navigate-loop"):
        # On a busy machine the next document comes while a command is under way, again and again; and chromedriver gives some
        # commands no answer then: docs/drivers.md.
        return
    assert (visit.outcome, word in visit.reason) == (outcome, True), f"{visit.outcome}: {visit.reason}"
    if path in INCIDENTS:
        assert INCIDENTS[path] in visit.incidents
    # What is no evidence may have been photographed; nothing is found in it.
    assert (visit.outcome == "captured") == any(c.tallies for c in visit.captures)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("dead-name", "dns-failed"),
        ("refused", "connection-refused"),
        ("garbage", "connection-failed"),
        ("bad-certificate", "tls-failed"),
    ],
)
def test_no_server(name: str, outcome: str, bad_pages: dict[str, Visited]) -> None:
    """Where no page can come from, the outcome says why."""
    visit = bad_pages[name].visit
    assert visit.outcome == outcome, visit.reason


def test_every_visit_ends(bad_pages: dict[str, Visited], driver: str) -> None:
    """None is lost, and none takes longer than its limits allow."""
    assert len(bad_pages) == len(ENDS if driver == "playwright" else BY_SELENIUM) + 4
    for visited in bad_pages.values():
        took_s = (visited.visit.finished.monotonic_ns - visited.visit.started.monotonic_ns) / 1e9
        assert took_s < 90, visited.visit.url


def test_redirects_are_recorded(bad_pages: dict[str, Visited], pages: Site) -> None:
    """The way to the document is in the record: each address passed, in order, and the final one."""
    response = bad_pages[name_of("/redirect")].visit.response
    assert response is not None
    assert response.url == f"{pages}/ok"
    assert [r.removeprefix(pages) for r in response.redirects] == ["/redirect", "/redirect/2"]


def test_private_addresses_are_refused(driver: str, pages: Site) -> None:
    """Without leave, loopback is not opened: not even a connection is made."""
    seen = len(pages.requests)
    sites = [site("a", f"{pages}/ok"), site("b", f"{pages}/ok".replace("127.0.0.1", "localhost")), site("c", "http://[::1]:9/")]
    done: list[Visited] = []
    asyncio.run(run(sites, CrawlerSettings(**{**QUICK, "driver": driver}), Wish(), None, on_visit=done.append))
    assert {v.visit.outcome for v in done} == {"refused-private-address"}
    assert len(pages.requests) == seen
