"""What is told of one probe or divergence: its page draws it. `api.evidence` finds it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from api.artifacts import ArchiveLink, TimelineMoment
from api.excerpted import Excerpt
from domain.geometry import Box
from domain.pixel_check import Check
from domain.probe import Probe, View
from domain.record import Record
from store.checks import StoredCheck
from store.divergences import StoredDivergence
from store.seen import Seen


class Shot(Record):
    """The screenshot: its file, and how its pixels relate to the box."""

    digest: str
    width: float = Field(description="of what it shows, in the unit of the box: CSS px; of a corpus: image px")
    height: float
    scale: float = Field(description="image px per px of the box")
    link: str | None = Field(description="the file, fit for <img>; null: it is not in this store")
    problem: str = Field(default="", description="why there is nothing to be seen; empty where there is")


class Evidence(Record):
    """All that a page shows of a probe or a divergence."""

    id: str
    what: Literal["probe", "divergence"]
    probe: Probe | None = Field(description="the probe; of a divergence: the one it is a sighting of, if any")
    divergence: StoredDivergence | None = Field(description="as stored; of a probe: of its first sighting; null for a corpus's")
    source: str = Field(description="live, or the corpus")
    site: str
    url: str
    title: str = Field(default="", description="of the page, at the visit")
    kind: str | None
    structural: str | None = Field(description="what the structure asserts")
    rendered: str | None = Field(description="what the pixels show: of a probe the gold value")
    grade: str | None = Field(default=None, description="how the two relate")
    variable: str | None = Field(default=None, description="what a probe asks for")
    visit: str | None = None
    capture: str | None = None
    when: datetime | None = Field(default=None, description="when the screenshot was asked for, else the visit began, UTC")
    screenshot: Shot | None = Field(description="null: none was ever taken or named")
    box: Box | None = Field(description="of the element, in px from the screenshot's top left (unit: `screenshot`)")
    lines: tuple[Box, ...] = Field(default=(), description="the lines of the rendered text, same unit")
    view: View | None = Field(default=None, description="what a corpus probe shows of its picture")
    moments: tuple[TimelineMoment, ...] = Field(default=(), description="in the order of time; the first is S0")
    delay_ms: int | None = Field(default=None, description="between structure and pixels, as set")
    check: Check | None = Field(default=None, description="the look at the pixels that counts")
    checks: tuple[StoredCheck, ...] = Field(default=(), description="every reader's look at this divergence, newest first")
    sightings: tuple[Seen, ...] = Field(default=(), description="newest first, at most 20")
    sightings_total: int = Field(default=0, ge=0)
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    releases: tuple[str, ...] = Field(default=(), description="names of the frozen releases that the probe is in")
    archives: tuple[ArchiveLink, ...] = ()
    excerpt: Excerpt = Field(description="of the stored structure, around the element")
    crop: str = Field(description="link: the place on the screenshot, framed; ?around=0: the bare region")
    history: str | None = Field(default=None, description="link: the element's pair over time")
    element: str | None = None
