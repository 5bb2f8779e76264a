"""Probe: the paper's tuple (id, I, S, r, v, a*), with its options and where it came from. What everything leads to.

Source: paper, section 3. What makes two probes one: docs/decisions/0009-probe-identity.md.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from domain.geometry import Box
from domain.identity import digest
from domain.pixel_check import Check
from domain.record import Record
from domain.text import normalize
from domain.visit import Viewport

Platform = Literal["web", "mobile", "desktop"]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 of a blob's content, 64 hex digits."""

BLANK_ALLOWED = frozenset({"value"})
"""Variables one of whose values may be the empty text: an empty field is something that can be seen."""
ID_DIGITS = 12
SLACK_PX = 0.01
"""Boxes are rounded to 1/100 px."""


class Provenance(Record):
    """Where a probe came from: enough to find its evidence, and to take it again."""

    source: str = Field(description="live for the crawl; else the corpus")
    site: str = Field(description="name of the site in the list")
    url: str = Field(description="as asked for")
    visit: str
    capture: str
    when: datetime = Field(description="UTC; when the screenshot was asked for, else when the visit began")
    browser: str = Field(default="", description="name and version")
    driver: str = ""
    viewport: Viewport = Field(description="CSS px, and image px per CSS px of the screenshot")
    scroll_y: float = Field(default=0, description="CSS px from the top of the page")
    delay_ms: int = Field(ge=0, description="between structure and pixels, as set")
    rules: str = Field(description="version of the rules and policy that flagged it")
    policy: str
    check: Check | None = Field(default=None, description="what a reader of the pixels said; None: not checked")
    reading: Digest | None = Field(default=None, description="blob `served`: the elements as they were read with the structure")
    element: str = Field(description="names the element over time; its history is under this name")
    path: str = Field(description="CSS path from the document; ' >>> ' enters a frame or a shadow root")
    element_id: str | None = None
    sub_kind: str | None = None
    grade: str | None = Field(default=None, description="how the two values relate")


def _identity(family: str, element: str, kind: str | None, variable: str, pair: tuple[str, str]) -> str:
    """What makes two probes one: the same element with the same pair (structural, gold), form and case aside."""
    return digest(family, element, kind or "", variable, *map(normalize, pair))


def ordered(identity: str, values: tuple[str, str]) -> tuple[str, ...]:
    """The values in an order that tells nothing, by a hash of each with the probe's identity: either is first half the time."""
    return tuple(sorted(values, key=lambda value: digest(identity, value)))


class Probe(Record):
    """One question about one region of one screenshot, whose structure says something else than its pixels.

    A ValueError names what is wrong: values that are the same or blank, options that are not these two in their order, a
    region that is not on the screenshot, an id that is not of its content.
    """

    id: str = Field(description="family and the first 12 hex digits of its identity; all 64 where another has those 12")
    family: str = Field(description="web-natural")
    kind: str | None = Field(description="aria, title, stale or state; null for edited families")
    platform: Platform
    screenshot: Digest = Field(description="I: blob of the PNG")
    structure: Digest = Field(description="S: blob of the serialised document, as it was before the delay")
    region: Box = Field(description="r: CSS px from the screenshot's top left")
    variable: str = Field(description="v, what is asked for: text, value, checked, open")
    options: tuple[str, ...] = Field(description="V_v: gold and structural, in an order that tells nothing")
    gold: str = Field(description="a*: the value that the pixels show")
    structural: str = Field(description="b: the value that the structure asserts")
    provenance: Provenance

    @property
    def identity(self) -> str:
        """64 hex digits, the same for every sighting of one divergence."""
        return _identity(self.family, self.provenance.element, self.kind, self.variable, (self.structural, self.gold))

    @model_validator(mode="after")
    def _holds(self) -> Self:
        identity, viewport, region = self.identity, self.provenance.viewport, self.region
        if normalize(self.gold) == normalize(self.structural):
            raise ValueError(f"gold and structural are both {self.gold!r} after normalisation")
        if self.variable not in BLANK_ALLOWED and not (normalize(self.gold) and normalize(self.structural)):
            raise ValueError(f"a blank is no {self.variable}")
        if self.options != ordered(identity, (self.gold, self.structural)):
            raise ValueError("options are gold and structural, ordered by their hashes, and nothing else")
        if self.id not in {f"{self.family}-{identity[:ID_DIGITS]}", f"{self.family}-{identity}"}:
            raise ValueError(f"id {self.id!r} is not of this content")
        right, bottom = region.x + region.width, region.y + region.height
        if (
            min(region.x, region.y) < 0
            or region.area <= 0
            or right > viewport.width + SLACK_PX
            or bottom > viewport.height + SLACK_PX
        ):
            raise ValueError(f"region {region.as_list()} is not on a screenshot of {viewport.width}x{viewport.height}")
        return self


def probe_of(
    *,
    family: str,
    kind: str | None,
    platform: Platform,
    screenshot: str,
    structure: str,
    region: Box,
    variable: str,
    gold: str,
    structural: str,
    provenance: Provenance,
) -> Probe:
    """The probe with its id and the order of its options. Raises ValueError as Probe does."""
    identity = _identity(family, provenance.element, kind, variable, (structural, gold))
    return Probe(
        id=f"{family}-{identity[:ID_DIGITS]}",
        family=family,
        kind=kind,
        platform=platform,
        screenshot=screenshot,
        structure=structure,
        region=region,
        variable=variable,
        options=ordered(identity, (gold, structural)),
        gold=gold,
        structural=structural,
        provenance=provenance,
    )
