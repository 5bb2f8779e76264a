"""judging: the captures of a visit weighed, and what the page itself is: evidence, or something that stands in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawler.arrive import Ended
from crawler.capture import RawCapture
from crawler.evidence import Evidence, weigh
from crawler.page_facts import judge
from domain.page import OUTCOMES
from domain.text import PolicyName
from domain.visit import Response, Viewport


class NoEvidence(Ended):
    """The page is none that anything can be said of. Its captures are kept for people to see; nothing is found in them."""


def judged(
    raws: Sequence[RawCapture],
    visit_id: str,
    policy: PolicyName,
    viewport: Viewport,
    *,
    response: Response | None,
    asked: str,
) -> tuple[list[Evidence], NoEvidence | None]:
    """The evidence of each capture, and why it is none. Raises WrongViewport. asked: the address that was to be opened."""
    look = judge(raws[0].facts, response, asked)
    evidence = [
        _with_page(weigh(raw, f"{visit_id}-{index}", index, policy, viewport), page=look.verdict, consent=look.consent)
        for index, raw in enumerate(raws)
    ]
    page = look.verdict
    if page.kind in OUTCOMES:
        no = NoEvidence(OUTCOMES[page.kind], f"{page.rule}: {page.reason}")
    elif all(e.seen == 0 for e in evidence):
        no = NoEvidence("empty", "nothing on the page can be seen")
    else:
        return evidence, None
    return [replace(e, findings=(), record=e.record.model_copy(update={"tallies": {}})) for e in evidence], no


def _with_page(evidence: Evidence, **told: object) -> Evidence:
    return replace(evidence, record=evidence.record.model_copy(update=told))
