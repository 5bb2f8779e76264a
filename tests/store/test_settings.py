"""store/settings.py: what is accepted, and that a wrong value names its variable and never shows a password."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.errors import BadInput
from store.settings import StoreSettings, parse_database_url, store_settings


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable is set and no .env is near."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "BLOB_URL", "PARALLAX_DATA"):
        monkeypatch.delenv(name, raising=False)


def test_nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing set, or set to nothing, all lies in .data in the current folder."""
    monkeypatch.setenv("DATABASE_URL", "")
    settings = store_settings()
    assert settings.database_url is None
    assert (settings.data_dir, settings.blobs) == (Path(".data"), ".data/blobs")


def test_environment_and_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables win over .env, whose other lines are nobody's business here."""
    Path(".env").write_text("BLOB_URL=memory://\nPARALLAX_DATA=one\nCRAWLER_DELAY_MS=1\n")
    monkeypatch.setenv("PARALLAX_DATA", "two")
    settings = store_settings()
    assert (settings.data_dir, settings.blobs) == (Path("two"), "memory://")


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_accepted_database_urls(scheme: str) -> None:
    """The three usual spellings mean the same."""
    url = parse_database_url(f"{scheme}://me:p%40ss@db.example:6543/px?sslmode=require")
    assert (url.drivername, url.password, url.port, url.database) == ("postgresql+psycopg", "p@ss", 6543, "px")


@pytest.mark.parametrize("url", ["mysql://me:s3cret@h/d", "postgresql://me:s3cret@h:port/d", "s3cret", "sqlite:///s3cret"])
def test_wrong_database_url(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """A wrong DATABASE_URL is named, with what to write, and its password is not shown."""
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(BadInput, match=r"^DATABASE_URL: .*postgresql://") as raised:
        store_settings()
    assert "s3cret" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_all_that_is_wrong_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every wrong variable has its line."""
    monkeypatch.setenv("DATABASE_URL", "nonsense")
    monkeypatch.setenv("BLOB_URL", "ftp://host/x")
    with pytest.raises(BadInput) as raised:
        store_settings()
    assert [line.split(":")[0] for line in str(raised.value).splitlines()] == ["DATABASE_URL", "BLOB_URL"]


@pytest.mark.parametrize("url", ["ftp://x/y", "s3:///prefix", "http://x"])
def test_wrong_blob_url(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """A place blobs cannot be kept at is refused before anything is written."""
    monkeypatch.setenv("BLOB_URL", url)
    with pytest.raises(BadInput, match=r"^BLOB_URL: "):
        store_settings()


def test_password_is_not_printed() -> None:
    """Settings can be logged."""
    assert "s3cret" not in repr(StoreSettings.model_validate({"DATABASE_URL": "postgresql://me:s3cret@h/d"}))
