"""page_facts: asks a stopped page what kind of page it is, after its pixels were taken."""

from __future__ import annotations

from typing import NamedTuple

from crawler.browsers import Json
from crawler.world import World
from domain.page import INLINE, SELECTORS, ConsentBanner, PageFacts, PageVerdict, consent, verdict
from domain.visit import Response

MAX_TEXTS, MAX_NODES = 1000, 1000


class Look(NamedTuple):
    """What a page is, what asks for consent on it, and the facts as they came, for the archive (JSON)."""

    verdict: PageVerdict
    consent: ConsentBanner | None
    artifact: bytes


async def facts_of(world: World, closed: tuple[str, ...] = ()) -> bytes:
    """The page script's report, JSON. closed: object ids of closed shadow roots, as World.closed_roots gives them."""
    options: Json = {
        "selectors": [list(s) for s in SELECTORS],
        "inline": list(INLINE),
        "maxTexts": MAX_TEXTS,
        "maxNodes": MAX_NODES,
    }
    text: str = await world.call("facts", options, *closed)
    return text.encode("utf-8", "surrogatepass")


def judge(artifact: bytes, response: Response | None, asked: str = "") -> Look:
    """The same again from stored facts; rules are functions of them and of the answer."""
    facts = PageFacts.model_validate_json(artifact)
    return Look(verdict(facts, response, asked), consent(facts), artifact)


async def look(world: World, response: Response | None, asked: str = "", closed: tuple[str, ...] = ()) -> Look:
    """What the page in this world is. asked: the address that was to be opened. Read-only; none of the page's scripts run."""
    return judge(await facts_of(world, closed), response, asked)
