"""web-natural: conflicts as they were found on live pages, nothing edited.

Source: paper, "Natural-conflict families", and its appendix "Web-natural, live-site mining". What is asked for, and what never
becomes a probe: docs/families/web-natural.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from domain.divergence import Finding
from domain.families import NATURAL
from domain.geometry import Box
from domain.identity import element_of, tag_of, writable
from domain.pixel_check import Check, CheckVerdict
from domain.probe import BLANK_ALLOWED, Platform, Probe, Provenance, probe_of
from domain.text import normalize
from domain.visit import CaptureRecord, Visit

NAME = "web-natural"
PLATFORM: Platform = "web"
SOURCES = ("live",)
CONDITIONS = NATURAL
VARIABLES = ("text", "value", "checked", "open")
Accepted = CheckVerdict | Literal["unchecked"]
CONFIRMED: tuple[Accepted, ...] = ("confirmed",)

MIN_INSIDE = 0.5
"""Share of a region that must be on the screenshot; what is outside is cut off."""


def draw(
    visit: Visit,
    capture: CaptureRecord,
    found: Iterable[tuple[Finding, Check | None]],
    *,
    accepts: Collection[Accepted] = CONFIRMED,
) -> tuple[Probe, ...]:
    """One probe for each flagged divergence of the capture whose check is among those accepted, in the order given.

    Findings for review give none, whatever was read. accepts: by default only what a reader of the pixels confirmed; with
    "unchecked" also what none has looked at, and then the probe's provenance has no check. Of two that would be the
    same probe the first counts. Empty where the visit is not evidence.
    """
    screenshot, structure = capture.artifacts.get("screenshot"), capture.artifacts.get("dom")
    if visit.outcome != "captured" or screenshot is None or structure is None:
        return ()
    drawn: dict[str, Probe] = {}
    for finding, check in found:
        if finding.verdict != "flagged" or (check.verdict if check else "unchecked") not in accepts:
            continue
        region = region_of(finding, visit)
        variable = variable_of(finding)
        gold, structural = writable(finding.rendered or ""), writable(finding.structural or "")
        if region is None or not _askable(variable, structural, gold):
            continue
        probe = probe_of(
            family=NAME,
            kind=finding.kind,
            platform=PLATFORM,
            screenshot=screenshot,
            structure=structure,
            region=region,
            variable=variable,
            gold=gold,
            structural=structural,
            provenance=_provenance(visit, capture, finding, check),
        )
        drawn.setdefault(probe.identity, probe)
    return tuple(drawn.values())


def variable_of(finding: Finding) -> str:
    """What is asked of the region: of controls their state, of everything else the text."""
    if finding.kind != "state":
        return "text"
    values = {finding.structural, finding.rendered}
    tag = tag_of(finding.path)
    if tag in {"details", "dialog"} and values == {"open", "closed"}:
        return "open"
    if tag == "input" and values == {"checked", "unchecked"}:
        return "checked"
    return "value"


def region_of(finding: Finding, visit: Visit) -> Box | None:
    """Around the lines of the text where they are known, around the element for what is no text; None off the screenshot.

    CSS px on the viewport, cut at its edges.
    """
    boxes = finding.lines if finding.kind != "state" and finding.lines else (finding.box,) if finding.box else ()
    if not boxes:
        return None
    x, y = min(b[0] for b in boxes), min(b[1] for b in boxes)
    whole = Box(x, y, max(b[0] + b[2] for b in boxes) - x, max(b[1] + b[3] for b in boxes) - y)
    screen = Box(0, 0, visit.viewport.width, visit.viewport.height)
    return whole.overlap(screen) if whole.share_inside(screen) >= MIN_INSIDE else None


def _askable(variable: str, structural: str, gold: str) -> bool:
    """Two answers that differ, form and case aside; a blank is an answer only of a field."""
    structural, gold = normalize(structural), normalize(gold)
    return structural != gold and (variable in BLANK_ALLOWED or bool(structural and gold))


def _provenance(visit: Visit, capture: CaptureRecord, finding: Finding, check: Check | None) -> Provenance:
    taken = capture.timeline.screenshot_sent or visit.started
    policy = capture.rules.split(" ")[0]
    return Provenance(
        site=writable(visit.site),
        url=writable(visit.url),
        visit=visit.id,
        capture=capture.id,
        when=taken.wall,
        browser=f"{visit.browser.name} {visit.browser.version}" if visit.browser else "",
        driver=visit.browser.driver if visit.browser else "",
        viewport=visit.viewport,
        scroll_y=capture.scroll_y,
        delay_ms=visit.delay_ms,
        rules=capture.rules,
        policy=policy.removeprefix("policy=") if policy.startswith("policy=") else "",
        check=check,
        reading=capture.artifacts.get("served"),
        element=element_of(visit.site, visit.url, finding),
        path=writable(finding.path),
        element_id=None if finding.element_id is None else writable(finding.element_id),
        sub_kind=finding.sub_kind,
        grade=finding.grade,
    )
