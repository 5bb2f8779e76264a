"""store/prune.py: space is won, the least needed first, and no row ever names a blob that is not there."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from domain.divergence import Finding
from domain.errors import NotFound, Unavailable
from domain.pixel_check import Check
from domain.visit import Visit
from store import captures as stored
from store import tables
from store.blobs import Blobs, StoredBlob
from store.captures import find_visit, recent_visits
from store.checks import save_checks
from store.database import Database
from store.prune import Orphans, planned, prune, sweep, sweep_orphans
from store.referrers import FOLLOWERS, REFERRERS, Referrer, blob_referred, capture_referred
from store.shelf import filing, removing

VisitOf = Callable[..., Visit]
FindingOf = Callable[..., Finding]
NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
PNG = b"\x89PNG\r\n\x1a\n"  # what begins so is stored as it is: its bytes can be counted


def content(name: str, size: int) -> bytes:
    """So many bytes, the same for the same name."""
    return (PNG + name.encode()).ljust(size, b".")


class Shelf:
    """A store to fill and to look at."""

    def __init__(self, database: Database, blobs: Blobs, visit_of: VisitOf) -> None:
        self.database, self.blobs, self.visit_of = database, blobs, visit_of

    def file(self, number: int, findings: tuple[Finding, ...] = (), **artifacts: bytes) -> Visit:
        """A visit so many seconds after noon, with one capture of these artifacts."""
        with filing(self.database) as save:
            put: dict[str, StoredBlob] = {name: self.blobs.put(value, "image/png") for name, value in artifacts.items()}
            visit = self.visit_of(number)
            digests = {name: blob.digest for name, blob in put.items()}
            capture = visit.captures[0].model_copy(update={"artifacts": digests})
            visit = visit.model_copy(update={"captures": (capture,)})
            save(visit, {capture.id: findings}, list(put.values()))
        return visit

    def left(self, number: int) -> list[str]:
        return sorted(find_visit(self.database, f"{number:032x}").captures[0].artifacts)

    def dangling(self) -> list[str]:
        """Digests that a row names and the bucket does not have."""
        with self.database.transaction() as connection:
            named = connection.scalars(
                text(
                    "select value from captures, jsonb_each_text(record -> 'artifacts') "
                    "union select digest from blobs "
                    "union select served_digest from captures where served_digest is not null "
                    "union select screenshot_digest from captures where screenshot_digest is not null "
                    "union select record ->> 'screenshot' from sightings union select record ->> 'structure' from sightings"
                )
            )
            return [digest for digest in named if not self.blobs.exists(digest)]

    def in_bucket(self) -> set[str]:
        return {entry.digest for entry in self.blobs.list()}


@pytest.fixture
def shelf(database: Database, blobs: Blobs, visit_of: VisitOf) -> Shelf:
    return Shelf(database, blobs, visit_of)


@pytest.fixture
def three(shelf: Shelf) -> Shelf:
    """Three visits of 1000 + 200 + 300 stored bytes each: 4500 in all."""
    for number in (1, 2, 3):
        shelf.file(
            number,
            mhtml=content(f"m{number}", 1000),
            dom=content(f"d{number}", 200),
            screenshot=content(f"s{number}", 300),
        )
    return shelf


def test_by_age(three: Shelf) -> None:
    """What is older goes, all sorts of it, and stays in the record by name; what is younger stays."""
    before = NOON + timedelta(seconds=3)
    plan = planned(three.database, before=before)
    assert [(g.artifact, g.captures, g.blobs, g.bytes) for g in plan.going] == [
        ("mhtml", 2, 2, 2000),
        ("dom", 2, 2, 400),
        ("screenshot", 2, 2, 600),
    ]
    assert (plan.captures, plan.kept, plan.bytes_now, plan.bytes_after) == (2, 0, 4500, 1500)
    assert three.left(1) == ["dom", "mhtml", "screenshot"]  # looking removes nothing
    was = find_visit(three.database, f"{1:032x}").captures[0].artifacts
    done = prune(three.database, three.blobs, before=before)
    assert (done.artifacts, done.blobs, done.bytes) == ({"mhtml": 2, "dom": 2, "screenshot": 2}, 6, 3000)
    [capture] = find_visit(three.database, f"{1:032x}").captures
    assert (capture.artifacts, capture.pruned) == ({}, was)
    assert three.left(3) == ["dom", "mhtml", "screenshot"]
    assert len(three.in_bucket()) == 3
    assert three.dangling() == []
    with pytest.raises(NotFound):
        three.blobs.get(was["dom"])
    assert prune(three.database, three.blobs, before=before).artifacts == {}


@pytest.mark.parametrize(
    ("keep", "left", "after"),
    [
        (4500, {1: "dms", 2: "dms", 3: "dms"}, 4500),
        (4499, {1: "ds", 2: "dms", 3: "dms"}, 3500),
        (3500, {1: "ds", 2: "dms", 3: "dms"}, 3500),
        (1500, {1: "ds", 2: "ds", 3: "ds"}, 1500),
        (1250, {1: "s", 2: "s", 3: "ds"}, 1100),
        (600, {1: "", 2: "s", 3: "s"}, 600),
        (0, {1: "", 2: "", 3: ""}, 0),
    ],
)
def test_by_size(three: Shelf, keep: int, left: dict[int, str], after: int) -> None:
    """Sort by sort and oldest first, and no more than it takes: all MHTML before the first DOM, screenshots last."""
    plan = planned(three.database, keep_bytes=keep)
    assert plan.bytes_after == after
    prune(three.database, three.blobs, keep_bytes=keep)
    assert {number: "".join(name[0] for name in three.left(number)) for number in left} == left
    assert planned(three.database).bytes_now == after
    assert three.dangling() == []


def test_age_and_size(three: Shelf) -> None:
    """Both at once are both kept: what is too old goes whole, then sort by sort what is over the size."""
    before = NOON + timedelta(seconds=2)
    assert planned(three.database, before=before, keep_bytes=2000).bytes_after == 2000
    prune(three.database, three.blobs, before=before, keep_bytes=2000)
    assert [three.left(number) for number in (1, 2, 3)] == [[], ["dom", "screenshot"], ["dom", "mhtml", "screenshot"]]


def test_only_some_sorts(three: Shelf) -> None:
    """What was not named stays, however old."""
    prune(three.database, three.blobs, before=NOON + timedelta(days=1), keep_bytes=0, only=["mhtml"])
    assert [three.left(number) for number in (1, 2, 3)] == [["dom", "screenshot"]] * 3


def test_shared_blobs(shelf: Shelf) -> None:
    """Content that several captures name goes with the last of them, whatever it is called there."""
    same, other = content("same", 100), content("other", 50)
    shelf.file(1, dom=same, screenshot=same)
    shelf.file(2, dom=same, screenshot=other)
    digest = hashlib.sha256(same).hexdigest()
    assert [(g.blobs, g.bytes) for g in planned(shelf.database, before=NOON + timedelta(seconds=2)).going] == [(0, 0), (0, 0)]
    done = prune(shelf.database, shelf.blobs, before=NOON + timedelta(seconds=2))
    assert (done.blobs, shelf.left(1), shelf.blobs.get(digest)) == (0, [], same)
    plan = planned(shelf.database, keep_bytes=149)
    assert ([(g.artifact, g.blobs, g.bytes) for g in plan.going], plan.bytes_after) == ([("dom", 1, 100)], 50)
    prune(shelf.database, shelf.blobs, keep_bytes=149)
    assert shelf.in_bucket() == {hashlib.sha256(other).hexdigest()}
    assert shelf.dangling() == []


def test_what_a_probe_was_seen_in_stays(shelf: Shelf, finding_of: FindingOf) -> None:
    """The captures of a probe keep everything, by age, by size and with their rows; their neighbours do not."""
    visit = shelf.file(1, (finding_of(),), dom=content("d", 100), screenshot=content("s", 100), mhtml=content("m", 100))
    shelf.file(2, dom=content("d2", 10), screenshot=content("s2", 10))
    sight(shelf.database, visit)
    later = NOON + timedelta(days=1)
    plan = planned(shelf.database, before=later, keep_bytes=0, visits=True)
    assert (plan.kept, plan.captures, plan.rows, plan.bytes_after) == (1, 1, 1, 300)
    done = prune(shelf.database, shelf.blobs, before=later, keep_bytes=0, visits=True)
    assert (done.captures, done.blobs) == (1, 2)
    assert shelf.left(1) == ["dom", "mhtml", "screenshot"]
    assert find_visit(shelf.database, f"{2:032x}").captures == ()
    assert shelf.dangling() == []


def sight(database: Database, visit: Visit) -> None:
    """A probe was seen in the visit's first capture. As little of it as the tables ask for."""
    capture = visit.captures[0]
    with database.transaction() as connection:
        connection.execute(
            text("insert into probes values ('p-1', 'i', 'web-natural', 'aria', 'web', 'shop', 'u', 'e', now(), now(), '{}')")
        )
        connection.execute(
            text(
                "insert into sightings select 'p-1', capture_id, d.id, now(), jsonb_build_object('screenshot', "
                "c.record #> '{artifacts,screenshot}', 'structure', c.record #> '{artifacts,dom}') "
                "from divergences d join captures c on c.id = capture_id where capture_id = :of"
            ),
            {"of": capture.id},
        )


