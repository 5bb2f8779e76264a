"""Check: what a machine reader made of the pixels of a divergence, and whether they show the rendered value."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from domain.record import Record

CheckVerdict = Literal["confirmed", "contradicted", "unreadable"]
"""confirmed: the pixels show the rendered value. contradicted: they show the structural one, or something else.
unreadable: the reader cannot tell."""


class Check(Record):
    """One reader's look at one divergence."""

    reader: str = Field(
        description="which reader and model, with its version: rapidocr-3.10/PP-OCRv6-small; ink for a blank crop"
    )
    read: str = Field(description="the text it read, lines joined by a blank; empty where it read nothing")
    confidence: float = Field(ge=0, le=1, description="the reader's own, of its least sure line; 0 where it read nothing")
    verdict: CheckVerdict
    reason: str = Field(description="named rule that decided (docs/pixel-check.md)")
