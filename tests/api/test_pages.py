"""The gallery and the page of a probe, as people use them: with a mouse, with keys alone, and without scripts."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser

from tests.api.opened import Opened
from tests.api.stocked import EVIL, HIDDEN_SITE, Stocked

pytestmark = pytest.mark.browser
STROKE = 1.5
"""CSS px of the claim's line that lie outside of its box, and rounding."""
OFF = 8
"""CSS px from the box to the outer edge of the mark around it."""
MARK = "figure > .shot .marks .box"


def ids(opened: Opened) -> list[str]:
    """Of the cards that are shown, in their order."""
    found: list[str] = opened.page.eval_on_selector_all(".card", "cards => cards.map(card => card.id)")
    return found


def twin(opened: Opened) -> dict[str, object]:
    """What the JSON twin of the page answers."""
    href = opened.page.get_attribute("link[rel=alternate][type='application/json']", "href")
    answer = opened.page.request.get(opened.server + str(href))
    assert answer.ok, answer.text()
    told: dict[str, object] = answer.json()
    return told


def test_front_page_shows_what_is_stored(browser: Browser, address: str, made: Stocked) -> None:
    """The front leads to all probes that are shown, with both values, a picture and a count; nothing is asked of others."""
    with Opened(browser, address, "/") as opened:
        assert opened.path == "/pages/probes"
        shown = {probe.id for site, probes in made.probes.items() if site != HIDDEN_SITE for probe in probes}
        assert set(ids(opened)) == shown
        assert opened.texts("h1") == [f"Probes {len(shown)}"]
        probe = made.probes["shop"][0]
        card = opened.page.locator(f"#{probe.id}")
        assert card.locator(".structural .said").inner_text() == probe.structural
        assert card.locator(".rendered .said").inner_text() == probe.gold
        picture = card.locator("img")
        picture.scroll_into_view_if_needed()
        assert probe.structural in str(picture.get_attribute("alt"))
        assert probe.gold in str(picture.get_attribute("alt"))
        opened.page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
        assert not opened.outside
        assert not opened.complaints


def test_differing_words_are_marked(browser: Browser, address: str, made: Stocked) -> None:
    """14:03:27 against 14:03:31: the seconds are marked on both sides, and nothing else."""
    [stale] = {probe.id for probe in made.probes["shop"] if probe.kind == "stale"}
    with Opened(browser, address, "/pages/probes?kind=stale") as opened:
        assert ids(opened) == [stale]
        assert opened.texts(".card mark") == ["27", "31"]


def test_filters_are_links_with_counts(browser: Browser, address: str) -> None:
    """A value of a facet narrows, says how many there will be, and is taken away again by its chip; the twin agrees."""
    with Opened(browser, address, "/pages/probes") as opened:
        page = opened.page
        count = int(page.locator("#f-kind + ul a", has_text="stale").locator(".n").inner_text())
        opened.follow(page.locator("#f-kind + ul a", has_text="stale"))
        assert opened.path == "/pages/probes?kind=stale"
        assert len(ids(opened)) == count == 1
        assert page.locator("#f-kind + ul a[aria-current]").inner_text().split() == ["stale", "1"]
        aria = page.locator("#f-kind + ul a", has_text="aria").locator(".n").inner_text()
        assert int(aria) == 2, "the counts of a facet leave its own filter aside"
        assert [item["id"] for item in twin(opened)["items"]] == ids(opened)  # type: ignore[index,attr-defined]
        opened.follow(page.locator(".chips a", has_text="Kind"))
        assert opened.path == "/pages/probes"


