"""Real pages in a real browser: each is called what its name says, and a banner is where a person sees it."""

from __future__ import annotations

import asyncio

import pytest

from crawler.arrive import go, ready
from crawler.browsers import Browser, launch
from crawler.capture import freeze
from crawler.consent import click_consent
from crawler.dress import dress
from crawler.page_facts import Look, look
from crawler.settings import CrawlerSettings
from domain.visit import Response, Viewport
from tests.crawler.batch import QUICK, site
from tests.pages.server import FOLDERS, Site

pytestmark = pytest.mark.browser
VIEWPORT = Viewport(width=1280, height=720)
PAGES = sorted(path.stem for path in FOLDERS["not_evidence"].glob("*.html"))
BANNERS = [
    ("content--banner-bottom", "OneTrust", "bottom", (0.15, 0.3)),
    ("content--banner-corner-es", "", "corner", (0.05, 0.1)),
    ("content--banner-in-page", "", "in-page", (0.03, 0.09)),
    ("content--banner-ru", "", "bottom", (0.04, 0.09)),
    ("consent-wall--modal-backdrop", "Google Funding Choices", "centre", (0.1, 0.25)),
    ("consent-wall--frame", "Sourcepoint", "centre", (0.3, 0.4)),
    ("consent-wall--full-sheet-de", "", "full", (1, 1)),
]
NO_BANNERS = ["content--biscuit-recipe", "content--newsletter-dialog", "content--app-in-fixed-root"]


async def _look(browser: Browser, url: str, settings: CrawlerSettings) -> Look:
    page = site("x", url)
    tab = await browser.open_tab()
    try:
        await dress(tab, browser, page, VIEWPORT, settings)
        await go(tab, url, settings)
        world, _, told = await ready(tab, page, settings)
        await freeze(tab)
        return await look(world, Response(url=world.url, status=told["status"]), url)
    finally:
        await tab.close()


@pytest.fixture(scope="module")
def looks(driver: str, pages: Site) -> dict[str, Look]:
    """What each page of tests/not_evidence/ is, by its name, and of some of the loopback site."""

    async def all_of_them() -> dict[str, Look]:
        settings, free = CrawlerSettings(**{**QUICK, "driver": driver}), asyncio.Semaphore(4)
        addresses = {name: f"{pages}/not_evidence/{name}.html" for name in PAGES}
        addresses |= {
            f"/{name}": f"{pages}/{name}" for name in ("challenge", "article", "consent", "spinner", "ok", "empty-body")
        }
        browser = await launch(settings)

        async def one(address: str) -> Look:
            async with free:
                return await _look(browser, address, settings)

        try:
            return dict(zip(addresses, await asyncio.gather(*map(one, addresses.values())), strict=True))
        finally:
            await browser.close()

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("name", PAGES)
def test_each_is_what_it_is(looks: dict[str, Look], name: str) -> None:
    """The verdict is the first word of the page's name; what is not content names its rule and its reason."""
    verdict = looks[name].verdict
    assert verdict.kind == name.partition("--")[0], verdict
    assert (verdict.kind == "content") == (verdict.rule == "" == verdict.reason)


def test_a_wall_deep_inside(looks: dict[str, Look]) -> None:
    """200 kB with status 200 around a bot wall's script is the wall; an article that names the vendor is content."""
    assert looks["/challenge"].verdict.kind == "challenge"
    assert looks["/article"].verdict.kind == "content"


def test_the_loopback_site(looks: dict[str, Look]) -> None:
    """Its sheet of consent, its spinner, its empty page and its ordinary one are told from each other."""
    told = {name: looks[name].verdict.kind for name in ("/consent", "/spinner", "/ok", "/empty-body")}
    assert told == {"/consent": "consent-wall", "/spinner": "loading", "/ok": "content", "/empty-body": "empty"}


@pytest.mark.parametrize(
    ("name", "provider", "position", "shares"),
    BANNERS,
)
def test_a_banner_is_recorded(
    looks: dict[str, Look], name: str, provider: str, position: str, shares: tuple[float, float]
) -> None:
    """Whose it is, where it is, what share of the viewport it takes, and what its buttons say."""
    banner = looks[name].consent
    assert banner is not None
    assert (banner.provider, banner.position) == (provider, position)
    assert shares[0] <= banner.share <= shares[1]
    assert banner.covers_content == name.startswith("consent-wall")
    assert banner.buttons


@pytest.mark.parametrize("name", NO_BANNERS)
def test_no_banner(looks: dict[str, Look], name: str) -> None:
    """A recipe for cookies, a dialog about a newsletter, an application with a button that accepts: none asks for consent."""
    assert looks[name].consent is None


CLICKED = """<!doctype html><title>Click</title><body style="height:3000px"><p>News</p>
<button style="position:fixed;left:10px;top:10px" onclick="document.title='wrong'">Other</button>
<div id="host"></div><script>
document.getElementById("host").attachShadow({mode: "open"}).innerHTML =
  '<p style="position:fixed;left:300px;top:200px"><button class="accept" style="width:200px">Accept</button></p>';
const button = document.getElementById("host").shadowRoot.querySelector("button");
button.onclick = event => {
  document.title = event.isTrusted ? "accepted" : "forged";
  document.getElementById("host").remove();
};
</script>"""
OVER = '<div style="position:fixed;inset:0;background:#fff"></div>'


def test_the_named_button_is_clicked(driver: str, pages: Site) -> None:
    """The one button that fits, in a shadow root too, is clicked as a person does, and nothing is scrolled; else nothing is."""
    settings = CrawlerSettings(**{**QUICK, "driver": driver})

    async def try_it() -> list[tuple[str, str, float]]:
        browser = await launch(settings)
        told = []
        try:
            for body, selector in ((CLICKED, "button.accept"), (CLICKED, "#nothing"), (CLICKED + OVER, "button.accept")):
                tab = await browser.open_tab()
                page = site("x", f"{pages}/ok")
                await dress(tab, browser, page, VIEWPORT, settings)
                await go(tab, page.url, settings)
                await tab.send(
                    "Runtime.evaluate", {"expression": f"document.open(); document.write({body!r}); document.close()"}
                )
                world, _, _ = await ready(tab, page, settings)
                answer = await click_consent(tab, world, selector, appear_ms=0)
                now = await tab.send("Runtime.evaluate", {"expression": "[document.title, scrollY]", "returnByValue": True})
                title, scrolled = now["result"]["value"]
                told.append((answer, title, scrolled))
                await tab.close()
        finally:
            await browser.close()
        return told

    assert asyncio.run(try_it()) == [("clicked", "accepted", 0), ("not-there", "Click", 0), ("covered", "Click", 0)]
