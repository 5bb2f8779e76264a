"""The desk in a real browser: with keys alone, at every zoom, for everyone. What goes wrong is in test_audit_lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from api.app import create_app
from api.settings import ApiSettings
from builder.audit_sheet import page_of, sheet_of
from domain.audit import Label
from domain.audit_guide import GUIDE, KEYS, MEANS
from store import annotators
from store.blobs import Blobs
from store.database import Database
from tests.api.at_desk import Desk, answers
from tests.api.audited import NAME, Audited, audited
from tests.api.serving import serving
from tests.store.probe_rows import NOON

pytestmark = pytest.mark.browser
UNSURE = Label(answer="unsure")
RED = [220, 38, 38]
CROP = """colour => {
    const pen = document.querySelector("#crop").getContext("2d");
    const { data } = pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height);
    for (let i = 0; i < data.length; i += 4) if (colour.every((part, n) => Math.abs(data[i + n] - part) < 24)) return true;
    return false;
}"""
"""Whether a pixel of the enlarged region has this colour, or nearly."""


@pytest.fixture(scope="module")
def place(server: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Blobs]]:
    blobs = Blobs(str(tmp_path_factory.mktemp("blobs")))
    with serving(create_app(server, blobs, ApiSettings(rate="0"))) as address:
        yield address, blobs


@pytest.fixture
def made(database: Database, place: tuple[str, Blobs]) -> Audited:
    """Three texts and a checkbox."""
    return audited(database, place[1], 4, "ann", checkboxes=True)


def axe(page: Page) -> list[str]:
    return [rule["id"] for rule in Axe().run(page).response["violations"]]


def until_text(desk: Desk, *, written: bool) -> str:
    """Skips to an item of this sort."""
    while desk.item and desk.page.locator("#written").is_visible() is not written:
        desk.key("Alt+s")
    assert desk.item
    return desk.item


def test_with_keys_alone(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """Name, token, every answer, to the end: nothing is pressed with a mouse, and what was meant is stored."""
    with Desk(browser, place[0], made, "ann") as desk:
        page = desk.page
        wanted: dict[str, Label] = {}
        given = [None, Label(answer="absent"), Label(answer="unreadable")]
        while item := desk.item:
            text = made.rows[item].variable == "text"
            expect(page.locator("#text" if text else "#group")).to_be_focused()
            expect(page.locator("#far")).to_have_text(f"{len(wanted)} of 4")
            label = (given.pop() if text else None) or made.right(item)
            wanted[item] = label
            desk.answer(label)
        assert answers(made) == {item: (label.answer, label.value) for item, label in wanted.items()}
        expect(page.locator("#end-h")).to_be_focused()
        expect(page.locator("#said")).to_have_text("Saved. Nothing is left for you.")
        expect(page.locator("#numbers")).to_contain_text("Answered by you, in all4Of these in this tab4In this tab absent1")
        assert axe(page) == []
        assert (desk.complaints, desk.outside) == ([], [])


def test_keys_of_the_text_field(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """What is typed is text; Esc leaves the field, then letters answer; a blank is not sent; Ctrl+Z is the field's own."""
    with Desk(browser, place[0], made, "ann") as desk:
        page, item = desk.page, until_text(desk, written=True)
        page.keyboard.press("Enter")
        expect(page.locator("#wrong")).to_contain_text("Nothing is written.")
        page.keyboard.type("a u ? 1 +")
        page.keyboard.press("Shift+Enter")
        page.keyboard.type("s")
        expect(page.locator("#text")).to_have_value("a u ? 1 +\ns")
        page.keyboard.press("Control+z")
        expect(page.locator("#work")).to_have_attribute("data-item", item)
        page.reload()
        desk.item = None
        assert desk.wait() == item, "a reload goes on where one was"
        expect(page.locator("#text")).not_to_have_value("")
        page.keyboard.press("Escape")
        page.keyboard.press("t")
        expect(page.locator("#text")).to_be_focused()
        page.keyboard.press("Escape")
        desk.key("u")
        assert answers(made) == {item: ("unreadable", None)}


