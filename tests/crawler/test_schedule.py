"""crawler/schedule.py: which sites are due. Slots by hand, and truths that hold for any list."""

from __future__ import annotations

import dataclasses
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from crawler import schedule
from crawler.schedule import due, share, slot_after, slot_before, tick
from store import site_turns, sites, turns
from store.database import Database
from store.site_turns import State
from store.sites import Listed

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def state(name: str = "shop", host: str = "", *, last: datetime | None = None, priority: int = 0, **changes: object) -> State:
    """A site added at noon, to be visited every hour."""
    made = State(name, host or f"{name}.test", HOUR, priority, NOON, None, last)
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]


def test_slots_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Added at noon, hourly, a quarter into its interval: 12:00, then 12:45, 13:45, 14:45 and so on."""
    monkeypatch.setattr(schedule, "share", lambda _: 0.25)
    shop = state()
    first, second, third = NOON, NOON + timedelta(minutes=45), NOON + timedelta(minutes=105)
    second_less = timedelta(seconds=1)
    assert slot_before(shop, NOON - second_less) is None
    assert [slot_before(shop, at) for at in (first, second - second_less, second, third - second_less, third)] == [
        first,
        first,
        second,
        second,
        third,
    ]
    assert [slot_after(shop, at) for at in (None, first, second - second_less, second)] == [first, second, second, third]


def test_missed_slots_are_not_made_up_for() -> None:
    """After three days in which nothing ran an hourly site is due once, and for its latest slot."""
    monday = NOON + timedelta(days=3)
    [visit] = due([state(last=NOON)], monday, room=10)
    assert monday - HOUR < visit.due <= monday < visit.following
    assert due([state(last=visit.due)], monday, room=10) == []


def test_order() -> None:
    """Priority first, then who has been due for longest; those that wait longest are not overtaken by hasty ones."""
    now = NOON + timedelta(days=10)
    hasty = state("hasty", every=timedelta(minutes=1), last=now - timedelta(minutes=10))
    patient = state("patient", every=timedelta(days=1), last=now - timedelta(days=2))
    urgent = state("urgent", priority=5, last=now - timedelta(hours=2))
    assert [visit.name for visit in due([hasty, patient, urgent], now, room=10)] == ["urgent", "patient", "hasty"]
    hungry = dataclasses.replace(hasty, last_due=now - timedelta(days=4))
    assert [visit.name for visit in due([hungry, patient], now, room=1)] == ["hasty"]


def test_who_is_left_out() -> None:
    """Turns under way, hosts with enough in the queue, and what has no room."""
    many = [state(f"s{n}", "one.test") for n in range(5)] + [state(f"t{n}", f"h{n}.test") for n in range(5)]
    names = {visit.name for visit in due(many, NOON, room=10, under_way={"t0"})}
    assert names == {"s0", "s1", "t1", "t2", "t3", "t4"}
    assert [v.name for v in due(many, NOON, room=10, queued={"one.test": 1, "h0.test": 2})] == [
        "s0",
        "t1",
        "t2",
        "t3",
        "t4",
    ]
    assert len(due(many, NOON, room=3)) == 3
    assert due(many, NOON - HOUR, room=10) == []


@given(
    every=st.timedeltas(min_value=timedelta(milliseconds=1), max_value=timedelta(days=400)),
    steps=st.lists(st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=900)), max_size=20),
    name=st.text(min_size=1, max_size=8),
)
def test_never_twice_the_same_slot(every: timedelta, steps: list[timedelta], name: str) -> None:
    """Asked at any moments, at any times again: each slot comes once, in order, and never before its time."""
    site, now, seen = state(name, every=every), NOON, list[datetime]()
    for step in steps:
        now += step
        for _ in range(2):
            for visit in due([site], now, room=1):
                assert visit.due <= now < visit.following
                assert slot_before(site, visit.following) == visit.following
                seen.append(visit.due)
                site = dataclasses.replace(site, last_due=visit.due)
    assert seen == sorted(set(seen))
    assert len(seen) <= len(steps)


@given(st.integers(min_value=1, max_value=40), st.integers(min_value=1, max_value=60))
def test_no_storm(room: int, days: int) -> None:
    """However long nothing ran, a site is queued at most once a tick, a host twice, and no more than there is room for."""
    many = [state(f"s{n}", f"h{n % 7}.test", last=NOON) for n in range(60)]
    visits = due(many, NOON + timedelta(days=days), room=room)
    assert max(Counter(visit.name for visit in visits).values()) == 1
    assert max(Counter(visit.host for visit in visits).values()) <= 2
    assert len(visits) == min(room, 14)


def test_sites_of_one_list_spread() -> None:
    """Of 10,000 hourly sites added at once, each later minute has its share: 167, give or take five standard deviations."""
    assert share("shop") == share("shop") != share("shop2")
    day = NOON + timedelta(days=1)
    minutes = Counter((slot_after(state(f"site-{n}"), day) - day) // timedelta(minutes=1) for n in range(10_000))
    assert len(minutes) == 60
    assert all(100 < count < 234 for count in minutes.values())


def listed(count: int, hosts: int | None = None) -> list[Listed]:
    named = [(f"s{n}", f"h{n % (hosts or count)}.test") for n in range(count)]
    return [Listed(name, f"https://{host}/{name}", host, {"name": name}, HOUR) for name, host in named]


def jobs(database: Database) -> list[tuple[str, str, str]]:
    """(site, host, due) of every job."""
    with database.transaction() as connection:
        question = "select queueing_lock, lock, args->>'due' from queue.procrastinate_jobs order by id"
        return [tuple(row) for row in connection.execute(text(question))]  # type: ignore[misc]


def test_tick(queue: Database) -> None:
    """What is due is queued once, with host and slot; what is queued is due no more, and the queue is never overfull."""
    sites.sync(queue, listed(30, hosts=10), now=NOON)
    assert tick(queue, backlog=12, now=NOON - HOUR) == 0
    assert tick(queue, backlog=12, now=NOON) == 12
    assert tick(queue, backlog=12, now=NOON) == 0
    assert tick(queue, backlog=1000, now=NOON) == 8  # two a host
    assert tick(queue, backlog=1000, now=NOON + 5 * HOUR) == 0
    found = jobs(queue)
    assert len({name for name, _, _ in found}) == 20
    assert max(Counter(host for _, host, _ in found).values()) == 2
    assert {due for _, _, due in found} == {NOON.isoformat()}


def test_two_schedules_at_once(queue: Database) -> None:
    """Four that tick at the same moment, again and again, queue each turn once."""
    sites.sync(queue, listed(300), now=NOON)
    counts: list[int] = []
    start = threading.Barrier(4)

    def ticks() -> None:
        for _ in range(5):
            start.wait(30)
            counts.append(tick(queue, backlog=1000, now=NOON))

    threads = [threading.Thread(target=ticks) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 300
    assert len({name for name, _, _ in jobs(queue)}) == len(jobs(queue)) == 300


def test_a_tick_that_fails_queues_nothing(queue: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs and marks are one transaction: without the one there is not the other."""
    sites.sync(queue, listed(3), now=NOON)

    def fails(*_: object) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patched:
        patched.setattr(site_turns, "mark", fails)
        with pytest.raises(RuntimeError):
            tick(queue, backlog=10, now=NOON)
    assert jobs(queue) == []
    assert tick(queue, backlog=10, now=NOON) == 3


def test_a_new_interval(queue: Database) -> None:
    """A site that is to be visited more often from now on has its next slot by the new interval."""
    sites.sync(queue, listed(1), now=NOON)
    assert tick(queue, backlog=10, now=NOON) == 1
    with queue.transaction() as connection:
        connection.execute(text("delete from queue.procrastinate_periodic_defers"))
        turns.enter(connection)
        connection.execute(text("delete from procrastinate_jobs"))
    [site] = listed(1)
    sites.sync(queue, [dataclasses.replace(site, every=timedelta(minutes=1))], now=NOON)
    assert tick(queue, backlog=10, now=NOON + timedelta(seconds=29)) == 0
    assert tick(queue, backlog=10, now=NOON + timedelta(seconds=91)) == 1
