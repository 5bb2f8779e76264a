"""The case pages are well formed: what they are judged by can be read from their ids. No browser."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"
PAGES = sorted(CASES.glob("*/*.html"))
VERDICT = re.compile(r"""\bid=(?:\\?["']|&quot;)?((?:flagged|clean|review|skipped|notflagged)[^\s"'>&\\]*)""")
FORM = re.compile(r"(flagged|clean|review|skipped|notflagged)[1-9][0-9]*-[a-z0-9-]+")

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")


@each_page
def test_ids_tell_the_verdict_once(page: Path) -> None:
    """Every id that begins with a verdict has a number and a topic, and occurs once on its page."""
    ids = VERDICT.findall(page.read_text())
    assert ids
    assert [name for name in ids if not FORM.fullmatch(name)] == []
    assert [name for name, times in Counter(ids).items() if times > 1] == []


@each_page
def test_page_says_what_it_stands_for_and_asks_for_nothing(page: Path) -> None:
    """A comment comes first, and nothing is fetched from anywhere."""
    text = page.read_text()
    assert text.startswith("<!doctype html>\n<!--\n")
    assert re.findall(r"""(?:src|srcset|action|url\()\s*=?\s*["']?(?:https?:|//)""", text) == []


@each_page
def test_stale_pages_tick(page: Path) -> None:
    """A page for stale has a function tick() to call between S0 and the freeze, and no timer of its own."""
    text = page.read_text()
    if page.parent.name == "stale":
        assert "function tick()" in text
    assert not re.search(r"setInterval|setTimeout|requestAnimationFrame", text)


@pytest.mark.parametrize("kind", ["aria", "title", "stale", "state"])
def test_every_kind_is_covered_both_ways(kind: str) -> None:
    """Each kind has pages with flagged, clean and skipped elements."""
    text = "".join(page.read_text() for page in PAGES if page.parent.name == kind)
    assert {name.rstrip("0123456789") for name in re.findall(r"\b([a-z]+[0-9]+)-", text)} >= {"flagged", "clean", "skipped"}