def test_taken_back(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """Ctrl+Z at an untouched item brings the last one back, with what was answered; so it does at the very end."""
    with Desk(browser, place[0], made, "ann") as desk:
        first = until_text(desk, written=True)
        desk.answer(Label(answer="value", value="A slip"))
        assert desk.take_back() == first
        expect(desk.page.locator("#text")).to_have_value("A slip")
        expect(desk.page.locator("#far")).to_have_text("0 of 4")
        while item := desk.item:
            desk.answer(made.right(item))
            last = item
        assert desk.take_back() == last
        desk.answer(UNSURE)
        assert answers(made) == {item: ("value", row.gold) for item, row in made.rows.items()} | {last: ("unsure", None)}


def test_single_keys_can_be_switched_off(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """WCAG 2.1.4: who dictates must not answer by a letter that was heard. With Alt they still do."""
    with Desk(browser, place[0], made, "ann") as desk:
        item = until_text(desk, written=False)
        desk.page.get_by_label("Keys without Alt, too").uncheck()
        desk.page.locator("#group").focus()
        desk.page.keyboard.press("2")
        expect(desk.page.locator("#work")).to_have_attribute("data-item", item)
        desk.key("Alt+2")
        assert answers(made) == {item: ("value", "unchecked")}


def test_the_picture(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """At every zoom the frame lies around the region, not on it; the region is drawn enlarged; the mark can be off."""
    with Desk(browser, place[0], made, "ann") as desk:
        page = desk.page
        page.keyboard.press("Escape")
        for key in ("0", "+", "+", "-", "-", "-"):
            page.keyboard.press(key)
            scale = page.locator("#sheet").bounding_box()["width"] / 640  # type: ignore[index]
            box = page.evaluate("(({x, y, width}) => [x, y, width])(document.querySelector('#frame').getBBox())")
            assert [one * scale for one in box] == pytest.approx([80 * scale - 3, 120 * scale - 3, 300 * scale + 6], abs=0.1)
        before = page.locator("#scale").inner_text()
        page.locator("#view").hover()
        page.mouse.wheel(0, -200)
        expect(page.locator("#scale")).not_to_have_text(before)
        assert page.evaluate(CROP, RED), "the region's edge is drawn in the crop too"
        page.keyboard.press("m")
        expect(page.locator("#over")).to_be_hidden()
        assert not page.evaluate(CROP, RED)
        assert page.evaluate(CROP, [20, 20, 20]), "what stands there is"
        assert len([url for url in desk.asked if url.endswith("/picture")]) == 1


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 420)])
def test_everyone_can_use_it(browser: Browser, place: tuple[str, Blobs], made: Audited, scheme: str, width: int) -> None:
    """axe-core finds nothing at a text or a choice, and nothing runs off a narrow screen."""
    with Desk(browser, place[0], made, "ann", viewport={"width": width, "height": 900}, color_scheme=scheme) as desk:
        for written in (True, False):
            until_text(desk, written=written)
            assert axe(desk.page) == []
            assert desk.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_its_words_and_keys_are_those_of_a_sheet(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """What is told at each question, and the key of each answer: as in domain.audit_guide, from which a sheet has them too."""
    with Desk(browser, place[0], made, "ann") as desk:
        for ask, written in (("transcribe", True), ("checked", False)):
            until_text(desk, written=written)
            how = GUIDE[ask]._asdict()
            for name, place_of in [("do", "#do"), *((name, f"#{name}-means") for name in MEANS)]:
                expect(desk.page.locator(place_of)).to_have_text(f"{how[name][0].upper()}{how[name][1:]}.")
            for name in MEANS:
                shown = desk.page.locator(f"[data-answer={name}]")
                expect(shown).to_have_attribute("aria-keyshortcuts", f"{KEYS[name].key} Alt+{KEYS[name].key.upper()}")
        expect(desk.page.locator("#third")).to_be_hidden()
        sheet = page_of(sheet_of(NAME, "ann", NOON, []))
        for name in MEANS:
            assert f"<kbd>Alt+{KEYS[name].key.upper()}</kbd>" in sheet
            desk.key(f"Alt+{KEYS[name].key}")
        assert sorted(answer for answer, _ in answers(made).values()) == sorted(MEANS)


def test_a_text_that_is_too_long_and_who_adjudicates(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """The field says that it takes no more; who settles what others disagree on is told so, and not of which items."""
    annotators.remove(made.database, "ann")
    made.tokens["ann"] = annotators.add(made.database, "ann", "human", adjudicates=True)
    with Desk(browser, place[0], made, "ann") as desk:
        until_text(desk, written=True)
        desk.page.keyboard.insert_text("x" * 2001)
        expect(desk.page.locator("#wrong")).to_have_text("No more than 2,000 characters are taken.")
        desk.page.keyboard.press("Backspace")
        expect(desk.page.locator("#wrong")).to_be_hidden()
        expect(desk.page.locator("#third")).to_have_text("You adjudicate, too.")


def test_without_scripts(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """The page says that it needs them, and asks for no token."""
    with Desk(browser, place[0], made, "", java_script_enabled=False) as desk:
        expect(desk.page.get_by_text("The desk needs scripts")).to_be_visible()
        assert not desk.page.locator("#token").is_visible()
