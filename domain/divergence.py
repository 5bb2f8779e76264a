"""Pair, Conflict, Finding, and detect(): every kind asked of every element of a capture.

Pure: the same capture and policy give the same findings, with no browser and no site visited.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from domain.record import Record

Verdict = Literal["flagged", "clean", "review", "skipped"]


class Finding(Record):
    """What one kind says of one element. One per element and kind considered; nothing is dropped silently."""

    path: str = Field(description="CSS path from the document; ' >>> ' enters a frame or a shadow root")
    element_id: str | None = Field(default=None, description="the element's id attribute")
    kind: str = Field(description="aria, title, stale or state")
    verdict: Verdict
    reason: str = Field(description="named rule that decided, e.g. disjoint, off-viewport, too-short")
    structural: str | None = Field(default=None, description="what the structure asserts")
    rendered: str | None = Field(default=None, description="what the pixels show")
    grade: str | None = Field(default=None, description="how the two strings relate; None where there is no pair")
    box: tuple[float, float, float, float] | None = Field(default=None, description="x, y, width, height in CSS px on the viewport")
