"""Opening an audit of screens of 6016x3384: the most memory that `builder audit open` has, by how many items there are."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from sqlalchemy import text

from bench.builder import ingesting
from store.blobs import Blobs
from store.database import open_database
from store.settings import StoreSettings

SIZE = (6016, 3384)
"""Image px: the largest of ScreenSpot-Pro."""
SCREENS = 4
PHOTOGRAPH = 6
"""One part of so many is noise, which cannot be packed: a PNG has about 10 MB, as that of a screen with photographs has."""
MB = 1e6
_LARGE = text("""
update release_probes r set record = record || jsonb_build_object('view', null, 'screenshot', (cast(:digests as text[]))[n.n])
from (select probe_id, (row_number() over (order by probe_id)) % :screens + 1 as n from release_probes) n
where n.probe_id = r.probe_id
""")


def measured(folder: Path, counts: list[int]) -> list[dict[str, Any]]:
    """A row for each number of items: seconds, peak in MB. All items show a whole screen: the worst there is."""
    from tests.corpora import screenspot_pro  # noqa: PLC0415 - draws with a browser

    screenspot_pro.make(folder / "corpus", 3 * max(counts), defects=False)
    found = []
    for count in counts:
        data, spec = folder / f"data-{count}", folder / f"large-{count}.toml"
        spec.write_text(f'name = "large"\ntitle = "A measurement"\nseed = 1\n[families.desktop-graphic]\ncount = {count}\n')
        ingesting.builder(data, "ingest", "screenspot_pro", folder / "corpus", "--workers", 1)
        ingesting.builder(data, "export", "--release", spec, "--to", folder / f"release-{count}", "--allow-partial")
        _enlarge(data)
        for workers in (1, 2):
            run = ingesting.builder(data, "audit", "open", f"a{workers}", "--release", "large", "--workers", workers)
            found.append(
                {"what": f"builder audit open, workers {workers}", "items": run.said["audit"]["items"],
                 "seconds": run.seconds, "peak MB": run.bytes / MB}
            )  # fmt: skip
    return found


def _enlarge(data: Path) -> None:
    """The rows of the release are of large screens, by SQL: this store is nobody's, and only its pictures are looked at."""
    settings = StoreSettings(data_dir=data, database_url=None)
    chance = np.random.default_rng(1)
    blobs = Blobs(settings.blobs)
    digests = [blobs.put(_screen(chance), "image/png").digest for _ in range(SCREENS)]
    with open_database(settings, schema=False) as database, database.transaction() as connection:
        connection.execute(_LARGE, {"digests": digests, "screens": SCREENS})


def _screen(chance: np.random.Generator) -> bytes:
    width, height = SIZE
    pixels = np.full((height, width, 3), 240, np.uint8)
    pixels[: height // PHOTOGRAPH] = chance.integers(0, 256, (height // PHOTOGRAPH, width, 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", compress_level=1)
    return out.getvalue()
