"""Fields of forms, filled with what was asked for: sent as they stand, they ask for the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time

from fastapi import Request

MIDNIGHT = time()
MILLISECOND_US = 1000


@dataclass(frozen=True, slots=True)
class MomentField:
    """An <input> that holds a moment whole."""

    type: str
    step: str
    """Of its clock, s; empty: it has none."""
    value: str


def moment_field(when: datetime | None) -> MomentField:
    """A day where a day was asked for; else with the time as exact as it was: browsers keep no more than milliseconds.

    when: UTC.
    """
    if when is None:
        return MomentField("date", "", "")
    bare = when.replace(tzinfo=None)
    if bare.time() == MIDNIGHT:
        return MomentField("date", "", f"{bare.date()}")
    if bare.microsecond % MILLISECOND_US:
        return MomentField("text", "", f"{bare.isoformat()}Z")
    if bare.microsecond:
        return MomentField("datetime-local", "0.001", bare.isoformat(timespec="milliseconds"))
    return MomentField("datetime-local", "1", bare.isoformat())


def one_line(text: str) -> str:
    """With blanks for its line ends: a field of one line would take them out, and make one word of two."""
    return re.sub(r"[\r\n]", " ", text)


def hidden_fields(request: Request, without: Sequence[str]) -> list[tuple[str, str]]:
    """What a form must send along so that the rest stays: all of the query but its own fields and the cursor."""
    return [(name, value) for name, value in request.query_params.items() if name not in {*without, "after"}]
