"""A sheet and a report as pages: what they show, take and measure, in a real browser that has files alone."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Page, expect

from builder.audit_import import import_answers
from builder.audit_page import write_page
from domain.audit_report import report
from domain.errors import NotFound
from store.audit_results import judged
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, audited
from tests.api.opened import chromium
from tests.builder.sheets import answers, asked, items_of, sheet_for
from tests.domain.audited import paper

DAY_MS = 86_400_000


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page of a browser that is offline: whatever is no file cannot be had."""
    with chromium() as browser:
        context = browser.new_context(offline=True, accept_downloads=True)
        context.set_default_timeout(60_000)
        yield context.new_page()


def red(page: Page) -> bool:
    """Whether the enlarged region has an edge: a file's canvas cannot be read, so it is looked at."""
    pixels = Image.open(io.BytesIO(page.locator("#crop").screenshot())).convert("RGB").get_flattened_data()
    return any(max(abs(part - wanted) for part, wanted in zip(one, (220, 38, 38), strict=True)) < 24 for one in pixels)


@pytest.mark.browser
def test_the_mark_covers_nothing(database: Database, blobs: Blobs, tmp_path: Path, page: Page):
    """As at the desk: 3 px outside of the region at every zoom, on its edge in the crop too, and off with m."""
    given = audited(database, blobs, 1, "ada")
    page.goto((sheet_for(given, "ada", tmp_path / "sheet") / "index.html").as_uri())
    expect(page.locator("#number")).to_have_text("Item 1 of 1")
    assert red(page)
    for key in ("0", "+", "+", "-", "-", "-"):
        page.keyboard.press(f"Alt+{key}")
        scale = page.locator("#sheet").bounding_box()["width"] / 640  # type: ignore[index]
        box = page.evaluate("(({x, y, width}) => [x, y, width])(document.querySelector('#frame').getBBox())")
        assert [one * scale for one in box] == pytest.approx([80 * scale - 3, 120 * scale - 3, 300 * scale + 6], abs=0.1)
    page.keyboard.press("Alt+m")
    expect(page.locator("#over")).to_be_hidden()
    assert not red(page)
    page.keyboard.press("Alt+m")
    expect(page.locator("#over")).to_be_visible()
    assert red(page)
    expect(page.locator("#text")).to_have_value("")


@pytest.mark.browser
def test_it_takes_only_what_import_takes(database: Database, blobs: Blobs, tmp_path: Path, page: Page):
    """A control character, and marks that nobody sees, are told at once, typed or in a file; what is taken can be imported."""
    given = audited(database, blobs, 3, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    first, second, third = (one["item"] for one in asked(folder))
    page.goto((folder / "index.html").as_uri())
    expect(page.locator("#number")).to_have_text("Item 1 of 3")
    for text, said in (("a\u0001b", "U+0001"), ("\u200b \u3164\ufe0f", "Nothing is written."), ("\x9b", "U+009B")):
        page.locator("#text").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("#problem")).to_contain_text(said)
        expect(page.locator("#told")).to_have_text("0 of 3 answered")
    page.locator("#text").fill("Pay\t\u200b1\u00e9")
    page.keyboard.press("Enter")
    expect(page.locator("#number")).to_have_text("Item 2 of 3")
    lines = [
        {"item": second, "answer": "value", "value": "a\u0001b"},
        {"item": third, "answer": "value", "value": "Pay", "seconds": "long", "when": "once", "more": 1},
        {"item": second, "answer": "value", "value": "\ufeff"},
        {"item": second, "answer": "value", "value": "x" * 2001},
    ]
    page.set_input_files("#load", answers(folder, *lines))
    expect(page.locator("#problem")).to_have_text("1 answer read, 3 are of no item here or no answers.")
    with page.expect_download() as download:
        page.locator("#save").click()
    download.value.save_as(tmp_path / "answers.json")
    assert import_answers(database, tmp_path / "answers.json").new == 2
    found = {one.item: one.judgements[0].label.value for one in judged(database, NAME) if one.judgements}
    called = items_of(given)
    assert found == {called[first]: "Pay\t\u200b1\u00e9", called[third]: "Pay"}


