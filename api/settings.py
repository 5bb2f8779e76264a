"""Every knob of the API. Environment: API_<NAME>. Where the probes are is told by the store's own settings."""

from __future__ import annotations

import re
from typing import Literal, Self

from limits import parse
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from domain.errors import BadInput

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#@]+/?")


class ApiSettings(BaseSettings):
    """Read from the environment (API_PORT=8080) and from `.env` in the current folder."""

    model_config = SettingsConfigDict(
        env_prefix="API_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        use_attribute_docstrings=True,
        frozen=True,
        hide_input_in_errors=True,
    )

    host: str = "127.0.0.1"
    """The address to listen at. Beyond this machine there should be a proxy in front, which speaks TLS."""
    port: int = Field(default=8000, ge=0, le=65535)
    """The port to listen at; 0: any that is free."""
    workers: int = Field(default=1, ge=1, le=64)
    """Processes that answer."""
    threads: int = Field(default=20, ge=1, le=200)
    """Questions for probes that each process works on at once, and so many others, streams and writes too.
    Each may hold a connection to the database, of the others now and then two."""
    hosts: str = ""
    """Names that it is asked for by, with commas: probes.lab.example; *: any. Those of this machine are always answered.
    Unset: only those where API_HOST is of this machine alone, else any."""
    token: SecretStr | None = None
    """Who sends it (`Authorization: Bearer ...`) may write: take-downs. Unset: nobody writes. At least 16 characters."""
    reads: Literal["open", "token"] = "open"
    """open: everybody who reaches it may read. token: only with API_TOKEN, as Bearer or as the password of Basic."""
    cors: str = ""
    """Origins whose pages may ask, with commas: https://lab.example. *: all. Unset: none but our own."""
    rate: str = "6000/minute"
    """Requests from one address (of IPv6 from one /64), in each process; then 429. 100/second, 5000/hour. 0: no limit."""
    max_body: int = Field(default=65_536, ge=1, le=100_000_000)
    """The largest body that is taken, bytes; then 413."""
    head_s: float = Field(default=10, ge=0.1, le=600)
    """A request whose head is not here so long after the connection or its first byte is cut off: 408."""
    body_s: float = Field(default=20, ge=0.1, le=600)
    """A body that is not whole after so long is not waited for: 408."""
    stall_s: float = Field(default=30, ge=0.1, le=3600)
    """A reader who takes less than 48 kB in so long is cut off."""
    connections: int = Field(default=1000, ge=1, le=100_000)
    """Connections at once, in each process; one more is told 503."""
    proxies: str = ""
    """Addresses of proxies, with commas, whose X-Forwarded-For and -Proto are believed: 10.0.0.0/8. Unset: nobody's."""

    @property
    def origins(self) -> tuple[str, ...]:
        """API_CORS, taken apart."""
        return tuple(one.strip().rstrip("/") for one in self.cors.split(",") if one.strip())

    @property
    def known_hosts(self) -> tuple[str, ...]:
        """API_HOSTS, taken apart."""
        return tuple(one.strip() for one in self.hosts.split(",") if one.strip())

    @field_validator("cors")
    @classmethod
    def _are_origins(cls, value: str) -> str:
        for one in filter(None, map(str.strip, value.split(","))):
            if one != "*" and not _ORIGIN.fullmatch(one):
                raise ValueError(f"{one!r} is no origin; write https://lab.example, or * for all")
        return value

    @field_validator("rate")
    @classmethod
    def _is_rate(cls, value: str) -> str:
        if value.strip() in {"", "0"}:
            return ""
        try:
            parse(value)
        except ValueError:
            raise ValueError("is no rate; write 6000/minute, 100/second, or 0 for none") from None
        return value

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if self.token is not None and len(self.token.get_secret_value()) < 16:  # noqa: PLR2004
            raise ValueError("API_TOKEN has less than 16 characters; make one with: openssl rand -hex 32")
        if self.reads == "token" and self.token is None:
            raise ValueError("API_READS is token, and API_TOKEN is not set; make one with: openssl rand -hex 32")
        return self


def api_settings() -> ApiSettings:
    """The settings of this process. Raises BadInput with a line for each variable that is wrong."""
    try:
        return ApiSettings()
    except ValidationError as error:
        raise BadInput("\n".join(map(_said, error.errors()))) from None  # the cause may show the token


def _said(problem: object) -> str:
    assert isinstance(problem, dict)  # noqa: S101
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"API_{str(problem['loc'][0]).upper()}: {message}" if problem["loc"] else message
