"""The pixel check on pages that a real Chromium drew: what is on them is confirmed, what is not is not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from bench.machine import browser_flags, find_browser
from channels.readers import Reader, open_reader
from crawler.checker import Checker
from crawler.pixel_check import check
from domain.divergence import Finding
from domain.errors import BadInput

SCALE = 2
PAGE = """<!doctype html><meta charset=utf-8><body style="margin:20px;font:14px sans-serif;background:#fff">
<p><span id=clock>17:03:27</span></p>
<p style="width:90px"><span id=long>Free delivery on all orders over $50</span></p>
<p style="background:#0a66c2;color:#fff"><span id=button style="text-transform:uppercase">Add to cart</span></p>
<p><span id=blank style="color:#fff">Invisible</span></p>
<p><span id=russian>Войти в аккаунт</span></p>
<p><input type=checkbox id=ticked checked> <input type=checkbox id=empty>
   <input type=radio id=chosen checked> <input type=radio id=free></p>
"""
BOXES = """() => Object.fromEntries([...document.querySelectorAll('[id]')].map(e => {
  const range = document.createRange();
  range.selectNodeContents(e);
  const sides = r => [r.x, r.y, r.width, r.height];
  return [e.id, {box: sides(e.getBoundingClientRect()), lines: [...range.getClientRects()].map(sides)}];
}))"""


@dataclass(frozen=True)
class Shot:
    png: bytes
    boxes: dict[str, Any]

    def finding(self, name: str, rendered: str, structural: str, kind: str = "stale", **more: Any) -> Finding:
        its = self.boxes[name]
        values = {"verdict": "flagged", "reason": "disagree", "box": its["box"], "lines": its["lines"], **more}
        return Finding(path=f"#{name}", kind=kind, rendered=rendered, structural=structural, **values)


@pytest.fixture(scope="module")
def shot() -> Iterator[Shot]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=browser_flags(outside=False))
        page = browser.new_page(viewport={"width": 500, "height": 400}, device_scale_factor=SCALE)
        page.set_content(PAGE)
        yield Shot(page.screenshot(), page.evaluate(BOXES))
        browser.close()


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader("rapidocr")


pytestmark = pytest.mark.browser


def test_what_is_shown_is_confirmed(shot: Shot, reader: Reader) -> None:
    """A clock, a text on several lines, and upper case on a coloured ground are confirmed, each with what was read."""
    findings = [
        shot.finding("clock", "17:03:27", "17:03:22"),
        shot.finding("long", "Free delivery on all orders over $50", "Free delivery on all orders over $80"),
        shot.finding("button", "ADD TO CART", "Put it into your basket"),
    ]
    checks = check(reader, shot.png, SCALE, findings)
    assert [(c.verdict, c.reason, c.read) for c in checks if c] == [("confirmed", "same", f.rendered) for f in findings]


def test_what_is_not_shown_is_contradicted(shot: Shot, reader: Reader) -> None:
    """A clock said to show another second is contradicted, whether the structure has the true one or not."""
    findings = [shot.finding("clock", "17:03:22", "17:03:27"), shot.finding("clock", "17:03:22", "16:00:00")]
    assert [(c.verdict, c.reason) for c in check(reader, shot.png, SCALE, findings) if c] == [
        ("contradicted", "structural"),
        ("contradicted", "other-text"),
    ]


def test_what_cannot_be_read_says_why(shot: Shot, reader: Reader) -> None:
    """No ink, a script that the reader does not know, a disclosure, a slider, and a finding of old without lines."""
    findings = [
        shot.finding("blank", "Invisible", "Hidden"),
        shot.finding("russian", "Войти в аккаунт", "Выйти"),
        shot.finding("clock", "open", "closed", "state"),
        shot.finding("clock", "17", "18", "state", verdict="review", reason="drawn-otherwise"),
        shot.finding("clock", "17:03:27", "17:03:22", lines=()),
    ]
    checks = check(reader, shot.png, SCALE, findings)
    assert [c.reason for c in checks if c] == ["no-ink", "script", "no-text-to-read", "drawn-otherwise", "no-place"]
    assert {c.verdict for c in checks if c} == {"unreadable"}


def test_a_list_box_proves_no_choice(shot: Shot, reader: Reader) -> None:
    """It shows all of its rows; that one can be read does not say that it is chosen. Of a field it does."""
    findings = [shot.finding("clock", "17:03:27", "Noon", "state", role=role) for role in ("listbox", "combobox")]
    assert [c.reason for c in check(reader, shot.png, SCALE, findings) if c] == ["no-text-to-read", "same"]


def test_ticks_are_seen(shot: Shot, reader: Reader) -> None:
    """The browser's own boxes and radio buttons: a mark or none confirms the state; the other state is never confirmed."""
    truth = {"ticked": "checked", "chosen": "checked", "empty": "unchecked", "free": "unchecked"}
    other = {"checked": "unchecked", "unchecked": "checked"}
    true = check(reader, shot.png, SCALE, [shot.finding(n, is_, other[is_], "state") for n, is_ in truth.items()])
    false = check(reader, shot.png, SCALE, [shot.finding(n, other[is_], is_, "state") for n, is_ in truth.items()])
    assert [(c.verdict, c.reason) for c in true if c] == [("confirmed", "mark")] * 4
    assert [(c.verdict, c.reason) for c in false if c] == [("unreadable", "no-text-to-read")] * 4


