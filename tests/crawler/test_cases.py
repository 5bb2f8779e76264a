"""Every case page, in real Chromium, with both drivers: an element's id tells its verdict for the kind of its folder."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from crawler.visit import Visited
from domain.divergence import Finding
from tests.crawler.batch import visit_all
from tests.pages.server import Site

ROOT = Path(__file__).resolve().parent.parent / "cases"
PAGES = sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("*/*.html"))
TOLD = re.compile(r"(flagged|clean|review|skipped|notflagged)\d+(-[\w-]+)?$")
ASSERTED = re.compile(r"""id=(?:"|&quot;|'|)((?:flagged|clean|review|skipped|notflagged)\d+(?:-[\w-]+)?)""")

# What the readings cannot tell: these pages wait for the reading of the pixels and of the accessibility tree.
BEYOND: dict[str, str] = {}

pytestmark = pytest.mark.browser


Visits = Callable[[str], dict[str, Visited]]


@pytest.fixture(scope="session")
def visits_by(pages: Site) -> Visits:
    """Driver -> all case pages by their names, visited in one run when they are first asked for."""
    return cache(lambda driver: visit_all({name: f"{pages}/cases/{name}" for name in PAGES}, driver, archive_mhtml=False))


@pytest.fixture(scope="session")
def visits(driver: str, visits_by: Visits) -> dict[str, Visited]:
    """All case pages by that driver."""
    return visits_by(driver)


@pytest.mark.parametrize("name", PAGES)
def test_case(name: str, visits: dict[str, Visited], driver: str) -> None:
    """Each element of a case page gets the verdict in its id; one that is nowhere in the readings counts as skipped."""
    if name in BEYOND:
        pytest.skip(f"not told yet: {BEYOND[name]}")
    visited = visits[name]
    assert visited.visit.outcome == "captured", visited.visit.reason
    kind = name.split("/", maxsplit=1)[0]
    found = {f.element_id: f for e in visited.evidence for f in e.findings if f.kind == kind and f.element_id}
    told = {i for i in found if TOLD.match(i)} | set(ASSERTED.findall((ROOT / name).read_text(encoding="utf-8")))
    assert told, "a case page asserts nothing"
    wrong = [said for i in sorted(told) if (said := _wrong(i, found.get(i)))]
    assert not wrong, f"{name} by {driver}:\n" + "\n".join(wrong)


def _wrong(element_id: str, finding: Finding | None) -> str:
    match = TOLD.match(element_id)
    wanted = match[1] if match else ""
    got = finding.verdict if finding else "skipped"
    right = got != "flagged" if wanted == "notflagged" else got == wanted
    if right:
        return ""
    return (
        f"  {element_id}: {got} ({finding.reason}) {finding.structural!r} / {finding.rendered!r}"
        if finding
        else f"  {element_id}: not in the readings"
    )


def test_drivers_agree(visits_by: Visits) -> None:
    """The same pages through Playwright and Selenium give the same findings, box for box."""
    names = [
        n
        for n in PAGES
        if n.split("/")[1] in {"text.html", "values.html", "roles.html", "strings.html", "trees.html", "frames.html"}
    ]
    by_playwright, by_selenium = (
        {n: visits_by(driver)[n].evidence[0].findings for n in names} for driver in ("playwright", "selenium")
    )
    assert sum(map(len, by_playwright.values())) > 50
    assert by_playwright == by_selenium


def test_lines_are_where_the_text_is(visits: dict[str, Visited]) -> None:
    """One box a line: middles 15 and 45 px below the top of the button, since lines are 30 px high; none beyond its clip."""
    found = {f.element_id: f for e in visits["aria/lines.html"].evidence for f in e.findings if f.kind == "aria"}
    middles = {name: [y + height / 2 for _, y, _, height in f.lines] for name, f in found.items()}
    # Half a pixel more or less: which font `monospace` is depends on who starts the browser.
    assert middles == {
        "flagged1-two-lines": pytest.approx([115, 145], abs=0.6),
        "flagged2-generated": pytest.approx([115], abs=0.6),
        "flagged3-apart": pytest.approx([315, 315], abs=0.6),
        "flagged4-cut": pytest.approx([315], abs=0.6),
    }
    for name, left in {"flagged1-two-lines": 100, "flagged2-generated": 500, "flagged3-apart": 100}.items():
        assert all(x >= left and x + width <= left + 300 for x, _, width, _ in found[name].lines)
        assert abs(found[name].lines[0][0] - left) < 0.5
