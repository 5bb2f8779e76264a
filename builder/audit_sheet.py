"""A sheet: a folder that asks an audit's items of one annotator in any browser, without a server. docs/audit-offline.md.

It is made of what the desk would hand out, and nothing else: items, and their pictures under the items' own numbers.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined

from builder.audit_answers import Sheet, SheetItem
from domain.audit import LONGEST, AuditItem
from domain.audit_guide import KEYS, MEANS, given
from domain.errors import NotFound, Refused
from store.annotators import Annotator
from store.audit_desk import next_items, picture_of
from store.audit_numbers import numbered
from store.blobs import Blobs
from store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE, ITEMS, PICTURES = "index.html", "items.json", "pictures"
MOST = 100_000
"""Items of one sheet."""
Told = Callable[[str, int, int], None]
Picture = Callable[[str], bytes]
"""An item's picture, by the item."""


def take_items(
    database: Database, audit: str, annotator: Annotator, *, days: float, most: int = MOST
) -> tuple[tuple[AuditItem, ...], datetime]:
    """So many items, leased to this annotator for so long, and until when (UTC); first those that the annotator has already.

    Under numbers that are this annotator's alone. Raises NotFound, Refused as the desk does, NotFound where nothing is left for
    them, and Refused for a model: nobody could tell which one answers.
    """
    if annotator.kind != "human":
        raise Refused(f"{annotator.name} is a model, and sheets and projects are for people: builder audit model asks it here.")
    lease = timedelta(days=days)
    until = datetime.now(UTC) + lease
    items = tuple(next_items(database, audit, annotator, count=most, lease_s=lease.total_seconds()))
    if not items:
        raise NotFound(f"Nothing of audit {audit} is left for {annotator.name}. How far it is: builder audit status {audit}")
    called = {item: number for number, item in numbered(database, audit, annotator).items()}
    return tuple(one.model_copy(update={"item": called[one.item]}) for one in items), until


def pictures_of(database: Database, blobs: Blobs, audit: str, annotator: Annotator) -> Picture:
    """Reads the pictures of items that this annotator was given, by the annotator's numbers of them."""
    items = numbered(database, audit, annotator)
    return lambda number: blobs.get(picture_of(database, audit, annotator, items[number]))


def write_sheet(sheet: Sheet, picture: Picture, folder: Path, told: Told = lambda *_: None) -> None:
    """Writes the folder, whole or not at all. Raises Refused where there is something already."""
    with new_folder(folder) as making:
        write_pictures(((one.item, one.picture) for one in sheet.items), len(sheet.items), picture, making, told)
        (making / ITEMS).write_bytes(_json(sheet) + b"\n")
        (making / PAGE).write_text(page_of(sheet), encoding="utf-8", newline="\n")


def sheet_of(audit: str, annotator: str, until: datetime, items: Iterable[AuditItem]) -> Sheet:
    """The sheet of these items."""
    listed = tuple(SheetItem(**one.model_dump(), picture=f"{PICTURES}/{one.item}.png") for one in items)
    return Sheet(audit=audit, annotator=annotator, until=until.replace(microsecond=0), items=listed)


def page_of(sheet: Sheet) -> str:
    """index.html: the items are in it, since a page from a file may read no other file."""
    made = Environment(loader=PackageLoader("builder"), autoescape=False, undefined=StrictUndefined)  # noqa: S701 - see below
    asked, told = _json(sheet).decode(), orjson.dumps(given()).decode()
    for character in "<>&\u2028\u2029":  # so that no text in it can end the script that it stands in
        asked, told = (text.replace(character, f"\\u{ord(character):04x}") for text in (asked, told))
    values = {"asked": asked, "told": told, "keys": KEYS, "means": MEANS, "longest": LONGEST}
    styles, scripts = (_texts(f"audit_picture.{end}", f"audit_sheet.{end}") for end in ("css", "js"))
    scripts = _texts("audit_answering.js") + scripts
    return made.get_template("audit_sheet.html.j2").render(values, styles=styles, scripts=scripts)


def _texts(*names: str) -> list[str]:
    """What the desk has too is in channels/showing, the rest beside the template."""
    folders = (files("channels").joinpath("showing"), files("builder").joinpath("templates"))
    return [folder.joinpath(name).read_text("utf-8") for name in names for folder in folders if folder.joinpath(name).is_file()]


def write_pictures(
    named: Iterable[tuple[str, str]], total: int, picture: Picture, folder: Path, told: Told = lambda *_: None
) -> None:
    """Item and file name of each: the files are in the folder."""
    (folder / PICTURES).mkdir(exist_ok=True)
    for number, (item, name) in enumerate(named):
        told("writing pictures", number, total)
        (folder / name).write_bytes(picture(item))


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which appears at its place when all is written. Raises Refused where something is there."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} is there already. Give another folder with --to, or remove it.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = folder.with_name(f".{folder.name}.writing")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    try:
        yield making
        if folder.exists():
            folder.rmdir()
        making.rename(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _json(sheet: Sheet) -> bytes:
    return orjson.dumps(sheet.model_dump(mode="json"))
