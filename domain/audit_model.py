"""What answers under the name of a model annotator: told with every number that rests on it. Never an annotator's matter."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from domain.record import Record


class AnsweringModel(Record):
    """One reader of text, or one model that sees, as it was asked. Two annotators of an audit are never the same one."""

    way: Literal["reader", "vision"] = Field(description="reader: of text, on this machine; vision: asked over HTTP")
    name: str = Field(min_length=1, max_length=255, description="of the reader or the model")
    version: str | None = Field(default=None, description="of a reader, with its model; null: the server does not say")
    endpoint: str | None = Field(default=None, description="host that was asked, without port, path and key; null: none was")
    prompt: str | None = Field(
        default=None, pattern=r"^[0-9a-f]{64}$", description="SHA-256 of all that it is told besides an item; null: nothing is"
    )

    def __str__(self) -> str:
        told = [self.version, self.endpoint and f"at {self.endpoint}", self.prompt and f"prompt {self.prompt[:12]}"]
        more = ", ".join(one for one in told if one)
        return f"{self.name} ({more})" if more else self.name
