"""positions: several parts of one page, each with an evidence pair of its own. Bounded in steps and in height."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crawler.browsers import Json
from crawler.reading import Place
from crawler.world import World

OVERLAP = 80
"""CSS px that two neighbouring positions share: a line cut by the edge of one is whole in the other."""
HIGHEST = 30_000
"""CSS px from the top: pages that grow as one scrolls have no end, and pictures further down have no reader."""
LEAST_STEP = 100
"""CSS px: a shorter way on is the end of the page, seen already."""
PAUSE_MS, LONGEST_MS = 200, 1500
"""After scrolling a page may fetch what it left out: read once it has held still for so long, or after so long."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a page is to be looked at. moments: ms after S0 at which texts are read again, before the freeze."""

    positions: int = 1
    moments: tuple[int, ...] = ()


ONE = Plan()


async def further(world: World, index: int, last: Place, closed: tuple[str, ...]) -> Place | None:
    """Scrolls on by a screen and waits a little; None where the page, or our patience with its height, has ended."""
    here: Json = await world.call("scroll", {"to": None})
    if last.index == 0:
        last = replace(last, y=float(here["y"]))
    wanted = min(last.y + max(LEAST_STEP, here["view"] - OVERLAP), here["most"], HIGHEST)
    if wanted - last.y < LEAST_STEP:
        return None
    there: Json = await world.call("scroll", {"to": wanted})
    if there["y"] - last.y < LEAST_STEP:
        return None
    options: Json = {
        "wait": "domcontentloaded",
        "selector": None,
        "timeout": LONGEST_MS,
        "quiet": PAUSE_MS,
        "quietLimit": LONGEST_MS,
    }
    await world.call("ready", options, wait=True, limit_ms=LONGEST_MS + 20_000)
    now: Json = await world.call("scroll", {"to": None})
    return Place(index, float(now["y"]), closed)


async def back_to(world: World, place: Place) -> None:
    """Scrolls a stopped page to a position that was read before."""
    await world.call("scroll", {"to": place.y})
