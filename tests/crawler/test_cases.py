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

# The verdict comes from the same script and the same rules whoever drives. A driver only changes how a reading is asked for:
# these pages use each way there is, and are tried through selenium too. The others are tried through it among the slow tests.
ALIKE = ("text.html", "values.html", "roles.html", "strings.html", "trees.html", "frames.html")
"""Names of pages whose findings are the same box for box through both drivers."""
BOTH = {name for name in PAGES if name.split("/")[1] in ALIKE} | {
    "aria/closed-in-closed.html", "aria/frames-scaled.html", "aria/generated-content.html", "aria/hostile-scripts.html",
    "aria/lines.html", "aria/shadow-roots.html", "stale/reloaded.html",
}  # fmt: skip
TRIED = [
    pytest.param(driver, name, marks=[pytest.mark.slow] if driver == "selenium" and name not in BOTH else [])
    for driver in ("playwright", "selenium")
    for name in PAGES
]

# What the readings cannot tell: these pages wait for the reading of the pixels and of the accessibility tree.
BEYOND: dict[str, str] = {}

pytestmark = pytest.mark.browser


Visits = Callable[[str, str], Visited]


@pytest.fixture(scope="session")
def visits(pages: Site) -> Visits:
    """`visits(driver, name)`: the visit of that page; all that the driver tries are visited in one run, at the first one."""

    @cache
    def run(driver: str, *names: str) -> dict[str, Visited]:
        return visit_all({name: f"{pages}/cases/{name}" for name in names}, driver, archive_mhtml=False)

    def visit(driver: str, name: str) -> Visited:
        now = BOTH if driver == "selenium" else {*PAGES}
        return run(driver, *sorted(now if name in now else {*PAGES} - now))[name]

    return visit


@pytest.mark.parametrize(("driver", "name"), TRIED, indirect=["driver"])
def test_case(driver: str, name: str, visits: Visits) -> None:
    """Each element of a case page gets the verdict in its id; one that is nowhere in the readings counts as skipped."""
    if name in BEYOND:
        pytest.skip(f"not told yet: {BEYOND[name]}")
    visited = visits(driver, name)
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


def test_drivers_agree(visits: Visits) -> None:
    """The same pages through Playwright and Selenium give the same findings, box for box."""
    names = [name for name in PAGES if name.split("/")[1] in ALIKE]
    by_playwright, by_selenium = (
        {name: visits(driver, name).evidence[0].findings for name in names} for driver in ("playwright", "selenium")
    )
    assert sum(map(len, by_playwright.values())) > 50
    assert by_playwright == by_selenium


def test_lines_are_where_the_text_is(driver: str, visits: Visits) -> None:
    """One box a line: middles 15 and 45 px below the top of the button, since lines are 30 px high; none beyond its clip."""
    found = {f.element_id: f for e in visits(driver, "aria/lines.html").evidence for f in e.findings if f.kind == "aria"}
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
