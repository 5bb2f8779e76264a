"""The folder of the store, where there is none, where it cannot be one, and where it cannot be read: a line each."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from crawler.opened import kept_archive, kept_database, made_archive, made_database
from domain.errors import NotFound, ParallaxError, Unavailable

KEPT = [kept_archive, kept_database]
ALL = [*KEPT, made_archive, made_database]


@pytest.fixture(autouse=True)
def embedded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "BLOB_URL"):
        monkeypatch.setenv(name, "")


def said(opening: Callable[[], object], folder: Path, kind: type[ParallaxError], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PARALLAX_DATA", str(folder))
    with pytest.raises(kind) as caught:
        opening()
    return str(caught.value)


@pytest.mark.parametrize("opening", KEPT)
def test_no_store(opening: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that is not there, or that has something else in it."""
    assert said(opening, tmp_path / "x", NotFound, monkeypatch).startswith(f"There is no store in {tmp_path}/x. PARALLAX_DATA")
    assert said(opening, tmp_path, NotFound, monkeypatch).startswith(f"There is no store in {tmp_path}. PARALLAX_DATA")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("opening", ALL)
def test_no_folder(opening: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, and what would lie below one."""
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        told = said(opening, place, Unavailable, monkeypatch)
        assert told == f"There can be no store in {place}: it is no folder. PARALLAX_DATA names one."


@pytest.mark.parametrize("opening", ALL)
def test_the_system_does_not_let_it_be_looked_at(
    opening: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its reason is: a name longer than names are, a folder that is another user's."""
    place = tmp_path / ("x" * 300)
    told = f"The data folder {place} cannot be read: File name too long. PARALLAX_DATA names another one."
    assert said(opening, place, Unavailable, monkeypatch) == told
    if os.geteuid() != 0:  # who is root reads everything
        (closed := tmp_path / "closed").mkdir(mode=0)
        told = f"The data folder {closed} cannot be read: Permission denied. PARALLAX_DATA names another one."
        assert said(opening, closed, Unavailable, monkeypatch) == told
