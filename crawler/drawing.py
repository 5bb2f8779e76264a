"""drawing: what the pixels confirmed becomes probes. The last step of a visit, and of asking the rules again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from crawler.filing import Archive
from domain.families import drawing_from
from domain.families.web_natural import CONFIRMED, Accepted
from domain.pixel_check import Check
from domain.probe import LIVE, Probe
from domain.visit import CaptureRecord, Visit
from store.captures import StoredDivergence, find_capture
from store.checks import save_checks
from store.probes import Saved, redraw


def draw(archive: Archive, capture_ids: Iterable[str], *, accepts: Collection[Accepted] = CONFIRMED) -> Saved:
    """Probes of every family drawn from these captures and saved, with what that changed in all of them.

    A capture's sightings are then exactly those that its divergences and their newest checks give: drawing again adds
    nothing, and what is no longer confirmed is withdrawn. Raises NotFound where a capture is not stored.
    """
    changed = Saved(0, 0)
    for capture_id in capture_ids:
        visit, capture = find_capture(archive.database, capture_id, hidden=True)
        one = redraw(archive.database, capture.id, partial(_drawn, visit, capture, accepts))
        changed = Saved(changed.new + one.new, changed.sightings + one.sightings, changed.withdrawn + one.withdrawn)
    return changed


def _drawn(
    visit: Visit, capture: CaptureRecord, accepts: Collection[Accepted], divergences: Iterable[StoredDivergence]
) -> list[Probe]:
    found = [(divergence.finding, divergence.check) for divergence in divergences]
    return [probe for family in drawing_from(LIVE) for probe in family.draw(visit, capture, found, accepts=accepts)]


def store_checks_and_draw(
    archive: Archive, capture_id: str, checks: Mapping[str, Check], *, accepts: Collection[Accepted] = CONFIRMED
) -> Saved:
    """The checks of a capture's divergences (by id) are stored, and the probes that follow from them.

    Safe to repeat, and beside others doing the same. Raises NotFound where the capture is not stored.
    """
    save_checks(archive.database, checks)
    return draw(archive, [capture_id], accepts=accepts)
