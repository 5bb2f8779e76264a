"""Several parts of one page: each position has an evidence pair of its own, and its picture is of that position."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pytest
from PIL import Image

from crawler.evidence import Evidence
from crawler.visit import Visited
from tests.crawler.batch import site, visit_all
from tests.pages.server import Site

pytestmark = pytest.mark.browser
ROW_PX = 100


@pytest.fixture(scope="module")
def visits(driver: str, pages: Site) -> Mapping[str, Visited]:
    """The pages of this file, each looked at in up to four positions."""
    names = ("tall", "tall-inside", "endless")
    wanted = {name: site(name, f"{pages}/html/{name}.html", scroll_positions=4) for name in names}
    wanted["short"] = site("short", f"{pages}/cases/title/elements.html", scroll_positions=4)
    return visit_all(wanted, driver, archive_mhtml=False)


def found(evidence: Evidence, kind: str) -> dict[str, tuple[float, float, float, float]]:
    """Element id -> box of what one capture flags."""
    return {
        f.element_id: f.box for f in evidence.findings if f.kind == kind and f.verdict == "flagged" and f.element_id and f.box
    }


def test_each_picture_is_of_its_position(visits: Mapping[str, Visited]) -> None:
    """The colour beside each flagged button is that of its row: screen 720 px, 80 px shared, so a step is 640 px."""
    evidence = visits["tall"].evidence
    assert [e.record.scroll_y for e in evidence] == [0, 640, 1280, 1920]
    for capture in evidence:
        image = Image.open(io.BytesIO(capture.artifacts["screenshot"])).convert("RGB")
        flagged = found(capture, "aria")
        first = int(capture.record.scroll_y) // ROW_PX
        assert {f"row{first + 1}", f"row{first + 5}"} <= flagged.keys()
        for name, (_, y, _, height) in flagged.items():
            row = int(name.removeprefix("row"))
            assert image.getpixel((10, round(y + height / 2))) == (8 * row, 100, 255 - 8 * row)
            assert y == row * ROW_PX + 30 - capture.record.scroll_y


def test_each_position_has_its_own_s0(visits: Mapping[str, Visited]) -> None:
    """What changes during the delay is stale at every position, with what each S0 read."""
    for capture in visits["tall"].evidence:
        stale = [f for f in capture.findings if f.kind == "stale" and f.verdict == "flagged"]
        assert stale
        for f in stale:
            number = (f.element_id or "").removeprefix("live")
            assert (f.structural, f.rendered) == (f"before {number}", f"after {number}")


def test_one_delay_for_all(visits: Mapping[str, Visited]) -> None:
    """All S0s come first, then one freeze: no reading of S0 is of a stopped page."""
    times = [e.record.timeline for e in visits["tall"].evidence]
    frozen = {t.frozen.monotonic_ns for t in times if t.frozen}
    assert len(frozen) == 1
    assert all(t.served and t.served.monotonic_ns < min(frozen) for t in times)
    assert all(t.screenshot_sent and t.screenshot_sent.monotonic_ns > max(frozen) for t in times)


def test_an_application_scrolls_inside(visits: Mapping[str, Visited]) -> None:
    """Where the document does not scroll, its main part does: 660 px high, so a step is 580 px; the bar stays."""
    evidence = visits["tall-inside"].evidence
    assert [e.record.scroll_y for e in evidence] == [0, 580, 1160, 1740]
    for capture in evidence:
        first = int(capture.record.scroll_y) // ROW_PX
        flagged = found(capture, "aria")
        assert {f"row{first + 1}", f"row{first + 5}", "bar"} <= flagged.keys()
        assert flagged[f"row{first + 1}"][1] > 60


def test_endless_pages_end(visits: Mapping[str, Visited]) -> None:
    """A page that grows whenever one scrolls is looked at in as many positions as asked for, and no more."""
    evidence = visits["endless"].evidence
    assert [e.record.scroll_y for e in evidence] == [0, 640, 1280, 1920]


def test_a_short_page_has_one(visits: Mapping[str, Visited]) -> None:
    """What fits on the screen is not scrolled."""
    assert [e.record.scroll_y for e in visits["short"].evidence] == [0]
