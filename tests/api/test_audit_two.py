"""Two annotators at the same time, each in a browser of their own, one of which is killed in the middle and begun anew.

Every item gets exactly two answers, of different people; none is lost, none is seen by the other; the report is what one works
out by hand.
"""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from playwright.sync_api import Browser

from api.app import create_app
from api.settings import ApiSettings
from domain.audit import Label
from domain.audit_report import report
from store.audit_results import judged
from store.blobs import Blobs
from store.database import Database
from tests.api.at_desk import Desk
from tests.api.audited import NAME, Audited, audited
from tests.api.opened import chromium
from tests.api.serving import serving

pytestmark = pytest.mark.browser


def says(made: Audited, name: str, item: str) -> Label:
    """Of item n ann cannot read each seventh; ben writes something else at each fifth; else both are right."""
    n = number(made, item)
    if name == "ann":
        return Label(answer="unreadable") if n % 7 == 0 else made.right(item)
    return Label(answer="value", value=f"{name} sees {n}") if n % 5 == 0 else made.right(item)


def number(made: Audited, item: str) -> int:
    return int(made.rows[item].live.visit, 16)


def audit_of(database: Database, blobs: Blobs, count: int) -> Audited:
    """All of it, driven by keys: ann and ben at the same time, in threads and browsers of their own. Ben's is killed when he
    has answered half, while the next answer is on its way, and is begun anew.
    """
    made = audited(database, blobs, count, "ann", "ben")
    met = Barrier(2, timeout=60)
    with serving(create_app(database, blobs, ApiSettings(rate="0"))) as address, ThreadPoolExecutor(2) as pool:
        ann = pool.submit(_without_a_break, made, address, met)
        ben = pool.submit(_killed_in_the_middle, made, address, met, count // 2)
        for one in (ann, ben):
            one.result()
    return made


def _without_a_break(made: Audited, address: str, met: Barrier) -> None:
    with chromium() as browser, Desk(browser, address, made, "ann") as desk:
        met.wait()
        _answer_all(desk, made)
        _none_seen(desk, "ben")


def _killed_in_the_middle(made: Audited, address: str, met: Barrier, most: int) -> None:
    with chromium() as browser:
        desk = Desk(browser, address, made, "ben")
        met.wait()
        _answer_all(desk, made, most)
        _none_seen(desk, "ann")
        held = str(desk.item)
        desk.page.keyboard.insert_text(str(says(made, "ben", held).value))
        desk.page.keyboard.press("Enter")  # and nobody waits for what becomes of it
        _kill(browser)
    with chromium() as browser, Desk(browser, address, made, "ben") as desk:
        stored = {one.item for one in judged(made.database, NAME) for given in one.judgements if given.annotator == "ben"}
        assert len(stored) == most + (held in stored)
        assert held in stored or desk.item == held, "what one held is what one is given again"
        _answer_all(desk, made)
        _none_seen(desk, "ann")


def _answer_all(desk: Desk, made: Audited, most: int = 10**6) -> None:
    while desk.item and most:
        desk.answer(says(made, desk.name, desk.item))
        most -= 1


def _kill(browser: Browser) -> None:
    """As a power cut does: no page of it hears of it."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    [process] = [one["id"] for one in told["processInfo"] if one["type"] == "browser"]
    os.kill(process, signal.SIGKILL)


def _none_seen(desk: Desk, other: str) -> None:
    """Nothing that came to this tab has what the other answered."""
    assert [one.url for one in desk.told() if f"{other} sees".encode() in one.all or f'"{other}"'.encode() in one.body] == []


def must_be_right(made: Audited, count: int) -> None:
    """Two answers each, of two people, as they were meant; then the table."""
    items = list(judged(made.database, NAME))
    assert len(items) == count
    for item in items:
        given = {one.annotator: one.label for one in item.judgements}
        assert given == {name: says(made, name, item.item) for name in ("ann", "ben")}
        assert sorted(one.place for one in item.judgements) == [1, 2]
        assert all(one.seconds is not None and one.seconds > 0 for one in item.judgements)
    firsts = {one.annotator for item in items for one in item.judgements if one.place == 1}
    assert firsts == {"ann", "ben"}, "neither waited for the other"
    sevenths, fifths, both = (len(range(0, count, step)) for step in (7, 5, 35))
    agreed = count - sevenths - fifths + both
    [found] = report(NAME, items).kinds
    table = found.tables[0]
    assert (found.annotators, found.names) == ("human", ("ann", "ben"))
    assert (table.pairs, table.agreement.count, table.consensus.count, table.same_other) == (count, agreed, agreed, 0)
    assert [(one.annotator, one.labels, one.unreadable, one.valid.count, one.valid.n) for one in table.validity] == [
        ("ann", count, sevenths, count - sevenths, count - sevenths),
        ("ben", count, 0, count - fifths, count),
    ]


def test_two_at_once(database: Database, blobs: Blobs) -> None:
    """Fourteen items: 2 that ann cannot read, 3 of which ben says something else, 1 of them both, so 10 on which they agree."""
    must_be_right(audit_of(database, blobs, 14), 14)
    [found] = report(NAME, judged(database, NAME)).kinds
    assert (found.tables[0].agreement.count, found.tables[0].consensus.count) == (10, 10)


@pytest.mark.slow
def test_two_at_once_at_length(database: Database, blobs: Blobs) -> None:
    """Two hundred: 29 that ann cannot read, 40 of which ben says something else, 6 of them both, so 137 on which they agree."""
    must_be_right(audit_of(database, blobs, 200), 200)
    [found] = report(NAME, judged(database, NAME)).kinds
    assert (found.tables[0].agreement.count, found.tables[0].consensus.count) == (137, 137)
