"""screens: when a picture is that of another page, the browser no longer draws, and its pictures prove nothing."""

from __future__ import annotations

import hashlib

from crawler.evidence import Evidence
from crawler.visit import Visited

REMEMBERED = 20_000
"""Pictures that are known at most: for months would be for ever."""


class Screens:
    """The pictures of this process's visits, to tell when one is shown for two documents that say different things."""

    def __init__(self) -> None:
        self._said: dict[str, str] = {}

    def repeated(self, visited: Visited) -> bool:
        """Whether a picture of this visit was another page's already, though what they show by their texts differs."""
        return any(self._repeated(evidence) for evidence in visited.evidence)

    def _repeated(self, evidence: Evidence) -> bool:
        picture = hashlib.sha256(evidence.artifacts["screenshot"]).hexdigest()
        said = self._said.setdefault(picture, evidence.said)
        while len(self._said) > REMEMBERED:
            del self._said[next(iter(self._said))]
        return said != evidence.said


def without_evidence(visited: Visited) -> Visited:
    """The visit, its pictures being another page's: recorded, and nothing of it kept as evidence."""
    reason = "the screenshot is that of another page, in a fresh browser too"
    record = visited.visit.model_copy(update={"outcome": "repeated-screenshot", "reason": reason, "captures": ()})
    return Visited(record, (), browser_hurt=True)
