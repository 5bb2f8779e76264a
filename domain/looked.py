"""Looked: what a program is told of one element: the finding, the capture it is of, and what the pixels said to it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from domain.divergence import Finding
from domain.pixel_check import Check


class Looked(Finding):
    """A finding as `crawler visit --json` prints it."""

    capture: int = Field(default=0, ge=0, description="index of the capture it is of, in the visit's captures")
    check: Check | None = Field(default=None, description="the pixel check; null where it was not asked")


def looked(finding: Finding, capture: int = 0, check: Check | None = None) -> Looked:
    """The finding with the capture and the check put to it."""
    fields = {name: getattr(finding, name) for name in type(finding).model_fields}
    return Looked(**fields, capture=capture, check=check)


def looked_at(findings: Sequence[Finding], capture: int, checks: Sequence[Check | None] = ()) -> list[Looked]:
    """All findings of a capture. checks: one for each finding, or none at all."""
    told = checks or [None] * len(findings)
    return [looked(finding, capture, check) for finding, check in zip(findings, told, strict=True)]
