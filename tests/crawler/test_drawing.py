"""crawler/drawing.py and what shows probes: checks in, probes out, and what is printed of them. No browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest

from crawler import commands_probes, commands_stored
from crawler.drawing import draw, store_checks_and_draw
from crawler.filing import Archive
from domain.divergence import Finding
from domain.errors import BadInput, NotFound
from domain.identity import element_of
from domain.pixel_check import Check
from domain.visit import CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit
from store.blobs import Blobs
from store.captures import divergence_id, replace_findings, save
from store.checks import checks_of
from store.database import Database
from store.probes import Saved, probes, sightings

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONFIRMED = Check(reader="reader-1", read="14:03:31", confidence=0.875, verdict="confirmed", reason="equal")
PRICE = Finding(
    path="html > body > b:nth-child(2)", element_id="last-price", kind="stale", verdict="flagged", reason="disagree",
    structural="182.30", rendered="182.40", grade="disjoint", box=(10, 20, 60, 18), lines=((10, 22, 48, 14),),
)  # fmt: skip


def moment(seconds: float) -> Moment:
    return Moment(wall=NOON + timedelta(seconds=seconds), monotonic_ns=int(seconds * 1e9))


def visit_of(number: int, blobs: Blobs, captures: int = 1) -> Visit:
    """The visit with this number, an hour after the one before it, its artifacts stored."""
    at = number * 3600.0
    names = {name: f"{name} {number}".encode() for name in ("dom", "served", "before", "after", "screenshot", "page", "drift")}
    records = [
        CaptureRecord(
            id=f"{number:032x}-{index}", index=index, scroll_y=700 * index, loader_served="L", loader_shown="L",
            readiness=Readiness(load_event=True), counts=Counts(elements=3, settled=3), rules="policy=tokens stale=1",
            timeline=Timeline(
                served=moment(at), during=(moment(at + 1), moment(at + 2)), frozen=moment(at + 3 + index),
                screenshot_sent=moment(at + 3.5 + index),
            ),
            artifacts={name: blobs.put(content + b" %d" % index, "text/plain").digest for name, content in names.items()},
        )
        for index in range(captures)
    ]  # fmt: skip
    return Visit(
        id=f"{number:032x}", url="https://shop.example/trade", site="shop", outcome="captured", started=moment(at - 1),
        finished=moment(at + 9), viewport=Viewport(width=1280, height=720), delay_ms=3000, captures=tuple(records),
    )  # fmt: skip


@pytest.fixture
def archive(database: Database, blobs: Blobs) -> Archive:
    return Archive(database, blobs)


@pytest.fixture
def stored(archive: Archive, blobs: Blobs, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """Three visits to a price that is stale in the first and the last of them, the last with two captures. Nothing checked.

    The commands open the same archive.
    """
    for number, captures in ((1, 1), (2, 1), (3, 2)):
        visit = visit_of(number, blobs, captures)
        findings = [] if number == 2 else [PRICE]
        save(archive.database, visit, {capture.id: findings for capture in visit.captures})
    monkeypatch.setenv("PARALLAX_DATA", str(data_dir))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("BLOB_URL", blobs.url)
    return archive


CAPTURES = [f"{number:032x}-{index}" for number, index in ((1, 0), (3, 0), (3, 1))]
IDS = [divergence_id(capture, "stale", PRICE.path) for capture in CAPTURES]


def check_all(archive: Archive, check: Check = CONFIRMED) -> list[Saved]:
    return [store_checks_and_draw(archive, c, {d: check}) for c, d in zip(CAPTURES, IDS, strict=True)]


def test_checks_in_probes_out(stored: Archive) -> None:
    """What a reader confirmed becomes one probe with a sighting a capture; doing it again adds nothing."""
    assert check_all(stored) == [Saved(1, 1), Saved(0, 1), Saved(0, 1)]
    assert check_all(stored) == [Saved(0, 0)] * 3
    [probe] = probes(stored.database)
    assert (probe.probe.gold, probe.probe.structural, probe.sightings) == ("182.40", "182.30", 3)
    assert probe.probe.provenance.element == element_of("shop", "https://shop.example/trade", PRICE)
    assert [s.capture_id for s in sightings(stored.database, probe.probe.id)] == CAPTURES


def test_only_what_is_confirmed(stored: Archive) -> None:
    """What was not confirmed gives no probe, keeps its check, and can be drawn where that is asked for."""
    store_checks_and_draw(stored, CAPTURES[0], {IDS[0]: CONFIRMED.model_copy(update={"verdict": "unreadable"})})
    assert draw(stored, CAPTURES) == Saved(0, 0)
    assert [c.check.verdict for c in checks_of(stored.database, IDS[0])] == ["unreadable"]
    assert draw(stored, CAPTURES, accepts={"unreadable"}) == Saved(1, 1)
    assert draw(stored, CAPTURES, accepts={"unreadable", "unchecked"}) == Saved(0, 2)
    assert draw(stored, CAPTURES) == Saved(0, 0, 1)


def test_a_later_reader_says_otherwise(stored: Archive) -> None:
    """The newest look decides: where it contradicts, the sighting goes, and the probe with its last one."""
    check_all(stored)
    other = CONFIRMED.model_copy(update={"reader": "reader-2", "verdict": "contradicted"})
    assert check_all(stored, other) == [Saved(0, 0, 0), Saved(0, 0, 0), Saved(0, 0, 1)]
    assert list(probes(stored.database)) == []
    assert check_all(stored) == [Saved(1, 1), Saved(0, 1), Saved(0, 1)]


def test_flagged_again(stored: Archive) -> None:
    """A divergence that rules doubted for a while is a probe again without anyone looking at its pixels again."""
    check_all(stored)
    replace_findings(stored.database, CAPTURES[0], "2", [PRICE.model_copy(update={"verdict": "review"})], {})
    [probe] = probes(stored.database)
    assert (probe.sightings, probe.probe.provenance.capture) == (2, CAPTURES[1])
    replace_findings(stored.database, CAPTURES[0], "3", [PRICE], {})
    assert draw(stored, CAPTURES) == Saved(0, 1)
    [probe] = probes(stored.database)
    assert (probe.sightings, probe.probe.provenance.capture) == (3, CAPTURES[0])


def test_no_such_capture(archive: Archive) -> None:
    """A capture that is not stored cannot be drawn from."""
    with pytest.raises(NotFound, match="No capture"):
        store_checks_and_draw(archive, "f" * 32 + "-0", {})


Printed = Callable[[], list[dict[str, object]]]


@pytest.fixture
def printed(capsysbinary: pytest.CaptureFixture[bytes]) -> Printed:
    """The JSON documents printed since."""
    return lambda: [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]


def test_probes_and_history_as_json(stored: Archive, printed: Printed) -> None:
    """Lists, one probe, and a history are documents a line; a probe's and its divergences' history are the same."""
    check_all(stored)
    everything = {"site": None, "kind": None, "family": None, "since": None, "limit": None, "as_json": True}
    commands_probes.list_stored_probes(**everything)  # type: ignore[arg-type]
    [listed] = printed()
    probe = listed["probe"]
    assert isinstance(probe, dict)
    assert (listed["sightings"], probe["gold"], probe["region"]) == (3, "182.40", {"x": 10, "y": 22, "width": 48, "height": 14})
    commands_stored.show(probe["id"][:20], elements=False, save=None, as_json=True)
    [shown] = printed()
    assert shown["probe"] == probe
    assert len(list(shown["sightings"])) == 3  # type: ignore[call-overload]
    commands_probes.show_element_history(probe["id"], as_json=True)
    past = printed()
    assert shown["history"] == past
    assert [(str(p["visit_id"])[-1], p["probe"] and p["divergence"]["id"]) for p in past] == [  # type: ignore[index]
        ("1", IDS[0]), ("2", None), ("3", IDS[1]), ("3", IDS[2]),
    ]  # fmt: skip
    commands_probes.show_element_history(IDS[2][:8], as_json=True)
    assert printed() == past
    commands_probes.show_element_history(IDS[2], since=NOON + timedelta(hours=2), as_json=True)
    assert printed() == past[2:]
    commands_probes.list_stored_probes(**everything | {"kind": "aria"})  # type: ignore[arg-type]
    assert printed() == []
    for wrong in ({"kind": "magic"}, {"family": "magic"}):
        with pytest.raises(BadInput, match="magic"):
            commands_probes.list_stored_probes(**everything | wrong)  # type: ignore[arg-type]


def test_what_a_person_sees(stored: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    """The tables name both values, the check, each sighting and the gap; a divergence shows what its pixels said."""
    check_all(stored)
    [probe] = probes(stored.database)
    commands_stored.show(probe.probe.id, elements=False, save=None, as_json=False)
    said = capsys.readouterr().out
    for expected in (
        "182.30",
        "182.40",
        "confirmed: equal; reader-1 read '14:03:31' with 0.88",
        "Seen in 3 captures",
        "no divergence",
    ):
        assert expected in said
    commands_stored.show(IDS[0], elements=False, save=None, as_json=False)
    assert "confirmed: equal; reader-1" in capsys.readouterr().out
    commands_probes.list_stored_probes(site="shop", kind=None, family="web-natural", since=None, limit=5, as_json=False)
    assert "1 probe." in capsys.readouterr().out


@pytest.mark.usefixtures("stored")
def test_every_capture_is_shown_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A visit is shown with every reading of every capture, and saved with all artifacts: the first capture at the top."""
    folder = tmp_path / "saved"
    commands_stored.show(f"{3:032x}", elements=False, save=folder, as_json=False)
    said = capsys.readouterr().out
    assert said.count("texts read, for the drift") == 4
    assert "   3500.0 ms  15:00:03.500000  screenshot sent" in said
    assert "capture 1, 700 px down" in said
    assert (folder / "screenshot.png").read_bytes() == b"screenshot 3 0"
    assert (folder / "capture-1" / "screenshot.png").read_bytes() == b"screenshot 3 1"
    files = {"dom.html", "served.json", "before.json", "after.json", "screenshot.png", "page.json", "drift.json"}
    assert {p.name for p in folder.iterdir()} == files | {"visit.json", "capture-1"}
    assert {p.name for p in (folder / "capture-1").iterdir()} == files
    assert Visit.model_validate(orjson.loads((folder / "visit.json").read_bytes())).captures[1].index == 1
