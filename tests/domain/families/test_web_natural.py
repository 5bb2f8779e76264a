"""web-natural: which divergences become probes, and what such a probe holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.divergence import Finding
from domain.families.web_natural import VARIABLES, draw, variable_of
from domain.geometry import Box
from domain.pixel_check import Check
from domain.probe import Probe
from domain.visit import BrowserInfo, CaptureRecord, Counts, Moment, Readiness, Timeline, Viewport, Visit

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONFIRMED = Check(reader="test-1", read="Pay 12", confidence=0.9, verdict="confirmed", reason="equal")
ARTIFACTS = {"dom": "d" * 64, "served": "e" * 64, "screenshot": "f" * 64}


def moment(seconds: float) -> Moment:
    return Moment(wall=NOON + timedelta(seconds=seconds), monotonic_ns=int(seconds * 1e9))


CAPTURE = CaptureRecord(
    id="0" * 32 + "-0",
    scroll_y=40,
    loader_served="L",
    loader_shown="L",
    readiness=Readiness(load_event=True),
    timeline=Timeline(served=moment(1), screenshot_sent=moment(4)),
    counts=Counts(),
    artifacts=ARTIFACTS,
    rules="policy=paper aria=1 title=1",
)
VISIT = Visit(
    id="0" * 32,
    url="https://shop.example/cart",
    site="shop",
    outcome="captured",
    started=moment(0),
    finished=moment(9),
    browser=BrowserInfo(driver="playwright", name="Chromium", version="156.0", user_agent="ua"),
    viewport=Viewport(width=1280, height=720),
    delay_ms=3000,
    captures=(CAPTURE,),
)


def finding(**changes: Any) -> Finding:
    given: dict[str, Any] = {
        "path": "html > body > button:nth-child(2)",
        "kind": "aria",
        "verdict": "flagged",
        "reason": "disagree",
        "structural": "Pay 10",
        "rendered": "Pay 12",
        "grade": "overlap",
        "box": (100.0, 50.0, 200.0, 40.0),
    }
    return Finding(**(given | changes))


def drawn(found: Finding, check: Check | None = CONFIRMED, **more: Any) -> Probe | None:
    probes = draw(VISIT, CAPTURE, [(found, check)], **more)
    assert len(probes) <= 1
    return probes[0] if probes else None


def test_the_tuple() -> None:
    """A confirmed divergence becomes the paper's tuple: gold is what the pixels show, structural what the document says."""
    probe = drawn(finding(lines=((120.0, 60.0, 50.0, 10.0), (110.0, 72.0, 30.5, 10.0)), sub_kind="aria-label"))
    assert probe is not None
    assert (probe.gold, probe.structural, set(probe.options)) == ("Pay 12", "Pay 10", {"Pay 12", "Pay 10"})
    assert (probe.screenshot, probe.structure) == (ARTIFACTS["screenshot"], ARTIFACTS["dom"])
    assert (probe.family, probe.kind, probe.platform, probe.variable) == ("web-natural", "aria", "web", "text")
    assert probe.region == Box(110, 60, 60, 22)  # around both lines: x 110 to 170, y 60 to 82
    assert probe.id == f"web-natural-{probe.identity[:12]}"
    came = probe.provenance
    assert (came.source, came.site, came.url, came.visit, came.capture) == (
        "live", "shop", "https://shop.example/cart", VISIT.id, CAPTURE.id,
    )  # fmt: skip
    assert came.when == NOON + timedelta(seconds=4)  # of the screenshot, not of the visit
    assert (came.browser, came.driver, came.viewport) == ("Chromium 156.0", "playwright", VISIT.viewport)
    assert (came.scroll_y, came.delay_ms, came.rules, came.policy) == (40, 3000, CAPTURE.rules, "paper")
    assert (came.check, came.reading) == (CONFIRMED, ARTIFACTS["served"])
    assert (came.path, came.element_id, came.sub_kind, came.grade) == (finding().path, None, "aria-label", "overlap")


@pytest.mark.parametrize("verdict", ["review", "clean", "skipped"])
def test_only_flagged(verdict: str) -> None:
    """What a person must decide is no probe, nor what is clean or skipped, whatever was read and whatever is accepted."""
    every = {"confirmed", "contradicted", "unreadable", "unchecked"}
    assert drawn(finding(verdict=verdict), accepts=every) is None
    assert drawn(finding(verdict=verdict), None, accepts=every) is None


def test_only_confirmed_by_default() -> None:
    """What is unchecked, unreadable or contradicted becomes a probe only where it is asked for, and the probe says so."""
    for verdict in ("contradicted", "unreadable"):
        check = CONFIRMED.model_copy(update={"verdict": verdict})
        assert drawn(finding(), check) is None
        probe = drawn(finding(), check, accepts={verdict})
        assert probe is not None
        assert probe.provenance.check == check
    assert drawn(finding(), None) is None
    probe = drawn(finding(), None, accepts={"confirmed", "unchecked"})
    assert probe is not None
    assert probe.provenance.check is None


