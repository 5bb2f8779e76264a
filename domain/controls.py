"""Control characters: nobody reads them on a screen, and a terminal obeys them. Tab and line feed are text."""

from __future__ import annotations

import re

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def unfit(text: str | None) -> str | None:
    """Why the text cannot be what somebody read from a picture; None where it can."""
    found = _CONTROLS.search(text or "")
    if found is None:
        return None
    return f"it holds the control character U+{ord(found.group()):04X}, which no picture shows: write what is to be seen"


def printable(text: str) -> str:
    """The text for a terminal: U+FFFD for each control character. The length stays."""
    return _CONTROLS.sub("\ufffd", text)
