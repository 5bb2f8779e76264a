"""capture: structure, a settle, then pixels between two readings of a page that has been stopped (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson

from crawler.browsers import Json, Tab
from crawler.settings import CrawlerSettings
from crawler.world import Navigated, World
from domain.errors import ParallaxError
from domain.visit import Moment, Readiness, Timeline

Settle = Callable[[Tab], Awaitable[None]]


class TooLarge(ParallaxError):
    """The document is larger than the limits for one reading."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading: the page script's report, as bytes for the archive and parsed, and when it was."""

    raw: bytes
    report: Json
    moment: Moment


@dataclass(slots=True)
class RawCapture:
    """What one capture brought, before any rule has looked at it."""

    served: Reading
    dom: str
    before: Reading
    screenshot: bytes
    after: Reading
    mhtml: bytes | None
    loader_served: str
    loader_shown: str
    readiness: Readiness
    timeline: Timeline
    spent_ms: dict[str, float] = field(default_factory=dict)


def now(page_ms: float | None = None) -> Moment:
    """This instant."""
    return Moment(wall=datetime.now(UTC), monotonic_ns=time.monotonic_ns(), page_ms=page_ms)


def wait(delay_ms: int) -> Settle:
    """The fixed delay of production; tests pass a function that makes the page tick."""

    async def settle(_: Tab) -> None:
        await asyncio.sleep(delay_ms / 1000)

    return settle


class Stopwatch:
    """Adds up where the time of a visit goes, ms by step."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._last = time.perf_counter()

    def restart(self) -> None:
        """What passed since the last lap is counted elsewhere."""
        self._last = time.perf_counter()

    def lap(self, step: str) -> None:
        current = time.perf_counter()
        self.spent[step] = round(self.spent.get(step, 0.0) + (current - self._last) * 1000, 1)
        self._last = current


async def read(world: World, settings: CrawlerSettings, closed: tuple[str, ...] = (), **what: bool) -> tuple[Reading, str]:
    """(reading, serialised document or ""). Raises TooLarge before anything large is sent."""
    options: Json = {
        "html": False,
        "light": False,
        "hit": False,
        **what,
        "maxElements": settings.max_elements,
        "maxNodes": settings.max_nodes,
        "maxHtml": settings.max_html_units,
        "maxText": 2000,
        "maxHidden": 1000,
        "maxFar": 2000,
        "maxFarTexts": 500,
    }
    sent = now()
    text: str = await world.call("read", options, *closed)
    report: dict[str, Any] = orjson.loads(text)
    if report["tooLarge"]:
        raise TooLarge(f"The document has {report['tooLarge']}.")
    html = report.pop("html", "")
    raw = orjson.dumps(report) if what.get("html") else text.encode("utf-8", "surrogatepass")
    return Reading(raw, report, sent.model_copy(update={"page_ms": report["now"]})), html


async def freeze(tab: Tab) -> None:
    """Stops the page: scripts off, network cut, animations held. Destructive; the last thing that happens to a page."""
    await asyncio.gather(
        tab.send("Emulation.setScriptExecutionDisabled", {"value": True}),
        tab.send("Network.enable"),
        tab.send("Animation.enable"),
        tab.send(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        ),
        tab.send("Animation.setPlaybackRate", {"playbackRate": 0}),
    )


async def capture(tab: Tab, world: World, readiness: Readiness, settle: Settle, settings: CrawlerSettings) -> RawCapture:
    """One evidence pair. Raises Navigated where the document at S1 is not the one of S0, TooLarge, and what drivers raise."""
    clock = Stopwatch()
    served, dom = await read(world, settings, html=True)
    closed: tuple[str, ...] = ()
    if served.report["closedHosts"]:
        closed = await world.closed_roots()
        if closed:
            served, dom = await read(world, settings, closed, html=True)
    clock.lap("served")
    await settle(tab)
    clock.lap("settle")
    await freeze(tab)
    frozen = now()
    shown_loader = (await tab.send("Page.getFrameTree"))["frameTree"]["frame"]["loaderId"]
    if shown_loader != world.loader:
        raise Navigated
    clock.lap("freeze")
    before, _ = await read(world, settings, closed, hit=True)
    clock.lap("before")
    sent = now()
    picture = await tab.send(
        "Page.captureScreenshot",
        {"format": "png", "fromSurface": True, "captureBeyondViewport": False, "optimizeForSpeed": True},
    )
    received = now()
    clock.lap("screenshot")
    after, _ = await read(world, settings, closed, light=True)
    clock.lap("after")
    mhtml = None
    if settings.archive_mhtml:
        mhtml = str((await tab.send("Page.captureSnapshot", {"format": "mhtml"}))["data"]).encode("utf-8", "surrogatepass")
        clock.lap("mhtml")
    return RawCapture(
        served=served,
        dom=dom,
        before=before,
        screenshot=base64.b64decode(picture["data"]),
        after=after,
        mhtml=mhtml,
        loader_served=world.loader,
        loader_shown=shown_loader,
        readiness=readiness,
        timeline=Timeline(
            served=served.moment,
            frozen=frozen,
            before=before.moment,
            screenshot_sent=sent,
            screenshot_received=received,
            after=after.moment,
        ),
        spent_ms=clock.spent,
    )
