"""The desk where something goes wrong: no connection, two tabs, no token, another annotator, no picture, a long night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from api.app import create_app
from api.settings import ApiSettings
from store import annotators
from store.audit_desk import picture_of
from store.audit_results import close, judged
from store.blobs import Blobs
from store.database import Database
from tests.api.at_desk import Desk, answers
from tests.api.audited import NAME, Audited, audited
from tests.api.serving import serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("blobs")


@pytest.fixture(scope="module")
def place(server: Database, folder: Path) -> Iterator[tuple[str, Blobs]]:
    blobs = Blobs(str(folder))
    with serving(create_app(server, blobs, ApiSettings(rate="0"))) as address:
        yield address, blobs


@pytest.fixture
def made(database: Database, place: tuple[str, Blobs]) -> Audited:
    """Three texts and a checkbox."""
    return audited(database, place[1], 4, "ann", "bo", checkboxes=True)


def test_connection_lost(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """What was answered is kept, over a reload too, said to be kept, and sent when there is a connection: once."""
    with Desk(browser, place[0], made, "ann") as desk:
        page, item = desk.page, desk.item
        assert item
        cut = [True]
        page.route("**/label", lambda route: route.abort() if cut else route.continue_())
        page.reload()  # a request of a page that was open before may slip past
        desk.item = None
        assert desk.wait() == item
        page.keyboard.press("Alt+u")
        expect(page.locator("#lost")).to_have_text("The connection is lost. Your answer is kept here and sent again.")
        page.keyboard.press("Alt+a")  # one answer is on its way: no second
        page.reload()
        expect(page.locator("#lost")).to_be_visible()
        cut.clear()
        page.evaluate("dispatchEvent(new Event('online'))")
        assert desk.wait() != item
        expect(page.locator("#lost")).to_be_hidden()
        assert answers(made) == {item: ("unreadable", None)}


def test_an_answer_that_came_and_was_not_confirmed(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """The server had it, the line broke: sent again it is the same answer."""
    with Desk(browser, place[0], made, "ann") as desk:
        item = str(desk.item)
        once = [True]

        def breaks(route: object) -> None:
            if once:
                once.clear()
                route.fetch()  # type: ignore[attr-defined]
                route.abort()  # type: ignore[attr-defined]
            else:
                route.continue_()  # type: ignore[attr-defined]

        desk.page.route("**/label", breaks)
        desk.key("Alt+u")
        assert answers(made) == {item: ("unreadable", None)}
        expect(desk.page.locator("#far")).to_have_text("1 of 4")


def test_an_answer_that_came_before_the_audit_was_closed(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """The server had it, the line broke, the audit was closed: it is said to be saved, and that nothing more is taken."""
    with Desk(browser, place[0], made, "ann") as desk:
        item, once = str(desk.item), [True]

        def breaks(route: object) -> None:
            if once:
                once.clear()
                route.fetch()  # type: ignore[attr-defined]
                close(made.database, NAME)
                route.abort()  # type: ignore[attr-defined]
            else:
                route.continue_()  # type: ignore[attr-defined]

        desk.page.route("**/label", breaks)
        desk.page.keyboard.press("Alt+u")
        expect(desk.page.locator("#lost")).to_contain_text(f"Saved. Audit {NAME} was closed on")
        assert answers(made) == {item: ("unreadable", None)}


def test_two_tabs(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """Both show the same item. The first answer counts; the other tab says so and goes on."""
    with Desk(browser, place[0], made, "ann") as desk, Desk(browser, place[0], made, "ann") as other:
        item = str(desk.item)
        assert other.item == item
        desk.key("Alt+u")
        assert other.key("Alt+a") == desk.item
        expect(other.page.locator("#lost")).to_have_text(
            "The item before this one was not saved: it has another answer of ann already: take that back first."
        )
        assert answers(made) == {item: ("unreadable", None)}


def test_a_token_that_is_gone(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """A wrong one is said to be; one that is taken away meanwhile ends the session, keeps the answer, and shows no picture."""
    with Desk(browser, place[0], made, "") as desk:
        desk.sign_in("ann", "wrong")
        expect(desk.page.locator("#sign-wrong")).to_contain_text("No annotator has this name and token.")
        expect(desk.page.locator("#token")).to_be_focused()
        desk.sign_in(" ann ", f" {made.tokens['ann']} ")  # pasted: blanks come along
        item = desk.wait()
        assert item
        annotators.remove(made.database, "ann")
        desk.page.keyboard.press("Alt+u")
        expect(desk.page.locator("#sign-form")).to_be_visible()
        assert desk.page.locator("#shot").get_attribute("src") is None
        assert desk.page.evaluate("sessionStorage.getItem('audit-signed-in')") is None
        desk.sign_in("ann", annotators.add(made.database, "ann", "human"))
        assert desk.wait() != item
        assert answers(made) == {item: ("unreadable", None)}
        desk.page.get_by_role("button", name="Sign out").click()
        expect(desk.page.locator("#sign-form")).to_be_visible()
        desk.page.reload()
        expect(desk.page.locator("#sign-form")).to_be_visible()


def test_what_one_has_not_sent_is_not_the_others(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """Ann's line is cut, she signs out, Bo signs in at the same tab: he answers his own, nothing of hers is sent in his name or
    shown to him. When she is back, hers is sent.
    """
    with Desk(browser, place[0], made, "") as desk:
        page, cut = desk.page, [True]
        page.route("**/label", lambda route: route.abort() if cut else route.continue_())
        desk.sign_in("ann", made.tokens["ann"])
        hers = desk.wait()
        assert hers
        page.keyboard.press("Alt+u")
        expect(page.locator("#lost")).to_contain_text("Your answer is kept here")
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator("#lost")).to_be_hidden()
        cut.clear()
        desk.item = None
        desk.sign_in("bo", made.tokens["bo"])
        his = []
        while item := desk.wait() if not his else desk.item:
            his.append(item)
            expect(page.locator("#text")).to_have_value("")
            desk.key("Alt+a")
        given = [(one.annotator, one.label.answer) for row in judged(made.database, NAME) for one in row.judgements]
        assert given == [("bo", "absent")] * 4
        expect(page.locator("#numbers")).to_contain_text("Of these in this tab4In this tab absent4")
        page.get_by_role("button", name="Sign out").click()
        desk.sign_in("ann", made.tokens["ann"])
        assert desk.wait() != hers
        expect(page.locator("#far")).to_have_text("1 of 4")
        given = [(one.annotator, one.label.answer) for row in judged(made.database, NAME) for one in row.judgements]
        assert sorted(given) == [("ann", "unreadable"), *[("bo", "absent")] * 4]


def test_a_picture_that_is_missing(browser: Browser, place: tuple[str, Blobs], made: Audited, folder: Path) -> None:
    """It is said to be, nothing of the store with it; the item can be skipped and not be answered, and all others go on."""
    ann = annotators.find_annotator(made.database, "ann")
    with Desk(browser, place[0], made, "ann") as desk:
        page, item = desk.page, str(desk.item)
        digest = picture_of(made.database, NAME, ann, item)
        [blob] = [path for path in folder.rglob("*") if path.is_file() and digest in path.as_posix().replace("/", "")]
        content = blob.read_bytes()
        blob.unlink()
        page.reload()
        desk.item = None
        assert desk.wait() == item
        expect(page.locator("#gone")).to_contain_text("The picture of this item is missing. Skip it")
        expect(page.locator("#skip")).to_be_focused()
        shown = page.locator("body").inner_text()
        assert digest not in shown
        assert str(folder) not in shown
        for gone in ("#sheet", "#text", "#group", "#crop"):
            expect(page.locator(gone)).to_be_hidden()
        page.keyboard.press("Alt+u")  # is no answer
        page.keyboard.press("Enter")  # skips
        others = [desk.wait()]
        while len(others) < 3:
            others.append(desk.key("Alt+u"))
        assert item not in others
        expect(page.locator("#gone")).to_be_hidden()
        assert desk.key("Alt+u") is None, "nothing else is left"
        expect(page.locator("#unshown")).to_have_text(
            "But for one item, whose picture cannot be shown. Tell whoever runs this."
        )
        blob.write_bytes(content)
        page.locator("#again").click()
        page.locator("#desk").wait_for(state="visible")
        assert desk.wait() == item
        expect(page.locator("#gone")).to_be_hidden()
        assert desk.answer(made.right(item)) is None
        assert len(answers(made)) == 4


def test_a_page_that_is_open_for_days(browser: Browser, place: tuple[str, Blobs], made: Audited) -> None:
    """Two days are stored as one, and cost no answer; the time in which nobody looks is no part of it."""
    with Desk(browser, place[0], made, "ann") as desk:
        page = desk.page
        page.clock.install()
        page.reload()
        desk.item = None
        long = desk.wait()
        page.clock.fast_forward("48:00:00")
        short = desk.key("Alt+u")
        assert long
        assert short
        see = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); "
        see += "document.dispatchEvent(new Event('visibilitychange')); }"
        page.clock.fast_forward("00:07")
        page.evaluate(see, True)
        page.clock.fast_forward("10:00:00")
        page.evaluate(see, False)
        page.clock.fast_forward("00:05")
        desk.key("Alt+u")
        took = {row.item: one.seconds for row in judged(made.database, NAME) for one in row.judgements}
        assert took[long] == 86_400
        assert 12 <= float(str(took[short])) < 600
