"""Made corpora that several tests read; drawn once a session. Nobody may write into them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpora import clay, rico


@pytest.fixture(scope="session")
def made_mobile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """rico/ and clay/, eight usable screens, one that CLAY numbers otherwise, and all that is broken."""
    folder = tmp_path_factory.mktemp("mobile")
    rico.make(folder / "rico", screens=8)
    clay.make(folder / "clay", screens=8)
    return folder
