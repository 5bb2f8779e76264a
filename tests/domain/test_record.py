"""The base of every type that is written or sent."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from domain.record import Record


class Point(Record):
    """A record for these tests."""

    x: int
    y: int = 0


def test_unknown_fields_are_errors() -> None:
    """A field that nobody knows is told, not dropped: a misspelt one would be lost without a word."""
    with pytest.raises(ValidationError, match="Extra inputs"):
        Point.model_validate({"x": 1, "z": 2})


def test_records_stay_as_they_are() -> None:
    """A record cannot be changed after it was made; equal content is an equal record."""
    point = Point(x=1)
    with pytest.raises(ValidationError, match="frozen"):
        point.x = 2  # type: ignore[misc]
    assert point == Point(x=1, y=0)
    assert hash(point) == hash(Point(x=1, y=0))
