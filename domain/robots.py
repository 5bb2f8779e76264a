"""What is kept of a site's robots.txt, and what is known after each asking. RFC 9309; docs/conduct.md has it as a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

State = Literal["rules", "none", "unreadable", "unreachable"]

KEPT, KEPT_LEAST = timedelta(days=1), timedelta(hours=1)
"""How long an answer counts: a day (RFC 9309, 2.4), less where the server says so, but an hour at least."""
HTML_AGAIN = timedelta(hours=1)
"""When a page that came in place of a robots.txt is asked for again."""
UNREACHABLE_AGAIN, UNREACHABLE_LATEST = timedelta(minutes=5), timedelta(days=1)
"""When a server that did not answer is asked again: doubled each time, up to a day."""
GOOD_FOR = timedelta(days=7)
"""How old a good copy may be that stands in where none can be had now."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one asking came to."""

    state: State
    why: str
    text: str = ""
    """The rules, where there are any."""
    keep: timedelta | None = None
    """What the server says of how long it may be kept, or when to ask again; null: nothing."""


@dataclass(frozen=True, slots=True)
class Copy:
    """What is known of a robots.txt, by the answers so far."""

    state: State
    why: str
    asked: datetime
    expires: datetime
    """When it is asked for again."""
    failures: int = 0
    """Askings in a row that gave nothing to judge by."""
    text: str | None = None
    """The last good copy; empty where there are no rules, null where there never was one."""
    good: datetime | None = None
    """When that was got."""

    def rules(self, now: datetime) -> str | None:
        """The rules that count now; null where nothing is known that counts: then nothing may be visited."""
        if self.state in {"rules", "none"}:
            return self.text or ""
        fresh = self.good is not None and now - self.good < GOOD_FOR
        return self.text if fresh else None


def known_after(before: Copy | None, answer: Answer, now: datetime) -> Copy:
    """What is known after an asking that ended now."""
    failures = before.failures if before else 0
    if answer.state == "unreadable" and before is not None and before.state == "unreadable":
        # Twice the same page at the place of the rules: that is how this server says "not found".
        answer = replace(answer, state="none", why=f"{answer.why}, twice: this site has no robots.txt")
    if answer.state in {"rules", "none"}:
        keep = KEPT if answer.keep is None else min(max(answer.keep, KEPT_LEAST), KEPT)
        return Copy(answer.state, answer.why, now, now + keep, 0, answer.text, now)
    if answer.state == "unreadable":
        again = HTML_AGAIN
    else:
        again = min(UNREACHABLE_AGAIN * 2 ** min(failures, 20), UNREACHABLE_LATEST)
        again = min(max(again, answer.keep or timedelta(0)), UNREACHABLE_LATEST)
    text, good = (before.text, before.good) if before else (None, None)
    return Copy(answer.state, answer.why, now, now + again, failures + 1, text, good)
