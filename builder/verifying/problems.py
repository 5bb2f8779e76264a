"""Problem: one thing that is not as it should be in a release."""

from __future__ import annotations

from pydantic import Field

from domain.record import Record

LONGEST = 200
"""Characters of a value that are shown."""


class Problem(Record):
    """What is wrong, in which file, and what should be there instead."""

    file: str = Field(description="path from the release's folder")
    what: str = Field(description="what is wrong: one sentence without the values")
    probe: str | None = Field(default=None, description="id of the row that it concerns")
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        row = f", {self.probe}" if self.probe else ""
        values = [f"{name} {value}" for name, value in (("expected", self.expected), ("found", self.found)) if value]
        return f"{self.file}{row}: {self.what}{': ' if values else ''}{', '.join(values)}"


def cut(value: object) -> str:
    """The value as it is shown: not longer than a line or two."""
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
