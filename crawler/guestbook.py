"""Where manners are written down: in the store, for all workers, or in memory, for a dry run. Both do the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Lock
from typing import Protocol

from domain.hosts import Standing
from domain.robots import Copy
from store import hosts, robots, takedowns
from store.database import Database
from store.hosts import Busy
from store.takedowns import Takedown

After = Callable[[Standing, datetime], Standing]
Clock = Callable[[], datetime]


class Guestbook(Protocol):
    """Blocking calls, safe between threads. store/hosts.py says what each means."""

    def taken_down(self, url: str) -> Takedown | None: ...
    def claim(self, host: str, holder: str, hold: timedelta) -> Busy | None: ...
    def leave(self, host: str, holder: str, after: After) -> Standing: ...
    def release(self, host: str, holder: str) -> None: ...
    def release_holder(self, holder: str, rest: timedelta) -> int: ...
    def note_delay(self, host: str, holder: str, delay_s: float) -> None: ...
    def robots(self, origin: str) -> Copy | None: ...
    def keep_robots(self, origin: str, copy: Copy) -> None: ...


class InStore:
    """For all workers on this database. clock: None for the database's own."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self._database, self._clock = database, clock

    def taken_down(self, url: str) -> Takedown | None:
        return takedowns.taken_down(self._database, url)

    def claim(self, host: str, holder: str, hold: timedelta) -> Busy | None:
        return hosts.claim(self._database, host, holder, hold=hold, at=self._at())

    def leave(self, host: str, holder: str, after: After) -> Standing:
        return hosts.leave(self._database, host, holder, after, at=self._at())

    def release(self, host: str, holder: str) -> None:
        hosts.release(self._database, host, holder)

    def release_holder(self, holder: str, rest: timedelta) -> int:
        return hosts.release_holder(self._database, holder, rest=rest, at=self._at())

    def note_delay(self, host: str, holder: str, delay_s: float) -> None:
        hosts.note_delay(self._database, host, holder, delay_s)

    def robots(self, origin: str) -> Copy | None:
        return robots.robots_copy(self._database, origin)

    def keep_robots(self, origin: str, copy: Copy) -> None:
        robots.keep_robots(self._database, origin, copy)

    def _at(self) -> datetime | None:
        return self._clock() if self._clock else None


@dataclass(slots=True)
class _Host:
    standing: Standing = field(default_factory=Standing)
    holder: str | None = None
    held_until: datetime | None = None


class InMemory:
    """For this process alone, gone with it. There is no take-down list without a store."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock: Clock = clock or partial(datetime.now, UTC)
        self._hosts: dict[str, _Host] = {}
        self._robots: dict[str, Copy] = {}
        self._lock = Lock()

    def taken_down(self, url: str) -> Takedown | None:  # noqa: ARG002 - as in the store
        return None

    def claim(self, host: str, holder: str, hold: timedelta) -> Busy | None:
        with self._lock:
            now, found = self._clock(), self._hosts.setdefault(host, _Host())
            until = found.standing.not_before
            if until is not None and until > now:
                return Busy(now, until, found.standing.why)
            if found.holder is not None and found.held_until is not None and found.held_until > now:
                return Busy(now, found.held_until, "")
            found.holder, found.held_until = holder, now + hold
            return None

    def leave(self, host: str, holder: str, after: After) -> Standing:
        with self._lock:
            found = self._hosts.setdefault(host, _Host())
            found.standing = after(found.standing, self._clock())
            self._free(found, holder)
            return found.standing

    def release(self, host: str, holder: str) -> None:
        with self._lock:
            self._free(self._hosts.setdefault(host, _Host()), holder)

    def release_holder(self, holder: str, rest: timedelta) -> int:
        with self._lock:
            theirs = [found for found in self._hosts.values() if found.holder == holder]
            for found in theirs:
                until = max(found.standing.not_before or self._clock(), self._clock() + rest)
                found.standing = replace(found.standing, not_before=until, why=hosts.LOST)
                self._free(found, holder)
            return len(theirs)

    def note_delay(self, host: str, holder: str, delay_s: float) -> None:
        with self._lock:
            found = self._hosts.setdefault(host, _Host())
            if found.holder == holder:
                found.standing = replace(found.standing, delay_s=delay_s)

    def robots(self, origin: str) -> Copy | None:
        with self._lock:
            return self._robots.get(origin)

    def keep_robots(self, origin: str, copy: Copy) -> None:
        with self._lock:
            self._robots[origin] = copy

    @staticmethod
    def _free(found: _Host, holder: str) -> None:
        if found.holder == holder:
            found.holder, found.held_until = None, None
