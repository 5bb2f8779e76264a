"""The numbers of an audit as one HTML file with everything in it: each disputed item as a crop beside gold and its labels.

What annotators wrote and pages show is strangers' text: it reaches the file through autoescaping alone, and the file's own
policy lets nothing be fetched or run.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from builder import audit_report
from channels.pictures import Picture, Screenshot
from channels.values import flat, visible
from domain.audit_report import AuditReport, Disputed
from domain.errors import BadInput, NotFound
from domain.geometry import Box


def write_page(report: AuditReport, blob: Callable[[str], bytes], place: Path) -> Path:
    """Writes the page; it appears whole, or not at all. blob: a picture by its digest; raises NotFound where it is gone.

    Memory holds one picture at a time. Raises BadInput where no file can be, Unavailable where the store fails.
    """
    place = place.expanduser().resolve()
    if place.exists() and not place.is_file():
        raise BadInput(f"{place} is no file that a report could replace. Name another: --html report.html")

    def crop(one: Disputed) -> Picture | None:
        return _crop(one, blob)

    half = place.with_name(f".{place.name[:80]}.{secrets.token_hex(4)}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with half.open("x", encoding="utf-8", errors="replace") as file:
                file.writelines(_page().generate(report=report, crop=crop, by_part=by_part))
            half.replace(place)
        finally:
            half.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"{place} cannot be written: {error.strerror or error}.") from error
    return place


def by_part(disputed: tuple[Disputed, ...]) -> list[tuple[str, list[Disputed]]]:
    """The disputed items by family and natural kind, in their order."""
    return [
        (name, list(some)) for name, some in groupby(disputed, key=lambda one: " ".join(filter(None, (one.family, one.kind))))
    ]


def _crop(one: Disputed, blob: Callable[[str], bytes]) -> Picture | None:
    """The region in a frame with the picture around it; None where the picture is gone or cannot be read."""
    try:
        region = one.region
        return Screenshot(blob(one.picture), 1).around(Box(region.x, region.y, region.width, region.height))
    except (NotFound, BadInput):
        return None


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("builder"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters.update(visible=visible, flat=flat, data=_data)
    made.globals.update(
        cells=audit_report,
        style=Markup(files("builder").joinpath("templates/audit_report.css").read_text("utf-8")),  # noqa: S704 - ours
    )
    return made


def _page() -> Template:
    return _environment().get_template("audit_report.html.j2")


def _data(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.content).decode()}"
