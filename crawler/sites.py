"""The site list: which pages are visited, how often, and how each is to be looked at. See docs/sites.md."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field

from crawler.addresses import private_reason
from crawler.site_lists import read_listing
from crawler.site_rows import Complaint, Problem, Row, show, suggest
from crawler.site_rules import DEVICES, OF_ONE_SITE, REQUIRED, RULES
from crawler.site_urls import normal_url
from domain.errors import BadInput
from domain.record import Record
from domain.visit import Viewport

__all__ = ["DEVICES", "Problem", "Site", "check", "default_sites_path", "read_sites"]


class Site(Record):
    """One page to visit again and again. None leaves a thing to the crawler's settings."""

    name: str = Field(description="slug, unique in the list; what visits are filed under")
    url: str = Field(description="http or https")
    why: str = Field(description="the reason it is in the list, in words")
    topic: str
    every: timedelta = Field(description="time from one visit to the next")
    wait: Literal["load", "domcontentloaded", "none"] = Field(default="load", description="the event before S0 is read")
    wait_for: str | None = Field(default=None, description="CSS selector of what must be there before S0 is read")
    delay: timedelta | None = Field(default=None, description="between structure and pixels")
    locale: str | None = Field(default=None, description="BCP 47")
    timezone: str | None = Field(default=None, description="IANA")
    viewport: Viewport | None = None
    device: str | None = Field(default=None, description="a name in DEVICES, instead of a viewport")
    scroll_positions: int = Field(default=1, ge=1, le=20, description="captures a visit, from the top downwards")
    consent: str | None = Field(default=None, description="CSS selector of the one button a visit may click")

    @property
    def screen(self) -> Viewport | None:
        """The viewport to set, written out or by device; None for the crawler's own."""
        return DEVICES[self.device] if self.device else self.viewport


def default_sites_path() -> Path:
    """The list that is shipped with the crawler."""
    return Path(__file__).with_name("sites.toml")


def read_sites(path: Path, *, limit: int | None = None, allow_private: bool = False) -> list[Site]:
    """The sites of a list, in its order; the first `limit` of them where a limit is given.

    Raises BadInput with every problem of the list, one a line.
    """
    sites, problems = _examine(path, limit, allow_private=allow_private)
    if problems:
        raise BadInput("\n".join(problem.sentence(path.name) for problem in problems))
    return sites


def check(path: Path, *, limit: int | None = None, allow_private: bool = False) -> list[Problem]:
    """Every problem of a list, by line; none for a good one. Raises BadInput where there is no text to read at all."""
    return _examine(path, limit, allow_private=allow_private)[1]


def _examine(path: Path, limit: int | None, *, allow_private: bool) -> tuple[list[Site], list[Problem]]:
    listing = read_listing(path, limit)
    sites: list[Site] = []
    problems = list(listing.problems)
    defaults: dict[str, object] = {}
    if listing.defaults:
        defaults, faults = _meanings(listing.defaults, tuple(key for key in RULES if key not in OF_ONE_SITE))
        problems += faults
    seen: dict[tuple[str, str], Row] = {}
    for row in listing.rows:
        values, faults = _meanings(row, tuple(RULES))
        faults += _missing(row, listing.defaults)
        faults += _duplicates(row, values, seen)
        if not allow_private:
            faults += _private(row, values)
        if not faults and not problems:
            sites.append(Site.model_validate(_defaults_for(row, defaults) | values))
        problems += faults
    return sites, sorted(problems, key=lambda problem: problem.line)


def _meanings(row: Row, known: tuple[str, ...]) -> tuple[dict[str, object], list[Problem]]:
    """The row's good values as meant, and what is wrong with the others and with the row's keys."""
    values: dict[str, object] = {}
    problems: list[Problem] = []
    for key, written in row.values.items():
        if key not in known:
            unfit = f"{show(key)} cannot be the same for all sites" if key in RULES else f"unknown key {show(key)}"
            problems.append(row.remark("Write it in each [[site]]." if key in RULES else suggest(key, known), unfit, key))
            continue
        meant = RULES[key](written)
        if isinstance(meant, Complaint):
            problems.append(row.problem(key, meant))
        else:
            values[key] = meant
    if {"viewport", "device"} <= row.values.keys():
        lower = max("viewport", "device", key=lambda key: row.lines.get(key, 0))
        problems.append(row.remark("Keep one of the two.", "viewport and device are both given", lower))
    return values, problems


def _missing(row: Row, defaults: Row | None) -> list[Problem]:
    # A default that is there but wrong has its own problem, once; it is not missing in every site as well.
    given = row.values.keys() | (defaults.values.keys() if defaults else set())
    return [row.remark(remedy, f"{key} is missing") for key, remedy in REQUIRED.items() if key not in given]


def _duplicates(row: Row, values: dict[str, object], seen: dict[tuple[str, str], Row]) -> list[Problem]:
    problems = []
    for key, remedy in (("name", "Give it a name of its own."), ("url", "Keep one of the two.")):
        if key not in values:
            continue
        value = str(values[key])
        first = seen.setdefault((key, normal_url(value) if key == "url" else value), row)
        if first is not row:
            message = f"is already that of site {first.index} (line {first.lines.get(key, first.line)})"
            problems.append(row.problem(key, Complaint(message, remedy)))
    return problems


def _private(row: Row, values: dict[str, object]) -> list[Problem]:
    reason = private_reason(urlsplit(str(values["url"])).hostname or "") if "url" in values else None
    if reason is None:
        return []
    remedy = "Give a public site; for pages of your own, --allow-private lets it pass."
    return [row.problem("url", Complaint(f"is not public: {reason}", remedy))]


def _defaults_for(row: Row, defaults: dict[str, object]) -> dict[str, object]:
    """The defaults, without a screen where the site has one of its own: either key of it replaces both."""
    if row.values.keys() & {"viewport", "device"}:
        return {key: value for key, value in defaults.items() if key not in ("viewport", "device")}
    return defaults