@pytest.mark.browser
def test_a_sheet_that_is_open_for_days(database: Database, blobs: Blobs, tmp_path: Path, page: Page):
    """Eight days come back as one and cost no answer, nor do they in a file of others; hidden time is not counted."""
    given = audited(database, blobs, 3, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    long, short, third = (one["item"] for one in asked(folder))
    tab = page.context.new_page()
    tab.clock.install()
    tab.goto((folder / "index.html").as_uri())
    expect(tab.locator("#number")).to_have_text("Item 1 of 3")
    tab.clock.fast_forward(8 * DAY_MS)
    tab.keyboard.press("Alt+u")
    expect(tab.locator("#number")).to_have_text("Item 2 of 3")
    tab.clock.fast_forward(12_000)
    hide = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); "
    hide += "document.dispatchEvent(new Event('visibilitychange')); }"
    tab.evaluate(hide, True)
    tab.clock.fast_forward(DAY_MS // 2)
    tab.evaluate(hide, False)
    tab.keyboard.press("Alt+u")
    expect(tab.locator("#told")).to_have_text("2 of 3 answered")
    kept = tab.evaluate(
        "Object.entries(localStorage).filter(([key]) => key.includes(':ada:'))"
        ".map(([_, text]) => { const { kept, ...given } = JSON.parse(text); return given; })"
    )
    kept = [one for one in kept if one["item"] in {long, short, third}]  # the browser has other sheets' too
    assert {one["item"] for one in kept} == {long, short}
    tab.close()
    more = {"item": third, "answer": "absent", "seconds": 691_200.4}
    assert import_answers(database, answers(folder, *kept, more)).new == 3
    took = {row.item: one.seconds for row in judged(database, NAME) for one in row.judgements}
    long, short, third = (items_of(given)[one] for one in (long, short, third))
    assert (took[long], took[third]) == (86_400, 86_400)
    assert 12 <= float(str(took[short])) < 600


@pytest.mark.browser
@pytest.mark.parametrize("screen", [("light", 1280), ("dark", 390)])
def test_everyone_can_use_a_sheet(database: Database, blobs: Blobs, tmp_path: Path, page: Page, screen: Any):
    """axe-core finds nothing; nothing runs off a phone's screen, and there the question is on it as well as the picture."""
    given = audited(database, blobs, 4, "ada", checkboxes=True)
    page.emulate_media(color_scheme=screen[0])
    page.set_viewport_size({"width": screen[1], "height": 844})
    page.goto((sheet_for(given, "ada", tmp_path / "sheet") / "index.html").as_uri())
    for number in range(1, 5):
        expect(page.locator("#number")).to_have_text(f"Item {number} of 4")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        expect(page.locator("#question")).to_be_in_viewport(ratio=1)
        page.keyboard.press("Alt+s")
    assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []


@pytest.mark.browser
def test_a_picture_that_is_missing_in_the_folder(database: Database, blobs: Blobs, tmp_path: Path, page: Page):
    """The sheet says so; the item cannot be answered and can be skipped."""
    given = audited(database, blobs, 2, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    (folder / asked(folder)[0]["picture"]).unlink()
    page.goto((folder / "index.html").as_uri())
    expect(page.locator("#problem")).to_contain_text("The picture of this item is missing: skip it")
    page.keyboard.press("Alt+u")
    page.keyboard.press("Alt+s")
    expect(page.locator("#number")).to_have_text("Item 2 of 2")
    page.keyboard.press("Alt+u")
    expect(page.locator("#told")).to_have_text("1 of 2 answered")


@pytest.mark.browser
def test_no_number_of_a_report_is_cut_off(tmp_path: Path, page: Page):
    """Tables of the paper's audit lie whole on a screen of 1280 px; on a phone they scroll, and the page does not."""

    def gone(digest: str) -> bytes:
        raise NotFound(f"No picture {digest}.")

    found = report("v1", [*paper(), *paper("model")])
    found = found.model_copy(update={"kinds": tuple(one.model_copy(update={"disputed": ()}) for one in found.kinds)})
    page.goto(write_page(found, gone, tmp_path / "report.html").as_uri())
    for width, beyond in ((1280, 0), (390, 800)):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        over = page.evaluate("[...document.querySelectorAll('.scroll')].map((one) => one.scrollWidth - one.clientWidth)")
        assert len(over) == 4
        assert max(over) <= beyond, over
    assert "(no interval: " in page.locator("main").inner_text()
