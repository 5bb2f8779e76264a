"""metrics: what a worker counts of its own work, for Prometheus.

Labels come from closed lists only: no host, no address, nothing that a page can make up. What is not on its list is "other".
What is asked at the moment of a scrape (memory, queue, lanes) is in crawler/metrics_live.py.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from crawler.metrics_live import Live, Sources
from crawler.visit import Visited
from domain.divergence import Verdict
from domain.divergences import KINDS
from domain.pixel_check import CheckVerdict
from domain.visit import Outcome, Visit

STEPS = (
    "open", "admit", "navigate", "ready", "served", "settle", "freeze", "before", "screenshot", "after",
    "texts", "names", "facts", "mhtml", "judge", "close",
)  # fmt: skip
"""Where the time of a visit goes: the keys of Visit.durations_ms."""
PUT_OFF = ("busy", "rest", "crawl-delay", "limited", "failing", "lost", "robots", "disk")
"""Why a visit does not begin now, by class. busy: the host has a visit. rest: the floor between two visits to it.
limited: it answered 429 or 503. failing: too many visits to it failed in a row. lost: the worker that visited it is gone."""
_WORDS = (
    ("robots.txt", "robots"),
    ("crawl-delay", "crawl-delay"),
    ("floor", "rest"),
    ("http", "limited"),
    ("failed", "failing"),
    ("gone", "lost"),
    ("disk", "disk"),
)
STEP_S = (0.01, 0.03, 0.1, 0.3, 1, 2, 3, 5, 10, 30, 120)
VISIT_S = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 60, 120, 300)
LATE_S = (1, 10, 30, 60, 300, 900, 3600, 6 * 3600, 24 * 3600)


@cache
def parallax_version() -> str:
    """Of the installed package; "unknown" in a folder where nothing is installed."""
    try:
        return version("parallax")
    except PackageNotFoundError:
        return "unknown"


class Metrics:
    """The counters of one process, in a registry of their own. Every method may be called from any thread."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._visits = Counter("parallax_visits", "Finished visits.", ("outcome", "driver"), registry=registry)
        self._seconds = Histogram(
            "parallax_visit_seconds", "From the beginning of a visit to its end, the delay included.",
            registry=registry, buckets=VISIT_S,
        )  # fmt: skip
        self._steps = Histogram(
            "parallax_visit_step_seconds", "Where the time of a visit goes.", ("step",), registry=registry, buckets=STEP_S
        )
        self._late = Histogram(
            "parallax_visit_lateness_seconds", "From when a site was due to when its visit began.",
            registry=registry, buckets=LATE_S,
        )  # fmt: skip
        self._bytes = Counter("parallax_received_bytes", "From servers, as the guard counted.", registry=registry)
        self._requests = Counter("parallax_requests", "Plain requests and tunnels, as the guard counted.", registry=registry)
        self._refused = Counter("parallax_refused_connections", "Connections the guard did not make.", registry=registry)
        self._captures = Counter("parallax_captures", "Evidence pairs.", registry=registry)
        self._elements = Counter("parallax_elements", "Elements seen on screens.", registry=registry)
        self._divergences = Counter("parallax_divergences", "Elements judged.", ("kind", "verdict"), registry=registry)
        self._checks = Counter("parallax_pixel_checks", "Flagged elements read.", ("kind", "verdict"), registry=registry)
        self._probes = Counter("parallax_probes_drawn", "Probes that were not there before.", registry=registry)
        self._retries = Counter("parallax_retries", "Tries that may be made again.", ("outcome",), registry=registry)
        self._put_off = Counter("parallax_put_offs", "Turns that have to wait.", ("reason",), registry=registry)
        self._last = Gauge(
            "parallax_last_visit_timestamp_seconds",
            "When the last visit finished, Unix time; before the first: when this process began.",
            registry=registry,
        )
        self._last.set_to_current_time()
        build = Gauge("parallax_build_info", "Always 1.", ("version", "python"), registry=registry)
        build.labels(parallax_version(), platform.python_version()).set(1)
        # A series that begins at 1 looks to rate() as if nothing had happened: what can come is there at 0 from the start.
        _begin(self._divergences, ((kind, verdict) for kind in KINDS for verdict in get_args(Verdict)))
        _begin(self._checks, ((kind, verdict) for kind in KINDS for verdict in get_args(CheckVerdict)))
        _begin(self._put_off, ((reason,) for reason in PUT_OFF))
        self._drivers: set[str] = set()

    def watch(self, sources: Sources) -> None:
        """From here on a scrape also asks these. To be called once."""
        self.registry.register(Live(sources))

    def visited(self, visited: Visited) -> None:
        """A visit that is finished and stored, with its pixel checks where they were made."""
        visit = visited.visit
        self._ended(visit)
        for evidence in visited.evidence:
            self._captures.inc()
            self._elements.inc(evidence.record.counts.elements)
            for finding in evidence.findings:
                self._divergences.labels(_known(finding.kind, KINDS), finding.verdict).inc()
            for finding, check in zip(evidence.findings, evidence.checks, strict=False):
                if check is not None:
                    self._checks.labels(_known(finding.kind, KINDS), check.verdict).inc()

    def _ended(self, visit: Visit) -> None:
        driver = visit.browser.driver if visit.browser else "none"
        self._expect(driver)
        self._visits.labels(visit.outcome, driver).inc()
        self._seconds.observe(max(0.0, (visit.finished.monotonic_ns - visit.started.monotonic_ns) / 1e9))
        for step, ms in visit.durations_ms.items():
            self._steps.labels(_known(step, STEPS)).observe(ms / 1000)
        if (late := lateness_s(visit)) is not None:
            self._late.observe(max(0.0, late))
        if visit.traffic is not None:
            self._bytes.inc(visit.traffic.received_bytes)
            self._requests.inc(visit.traffic.requests)
            self._refused.inc(visit.traffic.refused)
        self._last.set_to_current_time()

    def _expect(self, driver: str) -> None:
        if driver not in self._drivers:
            self._drivers.add(driver)
            _begin(self._visits, ((outcome, driver) for outcome in get_args(Outcome)))

    def drawn(self, new: int) -> None:
        """So many probes that were not there before."""
        self._probes.inc(new)

    def retried(self, outcome: Outcome) -> None:
        """A try that ended so, and may be made again."""
        self._retries.labels(outcome).inc()

    def put_off(self, reason: str) -> None:
        """A turn that has to wait: one of PUT_OFF, or the sentence of a PutOff, which is put into one of these classes."""
        self._put_off.labels(put_off_class(reason)).inc()


def lateness_s(visit: Visit) -> float | None:
    """From when the site was due to when its visit began, s; None where asked for by hand."""
    due: datetime | None = visit.due
    return None if due is None else (visit.started.wall - due).total_seconds()


def put_off_class(reason: str) -> str:
    """One of PUT_OFF, by the words of crawler/manners.py; else "other". The host's name says nothing, whatever it is."""
    if reason in PUT_OFF:
        return reason
    if reason.startswith("another visit to "):
        return "busy"
    said = reason.rpartition(" wants rest: ")[2].lower()
    return next((known for word, known in _WORDS if word in said), "other")


def _known(value: str, known: Iterable[str]) -> str:
    return value if value in known else "other"


def _begin(counter: Counter, labels: Iterable[tuple[str, ...]]) -> None:
    for each in labels:
        counter.labels(*each)
