"""What the crawler's tests share: the loopback site, and both drivers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.pages.server import Site, serve

ALIKE = {"test_act.py", "test_device.py", "test_drift.py", "test_judging.py", "test_not_evidence.py", "test_positions.py"}
"""What these tell comes of one script and one set of rules, whoever drives, and a session of selenium's takes seconds: by it
they are slow tests. What a driver does itself (cases, bad input, truth, frames, a browser's life) is tried by both."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Before pytest looks which are slow."""
    for item in items:
        if item.path.name in ALIKE and item.path.parent.name == "crawler" and _driven_by(item) == "selenium":
            item.add_marker(pytest.mark.slow)


def _driven_by(item: pytest.Item) -> object:
    return item.callspec.params.get("driver") if isinstance(item, pytest.Function) and hasattr(item, "callspec") else None


@pytest.fixture(scope="session")
def pages() -> Iterator[Site]:
    """The loopback site, for the whole session."""
    with serve() as base:
        yield base


@pytest.fixture(scope="session", params=["playwright", "selenium"])
def driver(request: pytest.FixtureRequest) -> str:
    """Both drivers in turn."""
    name = str(request.param)
    if name == "selenium" and shutil.which("chromedriver") is None:
        pytest.skip("no chromedriver on PATH: the selenium driver is not tested here")
    return name
