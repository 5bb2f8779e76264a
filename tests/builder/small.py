"""A small release for tests, cut by the functions that export uses, without a database: in full and as recipes."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from builder.assembled import Assembled, release_digest, screen_of
from builder.formats import FORMATS, form
from builder.rows import Made, Release, make_row
from builder.severity import compare, pair_of
from builder.sources import Usable, corpus
from builder.tally import Tally, funnel_of, manifest_of
from builder.write import publish, staging
from channels.structures import structure
from domain.families import desktop_graphic
from domain.geometry import Box
from domain.pixel_check import Check
from domain.probe import CorpusProvenance, Edit, FileRef, PictureSize, Probe, Provenance, probe_of
from domain.release import Blobs, ReleaseSpec
from domain.released import canonical
from domain.selection import candidate_of, select
from domain.visit import Viewport

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONFIRMED = Check(reader="test-1", read="Pay 12", confidence=0.9, verdict="confirmed", reason="same")
Content = tuple[Probe, bytes, bytes, str]
"""A probe, its picture's file, its structure, the structure's format."""


def picture(seed: int, size: tuple[int, int] = (320, 200), encoding: str = "PNG") -> bytes:
    """A picture with something on it that depends on the seed."""
    image = Image.new("RGB", size, (250, 250 - seed % 40, 245))
    draw = ImageDraw.Draw(image)
    for i in range(6):
        draw.rectangle((10 + 40 * i, 20 + (seed * 7 + i * 13) % 60, 40 + 40 * i, 90), fill=(30 * i, (seed * 31) % 255, 120))
    out = io.BytesIO()
    image.save(out, encoding)
    return out.getvalue()


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def live(kind: str, gold: str, structural: str, seed: int) -> Content:
    """A probe of the crawl at scale 2: its region is in CSS px."""
    shot, document = picture(seed, (640, 400)), f"<html><body><p id={seed}>{structural}</p></body></html>".encode()
    probe = probe_of(
        family="web-natural",
        kind=kind,
        platform="web",
        screenshot=sha(shot),
        structure=sha(document),
        region=Box(5.5, 10, 60, 30),
        variable="text",
        gold=gold,
        structural=structural,
        provenance=Provenance(
            site="shop",
            url="https://shop.example/cart",
            visit="0" * 32,
            capture=f"{'0' * 32}-{seed}",
            when=NOON,
            browser="Chromium 156.0",
            driver="playwright",
            viewport=Viewport(width=320, height=200, scale=2),
            delay_ms=3000,
            rules="policy=paper aria=1",
            policy="paper",
            check=CONFIRMED,
            element=f"{seed:024x}",
            path="html > body > p",
        ),
    )
    return probe, shot, document, "html"


def of_corpus(family: str, source: str, values: tuple[str, str], seed: int, given: Mapping[str, Any]) -> Content:
    """A probe of a corpus, without the corpus. values: gold, structural. given: structure, form, rule, node, variable, made."""
    gold, structural = values
    shot = picture(seed, encoding="JPEG")
    content = structure(given["form"]).normal(given["structure"])
    rule = given.get("rule")
    edit = Edit(rule=rule, version=1, node=given["node"], before=given.get("before", gold), after=structural) if rule else None
    probe = probe_of(
        family=family,
        kind=None,
        platform=given["platform"],
        screenshot=sha(shot),
        structure=sha(content),
        region=Box(10, 20, 100, 40),
        variable=given["variable"],
        gold=gold,
        structural=structural,
        edit=edit,
        provenance=CorpusProvenance(
            source=source,
            made=given.get("made", False),
            item=f"item-{seed}",
            site=f"site-{seed}",
            files=(FileRef(name=f"{seed}.jpg", size=len(shot), sha256=sha(shot)),),
            picture=PictureSize(width=320, height=200),
            element=f"{seed:024x}",
            node=given["node"],
            seed=735,
            rules=f"{family}/1",
        ),
    )
    return probe, shot, content, given["form"]


def web_text(seed: int) -> Content:
    """Shipped in full, with an edit."""
    html = f'<html><div backend_node_id="{seed}"><text backend_node_id="{seed + 1}">Sign in</text></div></html>'
    given = {
        "structure": html.encode(),
        "form": "html",
        "rule": "swap-text",
        "node": f"{seed + 1}",
        "variable": "text",
        "platform": "web",
    }
    return of_corpus("web-text", "mind2web", ("Sign in", "Log out"), seed, given)


def screenspot(folder: Path, count: int = 3) -> Path:
    """A ScreenSpot-Pro folder of one's own, not marked as made: what is drawn of it is released as a recipe."""
    rows = []
    (folder / "images" / "app").mkdir(parents=True)
    (folder / "annotations").mkdir()
    for i in range(count):
        (folder / "images" / "app" / f"{i}.png").write_bytes(picture(100 + i, (1200, 900)))
        rows.append(
            {
                "id": f"app_linux_{i}",
                "img_filename": f"app/{i}.png",
                "bbox": [10, 20, 90, 95],
                "img_size": [1200, 900],
                "ui_type": "icon" if i % 2 else "text",
                "application": "app",
                "platform": "linux",
                "instruction": "do",
            }
        )
    (folder / "annotations" / "app_linux.json").write_text(json.dumps(rows))
    return folder


