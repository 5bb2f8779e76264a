"""Tally: what one visit's connections came to: what was counted, what was refused and why, whether a limit was reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from crawler.addresses import literal_address, plain_host
from domain.visit import Incident, Outcome, Traffic

REFUSED_NAMED = 20
"""Refused hosts named in the record."""
REMEMBERED = 2000
"""Hosts whose reason is remembered."""

Place = tuple[str, int]


def place(host: str, port: int) -> Place:
    """One spelling for each host: 2130706433 and 127.1 are 127.0.0.1."""
    try:
        literal = literal_address(host)
    except ValueError:
        literal = None
    return str(literal) if literal is not None else plain_host(host), port


@dataclass(slots=True)
class Tally:
    """Written by the guard's thread alone; others may read it at any time."""

    most_bytes: int
    most_requests: int
    requests: int = 0
    received: int = 0
    sent: int = 0
    refused: int = 0
    private: bool = False
    limit: str = ""
    """Which limit was reached, in a sentence; then nothing more is let through."""
    refused_hosts: dict[str, None] = field(default_factory=dict)
    reasons: dict[Place, tuple[Outcome, str]] = field(default_factory=dict)

    def request(self) -> bool:
        """Counts a request; whether it may be made."""
        if not self.limit and self.requests >= self.most_requests:
            self.limit = f"more than {self.most_requests} requests (CRAWLER_MAX_VISIT_REQUESTS)"
        if self.limit:
            return False
        self.requests += 1
        return True

    def moved(self, *, received: int = 0, sent: int = 0) -> bool:
        """Counts bytes; whether more may follow."""
        self.received += received
        self.sent += sent
        if not self.limit and max(self.received, self.sent) > self.most_bytes:
            what = "received" if self.received > self.most_bytes else "sent"
            self.limit = f"more than {self.most_bytes} bytes {what} (CRAWLER_MAX_VISIT_BYTES)"
        return not self.limit

    def refuse(self, where: Place, outcome: Outcome, reason: str) -> None:
        """Notes that there was no connection to this place, and why."""
        self.refused += 1
        self.private |= outcome == "refused-private-address"
        if len(self.refused_hosts) < REFUSED_NAMED:
            self.refused_hosts[f"{where[0]}:{where[1]}"[:300]] = None
        if len(self.reasons) < REMEMBERED:
            self.reasons[where] = outcome, reason

    def reached(self, where: Place) -> None:
        """A place that was connected to after all has no reason against it any more."""
        self.reasons.pop(where, None)

    def incidents(self) -> list[Incident]:
        found: list[Incident] = []
        if self.private:
            found.append("private-request-refused")
        if self.limit:
            found.append("limits-reached")
        return found

    def traffic(self) -> Traffic:
        return Traffic(
            requests=self.requests,
            received_bytes=self.received,
            sent_bytes=self.sent,
            refused=self.refused,
            refused_hosts=tuple(self.refused_hosts.copy()),
        )
