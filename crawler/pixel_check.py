"""pixel check: a machine reads the screenshot where a divergence was found, and says whether it shows the rendered value.

What the verdicts and reasons mean: docs/pixel-check.md. Never while holding a browser: see crawler/checker.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from channels.crops import Picture, line_crops
from channels.marks import mark
from channels.pixels import open_png
from channels.readers import Reader
from domain.divergence import Finding
from domain.geometry import Box
from domain.pixel_check import REASONS, Check, Line, judge

CHECKED = ("flagged", "review")
"""Verdicts that are checked: those that have a row."""
MARKS = {"checked": True, "unchecked": False}
NO_TEXT = frozenset({"open", "closed", "indeterminate"})
LONGEST_LINES = 40
"""Lines: a text of more is no value, and would keep the reader for many seconds."""


def check(reader: Reader, screenshot: bytes, scale: float, findings: Sequence[Finding]) -> list[Check | None]:
    """What the reader makes of each finding of one capture; None for those that are not flagged or for review.

    screenshot: PNG. scale: image px per CSS px. The picture is decoded once and all lines are read together; a finding that can
    be told without reading costs none. Raises BadInput where the screenshot is no picture.
    """
    wanted = [i for i, finding in enumerate(findings) if finding.verdict in CHECKED and finding.rendered is not None]
    checks: list[Check | None] = [None] * len(findings)
    if not wanted:
        return checks
    image = open_png(screenshot)
    # Several kinds may speak of one element: its lines are cut and read once.
    spans: dict[tuple[tuple[float, ...], ...], slice] = {}
    crops: list[Picture] = []
    for i in wanted:
        finding = findings[i]
        reason = _without_reading(reader, finding)
        if finding.kind == "state" and finding.rendered in MARKS and finding.box is not None:
            drawn = mark(image, Box(*finding.box), scale)
            reason = "mark" if drawn is MARKS[finding.rendered] else "no-text-to-read"
        if not reason:
            if finding.lines not in spans:
                found = line_crops(image, [Box(*line) for line in finding.lines], scale)
                spans[finding.lines] = slice(len(crops), len(crops) + len(found))
                crops += found
            span = spans[finding.lines]
            reason = "" if span.stop > span.start else "no-ink"
        if reason:
            checks[i] = Check(reader=reader.version, read="", confidence=0, verdict=REASONS[reason], reason=reason)
    lines = reader.read(crops)
    for i in wanted:
        if checks[i] is None:
            checks[i] = _judged(reader, findings[i], lines[spans[findings[i].lines]])
    return checks


def _without_reading(reader: Reader, finding: Finding) -> str:
    """The reason why reading would tell nothing, or ""."""
    rendered = finding.rendered or ""
    # A list box shows every choice, and by a colour alone which of them is made.
    if finding.kind == "state" and (rendered in MARKS or rendered in NO_TEXT or finding.role == "listbox"):
        return "no-text-to-read"
    if finding.reason == "drawn-otherwise":
        return "drawn-otherwise"
    if not finding.lines:
        return "no-place"
    if len(finding.lines) > LONGEST_LINES:
        return "too-long"
    return "" if reader.can_read(rendered) else "script"


def _judged(reader: Reader, finding: Finding, lines: Sequence[Line]) -> Check:
    said = judge(lines, finding.rendered or "", finding.structural or "")
    read = [line for line in lines if line.text]
    return Check(
        reader=reader.version,
        read=" ".join(line.text for line in read),
        confidence=min((min(1.0, max(0.0, line.confidence)) for line in read), default=0.0),
        verdict=said.verdict,
        reason=said.reason,
    )
