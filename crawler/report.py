"""report: one HTML file to look at, with everything in it: each divergence beside the place on the screenshot it was found at.

Page text is strangers' text: it reaches the file through autoescaping alone, and the file's own policy lets nothing be fetched.
"""

from __future__ import annotations

import base64
import secrets
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pydantic import Field

from channels.pictures import Picture
from channels.values import flat, visible
from crawler.filing import Archive
from crawler.report_cards import captures_of
from domain.divergences import KINDS
from domain.errors import BadInput, Unavailable
from domain.record import Record
from domain.visit import Moment
from store.captures import SiteSummary, divergences, summary
from store.divergences import Checked

_VERDICTS: dict[str, Literal["flagged", "review"]] = {"flagged": "flagged", "review": "review"}  # those that have rows
_PIECE = 1 << 20  # characters copied at a time


class ReportSummary(Record):
    """What a report holds."""

    path: Path = Field(description="the file, absolute")
    divergences: int = Field(description="cards in it")
    by_kind: dict[str, int] = Field(description="kind -> cards")
    elements: int = Field(description="elements these were found at, each over all its visits")
    sites: int = Field(description="sites these were found on")
    visits: int = Field(description="visits these were found in")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for."""

    site: str | None
    kind: str | None
    verdict: Literal["flagged", "review"]
    check: Checked | None
    since: datetime | None
    limit: int


@dataclass(slots=True)
class _Counted:
    """What went into the body."""

    kinds: Counter[str]
    sites: Counter[str]
    visits: set[str]
    elements: set[str]
    own: int = 0
    """Cards of pages of this machine."""


def write_report(
    archive: Archive,
    output: Path,
    *,
    site: str | None = None,
    kind: str | None = None,
    verdict: str = "flagged",
    check: Checked | None = None,
    since: datetime | None = None,
    limit: int = 500,
) -> ReportSummary:
    """The newest divergences that match everything given, at most `limit`, in one file. It appears whole, or not at all.

    verdict: flagged or review, the two that are stored. check: only what the pixel check said, or "unchecked".
    A screenshot that is missing or damaged is said on its cards.
    Memory holds one capture at a time. Raises BadInput on a kind or verdict that does not exist and on a place where no
    file can be, Unavailable where store or disk fail.
    """
    if kind is not None and kind not in KINDS:
        raise BadInput(f"No kind {kind!r}. Known kinds: {', '.join(KINDS)}.")
    if verdict not in _VERDICTS:
        raise BadInput(f"No verdict {verdict!r} in the store. Known verdicts: {', '.join(_VERDICTS)}.")
    output = output.expanduser().resolve()
    if output.exists() and not output.is_file():
        raise BadInput(f"{output} is no file that a report could replace. Name another: --output report.html")
    asked = Asked(site, kind, _VERDICTS[verdict], check, since, limit)
    part = output.with_name(f".{output.name[:80]}.{secrets.token_hex(4)}.part")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        try:
            # The head tells what is in the body, so the body is made first.
            with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace", dir=output.parent) as body:
                counted = _write_body(archive, asked, body)
                body.seek(0)
                with part.open("x", encoding="utf-8", errors="replace") as file:
                    file.writelines(_page(archive, asked, counted, body))
            part.replace(output)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise Unavailable(f"The report cannot be written to {output}: {error.strerror or error}.") from error
    return ReportSummary(
        path=output,
        divergences=counted.kinds.total(),
        by_kind=dict(sorted(counted.kinds.items())),
        elements=len(counted.elements),
        sites=len(counted.sites),
        visits=len(counted.visits),
    )


def _write_body(archive: Archive, asked: Asked, body: IO[str]) -> _Counted:
    counted = _Counted(Counter(), Counter(), set(), set())
    template = _environment().get_template("capture.html.j2")
    found = divergences(
        archive.database,
        site=asked.site,
        kind=asked.kind,
        verdict=asked.verdict,
        check=asked.check,
        since=asked.since,
        limit=asked.limit,
    )
    for shown in captures_of(archive, found):
        body.writelines(template.generate(shown=shown))
        counted.kinds.update(card.finding.kind for card in shown.cards)
        counted.sites[shown.visit.site] += len(shown.cards)
        counted.own += len(shown.cards) if shown.made else 0
        counted.visits.add(shown.visit.id)
        counted.elements.update(card.element for card in shown.cards)
    return counted


def _page(archive: Archive, asked: Asked, counted: _Counted, body: IO[str]) -> Iterator[str]:
    """The whole document, piece by piece."""
    sites = [s for s in summary(archive.database, since=asked.since) if asked.site in {None, s.site}]
    yield from (
        _environment()
        .get_template("report.html.j2")
        .generate(
            asked=asked,
            made=datetime.now(UTC),
            kinds=KINDS,
            by_kind=counted.kinds,
            elements=len(counted.elements),
            own=counted.own,
            by_site=dict(sorted(counted.sites.items())),
            sites=sorted(sites, key=lambda s: (-s.flagged, -s.review, s.site)),
            flagged=_flagged(archive, asked, sites),
            visits=sum(s.visits for s in sites),
            outcomes=sum((Counter(s.outcomes) for s in sites), Counter[str]()),
            body=_pieces(body),
        )
    )


def _flagged(archive: Archive, asked: Asked, sites: list[SiteSummary]) -> dict[str, Counter[str]]:
    """site -> kind -> how many are flagged, whatever the report itself is limited to."""
    by_site: dict[str, Counter[str]] = {s.site: Counter() for s in sites}
    for divergence in divergences(archive.database, site=asked.site, verdict="flagged", since=asked.since):
        by_site.setdefault(divergence.site, Counter())[divergence.finding.kind] += 1
    return by_site


def _pieces(body: IO[str]) -> Iterator[Markup]:
    """What our own template has written, as it is."""
    while piece := body.read(_PIECE):
        yield Markup(piece)  # noqa: S704 - escaped when it was rendered


def _data(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.content).decode()}"


def _clock(moment: Moment | None) -> str:
    return f"{moment.wall.astimezone(UTC):%H:%M:%S.%f}"[:-3] if moment else "not recorded"


def _ours(name: str) -> Markup:
    """A style or script of ours, to stand in the page as it is."""
    return Markup(files("crawler").joinpath("templates", name).read_text("utf-8"))  # noqa: S704 - no text of a page in it


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("crawler"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"visible": visible, "flat": flat, "data": _data, "clock": _clock}
    environment.globals["ours"] = _ours
    return environment
