"""A text of which nothing is seen is no answer, on whichever way it comes in from outside the desk."""

from __future__ import annotations

import pytest

from builder.audit_import import answers_of
from builder.label_studio import WRITTEN, answer_of

ITEM = "q3VbX0y7QnK1wz_5hT2e-A"


@pytest.mark.parametrize("nothing", [" ", "\u200b", "\u2060\n\ufeff", "\u00ad", "\u3164"])
def test_what_is_not_seen_is_no_text(nothing: str) -> None:
    """On a sheet and from Label Studio: told as a problem of its line, and not taken."""
    chosen = {"from_name": "answer", "value": {"choices": [WRITTEN]}}
    annotated = answer_of([chosen, {"from_name": "text", "value": {"text": [nothing]}}])
    for given in ({"answer": "value", "value": nothing}, annotated):
        taken, problems = answers_of([{"item": ITEM, **given}, {"item": ITEM[::-1], "answer": "value", "value": "Pay 12"}])
        assert [(one.item, one.label.value) for one in taken] == [(ITEM[::-1], "Pay 12")]
        assert len(problems) == 1
        assert problems[0].startswith(f"answer 1 (item {ITEM}): a value goes with the answer 'value', where it is not blank")
