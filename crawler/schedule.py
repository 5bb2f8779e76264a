"""schedule: which sites are due, and the clock that asks. `due` is pure; `tick` asks the store and queues what it says.

A site's slots are fixed by its name, its interval and the moment it was added. So any process at any time works out the same
ones, and a turn that is queued twice has one and the same visit id. See docs/schedule.md.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import itemgetter

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from crawler.settings import CrawlerSettings
from domain.errors import Unavailable
from store import site_turns, turns
from store.database import Database
from store.site_turns import Mark, State

log = structlog.get_logger()

A_HOST = 2
"""Turns of one host in the queue at most: the others would only wait for these."""
_MICROSECOND = timedelta(microseconds=1)
_SHARES = 2**32


@dataclass(frozen=True, slots=True)
class DueVisit:
    """One turn to queue."""

    name: str
    host: str
    due: datetime
    """The slot, UTC."""
    priority: int
    following: datetime
    """The slot after it, UTC."""


def share(name: str) -> float:
    """In [0, 1), by the name alone: where in its interval a site has its slots."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:4]) / _SHARES


def slot_before(state: State, now: datetime) -> datetime | None:
    """The latest slot that is not after now; None before the first.

    The first is the moment the site was added; the next one comes half an interval to one and a half after it, so that the
    sites of one list spread; all others follow at the interval.
    """
    number = _number(state, now)
    return None if number < 0 else _slot(state, number)


def slot_after(state: State, moment: datetime | None) -> datetime:
    """The first slot after this moment; the first of all for None."""
    return _slot(state, 0 if moment is None else max(0, _number(state, moment) + 1))


def _slot(state: State, number: int) -> datetime:
    if number == 0:
        return state.added.astimezone(UTC)
    return (state.added + _first_gap(state) + (number - 1) * _every(state)).astimezone(UTC)


def _number(state: State, moment: datetime) -> int:
    """Of the latest slot that is not after it; -1 before the first."""
    since = moment - state.added
    if since < timedelta(0):
        return -1
    return max(0, (since - _first_gap(state)) // _every(state) + 1)


def _every(state: State) -> timedelta:
    return max(state.every, _MICROSECOND)


def _first_gap(state: State) -> timedelta:
    return _every(state) // 2 + timedelta(microseconds=int(share(state.name) * (_every(state) / _MICROSECOND)))


def due(
    states: Iterable[State],
    now: datetime,
    *,
    room: int,
    a_host: int = A_HOST,
    under_way: Collection[str] = frozenset(),
    queued: Mapping[str, int] | None = None,
) -> list[DueVisit]:
    """The turns to queue now, first things first: by priority, then by how long a site has been due.

    A site is due when a slot has passed since that of its last turn. Its turn is of the latest such slot: those it has missed
    are not made up for. room: turns at most. under_way: names of sites whose turn is in the queue still. queued: turns by host
    that are.
    """
    waiting = []
    for state in states:
        since = state.next_due or slot_after(state, state.last_due)
        if since <= now and state.name not in under_way:
            waiting.append((-state.priority, since, state.name, state))
    waiting.sort(key=itemgetter(0, 1, 2))
    hosts, chosen = dict(queued or {}), list[DueVisit]()
    for _, _, name, state in waiting:
        if len(chosen) >= room:
            break
        if hosts.get(state.host, 0) < a_host and (slot := slot_before(state, now)) is not None:
            hosts[state.host] = hosts.get(state.host, 0) + 1
            chosen.append(DueVisit(name, state.host, slot, state.priority, slot_after(state, slot)))
    return chosen


def tick(database: Database, *, backlog: int, now: datetime | None = None) -> int:
    """Queues what is due, and writes down that it is, in one transaction. How many turns that were.

    Any number of processes may tick: one at a time does, and what the others would queue is queued by then.
    Raises Unavailable.
    """
    now = now or datetime.now(UTC)
    with database.transaction() as connection:
        if not turns.enter(connection):
            return 0
        turns.lift(connection)
        if fresh := site_turns.unplanned(connection):
            site_turns.mark(connection, [Mark(state.name, None, slot_after(state, state.last_due)) for state in fresh])
        there = turns.queued(connection)
        room = backlog - there.waiting
        if room <= 0:
            return 0
        # Most that are found have room. At the worst all those in the queue are found, and all others of their hosts.
        for limit in (2 * room, room + len(there.names) + A_HOST * len(there.hosts)):
            states = site_turns.candidates(connection, now=now, a_host=A_HOST, limit=limit)
            visits = due(states, now, room=room, under_way=there.names, queued=there.hosts)
            if len(visits) == room or len(states) < limit:
                break
        turns.put(connection, visits)
        site_turns.mark(connection, [Mark(visit.name, visit.due, visit.following) for visit in visits])
        turns.count_anew(connection, len(visits))
    return len(visits)


def at_once(database: Database, name: str, *, now: datetime | None = None) -> bool:
    """Queues this site's turn if it is due, however many others wait; whether it was. Raises Unavailable."""
    now = now or datetime.now(UTC)
    with database.transaction() as connection:
        turns.enter(connection, wait=True)
        there, state = turns.queued(connection), site_turns.state_of(connection, name)
        visits = due([state] if state else [], now, room=1, under_way=there.names)
        turns.put(connection, visits)
        site_turns.mark(connection, [Mark(visit.name, visit.due, visit.following) for visit in visits])
    return bool(visits)


class Clock:
    """Ticks until it is closed. A tick that takes long is not run twice at once, nor made up for."""

    def __init__(self, database: Database, settings: CrawlerSettings) -> None:
        self._database, self._settings = database, settings
        self._failing = False
        self._scheduler = AsyncIOScheduler(timezone=UTC)

    def open(self) -> None:
        self._scheduler.add_job(
            self._tick,
            "interval",
            seconds=self._settings.tick_s,
            max_instances=1,
            coalesce=True,
            misfire_grace_time=None,
            next_run_time=datetime.now(UTC),
        )
        self._scheduler.start()

    async def _tick(self) -> None:
        try:
            count = await asyncio.to_thread(tick, self._database, backlog=self._settings.backlog)
        except Unavailable as error:
            if not self._failing:
                log.warning("schedule.waited", reason=str(error))
            self._failing = True
            return
        if self._failing:
            log.info("schedule.resumed")
        self._failing = False
        if count:
            log.info("visits.queued", count=count)

    def close(self) -> None:
        self._scheduler.shutdown(wait=False)