def test_only_what_has_a_row_is_checked(shot: Shot, reader: Reader) -> None:
    """What is clean or skipped gets no check, and places are kept."""
    findings = [
        shot.finding("clock", "17:03:27", "17:03:27", verdict="clean", reason="agree"),
        shot.finding("clock", "17:03:27", "17:03:22", verdict="review", reason="too-short"),
    ]
    nothing, something = check(reader, shot.png, SCALE, findings)
    assert nothing is None
    assert something is not None
    assert something.verdict == "confirmed"


def test_a_picture_that_is_none(reader: Reader, shot: Shot) -> None:
    """Bytes that are no picture are refused."""
    with pytest.raises(BadInput):
        check(reader, b"no picture", 1, [shot.finding("clock", "1", "2")])


def test_checker_hands_over_in_its_own_thread(shot: Shot, reader: Reader) -> None:
    """What is submitted comes back by capture, from another thread; a broken picture costs only itself."""
    got: dict[str, list[str]] = {}
    threads = set()

    def keep(capture_id: str, checks: Any) -> None:
        threads.add(threading.get_ident())
        got[capture_id] = [c.verdict for c in checks]

    with Checker(keep, opened=reader) as checker:
        assert checker.submit("a-0", shot.png, SCALE, [shot.finding("clock", "17:03:27", "17:03:22")])
        assert checker.submit("b-0", b"no picture", SCALE, [shot.finding("clock", "17:03:27", "17:03:22")])
        assert checker.submit("c-0", shot.png, SCALE, [shot.finding("clock", "17:03:22", "17:03:27")])
        checker.drain()
        assert got == {"a-0": ["confirmed"], "b-0": [], "c-0": ["contradicted"]}
        assert isinstance(checker.problem, BadInput)
        assert (checker.failed, checker.checked) == (None, 2)
    assert threading.get_ident() not in threads
    assert not checker.submit("d-0", shot.png, SCALE, [])


def test_checker_without_a_reader(shot: Shot) -> None:
    """Where the reader cannot be opened, what was submitted is answered with nothing, and no more is taken."""
    got = []
    with Checker(lambda capture_id, checks: got.append((capture_id, list(checks))), reader="eyes") as checker:
        checker.submit("a-0", shot.png, SCALE, [shot.finding("clock", "17:03:27", "17:03:22")])
        checker.drain()
        assert got == [("a-0", [])]
        assert isinstance(checker.failed, BadInput)
        assert not checker.submit("b-0", shot.png, SCALE, [])


def test_checker_is_bounded_and_stops(shot: Shot, reader: Reader) -> None:
    """With one that is being looked at and one waiting, a third is refused at once; closing drops what waits."""
    begun, go_on = threading.Event(), threading.Event()
    got = []

    def keep(capture_id: str, _: Any) -> None:
        got.append(capture_id)
        begun.set()
        go_on.wait(20)

    checker = Checker(keep, opened=reader, waiting=1)
    assert checker.submit("a-0", shot.png, SCALE, [])
    assert begun.wait(20)
    assert checker.submit("b-0", shot.png, SCALE, [])
    assert not checker.submit("c-0", shot.png, SCALE, [])
    ending = threading.Thread(target=checker.close)
    ending.start()
    go_on.set()
    ending.join(20)
    assert not ending.is_alive()
    assert got == ["a-0"]
