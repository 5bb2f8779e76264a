"""report_cards: what a report shows of each capture, and of each divergence in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlsplit

from channels.pictures import Picture, Screenshot
from channels.values import Value, flat, pair
from crawler.filing import Archive
from domain.divergence import Finding
from domain.errors import BadInput, NotFound
from domain.geometry import Box
from domain.made import own_machine
from domain.pixel_check import Check
from domain.visit import CaptureRecord, Visit
from store.captures import StoredDivergence, find_visit


@dataclass(frozen=True, slots=True)
class Card:
    """One divergence as the report shows it."""

    id: str
    number: int
    element: str
    """Names the element over time."""
    finding: Finding
    check: Check | None
    rules: str
    structural: Value
    rendered: Value
    crop: Picture | None
    problem: str
    """Why there is no picture; empty where there is one."""
    place: str
    """The box on the whole screenshot as CSS, in per cent; empty where there is none."""

    @property
    def tip(self) -> str:
        """What sort of element it is, for a heading: its last step in the path, with its id where it has one."""
        step = self.finding.path.rsplit(" >>> ", 1)[-1].rsplit(" > ", 1)[-1].partition(":nth-")[0]
        name = step if self.finding.element_id is None or "#" in step else f"{step}#{self.finding.element_id}"
        return flat(name)[:80] or "document"


@dataclass(frozen=True, slots=True)
class Shown:
    """One capture as the report shows it, with what was found on it."""

    visit: Visit
    capture: CaptureRecord
    cards: tuple[Card, ...]
    screenshot: Picture | None

    @property
    def link(self) -> str:
        """The page's address where it is safe to follow, else empty."""
        try:
            return self.visit.url if urlsplit(self.visit.url).scheme in {"http", "https"} else ""
        except ValueError:
            return ""

    @property
    def made(self) -> bool:
        """Whether the page is one of this machine, not of the web: no evidence about the world."""
        return own_machine(self.visit.url)

    @property
    def skew_ms(self) -> float | None:
        """From reading the structure to asking for the pixels, by the monotonic clock."""
        served, sent = self.capture.timeline.served, self.capture.timeline.screenshot_sent
        return (sent.monotonic_ns - served.monotonic_ns) / 1e6 if served and sent else None


def captures_of(archive: Archive, found: Iterator[StoredDivergence]) -> Iterator[Shown]:
    """The divergences by capture. Those of a visit or capture that is deleted meanwhile are left out."""
    number = 0
    visit: Visit | None = None
    for (visit_id, capture_id), group in groupby(found, key=lambda d: (d.visit_id, d.capture_id)):
        together = list(group)
        if visit is None or visit.id != visit_id:
            try:
                visit = find_visit(archive.database, visit_id)
            except NotFound:
                continue
        capture = next((c for c in visit.captures if c.id == capture_id), None)
        if capture is None:
            continue
        yield _shown(archive, visit, capture, together, number)
        number += len(together)


def _shown(archive: Archive, visit: Visit, capture: CaptureRecord, found: list[StoredDivergence], before: int) -> Shown:
    problem, screenshot = "", None
    try:
        screenshot = _screenshot(archive, visit, capture)
    except (NotFound, BadInput) as error:
        problem = str(error)
    cards = tuple(_card(divergence, before + i, screenshot, problem) for i, divergence in enumerate(found, 1))
    return Shown(visit, capture, cards, screenshot.whole() if screenshot else None)


def _screenshot(archive: Archive, visit: Visit, capture: CaptureRecord) -> Screenshot:
    """Raises NotFound, BadInput where there is none to be seen."""
    digest = capture.artifacts.get("screenshot")
    if "screenshot" in capture.pruned:
        raise NotFound("The screenshot was pruned to save space.")
    if digest is None:
        raise NotFound("No screenshot was stored with this capture.")
    try:
        content = archive.blobs.get(digest)
    except NotFound as error:
        # The store's own words name a place on this machine, and a report is handed around.
        raise NotFound(f"The screenshot is missing from the store: blob {digest}.") from error
    except BadInput as error:
        raise BadInput(f"The screenshot is damaged in the store: blob {digest}.") from error
    return Screenshot(content, visit.viewport.scale)


def _card(divergence: StoredDivergence, number: int, screenshot: Screenshot | None, problem: str) -> Card:
    finding = divergence.finding
    box = Box(*finding.box) if finding.box else None
    crop = screenshot.around(box) if screenshot and box else None
    if box is None:
        problem = problem or "The element has no box: it was not drawn when the screenshot was taken."
    elif crop is None:
        problem = problem or "The element's box lies outside the screenshot."
    structural, rendered = pair(finding.structural, finding.rendered)
    place = _place(box, screenshot.view) if screenshot and box and crop else ""
    element = divergence.element or f"{divergence.site} {finding.path}"
    return Card(
        divergence.id, number, element, finding, divergence.check, divergence.rules, structural, rendered, crop, problem, place
    )  # fmt: skip


def _place(box: Box, view: Box) -> str:
    seen = box.overlap(view)
    parts = (seen.x / view.width, seen.y / view.height, seen.width / view.width, seen.height / view.height)
    return ";".join(f"{name}:{100 * p:.3f}%" for name, p in zip(("left", "top", "width", "height"), parts, strict=True))