def test_a_search_is_an_address_to_be_shared(browser: Browser, address: str, made: Stocked) -> None:
    """The form leaves out what is empty, keeps the filters, finds words of either value, and says so where there is none."""
    with Opened(browser, address, "/pages/probes?family=web-natural") as opened:
        opened.page.fill("#find", "accounts")
        opened.page.keyboard.press("Enter")
        opened.page.wait_for_url("**text=accounts")
        assert parse_qs(urlsplit(opened.path).query) == {"family": ["web-natural"], "text": ["accounts"]}
        assert ids(opened) == [probe.id for probe in made.probes["bank"] if probe.gold == "Accounts"]
        opened.page.fill("#find", "nowhere")
        opened.page.keyboard.press("Enter")
        opened.page.wait_for_url("**text=nowhere")
        assert opened.texts(".empty h2") == ["None match these filters"]
        opened.follow(opened.page.locator(".empty a").first)
        assert opened.path == "/pages/probes"


def test_pages_follow_one_another(browser: Browser, address: str) -> None:
    """Next shows others until there is none; together they are all, each once. There are ways back."""
    with Opened(browser, address, "/pages/probes?limit=3&sort=id") as opened:
        seen = ids(opened)
        first = list(seen)
        while opened.page.locator("a[rel=next]").count():
            opened.follow(opened.page.locator("a[rel=next]").first)
            seen += ids(opened)
        assert seen == sorted(set(seen))
        assert opened.texts("h1") == [f"Probes {len(seen)}"]
        opened.page.go_back()
        assert ids(opened) != first
        opened.follow(opened.page.get_by_text("First page").first)
        assert ids(opened) == first


def test_keys_are_enough(browser: Browser, address: str) -> None:
    """j and k go from card to card, Enter opens, / searches, Escape leaves, ? tells the keys, n turns the page."""
    with Opened(browser, address, "/pages/probes?limit=3&sort=id") as opened:
        page, shown = opened.page, ids(opened)
        focused = "document.activeElement.closest('.card')?.id"
        for key, card in (("j", 0), ("j", 1), ("ArrowRight", 2), ("j", 2), ("k", 1), ("ArrowLeft", 0)):
            page.keyboard.press(key)
            assert page.evaluate(focused) == shown[card], key
        page.keyboard.press("/")
        page.keyboard.type("jk")
        assert page.input_value("#find") == "jk"
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        assert page.locator(".keys dl").is_visible()
        page.keyboard.press("Escape")
        assert not page.locator(".keys dl").is_visible()
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/pages/probes/{shown[0]}")
        page.go_back()
        page.keyboard.press("n")
        page.wait_for_url("**after=*")
        assert not set(ids(opened)) & set(shown)


def test_everything_works_without_scripts(browser: Browser, address: str, made: Stocked) -> None:
    """Filters, search, pages and the switch are links, forms and radio buttons; a form's empty fields leave the address."""
    with Opened(browser, address, "/pages/probes?limit=2&kind=aria", java_script_enabled=False) as opened:
        page = opened.page
        page.fill("#find", "pay")
        opened.follow(page.locator("text=Search").first)
        assert parse_qs(urlsplit(opened.path).query) == {"limit": ["2"], "kind": ["aria"], "text": ["pay"]}
        opened.follow(page.locator(".card h2 a").first)
        switch(opened, made)


def switch(opened: Opened, made: Stocked) -> None:
    """By keyboard alone, the claim is put where the element is."""
    page, probe = opened.page, made.probes["shop"][0]
    assert opened.path == f"/pages/probes/{probe.id}"
    image, box = page.locator(".shot img").bounding_box(), page.locator(MARK).bounding_box()
    assert image
    assert box
    zoom = image["width"] / probe.provenance.size[0]
    region = probe.region
    x, y = box["x"] - image["x"] + OFF, box["y"] - image["y"] + OFF
    assert (x, y) == pytest.approx((region.x * zoom, region.y * zoom), abs=1)
    size = box["width"] - 2 * OFF, box["height"] - 2 * OFF
    assert size == pytest.approx((region.width * zoom, region.height * zoom), abs=1)
    claim = page.locator(".painted").first
    assert not claim.is_visible()
    page.focus("#show-screen")
    page.keyboard.press("ArrowRight")
    assert claim.is_visible()
    assert claim.inner_text() == probe.structural
    assert "not pixels" in page.locator(".stage figcaption").inner_text()
    place = claim.bounding_box()
    assert place
    assert place["x"] == pytest.approx(box["x"] + OFF, abs=STROKE)
    page.keyboard.press("ArrowRight")
    assert not claim.is_visible()
    assert not page.locator(MARK).is_visible()


