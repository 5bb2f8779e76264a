"""`crawler drift`: from stored readings to curves, half-lives, tables and pictures."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import orjson
import pytest
from PIL import Image

from channels.plots import drift_plot
from crawler.commands_drift import draw, percent, seconds, show, span
from crawler.commands_drift import drift as command
from crawler.filing import Archive, file
from domain.drift import parse, watched
from domain.errors import BadInput, NotFound, Unavailable
from domain.half_life import HalfLife
from domain.reading import parse as parse_reading
from domain.visit import CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit
from store.blobs import Blobs
from store.captures import save
from store.database import Database
from store.drift import Drift, LiveElement
from store.drift import drift as drift_of
from tests.crawler.batch import visit_all
from tests.domain.made import Raw, element, report
from tests.pages.server import Site

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PAGE = (element("12:00", name="clock"), element("Loading"), element("Imprint"), element("Contact"))

Changed = Mapping[float, Mapping[int, str]]
"""ms after S0 -> element key -> what it holds then."""


@pytest.fixture
def archive(database: Database, blobs: Blobs) -> Archive:
    """An empty archive."""
    return Archive(database, blobs)


def keep(
    archive: Archive, number: int, *captures: Changed, site: str = "news", page: tuple[Raw, ...] = PAGE, **artifacts: str
) -> Visit:
    """A stored visit, `number` minutes after noon, with a capture for each of these readings; the last one is frozen."""
    visit_id = hashlib.md5(str(number).encode(), usedforsecurity=False).hexdigest()
    began = Moment(wall=NOON + timedelta(minutes=number), monotonic_ns=number)
    blobs, records = [], []
    for index, changed in enumerate(captures):
        readings = [
            {"after_ms": ms, "frozen": ms == max(changed), "watched": len(page), "gone": 0, "changed": [*now.items()]}
            for ms, now in changed.items()
        ]
        made = {"served": report(*page), "drift": {"version": 1, "readings": readings}}
        put = {name: archive.blobs.put(orjson.dumps(content), "application/json") for name, content in made.items()}
        blobs += put.values()
        records.append(
            CaptureRecord(
                id=f"{visit_id}-{index}",
                index=index,
                loader_served="L",
                loader_shown="L",
                readiness=Readiness(load_event=True),
                counts=Counts(elements=4, settled=4),
                timeline=Timeline(),
                artifacts={name: blob.digest for name, blob in put.items()} | artifacts,
            )
        )
    visit = Visit(
        id=visit_id,
        url=f"https://{site}.example/",
        site=site,
        outcome="captured",
        started=began,
        finished=began,
        viewport=Viewport(width=1280, height=720),
        delay_ms=3000,
        captures=tuple(records),
    )
    save(archive.database, visit, {}, blobs)
    return visit


def drift(archive: Archive, **asked: Any) -> Drift:
    return drift_of(archive.database, archive.blobs, **asked)


def by_name(elements: tuple[LiveElement, ...]) -> dict[str, LiveElement]:
    return {e.element_id or e.served: e for e in elements}


def test_curves_and_half_lives(archive: Archive) -> None:
    """Two visits of one site and one of another, counted by hand."""
    keep(archive, 1, {500: {1: "12:01"}, 1000: {1: "12:01", 2: "News"}, 3000: {1: "12:02", 2: "News"}})
    keep(archive, 2, {502: {}, 1004: {1: "12:31"}, 3008: {1: "12:31"}})
    keep(archive, 3, {501: {}, 1001: {}, 3001: {}}, site="still")
    told = drift(archive)
    assert (told.captures, told.unreadable, told.live) == (3, 0, 2)
    # 12 texts: 1, then 3, then 3 of them stale.
    assert [(p.after_ms, p.watched, round(p.stale.share * 12)) for p in told.points] == [
        (501, 12, 1),
        (1001, 12, 3),
        (3001, 12, 3),
    ]
    assert [round(p.by_site * 16) for p in told.points] == [1, 3, 3]  # 1/8, 3/8, 3/8 of news and none of still
    assert [(s.site, s.visits, s.live) for s in told.sites] == [("news", 2, 2), ("still", 1, 0)]
    live = by_name(told.elements)
    clock, late = live["clock"].half_life, live["Loading"].half_life
    # First changes in (0, 500] and (502, 1004]: the first of two is half of the visits.
    assert (clock.low_ms, clock.high_ms, clock.visits, clock.changed) == (0, 500, 2, 2)
    # Of the newer of its two visits; the other one held other texts.
    assert (live["clock"].served, live["clock"].values, live["clock"].other_courses) == ("12:00", ("12:31",), 1)
    # (500, 1000], and none until 3,008: half of the visits had changed by 1,000.
    assert (late.low_ms, late.high_ms, late.visits, late.changed) == (500, 1000, 2, 1)
    assert [e.element_id for e in told.elements] == ["clock", None]


def test_values_are_of_one_visit(archive: Archive) -> None:
    """What an element is told to have held, one visit saw: the newest in which it changed. That others differ is told."""
    ten, eleven = ((element(price, name="price"), element("Contact")) for price in ("10.00", "11.00"))
    keep(archive, 1, {500: {1: "12.50"}, 1000: {}}, page=ten)
    for number in (2, 3, 4):
        keep(archive, number, {500: {}, 1000: {1: "13.75"}}, page=eleven)
    keep(archive, 5, {500: {}, 1000: {}}, page=ten)  # it did not change: there is no course of it
    [price] = drift(archive).elements
    assert (price.served, price.values, price.returned) == ("11.00", ("13.75",), False)
    assert (price.other_courses, price.half_life.changed, price.half_life.visits) == (1, 4, 5)
    keep(archive, 6, {500: {1: "12.50"}, 1000: {1: "14.00"}}, page=eleven)
    [price] = drift(archive).elements
    assert (price.served, price.values, price.other_courses) == ("11.00", ("12.50", "14.00"), 2)


def test_all_visits_alike(archive: Archive) -> None:
    """Visits that held the same are no other courses, at whatever ms each was read; nor are two elements of one id mixed."""
    page = (element("Open", name="now"), element("Shut", name="now"))
    for number, late in ((1, 0), (2, 9)):
        keep(archive, number, {500 + late: {1: "Opening", 2: "Shutting"}, 1000 + late: {2: "Shutting"}}, page=page)
    [now] = drift(archive).elements
    assert (now.served, now.values, now.returned, now.other_courses) == ("Open", ("Opening",), True, 0)


def test_site_since_and_limit(archive: Archive) -> None:
    """Only what was asked for is counted; all live elements are, though not all are told."""
    keep(archive, 1, {500: {1: "a", 2: "b"}})
    keep(archive, 9, {500: {1: "a"}}, site="other")
    assert [s.site for s in drift(archive, site="news").sites] == ["news"]
    assert [s.site for s in drift(archive, since=NOON + timedelta(minutes=5)).sites] == ["other"]
    told = drift(archive, site="news", limit=1)
    assert (told.live, len(told.elements)) == (2, 1)


def test_one_element_at_two_positions(archive: Archive) -> None:
    """A clock that is at both scroll positions of a visit is one element, read from the first."""
    keep(archive, 1, {500: {1: "12:01"}, 1000: {1: "12:01"}}, {400: {1: "12:01"}, 900: {1: "12:02"}})
    told = drift(archive)
    assert [(p.watched, p.stale.share) for p in told.points][-1] == (4, 0.25)
    assert [e.half_life.visits for e in told.elements] == [1]


def test_what_cannot_be_read_is_counted(archive: Archive) -> None:
    """A missing blob, one of another version and one of something else are told, and the others are read."""
    keep(archive, 1, {500: {1: "12:01"}})
    keep(archive, 2, {500: {}}, drift="0" * 64)
    for number, content in ((3, b'{"version": 2, "readings": []}'), (4, b"not JSON"), (5, b'{"version": 1}')):
        keep(archive, number, {500: {}}, drift=archive.blobs.put(content, "application/json").digest)
    told = drift(archive)
    assert (told.captures, told.unreadable) == (1, 4)


def test_nothing_to_tell(archive: Archive) -> None:
    """An archive without such readings: said, with the setting that takes them."""
    with pytest.raises(NotFound, match="CRAWLER_READINGS"):
        drift(archive)


def test_tables(archive: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    """Delays, shares, sites and the live elements with what they held, markup in page text shown as it is."""
    keep(archive, 1, {500: {1: "[red]12:01[/red]"}, 1000: {}, 10_000: {1: "12:02"}})
    keep(archive, 2, {500: {}, 1000: {}}, site="still")
    show(drift(archive))
    out = capsys.readouterr().out
    for words in ("0.50 s", "12.5%", "still", "#clock", "12:00", "[red]12:01[/red] | 12:02 and back", "up to 0.50 s", "1 of 1"):
        assert words in out
    [line] = [line for line in out.splitlines() if line.startswith("still")]
    assert line.split() == ["still", "1", "0", "0.0%", "0.0%", "-"]


def test_the_command(
    archive: Archive,
    data_dir: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """--json is the same as a document, --plot writes what its name says; a name of another kind is refused first."""
    keep(archive, 1, {500: {1: "12:01"}, 1000: {1: "12:02"}})
    monkeypatch.setenv("DATA_DIR", str(data_dir))
    monkeypatch.setenv("BLOB_URL", archive.blobs.url)
    picture = tmp_path / "new" / "drift.SVG"
    command(site=None, since=None, output=picture, limit=5, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told == drift(archive, limit=5).model_dump(mode="json")
    assert picture.read_bytes().startswith(b"<?xml")
    with pytest.raises(BadInput, match=r"neither \.png nor \.svg"):
        command(site=None, since=None, output=tmp_path / "drift.pdf", limit=5, as_json=True)
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(Unavailable, match="cannot be written"):
        draw(drift(archive), blocked / "drift.png", "png")


def test_pictures(archive: Archive) -> None:
    """A PNG and an SVG, the same bytes every time, with no date; a dollar in a name is no formula."""
    for number in range(9):
        keep(archive, number, {500: {1: "x"} if number % 2 else {}, 1000: {1: "y"}}, site=f"$site_{number}$ & <more>")
    told = drift(archive)
    sites = {s.site: s.points for s in told.sites}
    png, svg = drift_plot(told.points, sites, "png"), drift_plot(told.points, sites, "svg")
    assert (drift_plot(told.points, sites, "png"), drift_plot(told.points, sites, "svg")) == (png, svg)
    assert Image.open(io.BytesIO(png)).size == (1200, 750)
    assert b"dc:date" not in svg
    assert ElementTree.fromstring(svg).tag.endswith("svg")  # noqa: S314 - our own
    assert drift_plot(told.points[:1], {}, "svg")  # one moment is a picture too


@pytest.mark.parametrize(
    ("lives", "text"),
    [
        ((0, 500, None), "up to 0.50 s"),
        ((500, 1000, None), "0.50 to 1.0 s"),
        ((9000, 12_000, 10_400), "9.0 to 12 s, about 10 s"),
        ((10_000, None, None), "over 10 s"),
    ],
)
def test_half_lives_in_words(lives: tuple[float, float | None, float | None], text: str) -> None:
    """As an interval, with the number where there is one."""
    low, high, estimate = lives
    one = HalfLife(low_ms=low, high_ms=high, estimate_ms=estimate, how="first change", visits=1, changed=1)
    assert span(one) == text


def test_numbers_in_words() -> None:
    """As many digits as they deserve; only nothing is 0."""
    assert [seconds(ms) for ms in (503.2, 999.9, 3004, 9949, 10_002)] == ["0.50 s", "1.00 s", "3.0 s", "9.9 s", "10 s"]
    assert [percent(x) for x in (0, 0.0001, 0.0005, 0.123, 1)] == ["0.0%", "<0.1%", "0.1%", "12.3%", "100.0%"]


@pytest.mark.browser
def test_a_real_page(driver: str, pages: Site, archive: Archive) -> None:
    """A clock that changes every 5 ms differs at every reading, the frozen one too; what is watched is what the page says."""
    visited = visit_all({"x": f"{pages}/clock-squares"}, driver, delay_ms=300, readings="0.05,0.1", archive_mhtml=False)["x"]
    visit = file(archive, visited)
    artifacts = visit.captures[0].artifacts
    served = parse_reading(orjson.loads(archive.blobs.get(artifacts["served"])))
    readings = parse(orjson.loads(archive.blobs.get(artifacts["drift"])))
    assert [r.frozen for r in readings] == [False, False, True]
    assert {r.watched for r in readings} == {len(watched(served))}
    told = drift(archive)
    assert {p.stale.share for p in told.points} == {1 / len(watched(served))}
    [clock] = told.elements
    # Three changes by the last reading: two whole periods, of which a half-life is half a one.
    assert (clock.element_id, clock.half_life.how, clock.half_life.low_ms) == ("clock", "ticks", 0)
    assert clock.half_life.high_ms == pytest.approx(readings[-1].after_ms / 4)
    assert clock.half_life.estimate_ms is None


@pytest.mark.browser
def test_what_is_read_of_a_page(driver: str, pages: Site) -> None:
    """Own texts and values, not what is around them; nothing hidden, nothing of a box's tick, and no password ever."""
    visited = visit_all({"x": f"{pages}/html/drift.html"}, driver, delay_ms=300, readings="0.1", archive_mhtml=False)["x"]
    artifacts = visited.evidence[0].artifacts
    served = parse_reading(orjson.loads(artifacts["served"]))
    readings = parse(orjson.loads(artifacts["drift"]))
    assert {r.watched for r in readings} == {len(watched(served))}
    names = {e.key: e.element_id for e in served.elements}
    assert b"hunter" not in artifacts["drift"]
    for reading in readings:
        changed = {names[key] for key in reading.changed} - {"hides", "choice"}
        assert changed == {"ticks", "inside", "field"}
