"""Frames of other processes: read around the same pixels, at times of their own, and judged at their place on the page."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image

from crawler.arrive import go, ready
from crawler.browsers import FrameTab, Json, Tab, launch
from crawler.browsers.recorded import SUFFIXES
from crawler.capture import capture
from crawler.dress import dress
from crawler.evidence import capture_of
from crawler.frames_stored import judged, unpack
from crawler.settings import CrawlerSettings
from crawler.visit import Visited
from domain.divergence import Finding, detect
from domain.visit import Frame, Viewport
from tests.crawler.batch import QUICK, site, tick, visit_all
from tests.pages.server import Site, decode_squares

pytestmark = pytest.mark.browser
# The headless shell keeps frames of all sites in the page's own process; a whole Chrome does not. Both are tried.
APART, TOGETHER = "--site-per-process", "--disable-site-isolation-trials"
YELLOW, CYAN = (250, 240, 90), (90, 240, 250)


@pytest.fixture(scope="module", params=["apart", "together"])
def isolation(request: pytest.FixtureRequest) -> str:
    """Frames of other sites in processes of their own, or in the page's."""
    return str(request.param)


@pytest.fixture(scope="module")
def visits(driver: str, isolation: str, pages: Site) -> Mapping[str, Visited]:
    """The pages of this file. A frame that hangs hangs the page with it where they share a process."""
    if isolation == "together":
        return visit_all({"frames": f"{pages}/html/frames.html"}, driver, browser_flags=TOGETHER, archive_mhtml=False)
    names = ("frames", "frames-hang", "frames-hang?at-once") if driver == "playwright" else ("frames", "frames-hang")
    addresses = {n: f"{pages}/html/{n.partition('?')[0]}.html?{n.partition('?')[2]}" for n in names}
    return visit_all(addresses, driver, browser_flags=APART)


@pytest.fixture(scope="module")
def seen(visits: Mapping[str, Visited]) -> Visited:
    return visits["frames"]


def frames_of(visited: Visited) -> dict[str, Frame]:
    """Query of the frame's address -> its line in the record."""
    return {f.url.partition("?")[2] or f.url.rpartition("/")[2]: f for f in visited.visit.captures[0].frames}


def told(visited: Visited, frame: str, name: str, kind: str) -> Finding:
    """What one kind says of an element in the frame of that id."""
    found = [
        f
        for f in visited.evidence[0].findings
        if f.kind == kind and f.element_id == name and f.path.startswith(PATHS[frame] + " >>> ")
    ]
    assert len(found) == 1, (frame, name, kind, [(f.path, f.kind, f.element_id) for f in visited.evidence[0].findings])
    return found[0]


# The page's children are a paragraph, a script, the frames in order, and two lids.
ORDER = ("same", "cross", "scaled", "covered", "clicked-through", "cut", "nested", "moving", "hidden", "below")
PATHS = {name: f"html > body > iframe:nth-child({n})" for n, name in enumerate(ORDER, 3)}
PATHS["deep"] = PATHS["nested"] + " >>> html > body > iframe:nth-child(1)"


def test_frames_have_their_own_times(seen: Visited, isolation: str) -> None:
    """A frame of the same site is of the page's own instant; one of another is not, has its own three times, and says so."""
    assert seen.visit.outcome == "captured", seen.visit.reason
    frames, times = frames_of(seen), seen.visit.captures[0].timeline
    assert (frames["same"].process, frames["same"].read, frames["same"].skew_ms) == ("same", True, 0)
    for name in ("cross", "scaled", "cut", "deep"):
        frame = frames[name]
        assert (frame.process, frame.read, frame.reason) == ("other" if isolation == "apart" else "same", True, "")
        moments = [times.served, frame.served, times.frozen, times.before, frame.before, times.screenshot_sent]
        moments += [times.screenshot_received, frame.after, times.after]
        stamps = [m.monotonic_ns for m in moments if m is not None]
        assert len(stamps) == len(moments)
        assert stamps == sorted(stamps)
        assert frame.skew_ms is not None
        assert frame.skew_ms > 0
        assert frame.served is not None
        assert times.served is not None
        assert frame.served.page_ms != times.served.page_ms


