"""What the crawler's tests share: the loopback site, and both drivers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.pages.server import Site, serve


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
