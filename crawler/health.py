"""health: whether this worker does its job, which is more than that its process is there.

It does where visits finish while something is due; and where nothing is due, where a page of our own was loaded, read and
photographed not long ago. Safe between threads: visits are told from the event loop, reports are asked for by a server.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from pydantic import Field

from crawler.metrics import parallax_version
from crawler.settings import CrawlerSettings
from domain.record import Record
from domain.visit import Visit

State = Literal["starting", "working", "idle", "stuck", "broken", "waiting-for-store"]
LEAST_STUCK_S = 600.0
QUIET_S = 300.0
"""So long without a finished visit, and a page of our own is loaded to see whether that still works."""
AGAIN_S = 60.0
"""A self-check that failed is made again after this."""
ANSWER_S = 180.0
"""A self-check, a browser's start included, and the event loop have so long to come back."""


class HealthReport(Record):
    """How a worker is, at one moment. Served at /health; `ok` is the status 200, else 503."""

    state: State
    ok: bool
    reason: str = Field(description="in a sentence")
    worker: str = Field(description="host name and process")
    asked: datetime = Field(description="UTC")
    uptime_s: float
    last_visit_age_s: float | None = Field(description="since the last visit finished; null: none yet")
    last_visit_outcome: str | None = None
    check: Literal["passed", "failed", "none"] = Field(description="the newest self-check; none: none has come back yet")
    check_age_s: float | None = Field(description="since it came back")
    due: int | None = Field(description="visits that could begin now or are under way; null: the database cannot say")
    versions: dict[str, str] = Field(description="of parallax, python and, once one was seen, the browser")


class Health:
    """What is known of one worker.

    due: visits that could begin now or that this worker is making; None where the database cannot say. It is called often,
    from any thread: give one that remembers (metrics_live.Kept).
    """

    def __init__(
        self,
        settings: CrawlerSettings,
        *,
        worker: str = "",
        due: Callable[[], int | None] = lambda: 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._worker, self.due, self._clock = worker, due, clock
        self.stuck_s = max(LEAST_STUCK_S, 3 * settings.visit_timeout_ms / 1000)
        self._began = self._moved = self._beat = clock()
        self._finished: float | None = None
        self._outcome: str | None = None
        self._checked: float | None = None
        self._broken: str | None = None
        self._due_since: float | None = None
        self._store_waits: str | None = None
        self._browser: str | None = None

    def finished(self, visit: Visit) -> None:
        """A visit ended, however."""
        self._finished, self._outcome = self._clock(), visit.outcome
        self._moved = self._finished
        if visit.browser is not None:
            self._browser = f"{visit.browser.name} {visit.browser.version}"

    def moved(self) -> None:
        """A turn was put off, or is to be tried again: nothing finished, and yet this worker is not stuck."""
        self._moved = self._clock()

    def checked(self, why: str | None, browser: str | None = None) -> None:
        """A self-check came back: None for passed, else why it failed."""
        self._checked, self._broken = self._clock(), why
        self._browser = browser or self._browser

    def store_waits(self, why: str | None) -> None:
        """The store cannot be had, and why; None: it can again."""
        self._store_waits = why

    def beat(self) -> None:
        """The event loop turns."""
        self._beat = self._clock()
        self._look()

    def wants_check(self) -> bool:
        """Whether it is time for a self-check: none yet, the last one failed, or nothing has told of a good browser lately."""
        now = self._clock()
        if self._checked is None:
            return True
        if self._broken is not None:
            return now - self._checked >= AGAIN_S
        return now - max(self._checked, self._finished or self._checked) >= QUIET_S

    def _look(self) -> int | None:
        due = self.due()
        if not due:
            self._due_since = None
        elif self._due_since is None:
            self._due_since = self._clock()
        return due

    def report(self) -> HealthReport:
        """How it is now."""
        now, due = self._clock(), self._look()
        state, reason = self._state(now, due)
        return HealthReport(
            state=state,
            ok=state in {"working", "idle"},
            reason=reason,
            worker=self._worker,
            asked=datetime.now(UTC),
            uptime_s=round(now - self._began, 1),
            last_visit_age_s=None if self._finished is None else round(now - self._finished, 1),
            last_visit_outcome=self._outcome,
            check="none" if self._checked is None else "failed" if self._broken else "passed",
            check_age_s=None if self._checked is None else round(now - self._checked, 1),
            due=due,
            versions={
                "parallax": parallax_version(),
                "python": platform.python_version(),
                **({"browser": self._browser} if self._browser else {}),
            },
        )

    def _state(self, now: float, due: int | None) -> tuple[State, str]:
        if self._store_waits is not None:
            return "waiting-for-store", f"What is finished waits in memory for the store: {self._store_waits}"
        if due is None:
            return "waiting-for-store", "The database does not say what is due. See its own log, and DATABASE_URL."
        if now - self._beat > ANSWER_S:
            return "stuck", f"The event loop has not turned for {now - self._beat:.0f} s. Start the worker again."
        if self._broken is not None:
            return "broken", f"A page of our own could not be loaded, read and photographed: {self._broken}"
        if self._checked is None and self._finished is None:
            if now - self._began > ANSWER_S:
                return "broken", f"The first page of our own has not come back for {now - self._began:.0f} s."
            return "starting", "The first page of our own is being loaded."
        quiet = now - max(self._moved, now if self._due_since is None else self._due_since)
        if due and quiet > self.stuck_s:
            return "stuck", f"{due} visits could be made, and none has finished for {quiet:.0f} s (limit {self.stuck_s:.0f} s)."
        since = "none yet" if self._finished is None else f"the last {now - self._finished:.0f} s ago"
        if due or (self._finished is not None and now - self._finished < QUIET_S):
            return "working", f"Visits finish: {since}, {due} could begin now."
        # `crawler status` may well show sites that are due: those of hosts that rest.
        nothing = "No visit could begin now: nothing is due, or what is due waits for its host"
        return "idle", f"{nothing}. A page of our own could be read. Visits: {since}."
