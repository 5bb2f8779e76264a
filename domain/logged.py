"""How values stand in events: times as RFC 3339 in UTC, spans in seconds, on a terminal and in JSON alike."""

from __future__ import annotations

from collections.abc import MutableMapping
from datetime import UTC, date, datetime, timedelta
from typing import Any


def readable(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor for structlog: no value is Python's own text of a time, however deep it lies."""
    for key, value in event.items():
        event[key] = _plain(value)
    return event


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        # One without a zone is taken for UTC: all our times are.
        return (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if type(value) is dict:
        return {key: _plain(item) for key, item in value.items()}
    if type(value) in {list, tuple}:
        return [_plain(item) for item in value]
    return value
