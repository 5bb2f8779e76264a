"""breaker: stops a crawler whose own browser or network is broken, before it has spoilt the turn of every site.

One failing host proves nothing: hosts fail. Failures at many different hosts, with no page in between that came through,
have one cause, and it is on our side. Pure: no clock, no log; `alarm` is what says it aloud.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

import structlog

from domain.errors import Tripped
from domain.visit import Outcome, Visit

log = structlog.get_logger()

Sign = Literal["ours", "works", "dead-name", "theirs", "unopened"]
"""What an outcome says of our own browser and network.

ours: counts. works: a page came through, so both work; the count begins anew. dead-name: the name has no address; counts for
the doubt of the network only. theirs: an answer, or a wall, of the site; or of a proxy or portal on our side, so it proves
nothing either way. unopened: nothing was tried.
"""
SIGNS: Mapping[Outcome, Sign] = {
    "captured": "works",
    "consent-wall": "works",
    "still-loading": "works",
    "too-large": "works",
    "navigated": "works",
    "browser-crashed": "ours",
    "failed": "ours",
    "timeout": "ours",
    "connection-failed": "ours",
    "tls-failed": "ours",
    "repeated-screenshot": "ours",
    "viewport-mismatch": "ours",
    "dns-failed": "dead-name",
    "connection-refused": "theirs",
    "http-error": "theirs",
    "rate-limited": "theirs",
    "redirect-loop": "theirs",
    "redirected-away": "theirs",
    "not-html": "theirs",
    "download": "theirs",
    "empty": "theirs",
    "challenge": "theirs",
    "login-wall": "theirs",
    "error-page": "theirs",
    "refused-private-address": "unopened",
    "refused-scheme": "unopened",
    "refused-robots": "unopened",
    "taken-down": "unopened",
    "put-off": "unopened",
    "interrupted": "unopened",
}
"""Every outcome; docs/observing.md has the same table with reasons (a test checks)."""

REMEDIES: Mapping[Outcome, str] = {
    "browser-crashed": "See whether memory or shared memory ran out (docker: shm_size), and open fewer pages at a time",
    "failed": "Read the reasons with `crawler report`, and report them: they are a fault of ours",
    "timeout": "See whether the machine or its network is overloaded, and open fewer pages at a time",
    "connection-failed": "See whether this machine still reaches the network (a proxy, a firewall, a cable)",
    "tls-failed": "See whether this machine's clock is right, and whether a proxy on the way breaks open encryption",
    "repeated-screenshot": "The browser no longer draws: see its flags and its version, then start again",
    "viewport-mismatch": "See CRAWLER_VIEWPORT and CRAWLER_BROWSER_FLAGS: pages are drawn in another size than was set",
}
"""For each outcome that counts: what now."""
DOUBT = 3
"""So many times the limit of dead names, one after another, and it may be the name server that is dead."""


class Breaker:
    """Counts different hosts whose visits failed by our own doing since a page last came through.

    limit: hosts; 0 never trips and never doubts.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._failed: dict[str, Outcome] = {}
        self._dead: set[str] = set()
        self._doubted = False

    @property
    def count(self) -> int:
        """Different hosts that have failed by our own doing since a page last came through."""
        return len(self._failed)

    def note(self, visit: Visit) -> str | None:
        """The reason in a sentence, with what to do, where this visit makes it trip (or it is tripped already)."""
        host, sign = _host(visit.url), SIGNS[visit.outcome]
        if sign == "dead-name":
            self._dead.add(host)
        elif sign != "unopened":
            self._dead.clear()
            self._doubted = False
        if sign == "works":
            self._failed.clear()
        if sign == "ours":
            self._failed[host] = visit.outcome
        return self._reason(host, visit) if sign == "ours" and 0 < self.limit <= self.count else None

    def doubt(self) -> str | None:
        """Once, after so many dead names with nothing in between: a sentence that doubts the network. It ends no crawl."""
        if self._doubted or not 0 < self.limit * DOUBT <= len(self._dead):
            return None
        self._doubted = True
        return (
            f"{len(self._dead)} different names in a row have no address, and nothing else came in between. "
            "See whether this machine's name server answers: getent hosts example.org"
        )

    def _reason(self, host: str, visit: Visit) -> str:
        outcomes = Counter(self._failed.values()).most_common()
        said = ", ".join(f"{number} {outcome}" for outcome, number in outcomes)
        why = f" ({visit.reason[:200]})" if visit.reason else ""
        return (
            f"Visits to {self.count} different hosts in a row failed by our own doing or our network's: {said}; "
            f"the last to {host}{why}. {REMEDIES[outcomes[0][0]]}. Then start again: what was due is still due."
        )


def alarm(breaker: Breaker, visit: Visit) -> Tripped | None:
    """Notes the visit and says aloud what follows: an error to end the crawler with, or None."""
    reason, doubt = breaker.note(visit), breaker.doubt()
    if doubt is not None:
        log.warning("network.doubted", why=doubt)
    if reason is None:
        return None
    log.critical("crawler.tripped", why=reason, hosts=breaker.count, limit=breaker.limit)
    return Tripped(reason)


def _host(url: str) -> str:
    """Lower case; the URL itself where it names none."""
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url
