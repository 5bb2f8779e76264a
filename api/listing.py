"""What every list can be asked: how many, from where on, which fields, in which format."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

MOST = 500
"""Items on a page."""
DEFAULT = 50


def words_in(fields: str) -> str:
    """What is said of a filter by words of these fields."""
    return (
        f"words that stand in {fields}, in any order: runs of letters and digits, case and signs aside. The last may be the "
        "beginning of a word. Accents count. Where a script has no blanks between words (Chinese, Japanese, Thai) only "
        "beginnings of its runs are found"
    )


class Listing(BaseModel):
    """The base of every list's query: a resource adds its filters (and its sorts) as fields of a subclass.

    A handler takes one, as Annotated[ProbesAsked, Query()]; what it does not know is refused.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int = Field(default=DEFAULT, ge=1, le=MOST, description="items on the page")
    after: str | None = Field(default=None, max_length=2000, description="`after` of the page before, with the same filters")
    fields: str | None = Field(
        default=None, max_length=1000, description="only these of each item, with commas; a.b for a field of a field"
    )
    format: Literal["json", "ndjson", "csv"] | None = Field(
        default=None,
        description="json: a page. ndjson, csv: everything that matches, as a stream. Else what `Accept` asks for",
    )

    @property
    def question(self) -> dict[str, object]:
        """What a cursor is bound to, beside its list: everything but where to begin and how much to give."""
        return self.model_dump(exclude={"limit", "after", "fields", "format"}, exclude_none=True)
