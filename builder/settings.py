"""Every knob of the builder. Environment: BUILDER_<NAME>. Where the probes are is told by the store's own settings."""

from __future__ import annotations

import os
import sys
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from domain.errors import BadInput

LARGEST_SEED = 2**63 - 1
"""What the database can store."""


class BuilderSettings(BaseSettings):
    """Read from the environment (BUILDER_SEED=735) and from `.env` in the current folder."""

    model_config = SettingsConfigDict(
        env_prefix="BUILDER_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        use_attribute_docstrings=True,
        frozen=True,
    )

    seed: int = Field(default=735, ge=0, le=LARGEST_SEED)
    """Which probes are drawn depends on this and on the corpus alone. Another seed draws a source anew when it is ingested."""
    workers: int = Field(default=0, ge=0, le=256)
    """Processes that draw probes; 0: as many as there are cores. What is drawn does not depend on it."""
    reader: Literal["rapidocr", "tesseract"] = "rapidocr"
    """Who reads the pixels for families that ask for text."""
    vision_url: str = ""
    """A server of OpenAI's chat completions that takes pictures, up to and with the version: http://127.0.0.1:8000/v1.

    For `builder audit model --vision`."""
    vision_model: str = ""
    """The model's name, as that server has it."""
    vision_key: SecretStr | None = None
    """The key that it wants, sent as a bearer token; unset: none."""
    vision_timeout_s: float = Field(default=120, ge=1, le=3600)
    """For one request, until its answer is there as a whole."""
    vision_retries: int = Field(default=4, ge=0, le=20)
    """Further tries of a request that failed in a way that may pass: no connection, HTTP 429 or 5xx."""
    vision_parallel: int = Field(default=4, ge=1, le=64)
    """Items that are asked at once."""

    @property
    def processes(self) -> int:
        """`workers`, with 0 worked out."""
        cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
        return self.workers or cores


def builder_settings(**given: object) -> BuilderSettings:
    """The settings of this process; given: what an option says, None where it says nothing.

    Raises BadInput with a line for each that is wrong.
    """
    try:
        return BuilderSettings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        lines = [f"BUILDER_{problem['loc'][0]}".upper() + f": {problem['msg']}" for problem in error.errors()]
        raise BadInput("\n".join(lines)) from None
