"""The demo's last line leads to where the API will be."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler.pages_at import pages_at


@pytest.mark.parametrize(
    ("environment", "dotenv", "said"),
    [
        ({}, "", "http://127.0.0.1:8000/"),
        ({"API_PORT": "8123"}, "API_PORT=9\n", "http://127.0.0.1:8123/"),
        ({}, "API_PORT=8124\nAPI_HOST=0.0.0.0\nCRAWLER_DELAY_MS=5\n", "http://127.0.0.1:8124/"),
        ({"API_PORT": "0"}, "", "the address it says"),
        ({"API_PORT": "many"}, "", "the address it says"),
        ({"API_HOST": "192.0.2.7"}, "", "the address it says"),
    ],
)
def test_the_demo_leads_to_the_pages(
    environment: dict[str, str], dotenv: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By API_PORT and API_HOST, from the environment or `.env`; where they do not tell, the server does."""
    monkeypatch.chdir(tmp_path)
    for name in ("API_PORT", "API_HOST"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    (tmp_path / ".env").write_text(dotenv)
    assert pages_at() == said
