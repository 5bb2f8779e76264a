"""Durations with units, read and written."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.durations import format_duration, parse_duration

MS = timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("text", "ms"),
    [("500ms", 500), ("2s", 2_000), ("5m", 300_000), ("1h30m", 5_400_000), ("1d", 86_400_000), ("90m", 5_400_000)],
)
def test_read(text: str, ms: int) -> None:
    """A duration is the sum of its parts."""
    assert parse_duration(text) == ms * MS


@given(st.integers(0, 36_500 * 86_400_000))
def test_round_trip(ms: int) -> None:
    """What is written reads back as the same, to the millisecond, up to a century."""
    assert parse_duration(format_duration(ms * MS)) == ms * MS


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("5", "has no unit"),
        ("1.5", "has no unit"),
        ("-5m", "is negative"),
        ("", "is not a duration"),
        ("m", "is not a duration"),
        ("5 m", "is not a duration"),
        ("1.5h", "is not a duration"),
        ("5m30", "is not a duration"),
        ("\u0665m", "is not a duration"),
        ("5M", 'the unknown unit "M"'),
        ("5min", 'the unknown unit "min"'),
        ("30m1h", "twice or out of order"),
        ("5m5m", "twice or out of order"),
        ("36501d", "longer than a century"),
        ("9" * 5000 + "d", "longer than a century"),
    ],
)
def test_faults(text: str, fault: str) -> None:
    """What is not a duration is refused with the reason."""
    with pytest.raises(ValueError, match=fault):
        parse_duration(text)


@given(st.text(max_size=20))
def test_any_text_is_a_duration_or_refused(text: str) -> None:
    """There is no text that crashes the reader, and none that reads as negative."""
    with contextlib.suppress(ValueError):
        assert parse_duration(text) >= timedelta(0)
