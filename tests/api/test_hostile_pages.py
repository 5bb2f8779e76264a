"""What strangers wrote is shown as text and handed out as files: in a real browser none of it is run, on no page of ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser

from api.app import create_app
from api.settings import ApiSettings
from store.blobs import Blobs
from store.database import Database
from tests.api.opened import Opened
from tests.api.serving import serving
from tests.api.stocked import EVIL, Stocked, put, stock

pytestmark = pytest.mark.browser
SCRIPT = b"document.title = 'run'; localStorage.setItem('run', document.cookie); fetch('/health?run')"
PAGE = b"<!DOCTYPE html><title>archived</title><body onload=\"document.title='run'\"><script>" + SCRIPT + b"</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=\'run\'"><script>' + SCRIPT + b"</script></svg>"


@dataclass(frozen=True)
class Place:
    server: str
    made: Stocked
    archived: dict[str, str]
    """Path of each hostile file by its media type."""


@pytest.fixture(scope="module")
def place(server: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("stocked")
    blobs = Blobs(str(folder / "blobs"))
    made = stock(server, blobs, folder)
    files = {
        "text/html": PAGE,
        "image/svg+xml": SVG,
        "text/javascript": SCRIPT,
        "application/json": SCRIPT + b"//",
        "text/css": b"* {}",
    }
    archived = {media: f"/archives/{put(made, content, media).digest}" for media, content in files.items()}
    with serving(create_app(server, blobs, ApiSettings(rate="0"))) as address:
        yield Place(address, made, archived)


def must_be_quiet(tab: Opened) -> None:
    """Nothing that a stranger wrote was run: it would have said so."""
    assert tab.page.title() != "run"
    assert tab.page.evaluate("localStorage.getItem('run')") is None
    assert not [address for address in tab.asked if address.endswith("?run")]
    assert tab.outside == []


def test_pages_show_what_strangers_wrote_as_text(browser: Browser, place: Place) -> None:
    """Markup, template syntax and a character that turns text round are read, and make no element, on every page."""
    [probe], [divergence] = place.made.probes["evil"], place.made.divergences["evil"]
    shown = {
        "/pages/probes?site=evil": True,
        f"/pages/probes/{probe.id}": True,
        "/pages/divergences?site=evil": True,
        f"/pages/divergences/{divergence}": True,
        "/pages/sites/evil": True,
        "/pages/sites/down90": False,
        "/pages/sites": False,
        "/pages/crawl": False,
        f"/pages/releases/{place.made.release}": False,
        f"/pages/probes?text={EVIL.replace('&', '%26').replace('#', '%23')}": False,
        f"/pages/no-such-page-{EVIL.replace('/', '%2f').replace('&', '%26').replace('?', '%3f')}": False,
    }
    with Opened(browser, place.server, "/pages/probes") as tab:
        for path, told in shown.items():
            tab.page.goto(place.server + path)
            must_be_quiet(tab)
            assert (
                tab.page.locator("script:not([src]), [onerror], [onload], img[src=x], a[href^='javascript:']").count() == 0
            ), path
            text = tab.page.locator("body").inner_text()
            assert "49" not in text or "{{7*7}}" in text or not told, path
            assert not told or "<script>document.title='run'</script>" in text, path


def test_an_archived_page_is_a_file(browser: Browser, place: Place) -> None:
    """Whoever opens it gets a download: the tab stays where it was, and nothing of it is run."""
    with Opened(browser, place.server, "/pages/probes", accept_downloads=True) as tab:
        for media, path in place.archived.items():
            with tab.page.expect_download() as downloading:
                tab.page.evaluate("path => { location.href = path; }", path)
            assert downloading.value.url == place.server + path, media
            assert tab.path == "/pages/probes", media
            must_be_quiet(tab)


def test_an_archived_page_has_no_origin(browser: Browser, place: Place) -> None:
    """Were it shown all the same, the policy that comes with it takes away scripts, and our origin with its cookies."""
    with Opened(browser, place.server, "/pages/probes") as tab:
        tab.context.add_cookies([{"name": "secret", "value": "1", "url": place.server}])

        def shown_all_the_same(route: object) -> None:
            answer = route.fetch()  # type: ignore[attr-defined]
            kept = {name: value for name, value in answer.headers.items() if name != "content-disposition"}
            route.fulfill(response=answer, headers=kept)  # type: ignore[attr-defined]

        tab.page.route("**/archives/*", shown_all_the_same)
        for media in ("text/html", "image/svg+xml"):
            tab.page.goto(place.server + place.archived[media])
            assert tab.page.title() != "run", media
            assert tab.page.evaluate("self.origin") == "null", media
            assert not [address for address in tab.asked if address.endswith("?run")], media


def test_an_archived_file_is_no_script_of_ours(browser: Browser, place: Place) -> None:
    """A page of ours that is made to load one as script, style, frame or object does not run it."""
    with Opened(browser, place.server, "/pages/probes") as tab:
        for path in place.archived.values():
            for tag, name in (("script", "src"), ("iframe", "src"), ("object", "data"), ("embed", "src")):
                tab.page.evaluate(
                    """([tag, name, path]) => new Promise(done => {
                        const made = document.createElement(tag);
                        made.onload = made.onerror = () => done(null);
                        setTimeout(() => done(null), 300);
                        made[name] = path;
                        document.body.append(made);
                    })""",
                    [tag, name, path],
                )
            must_be_quiet(tab)
