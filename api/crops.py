"""Crops: the region of a probe or a divergence cut out of its screenshot, made when asked for and kept for a while."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from api.kept import Kept
from channels.pictures import Picture
from channels.places import Place
from domain.errors import BadInput, NotFound
from domain.geometry import Box
from domain.probe import CorpusProvenance, Probe, View
from domain.visit import CaptureRecord, Visit
from store.blob_contents import Damaged, whole
from store.blobs import Blobs
from store.captures import find_blob
from store.database import Database
from store.divergences import StoredDivergence

DRAWING = 1
"""Version of how crops are drawn: goes into their ETag."""
DECODED_BYTES = 100_000_000
"""Of decoded screenshots in a process: thirty of 1280 x 720."""
CROPS_BYTES = 32_000_000
FURTHEST = 2000
"""px of page around a region at most."""
_decoded: Kept[Place] = Kept(DECODED_BYTES, lambda place: place.weight)
_crops: Kept[Picture] = Kept(CROPS_BYTES, lambda picture: len(picture.content))


@dataclass(frozen=True, slots=True)
class Crop:
    """What is to be seen: of which picture, which region, in which unit (scale: image px per px of the region)."""

    screenshot: str
    region: Box
    scale: float
    view: View | None
    around: float | None
    remedy: str
    """Where a picture is to be had that this store does not keep."""

    @property
    def tag(self) -> str:
        """A strong ETag: everything that the picture is made of."""
        seen = (DRAWING, self.screenshot, self.region, self.scale, self.view, self.around)
        return f'"{hashlib.blake2b(repr(seen).encode(), digest_size=16).hexdigest()}"'


def of_probe(probe: Probe, around: float | None) -> Crop:
    """The region of a probe as its first sighting shows it."""
    where = probe.provenance
    remedy = not_kept(where) if isinstance(where, CorpusProvenance) else "It was removed to save space, or lost."
    return Crop(probe.screenshot, probe.region, where.scale, probe.view, around, remedy)


def of_divergence(found: StoredDivergence, visit: Visit, capture: CaptureRecord, around: float | None) -> Crop:
    """The box of a divergence. Raises NotFound where it has none, or there is no screenshot of it."""
    if found.finding.box is None:
        raise NotFound(f"Divergence {found.id} has no box: the element was not drawn when the screenshot was taken.")
    if "screenshot" in capture.pruned:
        raise NotFound(f"The screenshot of capture {capture.id} was removed to save space (crawler prune).")
    if "screenshot" not in capture.artifacts:
        raise NotFound(f"No screenshot was stored with capture {capture.id}.")
    remedy = "It was removed to save space, or lost."
    return Crop(capture.artifacts["screenshot"], Box(*found.finding.box), visit.viewport.scale, None, around, remedy)


def picture(database: Database, blobs: Blobs, crop: Crop) -> Picture:
    """The crop, encoded. Raises NotFound with the reason: no such screenshot here, damaged, or the region is not on it."""
    return _crops.get(crop.tag, lambda: _drawn(database, blobs, crop))


def not_kept(where: CorpusProvenance) -> str:
    """Where the picture of a corpus is to be had."""
    name = next((file.name for file in where.files if not file.name.endswith(".json")), where.item)
    return (
        f"Pictures of {where.source} are read from one's own copy, and are here once a release holds them (builder export). "
        f"In the copy it is {name}, item {where.item}."
    )


def _drawn(database: Database, blobs: Blobs, crop: Crop) -> Picture:
    place = _decoded.get(crop.screenshot, lambda: _opened(database, blobs, crop))
    found = place.picture(crop.region, crop.scale, crop.view, crop.around)
    if found is None:
        raise NotFound("The region lies outside of the screenshot: there is nothing to be seen of it.")
    return found


def _opened(database: Database, blobs: Blobs, crop: Crop) -> Place:
    try:
        return Place(whole(blobs, find_blob(database, crop.screenshot)))
    except (Damaged, BadInput) as error:
        raise NotFound(f"The screenshot {crop.screenshot} is damaged in the store: nothing can be shown of it.") from error
    except NotFound as error:
        raise NotFound(f"The screenshot {crop.screenshot} is not in this store. {crop.remedy}") from error
