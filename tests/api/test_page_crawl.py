"""The dashboard in a real browser: it goes on by itself, can be stopped, and says when it cannot."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, expect

from api import watching
from api.app import create_app
from api.pages import crawl as crawl_page
from api.settings import ApiSettings
from domain.visit import Moment
from store.blobs import Blobs
from store.captures import save
from store.database import Database
from tests.api.conftest import visit_of
from tests.api.opened import Opened
from tests.api.serving import serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(server: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The API, with a dashboard that asks every tenth of a second: nobody should wait for a test."""
    blobs = Blobs(str(tmp_path_factory.mktemp("blobs")))
    with (
        pytest.MonkeyPatch.context() as patch,
        serving(create_app(server, blobs, ApiSettings(rate="0"))) as given,
    ):
        patch.setattr(crawl_page, "EVERY_S", 0.1)
        patch.setattr(watching, "CRAWL_S", 0.0)
        yield given


def store(database: Database, number: int, site: str, **more: object) -> None:
    """A visit that ended this moment is stored."""
    now = datetime.now(UTC)
    started, finished = (Moment(wall=now - timedelta(seconds=s), monotonic_ns=0) for s in (5, 0))
    save(database, visit_of(number, site).model_copy(update={"started": started, "finished": finished, **more}))


def test_goes_on_by_itself(browser: Browser, address: str, database: Database) -> None:
    """A visit that is stored shows in the list and in the chart without a reload, and stays as one had it: focus and folds."""
    store(database, 1, "first")
    with Opened(browser, address, "/pages/crawl") as opened:
        page = opened.page
        expect(page.locator("#newest tbody th")).to_have_text(["first"])
        page.locator("#minutes summary").click()
        page.locator("#newest tbody a").focus()
        page.evaluate("window.stayed = true")
        store(database, 2, "second")
        expect(page.locator("#newest tbody th")).to_have_text(["second", "first"])
        expect(page.locator("#newest tbody a", has_text="first")).to_be_focused()
        expect(page.locator("#minutes")).to_have_attribute("open", "")
        expect(page.locator("#rate .note")).to_contain_text("2 visits, 0 of them")
        expect(page.locator("#when")).to_have_text(re.compile(r"Updated \d\d:\d\d:\d\d UTC, every 0\.1 s\."))
        expect(page.locator("#said")).to_have_text("1 new visit. 0 under way, 0 waiting.")
        assert page.evaluate("window.stayed")
        assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []
        assert (opened.complaints, opened.outside) == ([], [])


def test_connection_lost(browser: Browser, address: str, database: Database) -> None:
    """Where nobody answers the page says that it may be old, to those who listen too; and when it is right again."""
    store(database, 1, "first")
    with Opened(browser, address, "/pages/crawl") as opened:
        page = opened.page
        page.route("**/crawl", lambda route: route.abort())
        expect(page.locator("#when")).to_contain_text("Connection lost. What you see may be old.")
        expect(page.locator("#said")).to_have_text("The connection is lost. What the page shows may be old.")
        page.unroute("**/crawl")
        expect(page.locator("#when")).to_contain_text("Updated")
        expect(page.locator("#said")).to_have_text("The connection is back.")


def test_can_be_stopped(browser: Browser, address: str, database: Database) -> None:
    """Paused, or in a tab that nobody sees, nothing is asked; when it goes on it does so at once."""
    store(database, 1, "first")
    with Opened(browser, address, "/pages/crawl") as opened:
        page = opened.page
        page.clock.install()
        page.reload()
        page.get_by_role("button", name="Pause updates").click()
        expect(page.locator("#when")).to_contain_text("Paused at")
        asked = len(opened.asked)
        page.clock.run_for(60_000)
        assert len(opened.asked) == asked
        store(database, 2, "second")
        page.get_by_role("button", name="Go on").click()
        expect(page.locator("#newest tbody th")).to_have_text(["second", "first"])
        page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        asked = len(opened.asked)
        page.clock.run_for(60_000)
        assert len(opened.asked) == asked
        store(database, 3, "third")
        page.evaluate("Object.defineProperty(document, 'hidden', {value: false, configurable: true})")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("#newest tbody th").first).to_have_text("third")


def test_without_scripts(browser: Browser, address: str, database: Database) -> None:
    """The page is whole, and says that it stands still."""
    store(database, 1, "first")
    with Opened(browser, address, "/pages/crawl", java_script_enabled=False) as opened:
        assert opened.texts("#newest tbody th") == ["first"]
        assert any("this page stands still" in note for note in opened.texts(".note"))
        assert not opened.page.locator("#pause").is_visible()


def test_an_outcome_that_is_no_capture_is_not_green(browser: Browser, address: str, database: Database) -> None:
    """What was captured has one colour, all that was not another: a 404 is nothing to be glad of."""
    store(database, 1, "first")
    store(database, 2, "second", outcome="http-error", captures=())
    store(database, 3, "third", outcome="timeout", captures=())
    seen = {}
    with Opened(browser, address, "/pages/crawl", java_script_enabled=False) as opened:
        for meter in opened.page.locator("#outcomes meter").all():
            picture = Image.open(io.BytesIO(meter.screenshot())).convert("RGB")
            seen[meter.get_attribute("aria-label")] = picture.getpixel((6, picture.height // 2))
    green, amber = (0x1A, 0x70, 0x40), (0xB4, 0x53, 0x09)  # --right and --other of the light page
    assert seen == {
        "captured, share of all": green,
        "http-error, share of all": amber,
        "timeout, share of all": amber,
    }
