"""crawler/waiting.py, filing.py, spool.py: what cannot be stored now is stored when it can be, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import orjson
import psutil
import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from crawler.evidence import Evidence
from crawler.filing import Archive, file, filed, room, unspool
from crawler.settings import CrawlerSettings
from crawler.spool import spool
from crawler.visit import Visited
from crawler.waiting import Patience, Stop, free_bytes, full, keep
from domain.divergence import Finding
from domain.errors import Unavailable
from domain.visit import CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit
from store.blobs import Blobs
from store.captures import divergences, find_visit, recent_visits
from store.database import Database, open_database
from store.postgres import Programs, socket_folder
from store.settings import StoreSettings

HASTE = Patience(first_s=0.001, longest_s=0.01, after_stop_s=0.02)
NOON = Moment(wall=datetime(2025, 3, 1, 12, tzinfo=UTC), monotonic_ns=0)
PNG = b"\x89PNG\r\n\x1a\n"


def visited_of(number: int, *, size: int = 1000, title: str = "Cart") -> Visited:
    """A visit with one capture, its screenshot of that many bytes that do not compress."""
    capture = CaptureRecord(
        id=f"{number:032x}-0", loader_served="L", loader_shown="L", readiness=Readiness(load_event=True),
        timeline=Timeline(served=NOON, screenshot_sent=NOON), counts=Counts(),
    )  # fmt: skip
    visit = Visit(
        id=f"{number:032x}", url="http://shop.example/", site="shop", outcome="captured", started=NOON, finished=NOON,
        viewport=Viewport(width=1280, height=800), delay_ms=3000, title=title, captures=(capture,),
    )  # fmt: skip
    finding = Finding(path="#pay", kind="aria", verdict="flagged", reason="disjoint", structural="Pay 10", rendered="Pay 12")
    artifacts = {"dom": b"<p>%d</p>" % number, "screenshot": PNG + number.to_bytes(4, "big") + os.urandom(size)}
    return Visited(visit, (Evidence(capture, (finding,), artifacts, seen=1),), browser_hurt=False)


def failing(times: int, then: Callable[[], None] = lambda: None) -> Callable[[], str]:
    """A call that cannot be done the first so many times; `then` is called before it can be."""
    left = iter(range(times, -1, -1))

    def call() -> str:
        if next(left):
            raise Unavailable("The disk is full.")
        then()
        return "done"

    return call


@pytest.fixture
def archive(database: Database, blobs: Blobs, tmp_path: Path) -> Archive:
    return Archive(database, blobs, tmp_path / "data")


def test_tried_until_it_can_be_done() -> None:
    """The answer comes through however often it failed; the log says once that it waits, and once that it goes on."""
    with capture_logs() as told:
        assert asyncio.run(keep(failing(20), stop=Stop(), why="visit 1", patience=HASTE)) == "done"
    assert [(line["event"], line["failures"], line["why"]) for line in told] == [
        ("store.waited", 1, "visit 1"),
        ("store.resumed", 20, "visit 1"),
    ]
    assert told[0]["reason"] == "The disk is full."


def test_mended_before_each_further_try() -> None:
    """What can be done about it is done before every try but the first, and may fail as well."""
    mended: list[int] = []

    def mend() -> None:
        mended.append(1)
        if len(mended) == 1:
            raise Unavailable("not yet")

    # The first mend fails, so the call is not made that time: two failures of the call need three mends.
    assert asyncio.run(keep(failing(2), stop=Stop(), why="", mend=mend, patience=HASTE)) == "done"
    assert len(mended) == 3


def test_other_errors_are_not_waited_out() -> None:
    """A mistake of ours is told at once."""
    with pytest.raises(ZeroDivisionError):
        asyncio.run(keep(lambda: 1 // 0, stop=Stop(), why="", patience=HASTE))


def test_stopping_ends_a_long_wait() -> None:
    """Whoever waits for hours tries again as soon as the program is to end, and gives up soon after."""

    async def told_to_stop(then: int) -> str:
        stop = Stop()
        with capture_logs():
            waits = asyncio.create_task(
                keep(failing(then), stop=stop, why="", patience=Patience(first_s=3600, longest_s=3600, after_stop_s=0))
            )
            asyncio.get_running_loop().call_later(0.05, stop.set)
            return await waits

    assert asyncio.run(told_to_stop(1)) == "done"
    with pytest.raises(Unavailable, match="The disk is full"):
        asyncio.run(told_to_stop(10))


def test_given_up_visit_is_filed_at_the_next_start(archive: Archive) -> None:
    """What cannot be stored before the program ends lies in the spool, whole, and is filed later, once."""
    blobs_folder = Path(archive.blobs.url)
    shutil.rmtree(blobs_folder)
    blobs_folder.write_text("in the way")
    visited, stop = visited_of(1, title="half a \ud800 pair"), Stop()
    stop.set()
    with capture_logs() as told, pytest.raises(Unavailable):
        asyncio.run(filed(archive, visited, stop, patience=HASTE))
    assert told[-1]["event"] == "visit.spooled"
    assert recent_visits(archive.database) == []
    with pytest.raises(Unavailable):
        unspool(archive)
    blobs_folder.unlink()
    assert unspool(archive) == 1
    [stored] = recent_visits(archive.database)
    assert stored.title == "half a \ufffd pair"
    assert archive.blobs.get(stored.captures[0].artifacts["screenshot"]) == visited.evidence[0].artifacts["screenshot"]
    assert [found.finding for found in divergences(archive.database)] == list(visited.evidence[0].findings)
    assert unspool(archive) == 0
    assert list((archive.data_dir or Path()).glob("spool/*")) == []


def test_cancelled_visit_is_in_the_spool(archive: Archive) -> None:
    """A second Ctrl-C ends the wait at once; the visit is kept all the same."""

    blobs_folder = Path(archive.blobs.url)
    shutil.rmtree(blobs_folder)
    blobs_folder.write_text("in the way")

    async def cancelled() -> None:
        task = asyncio.create_task(filed(archive, visited_of(1), Stop(), patience=HASTE))
        while not any(line["event"] == "store.waited" for line in told):  # noqa: ASYNC110 - what is waited for is a log line
            await asyncio.sleep(0.005)
        task.cancel()
        await task

    with capture_logs() as told, pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    blobs_folder.unlink()
    assert unspool(archive) == 1
    assert recent_visits(archive.database)[0].id == f"{1:032x}"


def test_spooled_twice_and_half(archive: Archive) -> None:
    """Filed already, written twice, left half written by a killed process: what is whole is filed once, nothing else."""
    folder = archive.data_dir or Path()
    file(archive, visited_of(1))
    assert spool(folder, visited_of(1)) == spool(folder, visited_of(1))
    half = folder / "spool" / f"{2:032x}-abc.half" / "0"
    half.mkdir(parents=True)
    assert unspool(archive) == 1
    assert len(recent_visits(archive.database)) == 1
    assert half.exists()


def test_spooled_visit_that_is_no_visit(archive: Archive) -> None:
    """What the store will never take is set aside and told; it does not keep the others out."""
    folder = archive.data_dir or Path()
    broken = spool(folder, visited_of(1))
    (broken / "visit.json").write_bytes(orjson.dumps({"captures": [], "visit": {"id": "1"}}))
    spool(folder, visited_of(2))
    with capture_logs() as told:
        assert unspool(archive) == 1
    assert [line["event"] for line in told] == ["visit.refused", "visit.unspooled"]
    assert (folder / "spool" / f"{1:032x}.refused" / "0" / "screenshot").exists()


def test_killed_server_is_started_again() -> None:
    """The embedded server killed with -9, and one whose socket is gone: visits that wait are filed by a new one."""
    folder = Path(tempfile.mkdtemp(prefix="parallax-test-"))
    folder.chmod(0o711)
    settings = StoreSettings(data_dir=folder, database_url=None)
    try:
        with open_database(settings) as database, open_database(settings) as other:
            cluster = folder.resolve() / "postgres"
            programs = Programs.find(cluster)
            archive = Archive(database, Blobs(str(folder / "blobs")), folder)
            first = programs.postmaster(cluster)
            assert first is not None
            os.kill(first, signal.SIGKILL)

            async def many() -> list[Visit]:
                stop = Stop()
                given = [(archive, 1), (archive, 2), (Archive(other, archive.blobs, folder), 3)]
                return await asyncio.gather(*(filed(a, visited_of(n), stop, patience=HASTE) for a, n in given))

            assert len(asyncio.run(many())) == len(recent_visits(other)) == 3
            second = programs.postmaster(cluster)
            assert second not in (None, first)
            (socket_folder(cluster) / ".s.PGSQL.5432").unlink()
            for one in (database, other):
                one.engine.dispose()  # open connections would go on
            asyncio.run(filed(archive, visited_of(4), Stop(), patience=HASTE))
            assert programs.postmaster(cluster) not in (None, second)
            assert {visit.id[-1] for visit in recent_visits(database)} == set("1234")
            database.revive()  # nothing is wrong: nothing happens
            assert len(recent_visits(database)) == 4
        assert programs.postmaster(cluster) is None
    finally:
        shutil.rmtree(folder)


def test_a_server_that_hangs_keeps_nothing_from_the_spool() -> None:
    """A stopped server answers nobody, not even with an error: what is to be stored then is spooled, and filed later."""
    folder = Path(tempfile.mkdtemp(prefix="parallax-test-"))
    folder.chmod(0o711)
    try:
        with open_database(StoreSettings(data_dir=folder, database_url=None)) as database:
            cluster = folder.resolve() / "postgres"
            archive = Archive(database, Blobs(str(folder / "blobs")), folder)
            postmaster = psutil.Process(Programs.find(cluster).postmaster(cluster))
            server = [postmaster, *postmaster.children(recursive=True)]

            async def scene() -> None:
                stop = Stop()
                for process in server:
                    process.suspend()
                try:
                    storing = asyncio.create_task(filed(archive, visited_of(1), stop, patience=replace(HASTE, answer_s=0.2)))
                    stop.set()
                    with pytest.raises(Unavailable, match="No answer"):
                        await storing
                    assert [path.name for path in (folder / "spool").iterdir()] == [f"{1:032x}"]
                finally:
                    for process in server:
                        process.resume()

            with capture_logs() as told:
                asyncio.run(scene())
            assert told[-1]["event"] == "visit.spooled"
            assert unspool(archive) == 1
            assert len(recent_visits(database)) == 1
    finally:
        shutil.rmtree(folder)


def test_files_of_the_database_are_gone() -> None:
    """Reviving never makes an empty database in place of one that was removed."""
    folder = Path(tempfile.mkdtemp(prefix="parallax-test-"))
    folder.chmod(0o711)
    with open_database(StoreSettings(data_dir=folder, database_url=None)) as database:
        cluster = folder.resolve() / "postgres"
        os.kill(Programs.find(cluster).postmaster(cluster) or 0, signal.SIGKILL)
        shutil.rmtree(folder)
        with pytest.raises(Unavailable, match="its files are no longer there"):
            database.revive()


def test_server_that_only_reads(archive: Archive) -> None:
    """A server that has become the follower of another is waited out, and written again once it may be."""
    with archive.database.transaction() as connection:
        name = connection.scalar(text("select current_database()"))

    def read_only(value: str) -> None:
        with archive.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("set default_transaction_read_only = off"))
            connection.execute(text(f"alter database {name} set default_transaction_read_only = {value}"))
        if value == "on":
            archive.database.engine.dispose()

    async def mended() -> Visit:
        task = asyncio.create_task(filed(archive, visited_of(1), Stop(), patience=HASTE))
        while not any(line["event"] == "store.waited" for line in told):  # noqa: ASYNC110 - what is waited for is a log line
            await asyncio.sleep(0.005)
        await asyncio.to_thread(read_only, "off")
        return await task

    read_only("on")
    try:
        with capture_logs() as told:
            asyncio.run(mended())
    finally:
        read_only("off")
    assert "cannot be written: cannot execute INSERT in a read-only transaction" in told[0]["reason"]
    assert find_visit(archive.database, f"{1:032x}").captures


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk of 4 MB of its own. Skips where none can be made."""
    place = Path(tempfile.mkdtemp(prefix="parallax-test-"))
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(place)],  # noqa: S607 - its folder differs
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        place.rmdir()
        pytest.skip(f"no disk of one's own can be made here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)  # noqa: S607 - as above
    place.rmdir()


def test_full_disk(database: Database, small_disk: Path) -> None:
    """A visit too big for what is left waits; once somebody makes room it is filed, and nothing half written is left."""
    archive = Archive(database, Blobs(str(small_disk / "blobs")), None)
    assert full((small_disk / "blobs",), 3) is None
    in_the_way = small_disk / "film.mp4"
    in_the_way.write_bytes(bytes(3_000_000))
    visited = visited_of(1, size=2_000_000)

    async def waited() -> Visit:
        task = asyncio.create_task(filed(archive, visited, Stop(), patience=HASTE))
        while not any(line["event"] == "store.waited" for line in told):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.005)
        assert recent_visits(database) == []
        in_the_way.unlink()
        return await task

    with capture_logs() as told:
        visit = asyncio.run(waited())
    assert "The disk is full" in told[0]["reason"]
    assert archive.blobs.get(visit.captures[0].artifacts["screenshot"]) == visited.evidence[0].artifacts["screenshot"]
    assert sum(path.is_file() for path in (small_disk / "blobs").rglob("*")) == 2
    assert room(archive, CrawlerSettings(least_free_mb=3)) == (
        f"The disk of {small_disk}/blobs has {free_bytes(small_disk) / 1e6:.0f} MB left, less than CRAWLER_LEAST_FREE_MB=3. "
        "Make room: crawler prune."
    )
    assert room(archive, CrawlerSettings(least_free_mb=0)) is None


def test_logger_is_quiet_where_nothing_fails() -> None:
    """A store that works is not talked about."""
    with capture_logs() as told:
        assert asyncio.run(keep(lambda: 1, stop=Stop(), why="")) == 1
    assert told == []
