"""The shapes between a site list as written and the sites it means: Row, Listing, Complaint, Problem."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import Field

from domain.record import Record

SHOWN_CHARACTERS = 80


class Problem(Record):
    """One thing that is wrong in a site list, where it is, and what to do about it."""

    line: int = Field(ge=1)
    site: str | None = Field(
        default=None, description="'site 12 (https://example.test/)', 'defaults', or None for the whole list"
    )
    message: str = Field(description="what is wrong, with the value; one sentence without its full stop")
    remedy: str = Field(description="what to write instead; whole sentences")

    def sentence(self, file: str) -> str:
        """`sites.toml, line 41, site 12 (https://example.test/): every = "5" has no unit. Write "5m" or "5h".`"""
        place = f"{file}, line {self.line}" + (f", {self.site}" if self.site else "")
        return f"{place}: {self.message}. {self.remedy}"


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with one value, worded to follow it: 'has no unit'."""

    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Row:
    """One site as written. `lines` holds the line of each key; `keyed` is false where the format has no keys."""

    index: int
    line: int
    values: Mapping[str, object]
    lines: Mapping[str, int] = field(default_factory=dict)
    keyed: bool = True
    label: str = ""

    @property
    def title(self) -> str:
        """How problems call it: by number, and by URL or else name."""
        called = self.values.get("url") or self.values.get("name")
        return self.label or f"site {self.index}" + (f" ({show(called, quote=False)})" if called else "")

    def problem(self, key: str, complaint: Complaint) -> Problem:
        """The complaint about the value of `key`, at the line where that key stands (else where the site begins)."""
        value = show(self.values[key])
        message = f"{key} = {value} {complaint.message}" if self.keyed else f"{value} {complaint.message}"
        return self.remark(complaint.remedy, message, key)

    def remark(self, remedy: str, message: str, key: str = "") -> Problem:
        return Problem(line=self.lines.get(key, self.line), site=self.title, message=message, remedy=remedy)


@dataclass(frozen=True, slots=True)
class Listing:
    """A whole list as written, with the problems that its syntax has."""

    rows: list[Row]
    problems: list[Problem] = field(default_factory=list)
    defaults: Row | None = None


def show(value: object, *, quote: bool = True) -> str:
    """The value for a message: as TOML would have it, short, printable, with no password in it."""
    text = value if isinstance(value, str) and not quote else json.dumps(value, ensure_ascii=False, default=str)
    text = re.sub(r"//[^/?#]*@", "//***@", text)
    text = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "..."
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def suggest(word: str, known: Iterable[str]) -> str:
    """'Did you mean "every"?' where something is near, else the list of what is known."""
    known = list(known)
    near = difflib.get_close_matches(word.lower(), [k.lower() for k in known], n=1)
    if near:
        meant = next(k for k in known if k.lower() == near[0])
        return f'Did you mean "{meant}"?'
    return f"Known: {', '.join(known)}."