@pytest.mark.parametrize("frame", ["same", "cross", "scaled", "deep"])
def test_divergences_in_frames_are_where_the_pixels_are(seen: Visited, frame: str) -> None:
    """Stale text and wrong label in a frame are flagged, and their boxes end where the element's own colour ends."""
    image = Image.open(io.BytesIO(seen.evidence[0].artifacts["screenshot"])).convert("RGB")
    stale, label = told(seen, frame, "stale", "stale"), told(seen, frame, "label", "aria")
    assert (stale.verdict, stale.structural, stale.rendered) == ("flagged", "Early bird", "Last minute")
    assert (label.verdict, label.structural, label.rendered) == ("flagged", "Add to wishlist", "Buy now")
    assert told(seen, frame, "same", "aria").verdict == "clean"
    for finding, colour in ((stale, YELLOW), (label, CYAN)):
        assert finding.box is not None
        x, y, w, h = (round(v) for v in finding.box)
        inside = [(x + 1, y + 1), (x + w - 2, y + 1), (x + 1, y + h - 2), (x + w - 2, y + h - 2)]
        outside = [(x - 2, y + h // 2), (x + w + 1, y + h // 2), (x + w // 2, y - 2), (x + w // 2, y + h + 1)]
        assert [image.getpixel(p) for p in inside] == [colour] * 4
        assert colour not in [image.getpixel(p) for p in outside]


def test_boxes_by_hand(seen: Visited) -> None:
    """(20, 90), 200 by 30, in a frame: moved by border and padding, halved by its scale, and through two frames."""
    assert told(seen, "cross", "label", "aria").box == (330 + 7 + 9 + 20, 40 + 7 + 5 + 90, 200, 30)
    assert told(seen, "scaled", "label", "aria").box == (680 + 10, 40 + 45, 100, 15)
    assert told(seen, "deep", "label", "aria").box == (680 + 50 + 20, 240 + 30 + 90, 200, 30)


def test_what_cannot_be_seen_of_a_frame_is_not_flagged(seen: Visited) -> None:
    """Under a lid, even one that clicks go through, and below the edge of the viewport nothing is flagged."""
    for frame in ("covered", "clicked-through"):
        assert told(seen, frame, "label", "aria").reason == "covered"
        assert told(seen, frame, "stale", "stale").reason == "covered"
    # The frame begins at 630 of 720: its button at 90 has nothing on the screen, its text at 40 all.
    assert told(seen, "cut", "label", "aria").reason == "off-viewport"
    assert told(seen, "cut", "stale", "stale").verdict == "flagged"


def test_frames_that_are_not_on_the_screen_are_named(seen: Visited) -> None:
    """A hidden frame is not read, which is no shortcoming of the evidence; one far below is not met at all."""
    frames = frames_of(seen)
    assert (frames["hidden"].read, frames["hidden"].reason) == (False, "not on the screen")
    assert "below" not in frames or not frames["below"].read


def test_the_archive_says_the_same(seen: Visited) -> None:
    """The stored frames are those that were read, each with three readings and its place."""
    stored = unpack(seen.evidence[0].artifacts["frames"])
    read = [f for f in seen.visit.captures[0].frames if f.skew_ms and f.read]
    assert sorted(f.url for f in stored) == sorted(f.url for f in read)
    assert all(f.before[1] is not None and f.before[1] == f.after[1] for f in stored)
    artifacts = seen.evidence[0].artifacts
    whole = capture_of(artifacts.get)
    inside = judged(artifacts["frames"], whole.before, whole.ink, "tokens")[1]
    assert (*detect(whole), *inside) == seen.evidence[0].findings
    held = orjson.loads(seen.evidence[0].artifacts["frames"])
    assert all("<html" in f["dom"] for f in held["frames"])


def test_a_recording_says_the_same(seen: Visited, tmp_path: Path) -> None:
    """Replayed without a browser, frames in frames too are found, read and judged as they were."""
    evidence = seen.evidence[0]
    for name, content in evidence.artifacts.items():
        (tmp_path / SUFFIXES.get(name, f"{name}.json")).write_bytes(content)
    (tmp_path / "visit.json").write_text(seen.visit.model_dump_json())
    again = visit_all({"frames": seen.visit.url}, "recorded", recording=str(tmp_path), archive_mhtml=False)["frames"]
    assert again.visit.outcome == "captured", again.visit.reason
    assert again.evidence[0].findings == evidence.findings
    assert again.evidence[0].artifacts["frames"] == evidence.artifacts["frames"]


@pytest.mark.parametrize("page", ["frames-hang", "frames-hang?at-once"])
def test_a_frame_that_hangs_hurts_nobody(visits: Mapping[str, Visited], page: str) -> None:
    """Frames in an endless loop, from the start or after the first reading, are named as unread; the page is captured."""
    if page not in visits:
        pytest.skip(
            "frames in one process hang together; chromedriver waits for one that hangs from the start: docs/drivers.md"
        )
    visited = visits[page]
    assert visited.visit.outcome == "captured", visited.visit.reason
    assert "frame-unreadable" in visited.visit.incidents
    frames = frames_of(visited)
    assert {name: (f.read, f.reason) for name, f in frames.items()} == dict.fromkeys(
        ["at-once", "later"] if page.endswith("at-once") else ["later"], (False, "no answer")
    )
    flagged = [f.element_id for f in visited.evidence[0].findings if f.verdict == "flagged"]
    assert flagged == ["label"]


def test_text_of_a_frame_equals_its_pixels(driver: str, pages: Site) -> None:
    """A clock of another site, every 5 ms, as text and as squares: what its reading says is what the page's picture shows."""
    done = visit_all({"clock": f"{pages}/html/frames-clock.html"}, driver, archive_mhtml=False, browser_flags=APART)["clock"]
    assert done.visit.outcome == "captured", done.visit.reason
    [frame] = unpack(done.evidence[0].artifacts["frames"])
    image = Image.open(io.BytesIO(done.evidence[0].artifacts["screenshot"])).convert("L")
    shown = decode_squares(lambda x, y: image.getpixel((x + 100, y + 60)) < 128)  # type: ignore[operator]
    clock = next(e for e in frame.before[0].elements if e.element_id == "clock")
    assert clock.text == str(shown)
    assert frame.after[0].elements[frame.after[0].by_key[clock.key]].text == clock.text


class Watched:
    """A tab that remembers what it was asked."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self.asked: list[str] = []

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, limit_ms: int | None = None) -> Json:
        self.asked.append(method)
        return await self._tab.send(method, params, limit_ms=limit_ms)

    async def frames(self) -> list[FrameTab]:
        self.asked.append("frames")
        return await self._tab.frames()

    async def events(self) -> list[tuple[str, Json]]:
        return await self._tab.events()

    async def close(self) -> None:
        await self._tab.close()


def test_a_page_without_such_frames_is_asked_nothing(driver: str, pages: Site) -> None:
    """A page with a frame of its own process is sent the same commands as one without any."""

    async def asked(paths: Sequence[str]) -> list[list[str]]:
        settings = CrawlerSettings(
            **{**QUICK, "driver": driver, "archive_mhtml": False, "guard": "off", "browser_flags": APART}
        )
        browser = await launch(settings)
        told = []
        try:
            for path in paths:
                tab = Watched(await browser.open_tab())
                page = site("x", pages + path)
                await dress(tab, browser, page, Viewport(width=1280, height=720), settings)
                await go(tab, page.url, settings)
                world, readiness, _ = await ready(tab, page, settings)
                tab.asked.clear()
                await capture(tab, world, readiness, tick, settings)
                told.append([method for method in tab.asked if not method.startswith("Accessibility.")])
                await tab.close()
        finally:
            await browser.close()
        return told

    # Names are asked of elements, and pages have more or fewer of those.
    alone, same, cross = asyncio.run(asked(["/ok", "/outer?frame=/ok", "/html/frames-clock.html"]))
    assert same == alone
    assert "frames" in cross
