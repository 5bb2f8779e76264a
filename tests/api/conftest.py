"""The API on the real database, and probes to ask it for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
import structlog
from fastapi import FastAPI
from fastapi.testclient import TestClient
from playwright.sync_api import Browser
from pydantic import SecretStr

from api.app import create_app
from api.settings import ApiSettings
from domain.divergence import Finding
from domain.families.web_natural import draw
from domain.pixel_check import Check
from domain.probe import Probe
from domain.visit import BrowserInfo, CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit
from store.blobs import Blobs
from store.captures import divergence_id, save
from store.checks import save_checks
from store.database import Database
from store.probes import redraw
from tests.api.opened import chromium
from tests.api.serving import serving
from tests.api.stocked import Stocked, stock

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Keep = Callable[..., Probe]
TOKEN = "a-token-of-these-tests-alone"  # noqa: S105


def moment(seconds: float) -> Moment:
    return Moment(wall=NOON + timedelta(seconds=seconds), monotonic_ns=int(seconds * 1e9), page_ms=seconds * 1e3)


def visit_of(number: int, site: str) -> Visit:
    """A visit that began so many minutes after noon and took five seconds."""
    begun, visit_id = number * 60, f"{number:032x}"
    times = Timeline(served=moment(begun), before=moment(begun + 3), screenshot_sent=moment(begun + 3), after=moment(begun + 3))
    capture = CaptureRecord(
        id=f"{visit_id}-0",
        index=0,
        scroll_y=0,
        loader_served="L",
        loader_shown="L",
        readiness=Readiness(load_event=True, load_ms=1, quiet_ms=1),
        timeline=times,
        counts=Counts(elements=1, settled=1),
        artifacts={"dom": "d" * 64, "served": "a" * 64, "screenshot": f"{number:064x}"},
        rules="1",
    )
    return Visit(
        id=visit_id,
        url=f"https://{site}.example/",
        site=site,
        outcome="captured",
        started=moment(begun),
        finished=moment(begun + 5),
        browser=BrowserInfo(driver="recorded", name="Chromium", version="1", user_agent="test", flags=()),
        viewport=Viewport(width=1280, height=800),
        delay_ms=3000,
        captures=(capture,),
    )


@pytest.fixture
def keep(database: Database) -> Keep:
    """`keep(number, site="shop", kind="aria")`: the probe drawn of a visit made so many minutes after noon, stored."""

    def keeping(number: int, *, site: str = "shop", kind: str = "aria") -> Probe:
        visit = visit_of(number, site)
        finding = Finding(
            path=f"#pay{number}",
            element_id=f"pay{number}",
            kind=kind,
            verdict="flagged",
            reason="disjoint",
            structural="Pay 10",
            rendered=f"Total {number + 20}",
            box=(1, 2, 30, 4),
            lines=((1, 2, 30, 4),),
            role="button",
        )
        check = Check(reader="reader-1", read=f"Total {number + 20}", confidence=0.9, verdict="confirmed", reason="equal")
        capture = visit.captures[0]
        save(database, visit, {capture.id: [finding]})
        save_checks(database, {divergence_id(capture.id, kind, finding.path): check})
        [probe] = draw(visit, capture, [(finding, check)])
        redraw(database, capture.id, lambda _: [probe])
        return probe

    return keeping


@pytest.fixture(scope="session", autouse=True)
def _plain_log() -> None:
    """A traceback as plain text: drawn with all local variables it takes seconds."""
    structlog.configure(processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()])


@pytest.fixture(scope="session", autouse=True)
def _named() -> Iterator[None]:
    """The name by which TestClient asks is one of the API's own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("API_HOSTS", "testserver")
        yield


@pytest.fixture(scope="session")
def application(server: Database) -> FastAPI:
    """The API, with a token and without a rate. Its OpenAPI document is made once."""
    return create_app(server, Blobs("memory://"), ApiSettings(rate="0", token=SecretStr(TOKEN)))


@pytest.fixture
def client(application: FastAPI, database: Database, blobs: Blobs) -> Iterator[TestClient]:
    """A program that asks the API. What breaks in the API is answered, as it would be outside a test."""
    with TestClient(application, raise_server_exceptions=False) as asking:
        application.state.blobs = blobs
        assert application.state.database is database
        yield asking


@pytest.fixture
def holder() -> dict[str, str]:
    """The headers of whoever holds the token."""
    return {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def made(server: Database, tmp_path_factory: pytest.TempPathFactory) -> Stocked:
    """A store with something of everything, for a whole file; a test that empties the tables has no place in that file."""
    folder = tmp_path_factory.mktemp("stocked")
    return stock(server, Blobs(str(folder / "blobs")), folder)


@pytest.fixture(scope="module")
def app(made: Stocked) -> FastAPI:
    """The API on that store. A file that asks another one has an `app` of its own."""
    return create_app(made.database, made.blobs)


@pytest.fixture(scope="module")
def address(app: FastAPI) -> Iterator[str]:
    """Where a real server answers for `app`."""
    with serving(app) as given:
        yield given


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for a file and no longer: while it is open, no other test can run an event loop of its own."""
    with chromium() as opened:
        yield opened
