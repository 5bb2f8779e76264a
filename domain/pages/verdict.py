"""PageVerdict and ConsentBanner: what is said of a page, as records."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from domain.geometry import Box
from domain.record import Record

PageKind = Literal["content", "challenge", "consent-wall", "login-wall", "error-page", "loading", "empty"]


class PageVerdict(Record):
    """What a page is. Only content is evidence."""

    kind: PageKind
    rule: str = Field(default="", description="name of the rule that said so; empty for content. docs/not-evidence.md")
    reason: str = Field(default="", description="in a sentence, with what was found")


class ConsentBanner(Record):
    """A request for consent that is on the screen. Never answered unless the site list names the button."""

    provider: str = Field(default="", description="the consent platform, where its mark-up is known")
    position: Literal["top", "bottom", "centre", "corner", "full", "in-page"]
    box: Box = Field(description="CSS px on the viewport")
    share: float = Field(ge=0, le=1, description="of the viewport that its box takes")
    blocked: float = Field(ge=0, le=1, description="of the viewport that it, or a sheet that darkens the page with it, takes")
    covers_content: bool = Field(description="the page cannot be used, or not be seen, before it is answered")
    text: str = Field(default="", description="its first 300 characters")
    buttons: tuple[str, ...] = ()
