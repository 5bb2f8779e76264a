"""A sheet: answered from files in a real browser without a network, and sent back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from builder.audit_import import import_answers
from builder.audit_sheet import sheet_of, take_items, write_sheet
from domain.audit import Label
from domain.errors import NotFound, Refused
from store.annotators import find_annotator
from store.audit_results import judged
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, audited
from tests.api.opened import chromium
from tests.builder.sheets import answers, asked, items_of, sheet_for


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page of a browser that is offline: whatever is no file cannot be had."""
    with chromium() as browser:
        context = browser.new_context(offline=True, accept_downloads=True)
        context.set_default_timeout(60_000)
        yield context.new_page()


@pytest.mark.browser
def test_a_sheet_is_answered_by_keyboard_offline_and_comes_back(database: Database, blobs: Blobs, tmp_path: Path, page: Page):
    """Texts are typed, choices are digits; a reload loses nothing; what is downloaded is stored, once."""
    given = audited(database, blobs, 8, "ada", checkboxes=True)
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    fetched, errors = [], []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto((folder / "index.html").as_uri())
    expect(page.locator("#told")).to_have_text("0 of 8 answered")
    items, called = asked(folder), items_of(given)
    for number, item in enumerate(items):
        if number == 5:  # as if the browser had been closed
            page.reload()
            expect(page.locator("#told")).to_have_text("5 of 8 answered")
        expect(page.locator("#number")).to_have_text(f"Item {number + 1} of 8")
        assert page.locator("#shot").evaluate("image => image.complete && image.naturalWidth") == 640
        gold = given.rows[called[item["item"]]].gold
        if number == 2:
            page.keyboard.press("Alt+?")
        elif item["choices"]:
            page.keyboard.press(str(item["choices"].index(gold) + 1))
        else:
            page.keyboard.type(gold)
            page.keyboard.press("Enter")
        expect(page.locator("#told")).to_contain_text(f"{number + 1} of 8 answered")
    expect(page.locator("#told")).to_contain_text("Done")
    page.keyboard.press("Alt+b")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download answers.json").click()
    assert download.value.suggested_filename == "answers.json"
    download.value.save_as(tmp_path / "answers.json")
    assert errors == []
    assert {url.split(":")[0] for url in fetched if not url.startswith(("data:", "blob:"))} == {"file"}

    done = import_answers(database, tmp_path / "answers.json")
    assert (done.new, done.same, done.annotator) == (8, 0, "ada")
    stored = {one.item: one.judgements for one in judged(database, NAME)}
    for number, item in enumerate(items):
        [one] = stored[called[item["item"]]]
        assert one.label == (Label(answer="unsure") if number == 2 else given.right(called[item["item"]]))
        assert (one.annotator, one.kind, one.place) == ("ada", "human", 1)
        assert one.seconds is not None
    again = import_answers(database, tmp_path / "answers.json")
    assert (again.new, again.same) == (0, 8)


@pytest.mark.browser
def test_strangers_texts_stay_texts_and_a_file_can_be_gone_on_with(
    database: Database, blobs: Blobs, tmp_path: Path, page: Page
):
    """A file is read again; answers that are none, or of other items, are left out and counted; no text is no answer."""
    given = audited(database, blobs, 3, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    first, second, _ = asked(folder)
    lines = [
        {"item": first["item"], "answer": "value", "value": "</script><img src=x onerror=alert(1)>", "seconds": 2},
        {"item": second["item"], "answer": "value", "value": "  "},
        {"item": "A" * 22, "answer": "unsure"},
    ]
    page.goto((folder / "index.html").as_uri())
    page.set_input_files("#load", answers(folder, *lines))
    expect(page.locator("#problem")).to_have_text("1 answer read, 2 are of no item here or no answers.")
    expect(page.locator("#number")).to_have_text("Item 2 of 3")
    page.locator("#text").press("Enter")
    expect(page.locator("#problem")).to_contain_text("Nothing is written.")
    page.keyboard.press("Alt+b")
    expect(page.locator("#text")).to_have_value("</script><img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 1


def test_nothing_in_the_folder_tells_what_an_item_stands_for(database: Database, blobs: Blobs, tmp_path: Path):
    """No file and no name of one has a value, an id, an address, a digest; pictures have no metadata."""
    given = audited(database, blobs, 6, "ada", checkboxes=True)
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert set(files) == {"index.html", "items.json", *(f"pictures/{number}.png" for number in items_of(given))}
    for name, content in files.items():
        for item in given.rows:
            for secret in given.secrets(item, typed=False):
                assert secret not in name
                assert secret.encode() not in content, (name, secret)
        if name.endswith(".png"):
            assert re.findall(rb"(IHDR|tEXt|iTXt|zTXt|eXIf|iCCP|pHYs|tIME)", content) == [b"IHDR"]
    fields = {field for one in asked(folder) for field in one}
    assert fields == {"item", "ask", "question", "choices", "width", "height", "region", "picture"}


def test_a_sheet_is_written_whole_and_asked_for_again_has_the_same_items(database: Database, blobs: Blobs, tmp_path: Path):
    """A folder that is there is left alone; a picture that is lost leaves nothing half-written."""
    given = audited(database, blobs, 4, "ada")
    first = sheet_for(given, "ada", tmp_path / "one", most=2)
    again = sheet_for(given, "ada", tmp_path / "two", most=2)
    assert {one["item"] for one in asked(first)} == {one["item"] for one in asked(again)}
    with pytest.raises(Refused, match="is there already"):
        sheet_for(given, "ada", tmp_path / "one", most=2)
    who = find_annotator(database, "ada")
    items, until = take_items(database, NAME, who, days=1, most=2)

    def lost(item: str) -> bytes:
        raise NotFound(f"No blob of {item}.")

    with pytest.raises(NotFound):
        write_sheet(sheet_of(NAME, "ada", until, items), lost, tmp_path / "three")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "blobs") == ["one", "two"]
