"""Pages and servers that misbehave: each ends in its own named outcome, in bounded time, and the rest of the run goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
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


def name_of(path: str) -> str:
    return "page-" + path.strip("/").replace("/", "-")


@pytest.fixture(scope="session")
def run_of_bad_pages(driver: str, pages: Site) -> Iterator[tuple[dict[str, Visited], float]]:
    """All of them in one run, and how long it took, s."""
    started = time.monotonic()
    with ExitStack() as stack:
        sites = {name_of(path): f"{pages}{path}" for path in ENDS}
        sites["dead-name"] = "http://no-such-host.invalid/"
        sites["refused"] = refused()
        sites["garbage"] = stack.enter_context(serve_garbage())
        sites["bad-certificate"] = stack.enter_context(serve_tls())
        # A host that asks for rest gets it: what would follow this page has to wait for two minutes.
        resting = {name_of("/503"): sites.pop(name_of("/503"))}
        done = visit_all(sites, driver, **LIMITS) | visit_all(resting, driver, **LIMITS)  # type: ignore[arg-type]
        yield done, time.monotonic() - started


@pytest.mark.parametrize("path", ENDS)
def test_outcome(path: str, run_of_bad_pages: tuple[dict[str, Visited], float]) -> None:
    """The outcome is the named one, and its reason says what happened."""
    visit = run_of_bad_pages[0][name_of(path)].visit
    outcome, word = ENDS[path]
    if path == "/js-navigate-loop" and visit.outcome == "timeout":
        return  # on a busy machine its next document comes before the driver has an answer of the last one, again and again
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
def test_no_server(name: str, outcome: str, run_of_bad_pages: tuple[dict[str, Visited], float]) -> None:
    """Where no page can come from, the outcome says why."""
    visit = run_of_bad_pages[0][name].visit
    assert visit.outcome == outcome, visit.reason


def test_every_visit_ends(run_of_bad_pages: tuple[dict[str, Visited], float]) -> None:
    """None is lost, and none takes longer than its limits allow."""
    visits, _ = run_of_bad_pages
    assert len(visits) == len(ENDS) + 4
    for visited in visits.values():
        took_s = (visited.visit.finished.monotonic_ns - visited.visit.started.monotonic_ns) / 1e9
        assert took_s < 90, visited.visit.url


def test_redirects_are_recorded(run_of_bad_pages: tuple[dict[str, Visited], float], pages: Site) -> None:
    """The way to the document is in the record: each address passed, in order, and the final one."""
    response = run_of_bad_pages[0][name_of("/redirect")].visit.response
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
