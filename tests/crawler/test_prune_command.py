"""crawler prune, and every reading command afterwards: what was pruned is said to be, and nothing falls over it. No browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler import commands_drift, commands_prune, commands_stored
from crawler.commands_prune import size_of
from crawler.detect import again
from crawler.drawing import draw, store_checks_and_draw
from crawler.filing import Archive
from crawler.stored_checks import check_stored
from domain.divergence import Finding
from domain.errors import BadInput, NotFound
from domain.pixel_check import Check
from domain.visit import CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit
from store.blobs import Blobs
from store.captures import divergences, find_capture
from store.database import Database
from store.probes import probes
from store.prune import prune
from store.shelf import filing

NOW = datetime.now(UTC)
CONFIRMED = Check(reader="reader-1", read="14:03:31", confidence=0.875, verdict="confirmed", reason="equal")
PRICE = Finding(
    path="#price", kind="stale", verdict="flagged", reason="disagree", structural="182.30", rendered="182.40",
    grade="disjoint", box=(10, 20, 60, 18), lines=((10, 22, 48, 14),),
)  # fmt: skip


def file(archive: Archive, days_ago: int) -> str:
    """A visit so long ago with a stale price in its capture; the capture's id."""
    at = Moment(wall=NOW - timedelta(days=days_ago), monotonic_ns=0)
    names = ("dom", "served", "before", "after", "screenshot", "drift", "mhtml")
    with filing(archive.database) as save:
        put = {name: archive.blobs.put(f"{name} {days_ago}".encode() * 9, "text/plain") for name in names}
        capture = CaptureRecord(
            id=f"{days_ago:032x}-0", loader_served="L", loader_shown="L", readiness=Readiness(load_event=True),
            counts=Counts(), rules="policy=tokens", timeline=Timeline(served=at, screenshot_sent=at),
            artifacts={name: blob.digest for name, blob in put.items()},
        )  # fmt: skip
        visit = Visit(
            id=f"{days_ago:032x}", url="https://shop.example/", site="shop", outcome="captured", started=at, finished=at,
            viewport=Viewport(width=1280, height=720), delay_ms=3000, captures=(capture,),
        )  # fmt: skip
        save(visit, {capture.id: [PRICE]}, list(put.values()))
    return capture.id


@pytest.fixture
def archive(database: Database, blobs: Blobs, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """Visits of 100 and of 10 days ago. The commands open the same."""
    monkeypatch.setenv("PARALLAX_DATA", str(data_dir))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("BLOB_URL", blobs.url)
    archive = Archive(database, blobs)
    file(archive, 100)
    file(archive, 10)
    return archive


def asked(older_than: str | None = None, keep_bytes: str | None = None, **more: object) -> None:
    given = {"only": (), "visits": False, "orphans": False, "yes": False, "as_json": False} | more
    commands_prune.prune_artifacts(older_than, keep_bytes, **given)  # type: ignore[arg-type]


def test_the_command(archive: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    """First it says what would go, and removes nothing; with --yes it is gone; then there is no more to remove."""
    asked("90d")
    said = capsys.readouterr().out
    assert [line.split()[0] for line in said.splitlines()[:3]] == ["artifact", "mhtml", "after"]
    assert "1 captures would lose something; 0 keep all" in said
    assert "Nothing was removed. To remove it: the same command with --yes." in said
    asked("90d", as_json=True)
    plan = json.loads(capsys.readouterr().out)
    assert plan["going"][0]["artifact"] == "mhtml"
    assert plan["going"][-1]["artifact"] == "screenshot"
    asked("90d", yes=True, as_json=True)
    done = json.loads(capsys.readouterr().out)
    assert (done["blobs"], done["bytes"], sum(done["artifacts"].values())) == (
        7,
        plan["bytes_now"] - plan["bytes_after"],
        7,
    )
    asked("90d", yes=True)
    assert capsys.readouterr().out == "0 blobs removed, 0.0 MB.\n"
    archive.blobs.put(b"nobody's", "text/plain")
    asked(orphans=True, yes=True)  # younger than a day
    assert capsys.readouterr().out == "Removed: 0 blobs that no row names, 0.0 MB.\n"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, "Say what may go"),
        ({"older_than": "90"}, "has no unit"),
        ({"keep_bytes": "lots"}, 'Write "500MB"'),
        ({"keep_bytes": "5GiB"}, 'Write "500MB"'),
        ({"older_than": "1d", "only": ("film",)}, "no such artifact"),
        ({"keep_bytes": "1", "visits": True}, "give --older-than"),
        ({"older_than": "1d", "only": ("mhtml",), "visits": True}, "no --only"),
    ],
)
def test_asked_wrongly(wrong: dict[str, object], said: str) -> None:
    """What cannot be meant is said, with what can be; no store is opened for it."""
    with pytest.raises(BadInput, match=said):
        asked(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "size"), [("50GB", 50_000_000_000), ("1.5 kB", 1500), ("7", 7), ("0B", 0), ("2T", None)])