@pytest.mark.parametrize("outcome", ["navigated", "empty", "repeated-screenshot", "http-error"])
def test_no_evidence_no_probe(outcome: str) -> None:
    """A visit that is no evidence gives no probes."""
    assert draw(VISIT.model_copy(update={"outcome": outcome}), CAPTURE, [(finding(), CONFIRMED)]) == ()


@pytest.mark.parametrize("lost", ["dom", "screenshot"])
def test_no_channel_no_probe(lost: str) -> None:
    """A capture without stored pixels or structure, as after a dry run, gives no probes."""
    artifacts = {name: digest for name, digest in ARTIFACTS.items() if name != lost}
    assert draw(VISIT, CAPTURE.model_copy(update={"artifacts": artifacts}), [(finding(), CONFIRMED)]) == ()


@pytest.mark.parametrize(
    ("kind", "tag", "structural", "rendered", "variable"),
    [
        ("aria", "button", "Pay", "Buy now", "text"),
        ("stale", "input", "1.20", "1.30", "text"),
        ("stale", "details", "open", "closed", "text"),
        ("state", "input", "unchecked", "checked", "checked"),
        ("state", "details", "closed", "open", "open"),
        ("state", "dialog", "open", "closed", "open"),
        ("state", "input", "Oslo", "Bergen", "value"),
        ("state", "select", "open", "closed", "value"),
        ("state", "textarea", "checked", "unchecked", "value"),
    ],
)
def test_variable(kind: str, tag: str, structural: str, rendered: str, variable: str) -> None:
    """Of a control its value, tick or opening is asked, of everything else its text; in a frame or shadow root too."""
    for path in (f"html > body > {tag}:nth-child(3)", f"html > body > x-y:nth-child(1) >>> {tag}:nth-child(3)"):
        found = finding(kind=kind, path=path, structural=structural, rendered=rendered)
        assert variable_of(found) == variable
        probe = drawn(found)
        assert probe is not None
        assert probe.variable == variable
        assert variable in VARIABLES


@pytest.mark.parametrize(
    ("structural", "rendered"),
    [("Oslo", "OSLO"), ("a\u00a0b", "a  b"), ("\uff11\uff12", "12"), ("", "Oslo"), ("Oslo", " "), ("\u200b", "x"), (None, "x")],
)
def test_no_question_in_it(structural: str | None, rendered: str) -> None:
    """Two texts that are one after normalisation are no conflict, and a blank is no text to be asked for."""
    assert drawn(finding(structural=structural, rendered=rendered)) is None


def test_an_empty_field_can_be_asked_for() -> None:
    """A field that was served empty and shows a value is a probe: empty is what the document says."""
    probe = drawn(finding(kind="state", path="html > input:nth-child(1)", structural="", rendered="Oslo"))
    assert probe is not None
    assert (probe.structural, probe.gold) == ("", "Oslo")


@pytest.mark.parametrize(
    ("box", "region"),
    [
        ((-20.0, 10.0, 100.0, 20.0), Box(0, 10, 80, 20)),
        ((1200.0, 700.0, 100.0, 30.0), Box(1200, 700, 80, 20)),
        ((1270.0, 10.0, 100.0, 20.0), None),
        ((0.0, 0.0, 0.0, 20.0), None),
        (None, None),
    ],
)
def test_region_is_on_the_screenshot(box: tuple[float, float, float, float] | None, region: Box | None) -> None:
    """What hangs over the edge is cut; what is mostly outside, has no area or no place gives no probe."""
    probe = drawn(finding(box=box))
    assert (probe.region if probe else None) == region


def test_one_probe_a_pair() -> None:
    """Two findings that are the same question are one probe, the first."""
    twice = [(finding(box=(1.0, 1.0, 10.0, 10.0)), CONFIRMED), (finding(rendered="PAY 12"), CONFIRMED)]
    [probe] = draw(VISIT, CAPTURE, twice)
    assert probe.region == Box(1, 1, 10, 10)


@given(st.text(st.characters(exclude_categories=())), st.text(st.characters(exclude_categories=())))
def test_whatever_a_page_holds(structural: str, rendered: str) -> None:
    """Any text gives a probe that can be written as JSON and read back, or none; drawing twice gives the same."""
    probe = drawn(finding(structural=structural, rendered=rendered, path=f"html > {structural}"))
    assert probe == drawn(finding(structural=structural, rendered=rendered, path=f"html > {structural}"))
    if probe is not None:
        assert Probe.model_validate_json(probe.model_dump_json()) == probe
