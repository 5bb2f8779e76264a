"""crawler/queue: turns as jobs in a real Postgres. Only the visiting itself is played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any

import procrastinate
import pytest
from procrastinate import PsycopgConnector
from sqlalchemy import text

from crawler.queue.connection import Patient
from crawler.queue.tasks import app_for, recover, sweep
from crawler.queue.turn import Turns
from crawler.queue.worker import work
from crawler.schedule import tick
from crawler.service import listing
from crawler.settings import CrawlerSettings
from crawler.sites import Site
from crawler.turns import MayPass, PutOff, Turn
from crawler.visit import Visited
from crawler.waiting import Stop
from domain.errors import Tripped, Unavailable
from domain.visit import Moment, Outcome, Try, Viewport, Visit
from store import captures, sites
from store import turns as queue_store
from store.database import Database
from store.hosts import claim
from store.sites import Listed

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
Act = Callable[[Site, Turn], Awaitable[Outcome]]


def visit_of(site: Site, turn: Turn, outcome: Outcome) -> Visit:
    moment = Moment(wall=NOON, monotonic_ns=0)
    return Visit(
        id=turn.visit_id(site.name),
        url=site.url,
        site=site.name,
        outcome=outcome,
        due=turn.due,
        started=moment,
        finished=moment,
        viewport=Viewport(width=1280, height=720),
        delay_ms=0,
    )


class Played:
    """Stands where the crew does: does what the test says instead of opening a page, and remembers when."""

    def __init__(self, act: Act) -> None:
        self.act = act
        self.spans: list[tuple[str, float, float]] = []
        self.turns: list[Turn] = []
        self.made_up: list[str] = []

    async def visit(self, site: Site, turn: Turn | None = None) -> Visited | None:
        assert turn is not None
        self.turns.append(turn)
        began = time.monotonic()
        outcome = await self.act(site, turn)
        self.spans.append((site.url.split("/")[2], began, time.monotonic()))
        return Visited(visit_of(site, turn, outcome), (), browser_hurt=False)

    async def make_up(self, visit_id: str) -> None:
        self.made_up.append(visit_id)


async def captured(_site: Site, _turn: Turn) -> Outcome:
    return "captured"


def listed(count: int, hosts: int | None = None) -> list[Listed]:
    urls = [f"https://h{n % (hosts or count)}.test/{n}" for n in range(count)]
    made = [Site(name=f"s{n}", url=url, why="", topic="other", every=HOUR) for n, url in enumerate(urls)]
    return [listing(site) for site in made]


def turns_of(database: Database, crew: Played, **settings: Any) -> Turns:
    return Turns(database, CrawlerSettings(**({"concurrency": 4} | settings)), crew, Stop())


async def until(true: Callable[[], bool], *turns: Turns, within_s: float = 30) -> None:
    """Works with a worker for each of these until it is true, then stops them and waits for what is under way."""
    async with asyncio.timeout(within_s), asyncio.TaskGroup() as group:
        for number, one in enumerate(turns):
            group.create_task(work(one, name=f"test-{number}"))
        try:
            while not await asyncio.to_thread(true):  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(0.02)
        finally:
            for one in turns:
                one.stop.set()


def rows(database: Database, question: str, **values: Any) -> list[Any]:
    with database.transaction() as connection:
        return [tuple(row) for row in connection.execute(text(question), values)]


def ended(database: Database, count: int) -> Callable[[], bool]:
    return lambda: rows(database, "select count(*) from sites where last_finished is not null") == [(count,)]


def jobs(database: Database) -> list[tuple[str, str, int]]:
    """(site, state, priority) of every visit in the queue."""
    return rows(
        database,
        "select queueing_lock, status::text, priority from queue.procrastinate_jobs where task_name = :task order by id",
        task=queue_store.TASK,
    )


def put(database: Database, count: int, hosts: int | None = None) -> None:
    sites.sync(database, listed(count, hosts), now=NOON)
    assert tick(database, backlog=1000, now=NOON) == count


def test_no_host_twice_at_once(queue: Database) -> None:
    """Two workers with four lanes each: every turn is done once, and no host by two at a time."""

    async def slow(_site: Site, _turn: Turn) -> Outcome:
        await asyncio.sleep(0.05)
        return "captured"

    put(queue, 16, hosts=8)
    crew = Played(slow)
    asyncio.run(until(ended(queue, 16), turns_of(queue, crew), turns_of(queue, crew)))
    assert len(crew.spans) == 16
    for host in {span[0] for span in crew.spans}:
        [(_, _, first_end), (_, second_begin, _)] = sorted(s for s in crew.spans if s[0] == host)
        assert first_end <= second_begin
    assert jobs(queue) == []
    assert rows(queue, "select distinct last_outcome, failures, last_due from sites") == [("captured", 0, NOON)]
    assert rows(queue, "select count(*) from workers") == [(0,)]


def test_tries(queue: Database) -> None:
    """What may pass is tried again, each time with what was tried before; the last try counts, whatever it is."""

    async def fails(_site: Site, turn: Turn) -> Outcome:
        if turn.last:
            return "browser-crashed"
        raise MayPass(Try(started=NOON + len(turn.tries) * HOUR, outcome="interrupted" if not turn.tries else "failed"))

    put(queue, 1)
    crew = Played(fails)
    turns = turns_of(queue, crew, tries=2)
    # An interrupted try says nothing of the site and does not count; the second waits 0 s by this chance and clock.
    turns.now = lambda: datetime.now(UTC) - HOUR
    asyncio.run(until(ended(queue, 1), turns))
    assert [[ended.outcome for ended in turn.tries] for turn in crew.turns] == [[], ["interrupted"], ["interrupted", "failed"]]
    assert [turn.last for turn in crew.turns] == [False, False, True]
    assert {turn.due for turn in crew.turns} == {NOON}
    assert rows(queue, "select last_outcome, failures, tries from sites") == [("browser-crashed", 1, [])]


def test_put_off(queue: Database) -> None:
    """A host that wants rest: its turn waits, nothing is tried, and the other turns of its host are not held up by it."""
    rest = datetime.now(UTC) + HOUR

    async def put_off(site: Site, _turn: Turn) -> Outcome:
        if site.name == "s0":
            raise PutOff(rest, "crawl-delay")
        return "captured"

    put(queue, 2, hosts=1)
    asyncio.run(until(ended(queue, 1), turns_of(queue, Played(put_off))))
    assert jobs(queue) == [("s0", "todo", -queue_store.LOWERED)]
    assert rows(queue, "select scheduled_at from queue.procrastinate_jobs where task_name = 'visit_site'") == [(rest,)]
    assert rows(queue, "select last_finished, tries from sites where name = 's0'") == [(None, [])]
    # It has its place again when its time has come, before what was queued later.
    with queue.transaction() as connection:
        queue_store.enter(connection)
        connection.execute(text("update procrastinate_jobs set scheduled_at = now()"))
        assert queue_store.lift(connection) == 1
    assert jobs(queue) == [("s0", "todo", 0)]


def test_paused_gone_stored(queue: Database) -> None:
    """No visit where the site was paused or dropped from the list meanwhile, nor where this turn's visit is stored already."""
    put(queue, 4)
    three = listed(4)[:3]
    sites.pause(queue, ["s0"], "they asked", now=NOON)
    sites.sync(queue, three, now=NOON)
    captures.save(queue, visit_of(Site.model_validate(three[1].record), Turn(NOON), "http-error"), {}, [])
    crew = Played(captured)
    asyncio.run(until(lambda: jobs(queue) == [], turns_of(queue, crew)))
    assert [span[0] for span in crew.spans] == ["h2.test"]
    assert rows(queue, "select name, last_outcome from sites order by name") == [
        ("s0", None),
        ("s1", "http-error"),
        ("s2", "captured"),
        ("s3", None),
    ]


