"""capture: structure, a settle, then pixels between two readings of a page that has been stopped (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from crawler.browsers import CommandFailed, DriverTimeout, Tab
from crawler.during import Held, Settle, read_texts, settle_reading
from crawler.frames import Framed, Frames
from crawler.freeze import freeze
from crawler.names import accessible_names
from crawler.page_facts import facts_of
from crawler.positions import ONE, Plan, back_to, further
from crawler.reading import Place, Reading, Served, now, read
from crawler.settings import CrawlerSettings
from crawler.world import Navigated, World
from domain.accessible import wanted
from domain.capture import AccessibleName
from domain.visit import Readiness, Timeline

CLOSED_DEPTH = 4
"""Closed shadow roots inside one another that are looked into."""
ARCHIVE_LIMIT_MS = 10_000
"""A frame that hangs, on or off the screen, keeps the browser from writing the page down."""


@dataclass(slots=True)
class RawCapture:
    """What one capture brought, before any rule has looked at it."""

    served: Reading
    dom: str
    before: Reading
    screenshot: bytes
    after: Reading
    names: Mapping[int, AccessibleName]
    facts: bytes
    frames: tuple[Framed, ...]
    readings: tuple[Held, ...]
    scroll_y: float
    loader_served: str
    loader_shown: str
    readiness: Readiness
    timeline: Timeline
    mhtml: bytes | None = None
    spent_ms: dict[str, float] = field(default_factory=dict)


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


async def capture(
    tab: Tab, world: World, readiness: Readiness, settle: Settle, settings: CrawlerSettings, *, plan: Plan = ONE
) -> list[RawCapture]:
    """One evidence pair for each scroll position. Raises Navigated where the document at S1 is not the one of S0, TooLarge, and
    what drivers raise.

    The structure is read at every position first, as the page lives. Then one settle and one freeze hold for all: freezing is
    the last thing that happens to a page. Each position is then read, photographed and read.
    """
    clock = Stopwatch()
    inner = Frames(tab, settings)
    places = [Place(0)]
    served = [await _served(world, settings, places[0])]
    framed = [await inner.served(world, places[0], served[0].reading.report)]
    clock.lap("served")
    for number in range(1, plan.positions):
        place = await further(world, number, places[-1], served[0].closed)
        if place is None:
            break
        places.append(place)
        served.append(await _served(world, settings, place))
        framed.append(await inner.served(world, place, served[-1].reading.report))
        clock.lap("served")
    readings = await settle_reading(tab, world, settle, plan.moments, places)
    clock.lap("settle")
    await asyncio.gather(freeze(tab), inner.freeze([f for at_place in framed for f in at_place]))
    frozen = now()
    shown_loader = (await tab.send("Page.getFrameTree"))["frameTree"]["frame"]["loaderId"]
    if shown_loader != world.loader:
        raise Navigated
    clock.lap("freeze")
    for place, seen in zip(places, readings, strict=True):
        if (held := await read_texts(world, place, frozen=True)) is not None:
            seen.append(held)
    clock.lap("texts")
    captures = []
    for place, s0, seen, within in zip(places, served, readings, framed, strict=True):
        if len(places) > 1:
            await back_to(world, place)
        times, before, picture, after = await _bracket(
            world, settings, place, closed=s0.closed, clock=clock, inner=inner, framed=within
        )
        names = await accessible_names(world, wanted(s0.reading.snapshot, before.snapshot))
        await inner.name(within)
        clock.lap("names")
        # What kind of page it is shows at its top.
        facts = b"" if place.index else await facts_of(world, s0.closed)
        clock.lap("facts")
        captures.append(
            RawCapture(
                served=s0.reading,
                dom=s0.dom,
                before=before,
                screenshot=picture,
                after=after,
                names=names,
                facts=facts,
                frames=tuple(within),
                readings=tuple(seen),
                scroll_y=place.y,
                loader_served=world.loader,
                loader_shown=shown_loader,
                readiness=readiness,
                timeline=times.model_copy(
                    update={
                        "served": s0.reading.moment,
                        "frozen": frozen,
                        "during": tuple(r.moment for r in seen if not r.frozen),
                    }
                ),
            )
        )
    if settings.archive_mhtml and not inner.hang:
        # The whole page in one file: kept with the first position.
        captures[0].mhtml = await _archived(tab)
        clock.lap("mhtml")
    captures[0].spent_ms = clock.spent
    return captures


async def _archived(tab: Tab) -> bytes | None:
    """The page as MHTML; None where the browser does not give it. By then the evidence is complete: no visit is lost for it."""
    try:
        answer = await tab.send("Page.captureSnapshot", {"format": "mhtml"}, limit_ms=ARCHIVE_LIMIT_MS)
    except (DriverTimeout, CommandFailed):
        return None
    return str(answer["data"]).encode("utf-8", "surrogatepass")


async def _served(world: World, settings: CrawlerSettings, place: Place) -> Served:
    """S0 of one position, with what closed shadow roots hold, also those inside one another."""
    reading, dom = await read(world, settings, place, place.closed, html=True)
    closed = place.closed
    for _ in range(CLOSED_DEPTH):
        found = await world.closed_roots() if reading.report["closedHosts"] else ()
        if not found:
            break
        closed = (*closed, *found)
        reading, dom = await read(world, settings, place, closed, html=True)
    return Served(reading, dom, closed)


async def _bracket(
    world: World,
    settings: CrawlerSettings,
    place: Place,
    *,
    closed: tuple[str, ...],
    clock: Stopwatch,
    inner: Frames,
    framed: Sequence[Framed],
) -> tuple[Timeline, Reading, bytes, Reading]:
    """Read, pixels, read: what is the same in both readings is what the pixels show."""
    before, _ = await read(world, settings, place, closed, hit=True)
    await inner.before(framed, before.report)
    clock.lap("before")
    sent = now()
    picture = await world.tab.send(
        "Page.captureScreenshot",
        {"format": "png", "fromSurface": True, "captureBeyondViewport": False, "optimizeForSpeed": True},
    )
    received = now()
    clock.lap("screenshot")
    await inner.after(framed)
    after, _ = await read(world, settings, place, closed, light=True)
    inner.locate(framed, "after", after.report)
    clock.lap("after")
    times = Timeline(before=before.moment, screenshot_sent=sent, screenshot_received=received, after=after.moment)
    return times, before, base64.b64decode(picture["data"]), after
