"""Every knob of the API. Environment: API_<NAME>. Where the probes are is told by the store's own settings."""

from __future__ import annotations

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from domain.errors import BadInput


class ApiSettings(BaseSettings):
    """Read from the environment (API_PORT=8080) and from `.env` in the current folder."""

    model_config = SettingsConfigDict(
        env_prefix="API_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        use_attribute_docstrings=True,
        frozen=True,
    )

    host: str = "127.0.0.1"
    """The address to listen at. Nobody is asked who they are, so what is beyond this machine is for a proxy in front."""
    port: int = Field(default=8000, ge=0, le=65535)
    """The port to listen at; 0: any that is free."""
    workers: int = Field(default=1, ge=1, le=64)
    """Processes that answer."""


def api_settings() -> ApiSettings:
    """The settings of this process. Raises BadInput with a line for each variable that is wrong."""
    try:
        return ApiSettings()
    except ValidationError as error:
        lines = [f"API_{str(problem['loc'][0]).upper()}: {problem['msg']}" for problem in error.errors()]
        raise BadInput("\n".join(lines)) from error
