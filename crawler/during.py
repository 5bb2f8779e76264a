"""during: what happens between structure and pixels. The delay passes, and texts are read again on the way, for the drift."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import orjson

from crawler.browsers import Json, Tab
from crawler.reading import Place, now
from crawler.world import World
from domain.errors import ParallaxError
from domain.visit import Moment

Settle = Callable[[Tab], Awaitable[None]]
MOST_CHANGED = 2000
"""Texts kept of one such reading; a page that changes more of them than that is known by the count."""


@dataclass(frozen=True, slots=True)
class Held:
    """Which texts differ from what they were at S0, at one moment. after_ms: since that S0, by the page's clock."""

    moment: Moment
    frozen: bool
    report: Json


def wait(delay_ms: int) -> Settle:
    """The fixed delay of production; tests pass a function that makes the page tick."""

    async def settle(_: Tab) -> None:
        await asyncio.sleep(delay_ms / 1000)

    return settle


async def read_texts(world: World, place: Place, *, frozen: bool = False) -> Held | None:
    """One such reading; None where the page cannot answer: that is found out, and named, by the reading that counts."""
    sent = now()
    try:
        report: Json = orjson.loads(await world.call("texts", {"position": place.index, "maxChanged": MOST_CHANGED}))
    except ParallaxError:
        return None
    return Held(sent.model_copy(update={"page_ms": report["now"]}), frozen, report)


async def settle_reading(
    tab: Tab, world: World, settle: Settle, moments: Sequence[int], places: Sequence[Place]
) -> list[list[Held]]:
    """Lets the page live as long as `settle` takes; texts are read at the moments (ms from now) within that time."""
    seen: list[list[Held]] = [[] for _ in places]

    async def look() -> None:
        began = asyncio.get_running_loop().time()
        for moment in moments:
            await asyncio.sleep(began + moment / 1000 - asyncio.get_running_loop().time())
            for place, kept in zip(places, seen, strict=True):
                if (held := await read_texts(world, place)) is not None:
                    kept.append(held)

    looking = asyncio.create_task(look())
    try:
        await settle(tab)
    finally:
        looking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await looking
    return seen


def drift_of(served_ms: float, seen: Sequence[Held]) -> bytes:
    """The readings as an artifact (docs/drift.md). served_ms: the page's clock at S0."""
    readings = [
        {
            "after_ms": round(held.report["now"] - served_ms, 1),
            "frozen": held.frozen,
            **{name: held.report[name] for name in ("watched", "gone", "changed", "changedMore")},
        }
        for held in seen
    ]
    return orjson.dumps({"version": 1, "readings": readings})
