"""Where the rows and the blobs are kept. Read from the environment, or from `.env` in the current folder."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from domain.errors import BadInput

_DRIVERS = {"postgresql", "postgres", "postgresql+psycopg"}
_BLOB_SCHEMES = {"file", "memory", "s3"}


class StoreSettings(BaseSettings):
    """Every setting of the store. With nothing set, everything lies in `.data/` under the current folder."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,  # compose files and CI set a variable to "" to say "not set"
        extra="ignore",  # the file also holds other packages' settings
        frozen=True,
        hide_input_in_errors=True,  # a URL may hold a password
        populate_by_name=True,
    )

    database_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description="Postgres to use, as postgresql://user:password@host:port/database. "
        "Unset: an embedded server in the data folder, so that nothing needs setting up.",
    )
    blob_url: str | None = Field(
        default=None,
        validation_alias="BLOB_URL",
        description="Where blobs go: a folder, file:///folder, s3://bucket/prefix, or memory:// (gone at exit). "
        "Unset: `blobs` in the data folder.",
    )
    data_dir: Path = Field(
        default=Path(".data"),
        validation_alias="PARALLAX_DATA",
        description="Folder for the embedded server and for blobs. Under the current folder and not in a home: "
        "started as root, Postgres runs as another user, who must be able to reach it.",
    )

    @field_validator("database_url")
    @classmethod
    def _is_postgres(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            parse_database_url(value.get_secret_value())
        return value

    @field_validator("blob_url")
    @classmethod
    def _is_blob_place(cls, value: str | None) -> str | None:
        scheme = urlsplit(value).scheme if value and "://" in value else ""
        if scheme and scheme not in _BLOB_SCHEMES:
            raise ValueError(f"{scheme}:// is not supported; give a folder, file://, memory:// or s3://bucket/prefix")
        if value and scheme == "s3" and not urlsplit(value).netloc:
            raise ValueError("names no bucket; write s3://bucket/prefix")
        return value

    @property
    def blobs(self) -> str:
        """BLOB_URL, or the folder that stands in for it."""
        return self.blob_url or str(self.data_dir / "blobs")

    @property
    def releases(self) -> Path:
        """Where releases are put that are not told where to go; in it a folder for each, by its name."""
        return self.data_dir / "releases"


def store_settings() -> StoreSettings:
    """The settings of this process. Raises BadInput with a line for each variable that is wrong."""
    try:
        return StoreSettings()
    except ValidationError as error:
        lines = [f"{problem['loc'][0]}: {problem['msg'].removeprefix('Value error, ')}" for problem in error.errors()]
        raise BadInput("\n".join(lines)) from None  # the cause may show the value, which may hold a password


def parse_database_url(text: str) -> URL:
    """The URL with our driver. Raises ValueError, without the URL in it: it may hold a password."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError(
            "is not a database URL; write postgresql://user:password@host:port/database "
            "(in a password, write / @ : and % as %2F %40 %3A %25)"
        ) from None
    if url.drivername not in _DRIVERS:
        raise ValueError(f"{url.drivername}:// is not supported; write postgresql://user:password@host:port/database")
    return url.set(drivername="postgresql+psycopg")
