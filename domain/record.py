"""The base of every type that is written to a file or sent on a wire."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Frozen, and strict about what it holds: an unknown field is an error, not a surprise."""

    model_config = ConfigDict(frozen=True, extra="forbid")
