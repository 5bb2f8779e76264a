"""crawler check: what is stored is looked at once, a capture at a time, and what is done is kept. No browser."""

from __future__ import annotations

import asyncio
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from channels.readers import Reader, open_reader
from crawler import commands_check
from crawler.beside import PixelChecks
from crawler.commands import tell_unchecked
from crawler.filing import Archive
from crawler.progress import Progress
from crawler.stored_checks import check_stored
from crawler.waiting import Stop
from domain.divergence import Finding
from domain.errors import BadInput, Stopped
from domain.visit import CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit
from store.blobs import Blobs
from store.captures import divergences, save
from store.database import Database
from store.probes import probes

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SHOWN = "14:03:31"


def screenshot(text: str) -> bytes:
    """The text at 10, 20 in CSS px, at scale 2."""
    image = Image.new("RGB", (400, 200), "white")
    ImageDraw.Draw(image).text((20, 40), text, "black", font=ImageFont.load_default(28))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def finding(path: str, rendered: str, structural: str, **more: Any) -> Finding:
    return Finding(
        path=path, kind="stale", verdict="flagged", reason="disagree", rendered=rendered, structural=structural,
        box=(10, 20, 70, 18), lines=((10, 20, 70, 18),), **more,
    )  # fmt: skip


def moment(seconds: float) -> Moment:
    return Moment(wall=NOON + timedelta(seconds=seconds), monotonic_ns=int(seconds * 1e9))


def visit_of(number: int, blobs: Blobs, picture: bytes | None) -> Visit:
    at = number * 3600.0
    artifacts = {"dom": b"<p>", "served": b"{}", "before": b"{}", "after": b"{}"} | ({"screenshot": picture} if picture else {})
    capture = CaptureRecord(
        id=f"{number:032x}-0", loader_served="L", loader_shown="L", readiness=Readiness(load_event=True),
        counts=Counts(elements=2, settled=2), rules="policy=tokens stale=1",
        timeline=Timeline(served=moment(at), frozen=moment(at + 3), screenshot_sent=moment(at + 4)),
        artifacts={name: blobs.put(content, "text/plain").digest for name, content in artifacts.items()},
    )  # fmt: skip
    return Visit(
        id=f"{number:032x}", url="https://clock.example/", site="clock", outcome="captured", started=moment(at - 1),
        finished=moment(at + 9), viewport=Viewport(width=200, height=100, scale=2), delay_ms=3000, captures=(capture,),
    )  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader()


@pytest.fixture
def archive(database: Database, blobs: Blobs, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """Two visits with a true divergence and a false one each, and one whose screenshot is lost. The commands open the same."""
    for number, picture in ((1, screenshot(SHOWN)), (2, screenshot(SHOWN)), (3, None)):
        visit = visit_of(number, blobs, picture)
        found = [finding("#true", SHOWN, "14:03:27"), finding("#false", "14:03:27", SHOWN)]
        save(database, visit, {visit.captures[0].id: found})
    monkeypatch.setenv("PARALLAX_DATA", str(data_dir))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("BLOB_URL", blobs.url)
    return Archive(database, blobs)


def verdicts(archive: Archive) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for divergence in divergences(archive.database):
        found.setdefault(divergence.finding.path, []).append(divergence.check.verdict if divergence.check else "")
    return {path: sorted(its) for path, its in found.items()}


def test_each_is_looked_at_once(archive: Archive, reader: Reader) -> None:
    """True ones are confirmed and become probes, false ones contradicted, lost pictures left. Then there is no more to do."""
    came_to = check_stored(archive, reader)
    assert (came_to.checked, came_to.unreadable_captures) == (4, 1)
    assert came_to.verdicts == {"confirmed": 2, "contradicted": 2}
    assert verdicts(archive) == {"#true": ["", "confirmed", "confirmed"], "#false": ["", "contradicted", "contradicted"]}
    assert [stored.probe.gold for stored in probes(archive.database)] == [SHOWN]
    assert check_stored(archive, reader).checked == 0
    assert check_stored(archive, reader, again=True).checked == 4


def test_what_is_done_is_kept(archive: Archive, reader: Reader) -> None:
    """Ctrl-C after the first capture: its two checks are kept, and the next run does the other two."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    first = check_stored(archive, reader, on_check=stop)
    assert first.stopped
    assert verdicts(archive)["#true"] == ["", "", "confirmed"]
    assert check_stored(archive, reader).checked == 2


def test_what_is_left_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A run says how much is left unchecked and what checks it; where Ctrl-C is why, it was stopped short: exit code 130."""
    with pytest.raises(Stopped, match=r"6 flagged are left unchecked\. To check: crawler check$") as stopped:
        tell_unchecked(Progress(2, unchecked=6, stopped=True))
    assert stopped.value.exit_code == 130
    tell_unchecked(Progress(2, unchecked=1))
    assert capsys.readouterr().err == "1 flagged is left unchecked. To check: crawler check\n"
    tell_unchecked(Progress(2, stopped=True))
    assert capsys.readouterr().err == ""


def test_the_command(archive: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON: a line for each check with its divergence, and at the end what it came to. An unknown kind is refused."""
    assert archive
    commands_check.check(site="clock", kind="stale", again=False, limit=2, as_json=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["check"]["verdict"] for line in lines[:-1]].count("confirmed") == 1
    assert lines[-1]["checked"] == 2
    with pytest.raises(BadInput, match="No kind 'tilted'"):
        commands_check.check(site=None, kind="tilted", again=False, limit=None, as_json=True)


def test_what_a_killed_worker_had_not_looked_at(archive: Archive) -> None:
    """A visit whose worker was killed between storing it and looking at its pixels is looked at, and gives its probe."""
    drawn: list[int] = []

    async def scene() -> None:
        checks = PixelChecks(Stop(), drawn.append)
        try:
            await checks.made_up_for(archive, f"{1:032x}")
            await checks.made_up_for(archive, f"{1:032x}")  # nothing is left to do
            await checks.made_up_for(archive, f"{3:032x}")  # its picture is lost
            await checks.made_up_for(archive, "0" * 32)  # nobody knows it
        finally:
            await checks.close()

    asyncio.run(scene())
    verdicts = {d.finding.path: d.check.verdict for d in divergences(archive.database, visit=f"{1:032x}") if d.check}
    assert verdicts == {"#true": "confirmed", "#false": "contradicted"}
    assert drawn == [1]
    assert [probe.sightings for probe in probes(archive.database)] == [1]