class Inked:
    """A look that finds ink everywhere."""

    def ink(self, box: Box) -> float | None:
        return 0.5 if box.area else None

    def check(self, box: Box, gold: str, structural: str) -> Check:
        return Check(reader="test-1", read=gold, confidence=box.area and 0.9, verdict="confirmed", reason=structural and "same")


def desktop(folder: Path) -> Iterator[Content]:
    """What desktop-graphic draws of a ScreenSpot-Pro folder."""
    module = corpus("screenspot_pro")
    for read in module.read(module.find(folder, base=None)):
        assert isinstance(read, Usable), read
        for probe in desktop_graphic.draw(read.screen, Inked(), seed=735).probes:
            yield probe, read.picture, read.structure, read.screen.format


def contents(screenspot_folder: Path) -> list[Content]:
    """Eight probes of three families."""
    return [
        live("aria", "Pay 12", "Pay 10", 1),
        live("stale", "14:03:31", "14:03:27", 2),
        live("title", "Caf\u00e9 \u2603", "Menu | \u201call\u201d", 3),
        web_text(40),
        web_text(50),
        *desktop(screenspot_folder),
    ]


def cut(place: Path, given: list[Content], *, name: str = "v1", quotas: Mapping[str, int] | None = None) -> Path:
    """Writes the release of exactly these probes. quotas: by family, where the spec is to ask for other numbers."""
    families: dict[str, int] = {}
    for probe, *_ in given:
        families[probe.family] = families.get(probe.family, 0) + 1
    asked = {family: {"count": count} for family, count in {**families, **(quotas or {})}.items()}
    spec = ReleaseSpec.model_validate({"name": name, "title": "A small release", "seed": 735, "families": asked})
    selection = select(spec, [candidate_of(probe) for probe, *_ in given])
    terms: dict[str, Any] = {"live": "full", "mind2web": "full", "screenspot_pro": "recipe", "clay": "recipe"}
    release = Release(name, selection.partial, terms)
    tally = Tally()
    with staging(place) as staged:
        for probe, shot, content, format_ in given:
            made_row: Made = make_row(release, probe, content, format_)
            row, full = made_row.row, made_row.row.redistribution == "full"
            assert screen_of(row)
            staged.add_blob(row.screenshot, shot, full=full)
            for condition, said in made_row.structures.items():
                staged.add_blob(row.channels[condition].structure, said, full=full, form=format_)
            staged.add_row(row.id, canonical(row))
            tally.add(row)
        rows = staged.write_rows()
        manifest = manifest_of(
            spec,
            selection,
            tally,
            digest=release_digest(staged.folder / rows.name, staged.full),
            rows=rows,
            blobs=Blobs(count=len(staged.full), bytes=sum(staged.full.values())),
            funnel=funnel_of(selection, {}, {}),
        )
        report = None
        if {"web-text", "web-natural"} & families.keys():
            pairs = ([pair_of(p) for p, *_ in given if p.family == family] for family in ("web-text", "web-natural"))
            report = compare(*pairs).model_dump(mode="json")
        whole = Assembled(manifest, staged.folder, report)
        for one in FORMATS:
            form(one).write(whole, staged.folder)
        publish(staged, place)
    return place
