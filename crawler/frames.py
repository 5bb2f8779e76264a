"""frames: of other sites, most often in other processes. Read by the same script around the same pixels, at their own instants.

Such a frame is closed to the script turn of the main document: each has its own times, and the bracket of its own two
readings is what proves that the pixels show its text. A page without such frames is asked nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from crawler.browsers import FRAME_ANSWER_MS, BrowserGone, DriverTimeout, FrameTab, Json, Tab
from crawler.freeze import freeze
from crawler.names import accessible_names
from crawler.reading import Place, Reading, TooLarge, read
from crawler.settings import CrawlerSettings
from crawler.world import Navigated, World, frame_in
from domain.accessible import wanted
from domain.capture import AccessibleName
from domain.errors import ParallaxError
from domain.frames import Window
from domain.geometry import Box

MOST = 8
"""Frames read at one position."""
STEP_MS = 3 * FRAME_ANSWER_MS
"""All commands of one step together."""
TEXTS, LINES = 500, 12
"""Texts of a frame, and lines of each, that are looked at for what lies over the frame."""
NAMES, NAMES_MS = 50, 500
"""Elements of a frame that are asked for their names, and the time after which no more are."""
OTHER, OFF_SCREEN = "other process", "not on the screen"
When = Literal["served", "before", "after"]


@dataclass(slots=True)
class Framed:
    """One frame at one scroll position. windows: in the coordinates of the document it is in. reason: why it is unread."""

    key: int
    path: str
    url: str
    outer: Framed | None
    around: World
    id: str = ""
    process: Literal["same", "other"] = "other"
    world: World | None = None
    place: Place = field(default_factory=lambda: Place(0))
    dom: str = ""
    readings: dict[When, Reading] = field(default_factory=dict)
    windows: dict[When, Window] = field(default_factory=dict)
    covered: dict[int, float] = field(default_factory=dict)
    names: Mapping[int, AccessibleName] = field(default_factory=dict)
    reason: str = ""

    def window(self, when: When) -> Window | None:
        """Where it was on the main viewport; None where it was not on the screen."""
        mine = self.windows.get(when)
        if mine is None or self.outer is None:
            return mine
        outer = self.outer.window(when)
        found = mine.inside(outer) if outer is not None else None
        return found if found is not None and found.clip.area else None

    def locate(self, when: When, report: Json) -> None:
        """Notes where the document around it, so reported, has it."""
        for entry in report["frames"]:
            if entry.get("k") == self.key and entry.get("clip"):
                x, y, scale = entry["at"]
                self.windows[when] = Window(x, y, scale, Box(*entry["clip"]))


class Frames:
    """The frames of one visit, by DevTools' ids. What hangs is asked once and never again."""

    def __init__(self, tab: Tab, settings: CrawlerSettings) -> None:
        self._tab, self._settings = tab, settings
        self._tabs: dict[str, FrameTab] = {}
        self._worlds: dict[str, World] = {}
        self._lost: dict[str, str] = {}

    @property
    def hang(self) -> bool:
        """Whether one of them does not answer: it answers nobody, so what needs all frames is not to be asked for."""
        return bool(self._lost)

    async def served(self, world: World, place: Place, report: Json) -> list[Framed]:
        """The frames at this position, deeper ones too, each read as its structure is now. report: the main reading at S0."""
        found: list[Framed] = []
        level = self._within(world, report, None)
        while level and len(found) < MOST:
            level = level[: MOST - len(found)]
            found += level
            await self._enter(level)
            await asyncio.gather(*(self._try(f, self._first(f, place)) for f in level))
            level = [
                inner
                for f in level
                if f.world is not None and not f.reason
                for inner in self._within(f.world, f.readings["served"].report, f)
            ]
        return found

    def _within(self, world: World, report: Json, outer: Framed | None) -> list[Framed]:
        """The frames that a reading names as another process's and that are on the screen."""
        found = []
        for entry in report["frames"]:
            if entry["reason"] == OTHER and entry.get("clip"):
                path = f"{outer.path} >>> {entry['s']}" if outer else entry["s"]
                x, y, scale = entry["at"]
                framed = Framed(entry["k"], path, entry["url"], outer, world)
                framed.windows["served"] = Window(x, y, scale, Box(*entry["clip"]))
                if framed.window("served") is not None:
                    found.append(framed)
        return found

    async def _enter(self, level: Sequence[Framed]) -> None:
        """Finds each frame's id by its element, and its session by the id."""
        await asyncio.gather(*(self._try(f, self._name(f)) for f in level))
        if any(f.process == "other" and f.id not in self._tabs and not f.reason for f in level):
            self._tabs |= {tab.id: tab for tab in await self._tab.frames()}
        for f in level:
            if not f.reason and f.process == "other" and f.id not in self._tabs:
                self._lose(f, "no answer")

    async def _name(self, f: Framed) -> None:
        if (handle := (await f.around.objects("nodes", {"keys": [f.key]})).get(0)) is not None:
            node = (await f.around.tab.send("DOM.describeNode", {"objectId": handle, "depth": 0}))["node"]
            f.id = str(node.get("frameId", ""))
        if not f.id:
            f.reason = "no document of its own"
        f.reason = f.reason or self._lost.get(f.id, "")
        # The process around it knows the frames that it holds itself.
        if not f.reason and frame_in((await f.around.tab.send("Page.getFrameTree"))["frameTree"], f.id) is not None:
            f.process = "same"

    async def _first(self, f: Framed, place: Place) -> None:
        world = self._worlds.get(f.id)
        if world is None:
            world = self._worlds[f.id] = await World.enter(self._tabs.get(f.id, f.around.tab), f.id)
        f.world, f.url, f.place = world, world.url, Place(place.index)
        f.readings["served"], f.dom = await self._read(f, html=True)
        if f.readings["served"].report["closedHosts"] and (closed := await world.closed_roots()):
            f.place = Place(place.index, closed=closed)
            f.readings["served"], f.dom = await self._read(f, html=True)

    async def _read(self, f: Framed, **what: bool) -> tuple[Reading, str]:
        assert f.world is not None, "a frame is entered before it is read"  # noqa: S101 - an invariant, not input
        return await read(f.world, self._settings, f.place, f.place.closed, framed=True, **what)

    async def _try(self, f: Framed, step: Awaitable[None]) -> None:
        """One step of one frame. What fails makes the frame unread, for a reason, and hurts nothing else."""
        task = asyncio.ensure_future(step)
        if f.reason:
            task.cancel()
            return
        try:
            async with asyncio.timeout(STEP_MS / 1000):
                await task
        except (TimeoutError, DriverTimeout):
            self._lose(f, "no answer")
        except BrowserGone:
            raise
        except Navigated:
            f.reason = "went to another document"
        except TooLarge:
            f.reason = "too large"
        except ParallaxError as error:
            f.reason = f"failed: {error}"[:200]

    def _lose(self, f: Framed, reason: str) -> None:
        f.reason = self._lost[f.id] = reason

    async def freeze(self, frames: Sequence[Framed]) -> None:
        """Stops other processes as the page's is stopped, at the same time."""
        first = {f.id: f for f in frames if not f.reason and f.process == "other"}

        async def stop(f: Framed) -> None:
            await freeze(self._tabs[f.id])

        await asyncio.gather(*(self._try(f, stop(f)) for f in first.values()))

    async def before(self, frames: Sequence[Framed], report: Json) -> None:
        """Reads them before the pixels. report: the main reading, made just before."""
        await self._again(frames, "before")
        self.locate(frames, "before", report)
        await asyncio.gather(*(self._try(f, self._look_over(f)) for f in frames))

    async def after(self, frames: Sequence[Framed]) -> None:
        """Reads them after the pixels; `locate` tells where they were, once the main reading after the pixels is made."""
        await self._again(frames, "after")

    async def name(self, frames: Sequence[Framed]) -> None:
        """Asks what their elements are called, after the pixels."""

        async def ask(f: Framed) -> None:
            assert f.world is not None, "a frame is entered before it is asked"  # noqa: S101 - an invariant, not input
            keys = wanted(f.readings["served"].snapshot, f.readings["before"].snapshot)
            f.names = await accessible_names(f.world, keys, limit=NAMES, budget_ms=NAMES_MS)

        await asyncio.gather(*(self._try(f, ask(f)) for f in frames))

    async def _again(self, frames: Sequence[Framed], when: When) -> None:
        async def again(f: Framed) -> None:
            f.readings[when], _ = await self._read(f, hit=when == "before", light=when == "after")

        for f in frames:
            f.reason = f.reason or self._lost.get(f.id, "")
        await asyncio.gather(*(self._try(f, again(f)) for f in frames))

    def locate(self, frames: Sequence[Framed], when: When, report: Json) -> None:
        """Notes where each was. report: the main reading of that time; deeper ones are where their own outer frame has them."""
        for f in frames:
            around = report if f.outer is None else f.outer.readings[when].report if when in f.outer.readings else None
            if around is not None:
                f.locate(when, around)

    async def _look_over(self, f: Framed) -> None:
        """Asks the documents around a frame what of its texts lies under something of theirs."""
        texts = [
            (e["k"], [Box(*line) for line in (e.get("ln") or [e.get("tb") or e.get("b")])[:LINES] if line])
            for e in f.readings["before"].report["elements"]
            if not e["v"] and (e.get("ln") or e.get("l") or {"aria-label", "aria-labelledby", "title"} & e["a"].keys())
        ][:TEXTS]
        inner: Framed | None = f
        while inner is not None and (window := inner.windows.get("before")) is not None:
            asked = []
            for key, lines in texts:
                # Outside its window the frame is not drawn, and what lies there lies over nothing.
                seen = [window.within(line) for line in lines if window.moved(line).overlap(window.clip).area]
                if seen:
                    asked.append([key, [[b.x, b.y, b.width, b.height] for b in seen]])
            over: Json = await inner.around.call("over", {"key": inner.key, "texts": asked}) or {}
            for key, share in over.items():
                f.covered[int(key)] = max(share, f.covered.get(int(key), 0.0))
            texts = [(key, [window.moved(line) for line in lines]) for key, lines in texts]
            inner = inner.outer
