"""What is asked at the moment of a scrape: queue, lanes, browsers, memory, room on the disk.

Asked in the server's thread. Whatever cannot be had just now is left out of that scrape; the rest is served.
"""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import psutil
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from crawler.breaker import Breaker
from domain.errors import ParallaxError

T = TypeVar("T")
FRESH_S = 15.0
"""So old an answer of the database may be; the most usual time between two scrapes."""
PROCESSES = ("worker", "browser", "driver", "other")
_BROWSERS, _DRIVERS = ("chrom", "headless_shell", "headless-shell"), ("chromedriver", "node", "java")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the numbers come from. Each is called at a scrape, from another thread: it must be quick and change nothing."""

    lanes: Callable[[], Mapping[str, int]] = field(default=dict)
    """width: pages that may load at a time; loading, open: those that do."""
    started: Callable[[], int] = field(default=int)
    """Browsers started so far."""
    ended: Callable[[], Mapping[str, int]] = field(default=dict)
    """... and ended, by a reason out of a closed list."""
    queue: Callable[[], Mapping[str, int]] = field(default=dict)
    """Visits by state (store/queue_depth.py)."""
    breaker: Breaker | None = None
    folders: Mapping[str, Path] = field(default_factory=dict)
    """Folders that must not fill up, by a short name."""


class Kept(Generic[T]):
    """The answer of a slow call, asked again when it is older than FRESH_S. An error is kept as long. Safe between threads.

    While one thread asks, the others get the answer before: one that hangs holds nobody up but the one that asked.
    """

    def __init__(self, ask: Callable[[], T], clock: Callable[[], float] = time.monotonic) -> None:
        self._ask, self._clock = ask, clock
        self._asking = threading.Lock()
        self._asked: float | None = None
        self._answer: T | None = None

    def __call__(self) -> T | None:
        """None where it cannot be had."""
        if self._asking.acquire(blocking=self._asked is None):
            try:
                if self._asked is None or self._clock() - self._asked > FRESH_S:
                    try:
                        self._answer = self._ask()
                    except ParallaxError:
                        self._answer = None
                    self._asked = self._clock()
            finally:
                self._asking.release()
        return self._answer


class Live:
    """A collector for a registry of prometheus_client."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._queue = Kept(sources.queue)
        self._memory = Kept(memory_bytes)

    def collect(self) -> Iterable[Metric]:
        """The families, anew at each scrape."""
        sources = self._sources
        yield _gauges(
            "parallax_queue_depth", "Visits by state; by the database, so of all workers.", "state", self._queue() or {}
        )
        lanes = sources.lanes()
        yield GaugeMetricFamily("parallax_lanes", "Pages that may load at a time.", value=lanes.get("width", 0))
        yield _gauges("parallax_pages", "Pages that load, and that are open at all.", "state", _without(lanes, "width"))
        yield CounterMetricFamily("parallax_browsers_started", "Browsers started.", value=sources.started())
        ended = CounterMetricFamily("parallax_browsers_ended", "Browsers ended.", labels=["reason"])
        for reason, number in sources.ended().items():
            ended.add_metric([reason], number)
        yield ended
        yield _gauges("parallax_memory_bytes", "Memory of this worker and of what it started.", "process", self._memory() or {})
        if sources.breaker is not None:
            failing = "Different hosts that failed by our own doing since a page last came through."
            yield GaugeMetricFamily("parallax_breaker_hosts", failing, value=sources.breaker.count)
            yield GaugeMetricFamily("parallax_breaker_limit", "At so many the crawler stops.", value=sources.breaker.limit)
        yield _gauges("parallax_disk_free_bytes", "Room left.", "folder", dict(self._room(free=True)))
        yield _gauges("parallax_disk_size_bytes", "Size of the disk.", "folder", dict(self._room(free=False)))

    def _room(self, *, free: bool) -> Iterator[tuple[str, float]]:
        for name, folder in self._sources.folders.items():
            with contextlib.suppress(OSError):
                usage = shutil.disk_usage(_there(folder))
                yield name, usage.free if free else usage.total


def _gauges(name: str, about: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def _without(values: Mapping[str, int], key: str) -> dict[str, float]:
    return {name: number for name, number in values.items() if name != key}


def _there(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    folder = folder.absolute()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def memory_bytes() -> dict[str, float]:
    """PROCESSES -> bytes: this process, and everything it started. Memory that several share is divided between them."""
    held = dict.fromkeys(PROCESSES, 0.0)
    own = psutil.Process()
    held["worker"] = _held(own)
    for child in own.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            name = child.name().lower()
            if any(part in name for part in _DRIVERS):
                kind = "driver"
            else:
                kind = "browser" if any(part in name for part in _BROWSERS) else "other"
            held[kind] += _held(child)
    return held


def _held(process: psutil.Process) -> float:
    """The proportional share (Linux); where that cannot be read, all that is resident."""
    with contextlib.suppress(psutil.AccessDenied, AttributeError):
        return float(process.memory_full_info().pss)
    return float(process.memory_info().rss)
