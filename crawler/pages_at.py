"""Where `api serve`, begun in this folder, shows its pages. The crawler names the address and knows nothing else of the API."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

OWN = frozenset({"127.0.0.1", "localhost", "0.0.0.0"})  # noqa: S104 - compared with, not listened at
"""Hosts whose pages are to be had at 127.0.0.1."""


class _Served(BaseSettings):
    """As the API reads them: from the environment, and from `.env` in the current folder."""

    model_config = SettingsConfigDict(env_prefix="API_", env_file=".env", env_ignore_empty=True, extra="ignore")

    host: str = "127.0.0.1"
    port: int = 8000


def pages_at() -> str:
    """http://127.0.0.1:8000/, or words for what only the server can say: a free port, a name of another kind."""
    try:
        served = _Served()
    except ValidationError:  # the API says what is wrong with it
        return "the address it says"
    return f"http://127.0.0.1:{served.port}/" if served.port and served.host in OWN else "the address it says"
