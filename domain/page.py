"""What kind of page was captured: content, or something that stands in its place and is no evidence (docs/not-evidence.md).

Rules look at PageFacts only. Each asks for structure: a vendor's own form or script, a layer over the content, a spinner in an
empty space; never for a mere word. What no rule claims is content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from domain.pages import challenge, errors, loading, login
from domain.pages import consent as consents
from domain.pages.facts import PageFacts
from domain.pages.verdict import ConsentBanner, PageKind, PageVerdict
from domain.visit import Outcome, Response

__all__ = ["INLINE", "OUTCOMES", "SELECTORS", "ConsentBanner", "PageFacts", "PageKind", "PageVerdict", "consent", "verdict"]


def _single(selectors: Mapping[str, str], *, bare: bool) -> tuple[tuple[str, str, bool], ...]:
    return tuple((name, one.strip(), bare) for name, listed in selectors.items() for one in listed.split(", "))


SELECTORS: tuple[tuple[str, str, bool], ...] = (
    _single(challenge.SELECTORS, bare=True) + _single(consents.SELECTORS, bare=False) + _single(errors.SELECTORS, bare=False)
)
"""Known mark-up that the page script looks for: name, CSS selector, and whether it matters on a page with little text only."""
INLINE: tuple[str, ...] = challenge.INLINE
"""Strings that it looks for in inline scripts."""
OUTCOMES: Mapping[PageKind, Outcome] = {
    "challenge": "challenge",
    "consent-wall": "consent-wall",
    "login-wall": "login-wall",
    "error-page": "error-page",
    "loading": "still-loading",
    "empty": "empty",
}
"""How a visit ends that met such a page; content is not among them."""


def consent(facts: PageFacts) -> ConsentBanner | None:
    """The request for consent on the screen, or None."""
    return consents.consent(facts)


def verdict(facts: PageFacts, response: Response | None = None, asked: str = "") -> PageVerdict:
    """What the page is. response: what the server answered; asked: the address that was to be opened."""
    banner = consent(facts)
    asked_of_each: list[Callable[[], PageVerdict | None]] = [
        *(partial(rule, facts, response) for rule in challenge.RULES),
        *(partial(rule, facts) for rule in errors.RULES),
        *(partial(rule, facts, banner) for rule in consents.RULES),
        *(partial(rule, facts, asked) for rule in login.RULES),
        # Where not all texts were looked at, nobody can say that there are few.
        *(partial(rule, facts) for rule in loading.RULES if not facts.truncated or rule is loading.by_sheet),
        partial(_empty, facts),
    ]
    return next((found for ask in asked_of_each if (found := ask())), PageVerdict(kind="content"))


def _empty(facts: PageFacts) -> PageVerdict | None:
    """Neither text nor picture, field or frame."""
    if facts.chars.shown or facts.fields or any(True for _ in facts.cells("tmcf")):
        return None
    return PageVerdict(kind="empty", rule="nothing-there", reason="no text, picture, field or frame can be seen")
