"""Examples of public suites, in real Chromium, with both drivers: label in name (ACT 2ee8b8), accessible names, visibility."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from lxml import html

from crawler.arrive import go, ready
from crawler.browsers import launch
from crawler.capture import freeze
from crawler.dress import dress
from crawler.names import accessible_names, pack, unpack
from crawler.reading import Place, read
from crawler.settings import CrawlerSettings
from domain.act import of_page, outcome
from domain.capture import AccessibleName
from domain.divergence import Finding
from domain.reading import Snapshot, parse
from domain.visit import Viewport
from tests.crawler.batch import QUICK, site, visit_all
from tests.pages.server import Site

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parent.parent / "act"
TOLD = re.compile(r"(passed|failed|inapplicable)")


def asserted(page: str) -> dict[str, dict[str, str]]:
    """id -> attributes, of the elements of a page that have both an id and something said of it."""
    document = html.fromstring((ROOT / page).read_text(encoding="utf-8"))
    return {str(e.get("id")): dict(e.attrib) for e in document.iter() if isinstance(e.tag, str) and e.get("id")}


@pytest.mark.parametrize(("page", "least"), [("label-in-name.html", 60), ("label-in-name-more.html", 50)])
def test_label_in_name(page: str, least: int, pages: Site, driver: str) -> None:
    """Each example of the rule has its published outcome; what the rule does not apply to is never said to pass."""
    visited = visit_all({"x": f"{pages}/act/{page}"}, driver, policy="label-in-name", archive_mhtml=False)["x"]
    found = {f.element_id: f for f in visited.evidence[0].findings if f.kind == "aria"}
    told = {i: m[1] for i in asserted(page) if (m := TOLD.match(i))}
    assert len(told) > least
    got = {i: outcome(found[i]) if i in found else "inapplicable" for i in told}
    wrong = {i: (got[i], found.get(i) and found[i].reason) for i in told if got[i] != told[i]}
    assert not wrong
    assert of_page(found.values()) == "failed"


async def _named(driver: str, url: str) -> tuple[Snapshot, dict[int, AccessibleName]]:
    """What a stopped page reads, and the names of all elements that were read."""
    settings = CrawlerSettings(**{**QUICK, "driver": driver})
    browser = await launch(settings)
    try:
        tab = await browser.open_tab()
        page = site("x", url)
        await dress(tab, browser, page, Viewport(width=1280, height=720), settings)
        await go(tab, url, settings)
        world, _, _ = await ready(tab, page, settings)
        await read(world, settings, Place(0), html=True)
        await freeze(tab)
        reading, _ = await read(world, settings, Place(0), hit=True)
        snapshot = parse(reading.report)
        return snapshot, await accessible_names(world, [*(e.key for e in snapshot.elements), 10**9])
    finally:
        await browser.close()


def test_accessible_names(pages: Site, driver: str) -> None:
    """The browser's tree tells role, name and where the name is from, of a page that was stopped (accname 1.2, 2A to 2I)."""
    snapshot, names = asyncio.run(_named(driver, f"{pages}/act/names.html"))
    wanted = {i: a for i, a in asserted("names.html").items() if "data-source" in a}
    by_id = {e.element_id: names.get(e.key) for e in snapshot.elements}
    assert len(wanted) > 25
    wrong = {}
    for i, said in wanted.items():
        told = by_id.get(i)
        expected = (said["data-name"], said["data-source"])
        if told is None or (told.name, told.source) != expected or ("data-role" in said and told.role != said["data-role"]):
            wrong[i] = told
    assert not wrong
    assert unpack(pack(names)) == names


def rendered(finding: Finding | None) -> str:
    """What is seen of an element; nothing where it was not compared."""
    return (finding and finding.rendered) or ""


def test_visibility(pages: Site, driver: str) -> None:
    """What other suites call visible is read, in their words; what they call hidden is not."""
    visited = visit_all({"x": f"{pages}/act/visibility.html"}, driver, archive_mhtml=False)["x"]
    assert visited.visit.outcome == "captured"
    found = {f.element_id: f for f in visited.evidence[0].findings if f.kind == "title"}
    wanted = {i: a["data-seen"] for i, a in asserted("visibility.html").items() if "data-seen" in a}
    assert len(wanted) > 25
    wrong = {i: found.get(i) for i, seen in wanted.items() if rendered(found.get(i)) != seen}
    assert not wrong
