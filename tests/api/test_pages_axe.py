"""Pages can be used by everyone: an accessibility engine finds nothing on any of them, light or dark, wide or narrow."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Literal

import httpx2
import pytest
from axe_playwright_python.sync_playwright import Axe
from fastapi.routing import APIRoute
from PIL import Image
from playwright.sync_api import Browser

from api.app import PAGES as SERVED
from tests.api.opened import Opened
from tests.api.pages_axe import PAGES
from tests.api.stocked import Stocked

pytestmark = pytest.mark.browser
NOT_PAGES = {"/", "/static/{name}", "/openapi.json"}
Scheme = Literal["light", "dark"]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "resultTypes": ["violations"]}
OF_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
OF_WIDTH = {"runOnly": {"type": "rule", "values": ["target-size", "scrollable-region-focusable"]}}
LOOKS: tuple[tuple[Scheme, int, dict[str, Any]], ...] = (
    ("light", 1280, RULES),
    ("dark", 1280, OF_COLOURS),
    ("light", 420, OF_WIDTH),
)
"""Once all rules, then those again that depend on colours, and on width. It judges no colours over shadows of tables."""
NAMELESS = """() => [...document.querySelectorAll("main *")].filter((one) => {
    const scrolls = one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX);
    return scrolls && !(one.tabIndex === 0 && one.role === "region" && one.ariaLabel);
}).map((one) => one.outerHTML.slice(0, 200))"""
NARROWEST: Any = {"width": 320, "height": 640}
"""What is left of a screen of 1280 px at a zoom of 400 %: WCAG 2.2, 1.4.10."""
WIDER = """() => {
    const wide = () => document.documentElement.scrollWidth - innerWidth, closed = wide();
    const folds = [...document.querySelectorAll("details:not([open])")];
    for (const fold of folds) fold.open = true;
    const help = [...document.querySelectorAll(".keys > div")].map((one) => -one.getBoundingClientRect().left);
    const open = Math.max(wide(), ...help);
    for (const fold of folds) fold.open = false;
    const said = [["folds closed", closed], ["folds open", open]].filter(([, px]) => px > 0);
    return said.map(([when, px]) => `${px} px run off, ${when}`);
}"""
LEAVE = """enough => {
    for (const panel of document.querySelectorAll(".operation:not(:is(" + enough + "))")) panel.remove();
    for (const line of document.querySelectorAll(".names li:nth-child(n+9), .contents li li:nth-child(n+3)")) line.remove();
    for (const fold of document.querySelectorAll(".operation details")) fold.open = true;
}"""


def test_every_page_is_looked_at() -> None:
    """Each route for people is in PAGES: tests/api/pages_axe.py."""
    served = (route for router in SERVED for route in router.routes if isinstance(route, APIRoute))
    routes = {route.path for route in served if not route.include_in_schema} - NOT_PAGES
    assert not routes - PAGES.keys(), f"tests/api/pages_axe.py: PAGES lacks {sorted(routes - PAGES.keys())}"
    assert not PAGES.keys() - routes, f"tests/api/pages_axe.py: no such pages: {sorted(PAGES.keys() - routes)}"


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_in_the_way(path: str, browser: Browser, address: str, made: Stocked) -> None:
    """axe-core finds no violation of WCAG 2.2 A and AA or of good practice; nothing runs off a narrow screen,
    or at a zoom of 400 %.

    It looks once there is something to look at: a page that is not drawn fails.
    """
    found = []
    for number, seen in enumerate(PAGES[path]):
        place = seen.address(made)
        with Opened(browser, address, place, viewport=NARROWEST) as opened:
            opened.page.locator(seen.sign).first.wait_for()
            found += [f"{place} 320: {wide}" for wide in opened.page.evaluate(WIDER)]
            if seen.enough:
                opened.page.evaluate(LEAVE, seen.enough)
            for scheme, width, rules in (
                LOOKS if number == 0 else LOOKS[:1]
            ):  # the others differ in what is there, not in how it is drawn
                opened.page.emulate_media(color_scheme=scheme)
                opened.page.set_viewport_size({"width": width, "height": 900})
                wrong = Axe().run(opened.page, options=rules).response["violations"]
                found += [
                    f"{place} {scheme} {width}: {rule['id']} ({rule['impact']}): "
                    f"{node['html'][:200]} {node['failureSummary'][:300]}"
                    for rule in wrong
                    for node in rule["nodes"][:3]
                ]
                wider = opened.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                found += [f"{place} {width}: {wider} px run off the screen"] if wider > 0 else []
                found += [f"{place} {width}: scrolls without a name: {html}" for html in opened.page.evaluate(NAMELESS)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_shows_that_it_goes_on(scheme: Scheme, browser: Browser, address: str) -> None:
    """On a narrow screen the edge behind which there is more has a shadow, and only that edge."""
    look: dict[str, Any] = {"viewport": {"width": 420, "height": 900}, "color_scheme": scheme}
    with Opened(browser, address, "/pages/releases", **look) as opened:
        table = opened.page.locator(".scroll")

        def shaded() -> tuple[bool, bool]:
            """Whether the left and the right edge differ from the ground, above the first line of text."""
            with Image.open(BytesIO(table.screenshot())) as shot:
                row = shot.convert("L").crop((0, 2, shot.width, 3)).tobytes()
            ground = row[len(row) // 2]
            return abs(row[1] - ground) > 25, abs(row[-2] - ground) > 25

        assert shaded() == (False, True)
        table.evaluate("table => table.scrollTo({ left: 60, behavior: 'instant' })")
        assert shaded() == (True, True)
        table.evaluate("table => table.scrollTo({ left: table.scrollWidth, behavior: 'instant' })")
        assert shaded() == (True, False)


@pytest.mark.parametrize("path", PAGES)
def test_a_second_look_is_as_the_first(path: str, address: str, made: Stocked) -> None:
    """A browser that has a page is told that it stands, and shows it as before: what 304 says replaces what it has kept."""
    for place in [seen.address(made) for seen in PAGES[path]]:
        first = httpx2.get(address + place)
        if first.status_code != 200:
            continue
        second = httpx2.get(address + place, headers={"If-None-Match": "*"})
        assert second.status_code == 304
        kept = {**first.headers, **second.headers}
        for name in ("content-security-policy", "x-content-type-options", "cross-origin-resource-policy"):
            assert kept[name] == first.headers[name], place
        assert "script-src 'self'" in kept["content-security-policy"]


@pytest.mark.parametrize("path", ["/pages/probes", "/audit"])
def test_a_page_is_opened_again(path: str, browser: Browser, address: str, made: Stocked) -> None:
    """Nothing is missing from a page that the browser had before."""
    place = PAGES[path][0].address(made)
    with Opened(browser, address, place) as opened:
        opened.page.goto(address + place)
        assert not opened.complaints
