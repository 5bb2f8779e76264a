"""A store with many probes for the pages, each as the crawl draws them, with screenshots that can be cropped."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw
from sqlalchemy import insert, text

from bench.api.filling import OPEN_FOLDER, WORDS
from domain.geometry import Box
from domain.pixel_check import Check
from domain.probe import Probe, Provenance, probe_of
from domain.visit import Viewport
from store import tables
from store.blobs import Blobs, StoredBlob
from store.database import Database, open_database
from store.settings import StoreSettings

SCREENS, SITES = 40, 400
WIDTH, HEIGHT = 1280, 720
AT_ONCE = 5000
SEED = 735
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def filled(folder: Path, count: int, say: Callable[[str], None]) -> Database:
    """The database in the folder with so many probes; made anew where it has another number of them."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(OPEN_FOLDER)
    database = open_database(StoreSettings(data_dir=folder, database_url=None))
    with database.transaction() as connection:
        there = connection.scalar(text("select count(*) from probes"))
    if there == count:
        return database
    random = Random(SEED)  # noqa: S311
    blobs = Blobs(str(folder / "blobs"))
    shots = [blobs.put(_screen(random), "image/png") for _ in range(SCREENS)]
    with database.transaction() as connection:
        connection.execute(text("truncate probes, blobs cascade"))
        connection.execute(insert(tables.blobs), [_blob(shot) for shot in shots])
    rows = (_row(_probe(random, number, shots), number) for number in range(count))
    done = 0
    while some := list(islice(rows, AT_ONCE)):
        with database.transaction() as connection:
            connection.execute(insert(tables.probes), some)
        done += len(some)
        say(f"{done:,} probes")
    with database.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("vacuum analyze probes"))
    return database


def _screen(random: Random) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    for row in range(20):
        for column in range(6):
            draw.text((20 + 200 * column, 15 + 35 * row), " ".join(random.choices(WORDS, k=3)), fill=(20, 30, 60))
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _probe(random: Random, number: int, shots: list[StoredBlob]) -> Probe:
    kind = random.choices(("aria", "stale", "title", "state"), (40, 35, 15, 10))[0]
    site = f"site{int(SITES * random.random() ** 3):03}"
    gold, structural = (" ".join(random.choices(WORDS, k=random.randint(1, 5))) + f" {number}{end}" for end in ("", "0"))
    verdict = random.choices(("confirmed", "unreadable", "contradicted"), (90, 7, 3))[0]
    provenance = Provenance(
        site=site, url=f"https://{site}.example/{number % 50}", visit=f"{number:032x}", capture=f"{number:032x}-0",
        when=NOON + timedelta(minutes=number), browser="Chromium 156", driver="playwright",
        viewport=Viewport(width=WIDTH, height=HEIGHT), delay_ms=3000, rules="policy=tokens aria=3 title=2 stale=3 state=2",
        policy="tokens", check=Check(reader="reader-1", read=gold, confidence=0.97, verdict=verdict, reason="same"),
        element=f"{number:024x}", path=f"html > body > main > ul > li:nth-child({number}) > button",
        grade=random.choice(("disjoint", "overlap", "numeric")),
    )  # fmt: skip
    return probe_of(
        family="web-natural", kind=kind, platform="web", screenshot=random.choice(shots).digest, structure="d" * 64,
        region=Box(20 + 200 * random.randrange(6), 12 + 35 * random.randrange(20), 180, 18), variable="text", gold=gold,
        structural=structural, provenance=provenance,
    )  # fmt: skip


def _row(probe: Probe, number: int) -> dict[str, object]:
    where, seen = probe.live, NOON + timedelta(minutes=number)
    return {
        **{name: getattr(probe, name) for name in ("id", "identity", "family", "kind", "platform")},
        **{name: getattr(where, name) for name in ("site", "url", "element")},
        "first_seen": seen, "last_seen": seen, "record": probe.model_dump(),
    }  # fmt: skip


def _blob(blob: StoredBlob) -> dict[str, object]:
    return {name: getattr(blob, name) for name in ("digest", "media_type", "encoding", "size", "stored_size")}