def test_whole_captures(three: Shelf) -> None:
    """With visits, rows of old captures go; the visit stays, as history, and says how many it had."""
    before = NOON + timedelta(seconds=3)
    assert planned(three.database, before=before, visits=True).rows == 2
    done = prune(three.database, three.blobs, before=before, visits=True)
    assert done.captures == 2
    visit = find_visit(three.database, f"{1:032x}")
    assert (visit.outcome, visit.captures, visit.pruned_captures) == ("captured", (), 1)
    assert len(recent_visits(three.database)) == 3
    assert three.left(3) == ["dom", "mhtml", "screenshot"]
    assert three.dangling() == []


@pytest.mark.parametrize("after", range(4))
def test_killed_in_the_middle(three: Shelf, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Wherever it ends, no row names a missing blob, and the same call finishes."""
    calls = iter(range(100))
    delete = Blobs.delete

    def dies(self: Blobs, digests: Any) -> None:
        if next(calls) == after // 2:
            if after % 2:
                delete(self, list(digests)[:1])
            raise SystemExit  # as good as any end: nothing after it is done
        delete(self, digests)

    monkeypatch.setattr("store.prune._STEP", 1)
    monkeypatch.setattr(Blobs, "delete", dies)
    with pytest.raises(SystemExit):
        prune(three.database, three.blobs, before=NOON + timedelta(days=1))
    assert three.dangling() == []
    monkeypatch.setattr(Blobs, "delete", delete)
    prune(three.database, three.blobs, before=NOON + timedelta(days=1))
    assert three.in_bucket() == set()
    assert [three.left(number) for number in (1, 2, 3)] == [[], [], []]


def test_interrupted(three: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends it between two steps; what was removed is told."""
    monkeypatch.setattr("store.prune._STEP", 1)

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    done = prune(three.database, three.blobs, before=NOON + timedelta(days=1), on_step=interrupt)
    assert (done.stopped, done.artifacts, done.blobs) == (True, {"mhtml": 1}, 1)
    assert three.dangling() == []
    with removing(three.database) as connection:  # the lock is free
        assert connection.scalar(text("select count(*) from discarded")) == 0


def test_content_that_comes_back(three: Shelf) -> None:
    """A blob noted for removal that a new visit names meanwhile stays; one put again later is whole."""
    with three.database.transaction() as connection:
        connection.execute(text("insert into discarded select digest from blobs"))
    assert sweep(three.database, three.blobs) == 0
    assert three.dangling() == []
    prune(three.database, three.blobs, before=NOON + timedelta(days=1))
    three.file(9, mhtml=content("m1", 1000))
    assert three.dangling() == []


def test_filing_while_pruning(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Visits with the very content that is being removed are filed at once by many: never a row without its blob."""
    monkeypatch.setattr("store.prune._STEP", 2)
    done = threading.Event()
    pruned: list[int] = []

    def remove() -> None:
        while not done.is_set():
            pruned.append(prune(shelf.database, shelf.blobs, keep_bytes=0).blobs)
            sweep_orphans(shelf.database, shelf.blobs, older_than=datetime.now(UTC) + timedelta(days=1), dry_run=False)

    def work(worker: int) -> None:
        # On until enough was removed under the filers' hands, however the machine shares its time.
        for turn in range(400):
            if sum(pruned) >= 3:
                return
            # What one filer leaves behind comes again by the next, who is slower or goes back.
            back = max(0, turn - 4 * (turn % worker))
            shelf.file(worker * 1000 + turn, dom=content(f"{turn}", 500), screenshot=content(f"{back}", 500))

    with ThreadPoolExecutor(5) as pool:
        removers = [pool.submit(remove) for _ in range(2)]
        try:
            for worker in [pool.submit(work, worker) for worker in (1, 2, 3)]:
                worker.result(60)
        finally:
            done.set()
        for remover in removers:
            remover.result(60)
    # Only now: while rows and files are removed, rows that were read a moment ago name files that are gone by right.
    assert shelf.dangling() == []
    assert sum(pruned) >= 3


def test_orphans(three: Shelf) -> None:
    """Blobs that no row names go once they are old enough; those that are named, and strange files, stay."""
    orphan = three.blobs.put(content("orphan", 70), "image/png")
    folder = Path(three.blobs.url)
    stranger, half = folder / "README", folder / "sha256" / orphan.digest[:2] / f"{orphan.digest[2:]}#1"
    stranger.write_text("not ours")
    half.write_bytes(b"half")
    now = datetime.now(UTC)

    def swept(*, days: int, dry_run: bool) -> Orphans:
        return sweep_orphans(three.database, three.blobs, older_than=now + timedelta(days=days), dry_run=dry_run)

    assert swept(days=-1, dry_run=False).blobs == 0
    assert swept(days=1, dry_run=True) == Orphans(dry_run=True, blobs=1, bytes=70, halves=0)
    assert three.blobs.exists(orphan.digest)
    assert swept(days=1, dry_run=False) == Orphans(dry_run=False, blobs=1, bytes=74, halves=1)
    assert not three.blobs.exists(orphan.digest)
    assert (stranger.exists(), half.exists(), len(three.in_bucket())) == (True, False, 9)
    assert three.dangling() == []


def test_half_of_a_living_writer(three: Shelf) -> None:
    """What somebody is writing at this moment is not taken for what a killed one left, whatever age is asked for."""
    half = Path(three.blobs.url) / "sha256" / "ab" / f"{'c' * 62}#1"
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    with ThreadPoolExecutor(1) as pool:
        with filing(three.database):
            half.parent.mkdir(parents=True, exist_ok=True)
            half.write_bytes(b"half")
            sweeper = pool.submit(sweep_orphans, three.database, three.blobs, older_than=tomorrow, dry_run=False)
            with three.database.transaction() as connection:
                waiting = text(
                    "select count(*) from pg_locks join pg_database on pg_database.oid = database "
                    "where datname = current_database() and locktype = 'advisory' and not granted"
                )
                while not connection.scalar(waiting) and not sweeper.done():
                    pass
            assert half.exists()
        assert sweeper.result(60).halves == 1
    assert not half.exists()


def test_bucket_that_cannot_be_had(three: Shelf) -> None:
    """A bucket that refuses leaves notes of what is to be removed, and the next run removes it."""
    folder = Path(three.blobs.url)
    folder.rename(folder.with_name("away"))
    folder.write_text("in the way")
    with pytest.raises(Unavailable):
        prune(three.database, three.blobs, before=NOON + timedelta(days=1))
    folder.unlink()
    folder.with_name("away").rename(folder)
    assert three.dangling() == []
    prune(three.database, three.blobs, before=NOON + timedelta(days=1))
    assert three.in_bucket() == set()


def test_every_reference_is_known() -> None:
    """A column that may refer to captures, visits, divergences, probes or blobs is one of the two lists."""
    kept = {"captures", "visits", "divergences", "probes", "blobs"}
    known = {(r.table, r.column) for r in REFERRERS} | FOLLOWERS
    unknown = []
    for table in tables.metadata.sorted_tables:
        for column in table.columns:
            refers = any(key.column.table.name in kept for key in column.foreign_keys)
            looks = any(word in column.name for word in ("digest", "capture", "visit", "divergence", "probe"))
            if (refers or looks) and (table.name, column.name) not in known:
                unknown.append(f"{table.name}.{column.name}: put it in REFERRERS or FOLLOWERS of store/referrers.py")
    assert unknown == []
    gone = [f"{name}.{column}" for name, column in known if column not in tables.metadata.tables[name].columns]
    assert gone == []


@pytest.mark.parametrize(
    ("of", "value"), [("captures", "captures.id"), ("visits", "visit_id"), ("divergences", None), ("blobs", None)]
)
def test_a_later_referrer(shelf: Shelf, finding_of: FindingOf, of: Any, value: str | None) -> None:
    """Whatever a new table refers to, one line in the list keeps it."""
    visit = shelf.file(1, (finding_of(),), dom=content("d", 10), screenshot=content("s", 10))
    shelf.file(2, dom=content("d2", 10))
    referrer = (Referrer("later", "what", of),)
    with shelf.database.transaction() as connection:
        connection.execute(text("create temporary table later (what text)"))
        given = {"divergences": "select id from divergences", "blobs": f"select '{visit.captures[0].artifacts['dom']}'"}
        first = f"select {value} from captures order by id limit 1"  # noqa: S608 - our own words
        connection.execute(text(f"insert into later {given.get(of, first)}"))
        condition = (
            blob_referred("captures.record -> 'artifacts' ->> 'dom'", referrer) if of == "blobs" else capture_referred(referrer)
        )
        kept = list(connection.scalars(text(f"select id from captures where {condition}")))  # noqa: S608
        connection.rollback()
    assert kept == [visit.captures[0].id]


def test_checks_of_pruned(shelf: Shelf, finding_of: FindingOf, check_of: Callable[..., Check]) -> None:
    """Findings and checks stay when the artifacts go: history needs no bytes."""
    shelf.file(1, (finding_of(),), dom=content("d", 10), screenshot=content("s", 10))
    [found] = stored.divergences(shelf.database)
    save_checks(shelf.database, {found.id: check_of()})
    prune(shelf.database, shelf.blobs, keep_bytes=0)
    [again] = stored.divergences(shelf.database)
    assert again.check is not None
    assert shelf.in_bucket() == set()
