"""One small release for all tests that read one, and copies of it for those that spoil theirs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builder import small


@pytest.fixture(scope="session")
def screenspot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's own copy of ScreenSpot-Pro: three targets."""
    return small.screenspot(tmp_path_factory.mktemp("screenspot"))


@pytest.fixture(scope="session")
def small_release(tmp_path_factory: pytest.TempPathFactory, screenspot: Path) -> Path:
    """Eight probes of three families; the three of ScreenSpot-Pro are recipes. Nobody may write into it."""
    return small.cut(tmp_path_factory.mktemp("release") / "v1", small.contents(screenspot))


@pytest.fixture
def spoiled(small_release: Path, tmp_path: Path) -> Callable[[], Path]:
    """Makes a copy that may be written into."""
    return lambda: shutil.copytree(small_release, tmp_path / "copy" / "v1")
