"""Durations as people write them in a site list: "500ms", "2s", "5m", "1h30m", "1d"."""

from __future__ import annotations

import re
from datetime import timedelta

MILLISECOND = timedelta(milliseconds=1)

# Largest first; the order in which they are written.
UNITS = {
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
    "ms": MILLISECOND,
}
LONGEST = timedelta(days=36_500)  # a century; longer ones are slips, and overflow sooner or later

PART = re.compile(r"([0-9]+)([A-Za-zµ]+)")


def parse_duration(text: str) -> timedelta:
    """Whole numbers with units, each unit once, largest first. Zero is a duration.

    Raises ValueError whose message reads on after the value: 'has no unit'.
    """
    if text.startswith("-"):
        raise ValueError("is negative")
    if re.fullmatch(r"[0-9]+([.,][0-9]+)?", text):
        raise ValueError("has no unit")
    if not re.fullmatch(f"({PART.pattern})+", text):
        raise ValueError("is not a duration")
    parts = [(int(number[:18]), unit) for number, unit in PART.findall(text)]
    if unknown := [unit for _, unit in parts if unit not in UNITS]:
        raise ValueError(f'has the unknown unit "{unknown[0]}"')
    order = [list(UNITS).index(unit) for _, unit in parts]
    if order != sorted(set(order)):
        raise ValueError("has its units twice or out of order")
    total_ms = sum(number * (UNITS[unit] // MILLISECOND) for number, unit in parts)
    if total_ms > LONGEST // MILLISECOND:
        raise ValueError("is longer than a century")
    return total_ms * MILLISECOND


def format_duration(duration: timedelta) -> str:
    """The shortest way to write it; what parse_duration() reads back as the same. Rounds down to whole ms."""
    left, written = duration, ""
    for unit, size in UNITS.items():
        count, left = divmod(left, size)
        written += f"{count}{unit}" if count else ""
    return written or "0s"
