"""On what terms a source's content may be in a release."""

from __future__ import annotations

from builder.sources import Terms, source_named

MADE = Terms(
    licence="CC0-1.0",
    note="rendered by this project's tests, or pages of its own; nobody else's content",
    redistribution="full",
)


def terms_of(source: str, *, made: bool) -> Terms:
    """The terms of a source's screens; of made ones our own, whatever the source."""
    if made:
        return MADE
    return source_named(source).TERMS
