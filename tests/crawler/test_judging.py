"""Visits to pages that are no evidence: they end by name, keep their picture, and nothing is found in them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from crawler.filing import Archive, file
from crawler.visit import Visited
from domain.families.web_natural import draw
from store.blobs import Blobs
from store.captures import divergences, find_visit
from store.database import Database
from tests.crawler.batch import site, visit_all
from tests.pages.server import Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def visits(driver: str, pages: Site) -> Mapping[str, Visited]:
    """Pages of every sort, one with a banner twice: as it is, and with its button named in the list."""
    banner = f"{pages}/html/consent.html"
    wanted = {
        "challenge": f"{pages}/challenge",
        "article": f"{pages}/article",
        "wall": banner,
        "agreed": site("agreed", banner, consent="#agree"),
        "no-such-button": site("no-such-button", banner, consent="#no-such-button"),
        "spinner": f"{pages}/spinner",
        "empty": f"{pages}/empty-body",
    }
    return visit_all(wanted, driver, archive_mhtml=False)


def test_each_ends_by_its_name(visits: Mapping[str, Visited]) -> None:
    """A wall, a challenge and a spinner are no captures, whatever the status; an article that names a vendor is one."""
    assert {name: v.visit.outcome for name, v in visits.items()} == {
        "challenge": "challenge", "article": "captured", "wall": "consent-wall", "agreed": "captured",
        "no-such-button": "consent-wall", "spinner": "still-loading", "empty": "empty",
    }  # fmt: skip


def test_they_keep_their_picture_and_nothing_else(visits: Mapping[str, Visited]) -> None:
    """People can see what was there. Nothing was found, so nothing can become a probe."""
    for name in ("challenge", "wall", "spinner"):
        visited = visits[name]
        [evidence] = visited.evidence
        assert evidence.artifacts["screenshot"].startswith(b"\x89PNG")
        assert evidence.findings == ()
        assert evidence.record.tallies == {}
        assert evidence.record.page is not None
        assert evidence.record.page.kind != "content"
        assert draw(visited.visit, evidence.record, ()) == ()


def test_nothing_of_them_is_a_divergence(visits: Mapping[str, Visited], database: Database, blobs: Blobs) -> None:
    """Stored, found again with its page's kind, and without a row."""
    visit = file(Archive(database, blobs), visits["wall"])
    kept = find_visit(database, visit.id)
    assert kept.outcome == "consent-wall"
    assert kept.captures[0].page is not None
    assert kept.captures[0].consent is not None
    assert kept.captures[0].consent.covers_content
    assert list(divergences(database, visit=visit.id)) == []


def test_only_the_named_button_is_clicked(visits: Mapping[str, Visited]) -> None:
    """The list names the button: it is clicked once, and the page behind it is captured with what is found in it."""
    agreed = visits["agreed"]
    assert "consent-clicked" in agreed.visit.incidents
    assert [f.element_id for f in agreed.evidence[0].findings if f.verdict == "flagged"] == ["behind"]
    assert agreed.evidence[0].record.consent is None
    assert "consent-clicked" not in visits["wall"].visit.incidents
    assert "consent-clicked" not in visits["no-such-button"].visit.incidents
