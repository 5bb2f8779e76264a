"""What is drawn keeps apart on narrow screens: marks, their labels, captions of tables, dots between the parts of a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, PackageLoader
from playwright.sync_api import Browser, Page

import api
from api.pages.charts import curve
from domain.drift_curve import Point
from domain.share import Share
from tests.api.opened import Opened
from tests.api.stocked import Stocked

pytestmark = pytest.mark.browser
WIDTHS = (320, 390, 1280)
STYLES = Path(api.__file__).parent / "static"
BOXES = """selector => [...document.querySelectorAll(selector)].map((one) => {
    const box = one.getBoundingClientRect();
    return [one.textContent.trim() || one.tagName, box.left, box.top, box.right, box.bottom];
})"""
BEGUN = """() => [...document.querySelectorAll("main .meta > * + *")].map((one) => {
    const line = one.parentElement, at = document.createRange();
    at.selectNodeContents(one);
    const clipped = getComputedStyle(line).overflowX === "clip";
    return [one.textContent.trim(), one.getBoundingClientRect().left - line.getBoundingClientRect().left,
        at.getClientRects()[0].left - one.getBoundingClientRect().left, clipped];
})"""
"""Of each part of a line but the first: its text, how far in it begins, how far behind that its text does."""


def overlapping(boxes: list[list[Any]]) -> list[tuple[str, str]]:
    """Pairs whose boxes (px) have a part in common."""
    return [
        (one[0], other[0])
        for number, one in enumerate(boxes)
        for other in boxes[number + 1 :]
        if min(one[3], other[3]) - max(one[1], other[1]) > 0.5 and min(one[4], other[4]) - max(one[2], other[2]) > 0.5
    ]


def styled(browser: Browser, width: int, content: str) -> Page:
    """A page of this alone, as sites and the crawl are styled."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    styles = "".join((STYLES / name).read_text() for name in ("page.css", "crawl.css"))
    page.set_content(f"<!doctype html><style>{styles}</style><main><section class=panel>{content}</section></main>")
    return page


@pytest.mark.parametrize("width", WIDTHS)
def test_instants_are_told_apart(width: int, browser: Browser, address: str, made: Stocked) -> None:
    """Neither do two of them touch, nor an end's label and a mark; in the table each dot stands in its name's first line."""
    place = f"/pages/divergences/{made.divergences['shop'][0]}"
    with Opened(browser, address, place, viewport={"width": width, "height": 900}) as opened:
        marks = opened.page.evaluate(BOXES, ".timeline circle")
        assert len(marks) == 4
        assert overlapping(marks + opened.page.evaluate(BOXES, ".timeline .end, .timeline .axis")[1:]) == []
        lines = opened.page.evaluate("""() => [...document.querySelectorAll("th > .channel")].map((one) => {
            const text = document.createRange(), dot = one.getBoundingClientRect();
            text.selectNodeContents(one.nextSibling);
            const first = text.getClientRects()[0];
            return dot.top >= first.top && dot.bottom <= first.bottom;
        })""")
        assert lines == [True] * 4


@pytest.mark.parametrize("place", ["/pages/probes", "/docs", "/pages/probes/{}"])
def test_no_line_begins_with_a_dot(place: str, browser: Browser, address: str, made: Stocked) -> None:
    """What is first in its line begins at its edge, and the dot before it is cut off. A dot is no part of a link."""
    first = 0
    with Opened(browser, address, place.format(made.probes["shop"][0].id)) as opened:
        for width in WIDTHS:
            opened.page.set_viewport_size({"width": width, "height": 900})
            parts = opened.page.evaluate(BEGUN)
            assert parts
            assert [part for part in parts if part[2] > 1 or not part[3]] == [], width
            first += sum(part[1] < 1 for part in parts)
    assert first


@pytest.mark.parametrize("width", WIDTHS)
def test_labels_of_a_chart_lie_beside_it(width: int, browser: Browser) -> None:
    """Not under its bars, whatever is written there."""
    whole = Share(share=0.5, low=0.0, high=1.0)
    points = [
        Point(after_ms=ms, captures=1, sites=1, watched=9, stale=whole, ever=whole, by_site=0.5, moved=0, gone=0)
        for ms in (500, 1000, 3000)
    ]
    templates = Environment(loader=PackageLoader("api"), autoescape=True)
    templates.filters["number"] = str
    drawn = templates.get_template("chart.html.j2").module.curve(curve(points), "a curve")  # type: ignore[attr-defined]
    page = styled(browser, width, drawn)
    boxes = page.evaluate(BOXES, ".chart text, .chart circle, .chart .interval")
    crossed = [pair for pair in overlapping([box if box[0] != "line" else [box[0], box[1] - 4, box[2], box[3] + 4, box[4]]
                                             for box in boxes]) if "%" in "".join(pair)]  # fmt: skip
    assert [box[0] for box in boxes if "%" in box[0]] == ["50 %", "100 %"]
    assert crossed == []
    assert min(box[1] for box in boxes) >= 0
    page.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_caption_is_read_whole(width: int, browser: Browser) -> None:
    """However wide its table is: it ends before the edge behind which the table goes on."""
    cells = "<td style='min-width: 20rem'>a</td>" * 6
    table = f"<table><caption>{'A sentence of many words. ' * 4}</caption><tr>{cells}</tr></table>"
    page = styled(browser, width, f"<div class=scroll>{table}</div>")
    [[_, left, _, right, _]], [[_, shown_left, _, shown_right, _]] = (
        page.evaluate(BOXES, one) for one in ("caption", ".scroll")
    )
    assert shown_left - 1 <= left < right <= shown_right + 1
    page.close()
