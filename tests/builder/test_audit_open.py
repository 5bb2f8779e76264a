"""An audit is opened over a frozen release: what annotators get is pixels and no more; what they cannot get is told."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin
from sqlalchemy import select

from builder.audit_open import Wanted, begin_audit
from builder.audit_screens import Row, region_on
from channels.audit_pictures import bare, close_up, marked
from channels.pixels import open_png
from domain.audit import Region
from domain.errors import BadInput, NotFound, Refused
from domain.geometry import Box
from domain.probe import View
from store import annotators, tables
from store.annotators import Annotator
from store.audit_desk import next_items
from store.audit_results import judged
from store.blobs import Blobs
from store.database import Database
from store.releases import released_probes
from tests.builder.small import sha
from tests.builder.test_export import Ingest, cut, ingest, live_probe, png, spec

__all__ = ["ingest"]


def blob_file(blobs: Blobs, digest: str) -> Path:
    assert blobs.folder
    [found] = blobs.folder.glob(f"sha256/{digest[:2]}/{digest[2:]}*")
    return found


def test_items_show_the_pixels_of_their_rows_and_nothing_else(
    database: Database,
    blobs: Blobs,
    ingest: Ingest,
    tmp_path: Path,
):
    """A picture of its own for each row: no frame, no metadata, another digest; the region in px of it, worked out by hand."""
    ingest(4)
    live_probe(database, blobs, 0)
    cut(database, blobs, spec(natural=1), tmp_path / "out")
    told = []
    opened = begin_audit(database, blobs, Wanted("a", "t1", seed=5), told=lambda *said: told.append(said))
    assert (opened.status.items, opened.rows, opened.not_shown, told[-1]) == (5, 5, (), ("making pictures", 5, 5))
    rows = {row.id: row for row in released_probes(database, "t1")}
    for one in judged(database, "a"):
        row, content = rows[one.probe], blobs.get(one.picture)
        assert one.picture not in {blob for other in rows.values() for blob in (other.screenshot, other.structure)}
        assert one.probe not in one.item
        with Image.open(io.BytesIO(content)) as file:
            assert (file.format, file.info) == ("PNG", {})
            shown = file.convert("RGB")
        whole = open_png(blobs.get(row.screenshot))
        if row.family == "web-natural":  # 400x300 CSS px at scale 2; the region is 20,20 and 100x12.5 of these
            assert one.region == Region(x=40, y=40, width=200, height=25)
            assert shown.tobytes() == whole.tobytes()
        else:
            view = row.view
            assert view
            assert view.mark
            assert shown.tobytes() == whole.crop((view.x, view.y, view.x + view.width, view.y + view.height)).tobytes()
            assert one.region == Region(x=row.region.x - view.x, y=row.region.y - view.y, width=40, height=24)


def test_no_family_is_told_by_the_form_of_its_numbers(database: Database, blobs: Blobs, ingest: Ingest, tmp_path: Path):
    """Boxes of pages have fractions, those of corpora none: what is stored and handed out has whole px of both, all that the
    region touches.
    """
    ingest(1)
    live_probe(database, blobs, 0, region=Box(20.25, 20.13, 41.36, 12.6))
    cut(database, blobs, spec(desktop=1, natural=1), tmp_path / "out")
    begin_audit(database, blobs, Wanted("a", "t1"))
    of = {one.item: one for one in judged(database, "a")}
    # In image px: 40.5 to 123.22, 40.26 to 65.46.
    assert Region(x=40, y=40, width=84, height=26) in [one.region for one in of.values() if one.family == "web-natural"]
    ann = Annotator(name="ann", kind="human")
    annotators.add(database, "ann", "human")
    handed = next_items(database, "a", ann, count=2)
    with database.transaction() as connection:
        stored = list(connection.scalars(select(tables.audit_items.c.record)))
    assert {of[one.item].family for one in handed} == {"web-natural", "desktop-graphic"}
    for told in [*stored, *(json.loads(one.model_dump_json()) for one in handed)]:
        assert {type(number) for number in told["region"].values()} == {int}


@pytest.mark.parametrize(
    ("box", "scale", "view", "shown"),
    [
        ((412.3, 96.0, 41.36, 16.0), 2, None, (824, 192, 84, 32)),  # 824.6 to 907.32
        ((20.1, 0.3, 0.2, 0.1), 10, None, (201, 3, 2, 1)),  # whole, but for binary noise: 0.3 + 0.1 is more than 0.4
        ((-3.4, -1, 10, 2), 1, None, (0, 0, 7, 1)),  # to 6.6
        ((311.7, 190.2, 40, 40), 3, None, (935, 570, 25, 30)),  # cut at the picture's edges: 960 x 600
        ((110.5, 60, 8, 8), 1, (100, 50, 15, 200), (10, 10, 5, 8)),  # of a window: 10.5 to 18.5
        ((50, 60, 8, 8), 1, (100, 50, 15, 200), None),
        ((320 - 1e-9, 0, 10, 10), 3, None, None),  # only by noise
    ],
)
def test_a_region_is_the_pixels_that_it_touches(
    box: tuple[float, ...], scale: float, view: tuple[int, ...] | None, shown: tuple[int, ...] | None
):
    """Worked out by hand: widened to whole px, kept inside of what is shown."""
    seen = View(x=view[0], y=view[1], width=view[2], height=view[3], mark=False) if view else None
    row = Row("p", "web-natural", "text", "live", "s", "0" * 64, scale, seen, Box(*box))
    region = region_on(row, (view[2], view[3]) if view else (960, 600))
    assert (region and (region.x, region.y, region.width, region.height)) == shown


def test_what_cannot_be_shown_is_listed_and_counted(
    database: Database,
    blobs: Blobs,
    ingest: Ingest,
    tmp_path: Path,
):
    """Pictures that the store has lost are read from the corpus; one is another there now, one is gone: each is told."""
    folder = ingest(5)
    live_probe(database, blobs, 0)
    cut(database, blobs, spec(desktop=5, natural=1), tmp_path / "out")
    rows = {row.provenance.screen: row for row in released_probes(database, "t1")}
    for item, row in rows.items():
        if item != "app_linux_0":
            blob_file(blobs, row.screenshot).unlink()
    (folder / "images" / "app" / "1.png").write_bytes(png((21, 30, 61, 54), ground=90))
    (folder / "images" / "app" / "2.png").unlink()
    opened = begin_audit(database, blobs, Wanted("a", "t1"), workers=3)
    live = next(item for item in rows if not item.startswith("app"))
    assert {one.probe: one.reason for one in opened.not_shown} == {
        rows["app_linux_1"].id: "other-picture",
        rows["app_linux_2"].id: "no-picture",
        rows[live].id: "no-picture",
    }
    assert {row.probe for row in judged(database, "a")} == {rows[f"app_linux_{n}"].id for n in (0, 3, 4)}
    assert (opened.status.items, opened.rows) == (3, 6)
    shutil.rmtree(folder)
    for digest in (rows[f"app_linux_{n}"].screenshot for n in (0,)):
        blob_file(blobs, digest).unlink()
    with pytest.raises((BadInput, NotFound)):
        begin_audit(database, blobs, Wanted("b", "t1"))
    with pytest.raises(NotFound):
        list(judged(database, "b"))


def test_an_audit_has_one_name_and_only_families_that_are_there(
    database: Database,
    blobs: Blobs,
    ingest: Ingest,
    tmp_path: Path,
):
    """Families choose rows; one that the release has not is refused, and so is a name that is taken."""
    ingest(3)
    live_probe(database, blobs, 0)
    cut(database, blobs, spec(desktop=3, natural=1), tmp_path / "out")
    assert begin_audit(database, blobs, Wanted("a", "t1", ("web-natural",))).status.items == 1
    some = [begin_audit(database, blobs, Wanted(name, "t1", seed=4, most=2)).status.name for name in ("two", "too")]
    drawn = [{one.probe for one in judged(database, name)} for name in some]
    assert drawn[0] == drawn[1], "one seed draws the same"
    assert len(drawn[0]) == 2
    with pytest.raises(BadInput, match=r"has no web-text. It has: desktop-graphic, web-natural"):
        begin_audit(database, blobs, Wanted("b", "t1", ("web-text",)))
    with pytest.raises(Refused, match="already"):
        begin_audit(database, blobs, Wanted("a", "t1"))
    with pytest.raises(NotFound, match="Known releases: t1"):
        begin_audit(database, blobs, Wanted("b", "v9"))


def test_the_bytes_are_never_those_of_the_screenshot():
    """Also of a screenshot that the same program wrote at the same level; what its file says beside the pixels is gone."""
    image = Image.new("RGB", (40, 30), (1, 2, 3))
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    plain = out.getvalue()
    written, size = bare(open_png(plain), None, "0" * 64)
    assert written == plain  # so the next line shows something
    again, _ = bare(open_png(plain), None, sha(plain))
    assert again != plain
    assert open_png(again).tobytes() == image.tobytes()
    assert size == (40, 30)
    about = PngImagePlugin.PngInfo()
    about.add_text("gold", "Pay 12")
    out = io.BytesIO()
    image.save(out, "PNG", pnginfo=about, dpi=(72, 72), icc_profile=b"profile")
    said = Image.open(io.BytesIO(out.getvalue()))
    assert said.info["gold"] == "Pay 12"
    cleaned, _ = bare(said, None, sha(out.getvalue()))
    assert Image.open(io.BytesIO(cleaned)).info == {}


def test_a_frame_is_drawn_outside_of_the_region_and_an_enlargement_shows_it():
    """The region's own pixels stay; a view's own frame is not drawn for annotators."""
    out = io.BytesIO()
    Image.effect_noise((200, 120), 90).convert("RGB").save(out, "PNG")
    region = Region(x=60, y=40, width=50, height=20)
    framed = open_png(marked(out.getvalue(), region))
    before = open_png(out.getvalue())
    inside = (60, 40, 110, 60)
    assert framed.crop(inside).tobytes() == before.crop(inside).tobytes()
    assert framed.getpixel((60 - 4, 50)) == (220, 38, 38)
    assert open_png(close_up(out.getvalue(), region)).size == ((50 + 16) * 4, (20 + 16) * 4)
    shown, size = bare(before, View(x=50, y=30, width=80, height=60, mark=True), "0" * 64)
    assert size == (80, 60)
    assert open_png(shown).tobytes() == before.crop((50, 30, 130, 90)).tobytes()
