"""Our findings in the words of the ACT rules format."""

from __future__ import annotations

import pytest

from domain.act import Outcome, of_page, outcome
from domain.divergence import Finding, Verdict


def finding(verdict: Verdict, reason: str, kind: str = "aria") -> Finding:
    """A finding of which only verdict and reason matter."""
    return Finding(path="x", kind=kind, verdict=verdict, reason=reason)


@pytest.mark.parametrize(
    ("verdict", "reason", "expected"),
    [
        ("flagged", "disagree", "failed"),
        ("clean", "agree", "passed"),
        ("clean", "symbols-only", "passed"),
        ("review", "expands-an-abbreviation", "inapplicable"),
        ("review", "spelt-otherwise", "inapplicable"),
        ("review", "too-short", "cannot-tell"),
        ("review", "name-unknown", "cannot-tell"),
        ("skipped", "not-a-widget", "inapplicable"),
        ("skipped", "names-a-group", "inapplicable"),
        ("skipped", "no-text", "inapplicable"),
        ("skipped", "hidden", "inapplicable"),
        ("skipped", "off-viewport", "cannot-tell"),
        ("skipped", "moved", "cannot-tell"),
    ],
)
def test_outcomes(verdict: Verdict, reason: str, expected: Outcome) -> None:
    """As docs/policies.md has them; only what was compared and agrees has passed."""
    assert outcome(finding(verdict, reason)) == expected


def test_of_a_page() -> None:
    """One failure fails a page; a page with nothing to test is inapplicable, whatever other kinds found."""
    clean, failed, doubt = finding("clean", "agree"), finding("flagged", "disagree"), finding("review", "too-short")
    assert of_page([]) == "inapplicable"
    assert of_page([finding("skipped", "no-text"), finding("flagged", "disagree", "title")]) == "inapplicable"
    assert of_page([clean, finding("skipped", "no-text")]) == "passed"
    assert of_page([clean, doubt]) == "cannot-tell"
    assert of_page([clean, doubt, failed]) == "failed"
