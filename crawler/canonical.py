"""canonical: one line a visit with everything worth counting, `visit.finished`. Numbers, names and reasons; no page text."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import psutil
import structlog

from crawler.metrics import lateness_s
from crawler.visit import Visited
from domain.page import OUTCOMES
from domain.visit import Visit

log = structlog.get_logger()
LONGEST_REASON = 200
_OF_THE_PAGE = {*OUTCOMES.values()}


def tell(visited: Visited) -> None:
    """The line of a visit that is finished and stored."""
    log.info("visit.finished", **canonical(visited))


def canonical(visited: Visited) -> dict[str, Any]:
    """The fields of the line, docs/observing.md. What is not known is null; kinds that do not occur are left out."""
    visit, evidence = visited.visit, visited.evidence
    findings = [finding for one in evidence for finding in one.findings]
    checks = [
        (finding.kind, check.verdict)
        for one in evidence
        for finding, check in zip(one.findings, one.checks, strict=False)
        if check is not None
    ]
    traffic = visit.traffic
    late = lateness_s(visit)
    return {
        "visit_id": visit.id,
        "site": visit.site,
        "host": _host(visit.url),
        "outcome": visit.outcome,
        "reason": _reason(visit),
        "status": visit.response.status if visit.response else None,
        "incidents": list(visit.incidents),
        "attempts": visit.attempts,
        "tries": [earlier.outcome for earlier in visit.tries],
        "due": visit.due.isoformat() if visit.due else None,
        "late_s": None if late is None else round(late, 1),
        "seconds": round((visit.finished.monotonic_ns - visit.started.monotonic_ns) / 1e9, 2),
        "delay_ms": visit.delay_ms,
        "ms": {step: round(ms) for step, ms in visit.durations_ms.items()},
        "received_bytes": traffic.received_bytes if traffic else None,
        "requests": traffic.requests if traffic else None,
        "refused": traffic.refused if traffic else None,
        "captures": len(evidence),
        "elements": sum(one.record.counts.elements for one in evidence),
        "settled": sum(one.record.counts.settled for one in evidence),
        "flagged": _by_kind(finding.kind for finding in findings if finding.verdict == "flagged"),
        "review": sum(finding.verdict == "review" for finding in findings),
        "confirmed": _by_kind(kind for kind, verdict in checks if verdict == "confirmed"),
        "contradicted": sum(verdict == "contradicted" for _, verdict in checks),
        "unreadable": sum(verdict == "unreadable" for _, verdict in checks),
        "browser": visit.browser.version if visit.browser else None,
        "driver": visit.browser.driver if visit.browser else None,
        "worker": visit.worker,
        "memory_mb": round(_own().memory_info().rss / 1e6),
    }


def _reason(visit: Visit) -> str:
    """Cut; and where a rule looked at what the page says, only the rule: its sentence quotes the page."""
    said = visit.reason.partition(":")[0] if visit.outcome in _OF_THE_PAGE else visit.reason
    return said[:LONGEST_REASON]


def _by_kind(kinds: Any) -> dict[str, int]:
    return dict(sorted(Counter(kinds).items()))


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


@cache
def _own() -> psutil.Process:
    return psutil.Process()
