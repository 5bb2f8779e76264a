"""reading: one look of the page script at a page, as bytes for the archive and parsed, with the moment it was taken."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import orjson

from crawler.browsers import Json
from crawler.settings import CrawlerSettings
from crawler.world import World
from domain.errors import ParallaxError
from domain.reading import Snapshot, parse
from domain.visit import Moment


class TooLarge(ParallaxError):
    """The document is larger than the limits for one reading."""


@dataclass(frozen=True, slots=True)
class Place:
    """A scroll position. y: CSS px from the top of what scrolls. closed: handles of closed shadow roots known so far."""

    index: int
    y: float = 0.0
    closed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """One reading: the page script's report, as bytes for the archive and parsed, and when it was."""

    raw: bytes
    report: Json
    moment: Moment

    @cached_property
    def snapshot(self) -> Snapshot:
        """The report as the rules see it."""
        return parse(self.report)


@dataclass(frozen=True, slots=True)
class Served:
    """S0 of one position: the reading, the serialised document, and the closed shadow roots found by then."""

    reading: Reading
    dom: str
    closed: tuple[str, ...]


def now(page_ms: float | None = None) -> Moment:
    """This instant."""
    return Moment(wall=datetime.now(UTC), monotonic_ns=time.monotonic_ns(), page_ms=page_ms)


async def read(
    world: World, settings: CrawlerSettings, place: Place, closed: tuple[str, ...] = (), **what: bool
) -> tuple[Reading, str]:
    """(reading, serialised document or ""). Raises TooLarge before anything large is sent."""
    options: Json = {
        "html": False,
        "light": False,
        "hit": False,
        **what,
        "position": place.index,
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
