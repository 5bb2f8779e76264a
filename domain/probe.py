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
LIVE: Literal["live"] = "live"
"""The source of the crawl's probes; every other is a corpus."""
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 of a blob's content, 64 hex digits."""

BLANK_ALLOWED = frozenset({"value"})
"""Variables one of whose values may be the empty text: an empty field is something that can be seen."""
ID_DIGITS = 12
SLACK_PX = 0.01
"""Boxes are rounded to 1/100 px."""


class Provenance(Record):
    """Where a probe of the crawl came from: enough to find its evidence, and to take it again."""

    source: Literal["live"] = Field(default=LIVE, description="live: the crawl")
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

    @property
    def size(self) -> tuple[int, int]:
        """Of the screenshot, CSS px: right and bottom edge for a region."""
        return self.viewport.width, self.viewport.height

    @property
    def scale(self) -> float:
        """Image px of the screenshot per px of the region."""
        return self.viewport.scale

    @property
    def screen(self) -> str:
        """The source's own name of the screen."""
        return self.capture


class FileRef(Record):
    """One file of a corpus as its publisher ships it."""

    name: str = Field(description="relative to the corpus's folder, '/' between folders; in an archive, the member's name")
    size: int = Field(ge=0, description="bytes")
    sha256: Digest


class PictureSize(Record):
    """Image px."""

    width: int = Field(ge=1)
    height: int = Field(ge=1)


class CorpusProvenance(Record):
    """Where a probe of a corpus came from: enough to find it in one's own copy, and to see that it is the same copy."""

    source: Literal["rico", "clay", "mind2web", "screenspot_pro"] = Field(description="the corpus: a file in builder/sources/")
    made: bool = Field(description="true: not the publisher's, but rendered for tests in the publisher's layout")
    item: str = Field(description="the corpus's own id of the screen: RICO's number, an action_uid, an annotation's id")
    site: str = Field(description="what the screen is of: website, app package, application. Statistics cluster by it")
    url: str = ""
    split: str = Field(default="", description="the publisher's split, where there is one")
    files: tuple[FileRef, ...] = Field(description="all upstream files that the screen was read from")
    picture: PictureSize
    element: str = Field(description="SHA-256 (24 digits) of source, item and node")
    node: str = Field(description="the node's key in the structure: RICO's pointer, a backend_node_id, an annotation's id")
    label: str | None = Field(default=None, description="the human label that the gold comes from: CLAY's, ui_type")
    seed: int = Field(description="of the draw")
    rules: str = Field(description="the family's recipe and its version: web-text/1")
    check: Check | None = Field(default=None, description="what a reader of the pixels said of gold; None: not read")

    @property
    def size(self) -> tuple[int, int]:
        """Of the screenshot, image px: right and bottom edge for a region."""
        return self.picture.width, self.picture.height

    @property
    def scale(self) -> float:
        """Image px of the screenshot per px of the region."""
        return 1.0

    @property
    def screen(self) -> str:
        """The source's own name of the screen."""
        return self.item


class Edit(Record):
    """How the structure was made to say something else. `channels.structures.edited` does it again, to the byte."""

    rule: str = Field(description="swap-text, type-text, hide-node, swap-type")
    version: int = Field(ge=1)
    node: str = Field(description="key of the node that is edited")
    before: str = Field(description="what the structure says of it: the gold value as the structure writes it")
    after: str = Field(description="what it says afterwards")


class View(Record):
    """What is shown of the screenshot: a window of it, and whether a frame is drawn around the region. Image px."""

    x: int = Field(ge=0)
    y: int = Field(ge=0)
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    mark: bool = Field(default=False, description="a frame is drawn around the region, outside of it")


def _seen(view: View, region: Box) -> bool:
    window = Box(view.x - SLACK_PX, view.y - SLACK_PX, view.width + 2 * SLACK_PX, view.height + 2 * SLACK_PX)
    return region.overlap(window).near(region, SLACK_PX)


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
    family: str = Field(description="web-natural, web-text, mobile-widget, mobile-visible, mobile-stale or desktop-graphic")
    kind: str | None = Field(description="of web-natural: aria, title, stale or state; else null")
    platform: Platform
    screenshot: Digest = Field(description="I: the picture file as it was taken or published")
    structure: Digest = Field(description="S: the structure before any edit; live, the document as it was before the delay")
    region: Box = Field(description="r: px from the screenshot's top left: CSS px of the crawl's, image px of a corpus's")
    variable: str = Field(description="v, what is asked for: text, value, checked, open, type, visibility")
    options: tuple[str, ...] = Field(description="V_v: gold and structural, in an order that tells nothing")
    gold: str = Field(description="a*: the value that the pixels show")
    structural: str = Field(description="b: the value that the structure asserts")
    view: View | None = Field(default=None, description="what is shown of the screenshot; null: all of it, nothing drawn")
    edit: Edit | None = Field(default=None, description="how the conflict was made; null: it was found as it is")
    provenance: Annotated[Provenance | CorpusProvenance, Field(discriminator="source")]

    @property
    def live(self) -> Provenance:
        """The provenance of a probe of the crawl. Raises ValueError for one of a corpus."""
        if not isinstance(self.provenance, Provenance):
            raise ValueError(f"{self.id} is of {self.provenance.source}, not of the crawl")  # noqa: TRY004 - a value it is
        return self.provenance

    @property
    def identity(self) -> str:
        """64 hex digits, the same for every sighting of one divergence."""
        return _identity(self.family, self.provenance.element, self.kind, self.variable, (self.structural, self.gold))

    @model_validator(mode="after")
    def _holds(self) -> Self:
        identity, (width, height), region = self.identity, self.provenance.size, self.region
        if normalize(self.gold) == normalize(self.structural):
            raise ValueError(f"gold and structural are both {self.gold!r} after normalisation")
        if self.variable not in BLANK_ALLOWED and not (normalize(self.gold) and normalize(self.structural)):
            raise ValueError(f"a blank is no {self.variable}")
        if self.options != ordered(identity, (self.gold, self.structural)):
            raise ValueError("options are gold and structural, ordered by their hashes, and nothing else")
        if self.id not in {f"{self.family}-{identity[:ID_DIGITS]}", f"{self.family}-{identity}"}:
            raise ValueError(f"id {self.id!r} is not of this content")
        right, bottom = region.x + region.width, region.y + region.height
        if min(region.x, region.y) < 0 or region.area <= 0 or right > width + SLACK_PX or bottom > height + SLACK_PX:
            raise ValueError(f"region {region.as_list()} is not on a screenshot of {width}x{height}")
        if self.view is not None and not _seen(self.view, region):
            raise ValueError(f"region {region.as_list()} is not in the view {self.view}")
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
    provenance: Provenance | CorpusProvenance,
    view: View | None = None,
    edit: Edit | None = None,
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
        view=view,
        edit=edit,
        provenance=provenance,
    )