def test_sizes(text: str, size: int | None) -> None:
    """Powers of a thousand, as disks are sold."""
    if size is None:
        with pytest.raises(BadInput):
            size_of(text)
    else:
        assert size_of(text) == size


def test_reading_commands_say_pruned(
    archive: Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """show, show --elements, show --save, report, detect, drift and check on what was pruned: said, never a failure."""
    prune(archive.database, archive.blobs, before=NOW)
    old = f"{100:032x}"
    monkeypatch.setenv("COLUMNS", "200")
    commands_stored.show(old, elements=False, save=None, as_json=False)
    assert "pruned: removed" not in (said := capsys.readouterr().out)
    assert "removed to save space" in said
    for doing in ({"elements": True, "save": None}, {"elements": False, "save": tmp_path / "copy"}):
        with pytest.raises(NotFound, match="pruned to save space"):
            commands_stored.show(old, as_json=False, **doing)
    capsys.readouterr()
    commands_stored.show(next(divergences(archive.database)).id, elements=False, save=None, as_json=False)
    assert "182.40" in capsys.readouterr().out
    page = tmp_path / "report.html"
    commands_stored.report(page, site=None, kind=None, verdict="flagged", since=None, limit=9, as_json=False)
    assert page.read_text().count("The screenshot was pruned to save space.") >= 2
    told = again(archive, "tokens", site=None, dry_run=False)
    assert (told.pruned, told.unreadable, told.removed) == (2, 0, 0)
    with pytest.raises(NotFound, match="were pruned to save space"):
        commands_drift.drift(site=None, since=None, output=None, limit=5, as_json=True)

    class Reader:
        version = "none"

    came_to = check_stored(archive, Reader())  # type: ignore[arg-type]
    assert (came_to.checked, came_to.unreadable_captures) == (0, 2)


def test_half_of_what_the_rules_use(archive: Archive) -> None:
    """Where only some of it is gone, the rules are not asked of the rest: they would judge otherwise."""
    prune(archive.database, archive.blobs, before=NOW, only=["before"])
    told = again(archive, "tokens", site=None, dry_run=False)
    assert (told.pruned, told.removed, told.changed) == (2, 0, 0)


def test_no_probe_of_what_is_gone(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe is drawn from a capture that is pruned at that moment: it is not stored. From the other one it is."""
    import crawler.drawing as module  # noqa: PLC0415 - to step between its two steps

    found: Callable[..., tuple[Visit, CaptureRecord]] = find_capture

    def then_pruned(*given: object, **more: object) -> tuple[Visit, CaptureRecord]:
        read = found(*given, **more)
        prune(archive.database, archive.blobs, before=NOW - timedelta(days=50))
        return read

    monkeypatch.setattr(module, "find_capture", then_pruned)
    for divergence in list(divergences(archive.database)):
        store_checks_and_draw(archive, divergence.capture_id, {divergence.id: CONFIRMED})
    [stored] = probes(archive.database)
    assert (stored.probe.provenance.capture, stored.sightings) == (f"{10:032x}-0", 1)
    prune(archive.database, archive.blobs, keep_bytes=0)
    assert archive.blobs.get(stored.probe.screenshot)
    assert draw(archive, [f"{100:032x}-0", f"{10:032x}-0"]).withdrawn == 0
