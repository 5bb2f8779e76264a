"""Outcomes in the words of the ACT rules format, of what `aria` finds under the policy label-in-name.

Source: ACT Rules Format 1.1, "Outcome"; ACT rule 2ee8b8. The mapping is told in docs/policies.md.
For whoever holds us against the rule's published examples; the product itself keeps verdicts and reasons.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from domain.divergence import Finding

Outcome = Literal["passed", "failed", "inapplicable", "cannot-tell"]

# What a person is asked under this policy although the rule itself does not apply.
_NOT_OF_THE_RULE = frozenset({"expands-an-abbreviation", "spelt-otherwise"})
# Skipped, and yet the element may be a target: it may be scrolled into view, or was not seen for long enough.
_UNKNOWN = frozenset(
    {"gone", "appeared", "moved", "unsettled", "off-viewport", "clipped", "covered", "counter", "labelled-by-another"}
)


def outcome(finding: Finding) -> Outcome:
    """Of one element. Never `passed` where the rule does not apply to it."""
    match finding.verdict:
        case "flagged":
            return "failed"
        case "clean":
            return "passed"
        case "review":
            return "inapplicable" if finding.reason in _NOT_OF_THE_RULE else "cannot-tell"
        case "skipped":
            return "cannot-tell" if finding.reason in _UNKNOWN else "inapplicable"


def of_page(findings: Iterable[Finding]) -> Outcome:
    """Of all of a page's aria findings: failed where any element fails; inapplicable where there is none to test."""
    outcomes = {outcome(f) for f in findings if f.kind == "aria"}
    order: tuple[Outcome, ...] = ("failed", "cannot-tell", "passed")
    return next((o for o in order if o in outcomes), "inapplicable")