def test_a_fault_of_ours(queue: Database) -> None:
    """An error nobody expected is tried again like a crash, then told, kept for a week and counted; the worker goes on."""

    async def breaks(site: Site, _turn: Turn) -> Outcome:
        if site.name == "s0":
            raise ZeroDivisionError
        return "captured"

    put(queue, 2)
    asyncio.run(until(ended(queue, 2), turns_of(queue, Played(breaks), tries=1)))
    assert jobs(queue) == [("s0", "failed", 0)]
    assert rows(queue, "select last_outcome from sites where name = 's0'") == [("failed",)]


def test_tripped(queue: Database) -> None:
    """The breaker ends the worker with its own error; the turn that tripped it is still due."""

    async def trips(_site: Site, _turn: Turn) -> Outcome:
        raise Tripped("25 failures in a row")

    put(queue, 1)
    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(until(lambda: False, turns_of(queue, Played(trips)), within_s=20))
    assert raised.group_contains(Tripped, match="25 failures")
    assert jobs(queue) == [("s0", "todo", 0)]


def test_stop_waits_for_what_is_under_way(queue: Database) -> None:
    """Told to stop, a worker takes no more turns and finishes those it has."""
    let, seen = asyncio.Event(), asyncio.Event()

    async def waits(_site: Site, _turn: Turn) -> Outcome:
        seen.set()
        await let.wait()
        return "captured"

    async def scene() -> None:
        turns = turns_of(queue, Played(waits), concurrency=1)
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            group.create_task(work(turns, name="test"))
            await seen.wait()
            turns.stop.set()
            await asyncio.sleep(0)
            let.set()

    put(queue, 2)
    asyncio.run(scene())
    assert jobs(queue) == [("s1", "todo", 0)]
    assert rows(queue, "select name from sites where last_outcome = 'captured'") == [("s0",)]


