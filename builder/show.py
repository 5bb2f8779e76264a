"""One probe in words and as files: what is shown, the region alone, the structures, and what the edit changed in them."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from builder.assembled import Assembled, opened
from builder.sources import source_named
from channels.pixels import JPEG_MARK, crop, open_picture
from channels.structures import structure
from channels.views import encode, shown_bytes
from domain.errors import BadInput, NotFound, Unavailable
from domain.probe import CorpusProvenance, Probe
from domain.released import ReleasedProbe
from store.blobs import Blobs
from store.database import Database, open_database
from store.probes import find_probe
from store.settings import store_settings

TOLD = 3
"""Ids that a message lists."""
MARGIN_PX = 8
"""Image px around the region in its picture."""
LONG_LINE = 400
"""Characters: a structure with longer lines is broken after each tag or comma before it is compared."""
Blob = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Found:
    """A probe and where its bytes are. blob raises NotFound for those that cannot be had. where: in words."""

    probe: Probe
    blob: Blob
    where: str


def in_release(folder: Path, id_or_prefix: str) -> Found:
    """The probe of a release whose id is this or is the only one that begins so. Raises NotFound."""
    release = opened(folder)
    wanted = id_or_prefix.strip().lower()
    found = [row for row in release.rows() if wanted and row.id.startswith(wanted)]
    exact = [row for row in found if row.id == wanted]
    if not found:
        raise NotFound(f"No probe {id_or_prefix!r} in {folder}; there are {release.manifest.counts.total}.")
    if len(found) > 1 and not exact:
        listed = ", ".join(row.id for row in found[:TOLD]) + (f" and {len(found) - TOLD} more" if len(found) > TOLD else "")
        raise NotFound(f"More than one probe begins with {id_or_prefix!r}: {listed}. Give more of it.")
    row = (exact or found)[0]
    return Found(row, release.blob, f"release {release.manifest.name}, {_terms(release, row)}")


@contextmanager
def in_store(id_or_prefix: str) -> Iterator[Found]:
    """The probe of the store that the settings name, as long as it is open. Raises NotFound, Unavailable."""
    settings = store_settings()
    with open_database(settings) as database:
        yield stored(database, Blobs(settings.blobs), id_or_prefix)


def stored(database: Database, blobs: Blobs, id_or_prefix: str) -> Found:
    """The probe of a store. Of one of a corpus the store holds bytes only once it is in a release. Raises NotFound."""
    found = find_probe(database, id_or_prefix)
    return Found(found.probe, blobs.get, f"the store, seen {found.sightings} time{'s' * (found.sightings != 1)}")


def _terms(release: Assembled, row: ReleasedProbe) -> str:
    use = release.manifest.sources.get(row.provenance.source)
    return f"licence {use.licence if use else 'unknown'}, redistribution {row.redistribution}"


def facts_of(found: Found) -> list[tuple[str, str]]:
    """Names and values for people, in an order to read."""
    probe, came, region, view = found.probe, found.probe.provenance, found.probe.region, found.probe.view
    unit = "image px" if isinstance(came, CorpusProvenance) else "CSS px"
    window = f"{view.width}x{view.height} at {view.x},{view.y}{', framed' if view.mark else ''} (image px)" if view else ""
    return [
        ("probe", probe.id),
        ("family", f"{probe.family}, {probe.platform}{f', {probe.kind}' if probe.kind else ''}"),
        ("asks for", probe.variable),
        ("options", " | ".join(map(repr, probe.options))),
        ("gold (the pixels)", probe.gold),
        ("structural", probe.structural),
        ("region", f"{region.width:g}x{region.height:g} at {region.x:g},{region.y:g} ({unit})"),
        ("shown of it", window),
        ("picture", probe.screenshot),
        ("structure", probe.structure),
        *_edit(probe),
        *_channels(probe),
        *_provenance(probe),
        ("where", found.where),
    ]


def _edit(probe: Probe) -> Iterator[tuple[str, str]]:
    edit = probe.edit
    yield (
        "edit",
        f"{edit.rule}/{edit.version} of node {edit.node}: {edit.before!r} -> {edit.after!r}"
        if edit
        else "none: found as it is",
    )


def _channels(probe: Probe) -> Iterator[tuple[str, str]]:
    if isinstance(probe, ReleasedProbe):
        for name, channels in sorted(probe.channels.items()):
            yield f"channels, {name}", f"pixels {channels.pixels}, structure {channels.structure}"
        yield "made", "yes: of a screen rendered for tests, or a page of this machine" if probe.made else ""
        yield "parts", ", ".join(probe.splits)


def _provenance(probe: Probe) -> Iterator[tuple[str, str]]:
    came = probe.provenance
    yield "source", came.source
    if isinstance(came, CorpusProvenance):
        yield "item", f"{came.item}, node {came.node}{f', labelled {came.label}' if came.label else ''}"
        yield "files", "\n".join(f"{one.name} ({one.size} bytes, {one.sha256})" for one in came.files)
        yield "split", came.split
        yield "drawn", f"{came.rules}, seed {came.seed}"
    else:
        yield "visit", f"{came.visit}, {came.when:%Y-%m-%d %H:%M:%S} UTC, delay {came.delay_ms} ms"
        yield "element", f"{came.path}{f', id {came.element_id}' if came.element_id else ''}"
        yield "browser", ", by ".join(filter(None, (came.browser, came.driver)))
        yield "rules", came.rules
    yield "site", came.site
    yield "url", came.url
    if came.check:
        yield "pixel check", f"{came.check.verdict}: {came.check.reason}, {came.check.reader} read {came.check.read!r}"


def save(found: Found, folder: Path) -> list[Path]:
    """Writes what can be had of the probe: shown.*, region.png, structure.*, swap.*, swap.diff. Returns the files.

    Raises NotFound where nothing of it can be had, BadInput where a blob is damaged, Unavailable where they cannot be written.
    """
    contents = dict(_files(found))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise Unavailable(f"Nothing can be written to {folder}: {error.strerror or error}.") from error
    return [folder / name for name in contents]


def _files(found: Found) -> Iterator[tuple[str, bytes]]:
    probe = found.probe
    picture = _intact(found, probe.screenshot)
    shown = shown_bytes(picture, probe.view, probe.region)
    yield f"shown.{'jpg' if shown.startswith(JPEG_MARK) else 'png'}", shown
    scale = probe.provenance.scale
    cut = crop(open_picture(picture), probe.region, scale, margin=MARGIN_PX / scale)
    if cut is not None:
        yield "region.png", encode(cut)
    form = source_named(probe.provenance.source).FORMAT
    ending = "html" if form == "html" else "json"
    before = _intact(found, probe.structure)
    yield f"structure.{ending}", before
    if probe.edit is not None:
        after = structure(form).edited(before, probe.edit)
        yield f"swap.{ending}", after
        yield "swap.diff", "".join(changes(before, after, ending)).encode()


def _intact(found: Found, digest: str) -> bytes:
    content = found.blob(digest)
    if (is_now := hashlib.sha256(content).hexdigest()) != digest:
        raise BadInput(f"Blob {digest} is damaged: its content has the digest {is_now}. See: builder verify")
    return content


def changes(before: bytes, after: bytes, ending: str) -> Iterator[str]:
    """What the edit changed, as a unified diff with three lines around it."""
    one, other = _lines(before), _lines(after)
    yield from difflib.unified_diff(one, other, f"structure.{ending}", f"swap.{ending}")


def _lines(content: bytes) -> list[str]:
    text = content.decode("utf-8", "replace")
    lines = text.splitlines()
    if any(len(line) > LONG_LINE for line in lines):
        lines = [part for line in lines for part in re.split(r"(?<=[>,{\[])(?=\S)", line)]
    return [f"{line}\n" for line in lines]
