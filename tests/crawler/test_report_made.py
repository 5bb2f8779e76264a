"""A report is one file that is sent on: what in it is no evidence about the world says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from api.pages.made import OWN
from crawler.filing import Archive
from crawler.report import write_report
from store.blobs import Blobs
from store.database import Database
from tests.crawler.test_report import finding, keep

NO_EVIDENCE = f"Made: {OWN}. It is no evidence about the world."
"""As the pages for people say."""
OF_SOME = "of pages of this machine, not of the web: each of these captures says so. They are no evidence about the world."


def notes(archive: Archive, place: Path) -> list[tuple[str, str]]:
    """Of the head and of each capture, in order: the site it is about and what it says; site "" for the head."""
    write_report(archive, place)
    page = html.parse(place)
    return [
        ("".join(note.xpath("../h2/span[@class='site']/text()")), note.text_content().strip())
        for note in page.xpath("//p[@class='made']")
    ]


@pytest.mark.parametrize("host", ["127.0.0.1:8735", "localhost", "a.localhost:80", "[::1]:8000"])
def test_pages_of_this_machine_are_no_evidence(database: Database, blobs: Blobs, tmp_path: Path, host: str) -> None:
    """Those alone: the head says that all are, or how many; of a page of the web nothing is said."""
    archive, place = Archive(database, blobs), tmp_path / "r.html"
    keep(archive, 1, [finding("#a"), finding("#b")], site="own", url=f"http://{host}/")
    assert notes(archive, place) == [
        ("", "Made: pages of this machine, not of the web. They are no evidence about the world."),
        ("own", NO_EVIDENCE),
    ]
    keep(archive, 2, [finding("#c")], site="shop")
    assert notes(archive, place) == [
        ("", f"Made: 2 cards are {OF_SOME}"),
        ("own", NO_EVIDENCE),
    ]


def test_pages_of_the_web_are_not_made(database: Database, blobs: Blobs, tmp_path: Path) -> None:
    """Whatever their address looks like, where it is not this machine's."""
    archive = Archive(database, blobs)
    for number, url in enumerate(("https://shop.example/", "http://127.0.0.1.example/", "http://localhost.example/")):
        keep(archive, number, [finding("#a")], url=url)
    assert notes(archive, tmp_path / "r.html") == []