def test_connections_that_break(queue: Database) -> None:
    """All connections of the queue and the store are cut during a visit: the visit goes on, ends, and the worker works on."""
    cut = (
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()"
    )

    async def cuts(site: Site, _turn: Turn) -> Outcome:
        if site.name == "s0":
            await asyncio.to_thread(rows, queue, cut)
        return "captured"

    def done() -> bool:
        try:
            return jobs(queue) == []
        except Unavailable:  # this question was cut, too
            return False

    put(queue, 3)
    crew = Played(cuts)
    asyncio.run(until(done, turns_of(queue, crew, concurrency=1)))
    assert rows(queue, "select count(*) from sites where last_outcome = 'captured'") == [(3,)]


def swept(database: Database, silent_s: float) -> int:
    async def scene() -> int:
        app = app_for(Patient(database, Stop()), turns_of(database, Played(captured)), set())
        async with app.open_async():
            return await sweep(app, database, rest=timedelta(0), silent_s=silent_s)

    return asyncio.run(scene())


def test_the_dead_are_swept(queue: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns of a worker that no longer beats, or that nobody remembers, wait again; those of the living go on."""
    put(queue, 3)
    with queue.transaction() as connection:
        queue_store.enter(connection)
        for name, age in (("living", 0), ("dead", 3600)):
            [(number,)] = connection.execute(text("select * from procrastinate_register_worker_v1()")).all()
            connection.execute(
                text("update procrastinate_workers set last_heartbeat = now() - make_interval(secs => :age) where id = :id"),
                {"age": age, "id": number},
            )
            connection.execute(
                text("insert into public.workers values (:name, :number, now() - interval '2 hours')"),
                {"name": name, "number": number},
            )
            connection.execute(text("select procrastinate_fetch_job_v2(null, :id)"), {"id": number})
        # Fetched by one that was pruned since.
        connection.execute(text("select procrastinate_fetch_job_v2(null, null)"))
    assert [state for _, state, _ in jobs(queue)] == ["doing"] * 3
    with monkeypatch.context() as early:
        early.setattr("crawler.queue.tasks.CHANCE_S", 1e9)
        assert swept(queue, silent_s=1e9) == 0  # the server is younger than that: nobody could have beaten
    monkeypatch.setattr("crawler.queue.tasks.CHANCE_S", 0.0)
    assert swept(queue, silent_s=0.9) == 2
    assert jobs(queue) == [("s0", "doing", 0), ("s1", "todo", 0), ("s2", "todo", 0)]
    assert rows(queue, "select name from workers") == [("living",)]


def test_the_known_dead_are_recovered_at_once(queue: Database) -> None:
    """A worker that was killed a moment ago, and is known to be dead, leaves its turns and hosts to the next one at once."""
    put(queue, 2)
    with queue.transaction() as connection:
        queue_store.enter(connection)
        numbers = {}
        for name in ("living", "killed"):
            [(numbers[name],)] = connection.execute(text("select * from procrastinate_register_worker_v1()")).all()
            connection.execute(text("select procrastinate_fetch_job_v2(null, :id)"), {"id": numbers[name]})
    for name, number in numbers.items():
        queue_store.began(queue, name, number)
        assert claim(queue, f"{name}.example", name, hold=timedelta(minutes=5)) is None

    async def scene() -> int:
        app = app_for(Patient(queue, Stop()), turns_of(queue, Played(captured)), set())
        async with app.open_async():
            return await recover(app, queue, {"killed", "never heard of"}, rest=timedelta(0))

    assert asyncio.run(scene()) == 1
    assert [(name, state) for name, state, _ in jobs(queue)] == [("s0", "doing"), ("s1", "todo")]
    assert rows(queue, "select name from workers") == [("living",)]
    assert claim(queue, "killed.example", "another", hold=timedelta(minutes=5)) is None
    assert claim(queue, "living.example", "another", hold=timedelta(minutes=5)) is not None


def test_jobs_that_a_worker_does_not_know_of(queue: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job was given to a worker, and the answer was lost on the way: the worker finds it among its own."""
    monkeypatch.setattr("crawler.queue.worker.LOOK_S", 0.1)
    put(queue, 1)
    lost = []
    fetch = PsycopgConnector.execute_query_one_async

    async def loses(self: PsycopgConnector, query: Any, **arguments: Any) -> dict[str, Any]:
        row = await fetch(self, query, **arguments)
        if "fetch_job" in query and row["id"] is not None and not lost:
            lost.append(row["id"])
            return dict.fromkeys(row)
        return row

    monkeypatch.setattr(PsycopgConnector, "execute_query_one_async", loses)
    crew = Played(captured)
    asyncio.run(until(ended(queue, 1), turns_of(queue, crew)))
    assert (len(lost), len(crew.spans)) == (1, 1)


def test_frozen_schema() -> None:
    """The queue's tables are those of the installed library.

    Where this fails a newer procrastinate has changed them: add a migration that runs the files of its sql/migrations folder
    between the two versions, with `set local search_path = queue`, and give this test the new schema to compare with.
    """
    ours = (resources.files("migrations") / "queue-3.10.sql").read_text()
    assert "MIT License" in ours
    theirs = (Path(procrastinate.__file__).parent / "sql" / "schema.sql").read_text()
    assert ours[ours.index("-- Procrastinate Schema") :] == theirs
