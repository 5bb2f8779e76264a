"""CRAWLER_BROWSER_PATH names something else than a browser: what is said of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crawler.browsers.playwright import launch
from crawler.browsers.program import find_browser, remedy
from crawler.settings import CrawlerSettings
from domain.errors import Unavailable


def test_what_is_no_program_is_told_apart(tmp_path: Path) -> None:
    """Nothing is there; a file that may not be executed; a folder. A program is taken."""
    file, program = tmp_path / "file", tmp_path / "program"
    for path in (file, program):
        path.touch()
    program.chmod(0o755)
    for path, told in (
        (tmp_path / "nothing", "and no program is there."),
        (file, "and what is there is no program (it may not be executed)."),
        (tmp_path, "and that is a folder."),
    ):
        with pytest.raises(Unavailable) as caught:
            find_browser(CrawlerSettings(browser_path=str(path)))
        assert str(caught.value) == f"CRAWLER_BROWSER_PATH is '{path}', {told} Name a Chrome or Chromium, or unset it."
    assert find_browser(CrawlerSettings(browser_path=str(program))) == str(program)


def test_the_remedy_is_where_the_browser_was_chosen() -> None:
    """By the setting, which is named with its value; or by nobody."""
    chosen = CrawlerSettings(browser_path="/bin/true")
    assert remedy(chosen) == "CRAWLER_BROWSER_PATH chose '/bin/true': name a Chrome or Chromium there, or unset it."
    nobody = CrawlerSettings(browser_path=None)
    assert remedy(nobody, " of 1999") == "Run: make setup, or set CRAWLER_BROWSER_PATH to a Chrome or Chromium of 1999."


@pytest.mark.browser
def test_a_program_that_is_no_browser_is_named(tmp_path: Path) -> None:
    """It ends, and no browser is there."""
    (program := tmp_path / "program").write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(Unavailable, match=f"^No browser starts .*CRAWLER_BROWSER_PATH chose '{program}'"):
        asyncio.run(launch(CrawlerSettings(browser_path=str(program))))
