"""An audit over a small release, opened in the store: pages with a text or a checkbox each, whose structure says another."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw, PngImagePlugin
from sqlalchemy import insert, text

from builder.rows import Release, make_row
from channels.audit_pictures import bare
from channels.pixels import open_png
from domain.audit import Label, Region
from domain.geometry import Box
from domain.probe import Provenance, probe_of
from domain.released import ReleasedProbe
from domain.visit import Viewport
from store import annotators, tables
from store.audit_opening import NewItem, open_audit
from store.audit_results import judged
from store.blobs import Blobs
from store.database import Database
from tests.builder.small import CONFIRMED, NOON, sha
from tests.store.audit_rows import hashes

NAME = "second-look"
SITE = "crumbsite"
SIZE = (640, 400)
BOX = Box(40, 60, 150, 24)
"""Of each region, CSS px at scale 2."""


@dataclass(frozen=True)
class Audited:
    """What was opened, by item. None of it is to reach an annotator, the picture's pixels aside."""

    database: Database
    blobs: Blobs
    rows: dict[str, ReleasedProbe]
    shots: dict[str, bytes]
    pictures: dict[str, str]
    """Digests of what is shown."""
    tokens: dict[str, str]

    def header(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {name}:{self.tokens[name]}"}

    def right(self, item: str) -> Label:
        """What the pixels show."""
        return Label(answer="value", value=self.rows[item].gold)

    def secrets(self, item: str, *, typed: bool) -> list[str]:
        """What must never be told of it. typed: the annotator wrote gold, who may be told what they wrote."""
        row = self.rows[item]
        where = row.live
        digests = {row.screenshot, row.structure, *(one.pixels for one in row.channels.values())}
        digests |= {one.structure for one in row.channels.values()} | {self.pictures[item]}
        told = [row.id, row.identity, where.url, where.path, where.visit, where.capture, where.element, SITE, self.blobs.url]
        told += [row.family, str(row.kind), row.release, *row.splits, *(part for one in digests for part in written(one))]
        told += [part for one in hashes(row.id, f"{NAME}{row.id}") for part in written(one.hex())]
        if row.variable == "text":  # else gold and structural are among the choices that all such items have
            told += [row.structural] if typed else [row.structural, row.gold]
        return told


def written(digest: str) -> tuple[str, ...]:
    """A digest as it may stand in a tag or an address: whole, cut short, in base64."""
    plain = bytes.fromhex(digest)
    return digest, digest[:12], base64.b64encode(plain).decode()[:20], base64.urlsafe_b64encode(plain).decode()[:20]


def audited(database: Database, blobs: Blobs, count: int, *names: str, checkboxes: bool = False) -> Audited:
    """Empties the database, and opens an audit of so many items for annotators of these names."""
    everything = ", ".join(table.name for table in tables.metadata.sorted_tables)
    rows, shots, pictures = [], {}, []
    for n in range(count):
        row, shot = _page(n, checkbox=checkboxes and n % 4 == 3)
        rows.append(row)
        shots[row.id] = shot
        picture, size = bare(open_png(shot), row.view, row.screenshot)
        region = Region(x=BOX.x * 2, y=BOX.y * 2, width=BOX.width * 2, height=BOX.height * 2)
        pictures.append(NewItem(row.id, row.variable, picture, size, region))
    with database.transaction() as connection:
        connection.execute(text(f"truncate {everything}"))
        about: dict[str, Any] = {"name": rows[0].release, "digest": "0" * 64, "spec": {}, "manifest": {}, "frozen_at": NOON}
        connection.execute(insert(tables.releases).values(about))
        stored = [{"release": row.release, "probe_id": row.id, "record": row.model_dump(mode="json")} for row in rows]
        connection.execute(insert(tables.release_probes), stored)
    open_audit(
        database, NAME, seed=7, release=rows[0].release, items=pictures, put=lambda content: blobs.put(content, "image/png")
    )
    opened = {row.probe: row for row in judged(database, NAME)}
    items = {probe: row.item for probe, row in opened.items()}
    return Audited(
        database,
        blobs,
        {items[row.id]: row for row in rows},
        {items[name]: shot for name, shot in shots.items()},
        {row.item: row.picture for row in opened.values()},
        {name: annotators.add(database, name, "human") for name in names},
    )


def _page(n: int, *, checkbox: bool) -> tuple[ReleasedProbe, bytes]:
    """A row of a release and its screenshot, which says in its metadata what nobody may see."""
    gold, structural = ("checked", "unchecked") if checkbox else (f"Pay {1000 + n} now", f"Owed {7000 + n}")
    document = f"<html><body><p id=e{n}>{structural}</p></body></html>".encode()
    shot = _shot(n, gold, structural, checkbox=checkbox)
    probe = probe_of(
        family="web-natural",
        kind="state" if checkbox else "stale",
        platform="web",
        screenshot=sha(shot),
        structure=sha(document),
        region=BOX,
        variable="checked" if checkbox else "text",
        gold=gold,
        structural=structural,
        provenance=Provenance(
            site=SITE,
            url=f"https://{SITE}.example/basket/{n}",
            visit=f"{n:032x}",
            capture=f"{n:032x}-0",
            when=NOON,
            browser="Chromium 156.0",
            driver="playwright",
            viewport=Viewport(width=SIZE[0] // 2, height=SIZE[1] // 2, scale=2),
            delay_ms=3000,
            rules="policy=paper aria=1",
            policy="paper",
            check=CONFIRMED,
            element=f"{n:x}".rjust(24, "e"),
            path=f"html > body > p#e{n}",
        ),
    )
    return make_row(Release("frozen-set", False, {"live": "full"}), probe, document, "html").row, shot


def _shot(n: int, gold: str, structural: str, *, checkbox: bool) -> bytes:
    image = Image.new("RGB", SIZE, (247, 247, 250 - n % 9))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE[0], 44), fill=(40, 60 + n % 90, 120))
    if checkbox:
        draw.rectangle((92, 132, 116, 156), outline=(20, 20, 20), width=3)
        draw.line((96, 144, 102, 151, 113, 136), fill=(20, 20, 20), width=4)
    else:
        draw.text((92, 130), gold, fill=(20, 20, 20), font_size=24)
    draw.text((92, 220), f"Order {n} of many", fill=(110, 110, 110), font_size=16)
    said = PngImagePlugin.PngInfo()
    said.add_text("structure", structural)
    out = io.BytesIO()
    image.save(out, "PNG", pnginfo=said)
    return out.getvalue()
