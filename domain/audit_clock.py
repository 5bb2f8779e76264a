"""How long an answer took, as whoever gave it measured: a page that was left open measures nothing, and costs no answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

LONGEST_S = 86_400.0
"""Of one answer."""


def bounded(seconds: float | None) -> float | None:
    """LONGEST_S where it is more; None, not measured, where it is less than nothing or no number."""
    return min(seconds, LONGEST_S) if seconds is not None and seconds >= 0 else None


Seconds = Annotated[float | None, AfterValidator(bounded)]
"""Taken whatever it says: no answer is refused on account of a stopwatch."""