def test_a_probe_is_shown_with_all_that_proves_it(browser: Browser, address: str, made: Stocked) -> None:
    """Screenshot, box, switch, both values, options, times, check, sightings, releases, files."""
    probe = made.probes["shop"][0]
    with Opened(browser, address, f"/pages/probes/{probe.id}") as opened:
        switch(opened, made)
        page = opened.page
        assert set(opened.texts(".options .said")) == set(probe.options)
        assert opened.texts("[aria-labelledby=h-check] .verdict") == ["confirmed"]
        times = opened.texts("[aria-labelledby=h-time] tbody tr")
        # Read one second after the hour, and looked at 3, 3.1 and 3.3 seconds later: tests/api/stocked.py.
        assert [line.split()[-2:] for line in times] == [
            ["0.0", "12:00:01.000"], ["3,000.0", "12:00:04.000"], ["3,100.0", "12:00:04.100"], ["3,300.0", "12:00:04.300"],
        ]  # fmt: skip
        assert page.locator(".timeline .dot").count() == len(times)
        assert len(opened.texts("[aria-labelledby=h-seen] tbody tr")) == 3
        assert page.locator("[aria-labelledby=h-seen] a", has_text=made.release).count() == 1
        for link in page.locator("[aria-labelledby=h-archives] a").all():
            got = page.request.get(opened.server + str(link.get_attribute("href")))
            assert got.ok
            assert got.headers["content-disposition"].startswith("attachment")
        assert twin(opened)["probe"]["id"] == probe.id  # type: ignore[index]
        assert not opened.outside
        assert not opened.complaints


def test_a_probe_without_a_picture_says_why(browser: Browser, address: str, made: Stocked) -> None:
    """Of a corpus whose pictures are not kept here: the page says so, and draws where the place is."""
    probe = made.probes["mind2web"][0]
    with Opened(browser, address, f"/pages/probes/{probe.id}") as opened:
        assert probe.provenance.screen in opened.page.locator(".nopicture").inner_text()
        box, screen = (opened.page.locator(f".nopicture .{name}").bounding_box() for name in ("box", "screen"))
        assert box
        assert screen
        assert (box["x"] - screen["x"]) / screen["width"] == pytest.approx(probe.region.x / probe.provenance.size[0], abs=0.02)


@pytest.mark.parametrize("place", ["/pages/probes?site=evil", "/pages/probes/{id}", "/pages/probes?text=%3Cscript%3E+x"])
def test_text_of_pages_is_inert(place: str, browser: Browser, address: str, made: Stocked) -> None:
    """Markup, template syntax and characters that turn text round are shown, and do nothing; so is what is asked for."""
    with Opened(browser, address, place.format(id=made.probes["evil"][0].id)) as opened:
        assert opened.page.title() != "run"
        assert opened.page.locator("main script, main img[src=x], main [onerror]").count() == 0
        assert "\u202e" not in opened.page.content()
        if "{id}" in place:
            said = opened.page.locator(".side-by .structural .said").first.inner_text()
            assert said == EVIL.replace("\u202e", "U+202E")
        assert not opened.outside
        assert not opened.complaints


def test_what_is_not_there_is_said(browser: Browser, address: str) -> None:
    """A page for people, with the status of the twin and its words."""
    with Opened(browser, address, "/pages/probes/web-natural-none") as opened:
        assert opened.complaints
        assert "web-natural-none" in opened.page.locator(".lead").inner_text()
        assert opened.page.request.get(opened.page.url).status == 404
        assert opened.page.request.get(opened.server + "/pages/probes?after=made-up").status == 400
        assert opened.page.request.get(opened.server + "/pages/probes?limit=0").status == 422
