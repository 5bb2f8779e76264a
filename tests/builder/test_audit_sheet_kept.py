"""What a browser keeps of a sheet: no other sheet of the same annotator takes any of it away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from builder.audit_sheet import pictures_of, sheet_of, take_items, write_sheet
from store.annotators import find_annotator
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, Audited, audited
from tests.api.opened import chromium
from tests.builder.sheets import answers, asked

OLD = f"parallax-audit-sheet:{NAME}:ada"
"""Where sheets kept all their answers in one, before each had a place of its own."""


@pytest.fixture(scope="module")
def offline() -> Iterator[BrowserContext]:
    with chromium() as browser:
        context = browser.new_context(offline=True, accept_downloads=True)
        context.set_default_timeout(60_000)
        yield context


@pytest.fixture
def page(offline: BrowserContext) -> Iterator[Page]:
    page = offline.new_page()
    yield page
    page.close()


def sheets(given: Audited, folder: Path, *spans: slice) -> list[str]:
    """Addresses of sheets of the same annotator, each with some of the items."""
    who = find_annotator(given.database, "ada")
    items, until = take_items(given.database, NAME, who, days=14)
    picture = pictures_of(given.database, given.blobs, NAME, who)
    for number, span in enumerate(spans):
        write_sheet(sheet_of(NAME, "ada", until, items[span]), picture, folder / str(number))
    return [(folder / str(number) / "index.html").as_uri() for number in range(len(spans))]


def write(page: Page, *texts: str) -> None:
    """Answers item after item, from the one that is shown."""
    for text in texts:
        before = page.locator("#told").inner_text()
        page.locator("#text").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("#told")).not_to_have_text(before)


def told(page: Page, text: str, address: str | None = None) -> None:
    if address:
        page.goto(address)
    expect(page.locator("#told")).to_contain_text(text)


def downloaded(page: Page, folder: Path) -> list[str]:
    """The texts in answers.json, in the sheet's order."""
    with page.expect_download() as download:
        page.locator("#save").click()
    download.value.save_as(folder / "downloaded.json")
    return [one["value"] for one in json.loads((folder / "downloaded.json").read_bytes())["answers"]]


@pytest.mark.browser
def test_no_sheet_takes_away_what_another_one_has(database: Database, blobs: Blobs, tmp_path: Path, page: Page):
    """Sheets of other items, of some of the same, and a file that is read on one: each has its own answers, and theirs stay."""
    given = audited(database, blobs, 6, "ada")
    first, second, last = sheets(given, tmp_path, slice(0, 4), slice(2, 6), slice(5, 6))
    told(page, "0 of 4 answered", first)
    write(page, "a0", "a1", "a2", "a3")
    told(page, "0 of 1 answered", last)
    write(page, "c5")
    told(page, "3 of 4 answered", second)
    write(page, "b4")
    assert downloaded(page, tmp_path) == ["a2", "a3", "b4", "c5"]
    of_two = [{"item": one["item"], "answer": "value", "value": "read"} for one in asked(tmp_path / "1")[1:2]]
    page.set_input_files("#load", answers(tmp_path / "1", *of_two))
    expect(page.locator("#problem")).to_have_text("1 answer read.")
    told(page, "1 of 1 answered", last)
    assert downloaded(page, tmp_path) == ["c5"]
    told(page, "4 of 4 answered", first)
    assert downloaded(page, tmp_path) == ["a0", "a1", "a2", "read"]


@pytest.mark.browser
def test_two_sheets_that_are_open_at_once_keep_all(
    database: Database, blobs: Blobs, tmp_path: Path, page: Page, offline: BrowserContext
):
    """Neither writes over what the other was given meanwhile, and what is downloaded has it."""
    given = audited(database, blobs, 4, "ada")
    first, second = sheets(given, tmp_path, slice(0, 3), slice(2, 4))
    other = offline.new_page()
    told(page, "0 of 3 answered", first)
    told(other, "0 of 2 answered", second)
    write(page, "a0")
    write(other, "b2", "b3")
    write(page, "a1")
    assert downloaded(page, tmp_path) == ["a0", "a1", "b2"]
    other.close()
    told(page, "2 of 2 answered", second)
    assert downloaded(page, tmp_path) == ["b2", "b3"]


@pytest.mark.browser
def test_what_an_older_sheet_kept_is_gone_on_with(database: Database, blobs: Blobs, tmp_path: Path, page: Page):
    """Whatever sheet is opened first, and whatever an older one writes afterwards; of two answers the later one counts."""
    given = audited(database, blobs, 3, "ada")
    whole, small = sheets(given, tmp_path, slice(0, 3), slice(2, 3))
    items = [one["item"] for one in asked(tmp_path / "0")]

    def older(*kept: tuple[int, str, str]) -> None:
        """As an older sheet has it, all in one."""
        lines: dict[str, Any] = {
            items[n]: {"item": items[n], "answer": "value", "value": text, "seconds": 2, "when": when} for n, text, when in kept
        }
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [OLD, json.dumps(lines)])

    page.goto(small)
    older((0, "o0", "2026-01-01T00:00:00.000Z"), (1, "o1", "2026-01-01T00:00:00.000Z"))
    told(page, "0 of 1 answered", small)
    write(page, "new")
    assert page.evaluate("key => Object.keys(JSON.parse(localStorage.getItem(key))).length", OLD) == 2
    older((2, "before", "2026-01-01T00:00:00.000Z"))  # an older, smaller sheet has dropped what it does not ask
    told(page, "3 of 3 answered", whole)
    assert downloaded(page, tmp_path) == ["o0", "o1", "new"]
    older((1, "later", "2999-01-01T00:00:00.000Z"))
    told(page, "3 of 3 answered", whole)
    assert downloaded(page, tmp_path) == ["o0", "later", "new"]
    page.evaluate("key => localStorage.setItem(key, '{')", OLD)  # cut off
    told(page, "3 of 3 answered", whole)
