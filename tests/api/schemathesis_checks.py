"""Checks of our own beside schemathesis's: loaded by it (tests/api/schemathesis.toml), not by pytest."""

from __future__ import annotations

from typing import Any

import schemathesis

BEYOND_SCHEMA = ("bad-cursor", "unknown-field", "bad-text")
BEYOND_DETAIL = (
    "sort: a release is in the order",
    "is neither a host nor a URL",
    "there is neither letter nor digit",
    "it goes with the answer 'value'",
    "is not to choose from",
    "it holds the control character",
)
"""Why what the schema allows may be refused all the same: no schema tells which cursor is of which question, or forbids NUL."""
SECRETS = (b"Secret 1", b"gone 30")
"""Texts of the page that is taken down (tests/api/stocked.py)."""


@schemathesis.check
def refused_for_a_reason(ctx: Any, response: Any, case: Any) -> None:  # noqa: ARG001 - its signature
    """What the schema allows is refused only for what no schema can tell."""
    made = case.meta
    if made is None or response.status_code not in {400, 422} or not made.generation.mode.is_positive:
        return
    code, detail = (response.json().get(name) for name in ("code", "detail"))
    excused = code in BEYOND_SCHEMA or any(said in detail for said in BEYOND_DETAIL)
    assert excused, f"valid by the document, and refused with {code}: {detail}"


@schemathesis.check
def hidden_is_hidden(ctx: Any, response: Any, case: Any) -> None:  # noqa: ARG001 - its signature
    """What is taken down is told in no answer."""
    told = [secret for secret in SECRETS if secret in response.content]
    assert not told, f"this is taken down: {told}"
