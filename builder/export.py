"""Export: choose, collect, check, write, freeze. The story of one release, top to bottom."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from builder.assembled import LABELS, ROWS, Assembled, blobs_of, opened, release_digest
from builder.audit_splits import Audited, released_labels, use_of
from builder.collect import Collected, Places, collect
from builder.formats import FORMATS, form
from builder.funnel import release_funnel
from builder.keeping import kept, untouched
from builder.rows import Release
from builder.tally import Tally, funnel_of, manifest_of
from builder.terms import terms_of
from builder.write import Staging, publish, staging
from domain.audit_earlier import KNOWN, as_of
from domain.errors import BadInput, ParallaxError, Refused, Shortage
from domain.probe import FileRef
from domain.release import AuditUse, Manifest, ReleaseSpec
from domain.release import Blobs as BlobCounts
from domain.released import canonical
from domain.selection import Selection, select
from store.blobs import Blobs
from store.database import Database
from store.release_files import files_kept
from store.releases import candidates, fill_in, find_release, freeze, frozen_digest, refuse_other

Told = Callable[[str, int, int], None]
"""What is being done, how much of it, of how much."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What has become of an export. written, frozen: whether it was not there already.

    filled: whether files are kept that were not, of a release frozen before files were.
    """

    manifest: Manifest
    place: Path
    written: bool
    frozen: bool
    filled: bool = False


def choose(database: Database, spec: ReleaseSpec) -> Selection:
    """Which of the stored probes the release takes, and what is lacking."""
    return select(spec, candidates(database))


def export(
    database: Database,
    blobs: Blobs,
    spec: ReleaseSpec,
    selection: Selection,
    place: Path,
    *,
    allow_partial: bool = False,
    workers: int = 1,
    told: Told = lambda *_: None,
    formats: Sequence[str] = FORMATS,
    audit: Audited | None = None,
) -> Exported:
    """The release of what was chosen, in a folder at `place` and frozen in the store. There already: nothing changes.

    formats: which of the files that are made from rows and blobs are written. audit: what it found is said by rows and
    manifest. Raises Shortage with everything that is lacking,
    unless allow_partial; Refused where the name or the place holds something else, or where a chosen probe is no longer what
    it was.
    """
    if selection.partial and not allow_partial:
        raise Shortage("\n".join(map(str, selection.shortages)))
    if not selection.chosen:
        raise Shortage(f"Release {spec.name} would be empty: there are no probes for it.")
    _check_place(place)
    with staging(place) as staged:
        tally = Tally()
        places = Places(database, blobs, _release(spec, selection, audit))
        for done in collect(places, selection.chosen, workers=workers):
            _keep(staged, tally, done)
            told("collecting probes", tally.total, len(selection.chosen))
        manifest = _manifest(database, spec, selection, staged, tally)
        if audit is not None:
            manifest = _with_audit(audit, Assembled(manifest, staged.folder))
        there = _there(place, manifest)
        manifest = _frozen(database, manifest) or manifest
        if manifest.audit is None or manifest.audit.labels is None:  # frozen before labels were in releases
            (staged.folder / LABELS).unlink(missing_ok=True)
        release = Assembled(manifest, staged.folder, _severity(staged, manifest), workers)
        if not there:
            for number, name in enumerate(formats):
                told(f"writing {name}", number, len(formats))
                form(name).write(release, staged.folder)
        told("freezing", 0, 1)
        new = freeze(database, manifest, release.rows(), lambda: kept(blobs, staged, staged.folder, workers))
        filled = False
        if not new and not files_kept(database, manifest.name):
            documents = _documents(place, release, formats) if there else staged.folder
            filled = fill_in(database, manifest.name, lambda: kept(blobs, staged, documents, workers))
        if not there:
            publish(staged, place)
    return Exported(manifest, place, written=not there, frozen=new, filled=filled)


def _release(spec: ReleaseSpec, selection: Selection, audit: Audited | None) -> Release:
    terms = {source: terms_of(source, made=False).redistribution for source in {one.source for one in selection.chosen}}
    release = Release(spec.name, selection.partial, terms)
    return release if audit is None else replace(release, audited=audit.splits)


def _keep(staged: Staging, tally: Tally, done: Collected) -> None:
    """Rows and what they name are in the staging folder, and counted."""
    for made in done.made:
        row = made.row
        full = row.redistribution == "full"
        staged.add_blob(row.screenshot, done.pictures[row.screenshot], full=full)
        for condition, content in made.structures.items():
            staged.add_blob(row.channels[condition].structure, content, full=full, form=made.form)
        staged.add_row(row.id, canonical(row))
        tally.add(row)


def _manifest(database: Database, spec: ReleaseSpec, selection: Selection, staged: Staging, tally: Tally) -> Manifest:
    rows = staged.write_rows()
    digest = release_digest(staged.folder / rows.name, staged.full)
    counts = BlobCounts(count=len(staged.full), bytes=sum(staged.full.values()))
    funnel = funnel_of(selection, *release_funnel(database))
    return manifest_of(spec, selection, tally, digest=digest, rows=rows, blobs=counts, funnel=funnel)


def _with_audit(audit: Audited, release: Assembled) -> Manifest:
    """The manifest with what the audit says of the rows. The labels are written beside them, a row a line."""
    size, total = 0, hashlib.sha256()
    with (release.folder / LABELS).open("wb") as file:
        for one in released_labels(audit, release.rows()):
            line = canonical(one) + b"\n"
            file.write(line)
            total.update(line)
            size += len(line)
    labels = FileRef(name=LABELS, size=size, sha256=total.hexdigest())
    use = use_of(audit, release.rows()).model_copy(update={"labels": labels})
    return release.manifest.model_copy(update={"audit": use})


def _frozen(database: Database, manifest: Manifest) -> Manifest | None:
    """The manifest that is frozen, where this release is: its funnel is that of the day. Raises Refused where another is."""
    there = frozen_digest(database, manifest.name)
    if there is None:
        return None
    refuse_other(manifest.name, manifest.digest, there, "the store")
    frozen = find_release(database, manifest.name)[1]
    if frozen.audit != _as_then(manifest.audit, frozen.audit):  # rows are the same where nothing came to be clean
        of = f"numbers of audit {frozen.audit.name}" if frozen.audit else "no audit"
        raise Refused(
            f"Release {manifest.name} is in the store with {of}, and its manifest would say otherwise now. "
            "A release is never changed: cut this one under another name (--name)."
        )
    return frozen


def _as_then(audit: AuditUse | None, frozen: AuditUse | None) -> AuditUse | None:
    """By the definition, and without what manifests did not have, when this one was frozen."""
    if audit is None or frozen is None:
        return audit
    if frozen.definition in KNOWN:
        tables = {kind: as_of(frozen.definition, some) for kind, some in audit.tables.items()}
        audit = audit.model_copy(update={"definition": frozen.definition, "tables": tables})
    if frozen.labels is not None:
        return audit
    return audit.model_copy(update={"labels": None, "models": {}})


def _severity(staged: Staging, manifest: Manifest) -> dict[str, Any] | None:
    """Edited texts beside those found in conflict, as the paper compares them; None where there are neither."""
    made, found = (Assembled(manifest, staged.folder).rows(family) for family in ("web-text", "web-natural"))
    if not any(manifest.counts.families.get(family) for family in ("web-text", "web-natural")):
        return None
    from builder.severity import compare, pair_of  # noqa: PLC0415 - it brings scipy, which takes a second

    return compare(map(pair_of, made), map(pair_of, found)).model_dump(mode="json")


def _documents(place: Path, release: Assembled, formats: Sequence[str]) -> Path:
    """Where the documents of a release lie that was frozen before its files were kept.

    Those at its place, where they are of the store's manifest and unchanged; else they are made anew, beside.
    """
    if untouched(place, release.manifest):
        return place
    for name in formats:
        form(name).write(release, release.folder)
    return release.folder


def _check_place(place: Path) -> None:
    """Before any work: the place is free, or holds a release. Raises Refused."""
    if place.exists() and not place.is_dir():
        raise Refused(f"{place} is a file. Give a folder with --to.")
    if place.is_dir() and any(place.iterdir()):
        try:
            opened(place)
        except ParallaxError as error:
            raise Refused(
                f"{place} is not empty, and holds no release that can be read. Give another folder with --to."
            ) from error


def _there(place: Path, manifest: Manifest) -> bool:
    """Whether the release is at its place already. Raises Refused where another is, or where it was changed."""
    if not place.is_dir() or not any(place.iterdir()):
        return False
    found = opened(place)
    refuse_other(found.manifest.name, manifest.digest, found.manifest.digest, str(place))
    try:
        full = {digest for row in found.rows() if row.redistribution == "full" for digest in blobs_of(row)}
        whole = release_digest(place / ROWS, full) == manifest.digest and all(found.place(digest).is_file() for digest in full)
    except (OSError, BadInput):
        whole = False
    if not whole:
        raise Refused(f"{place} is release {manifest.name}, but was changed since. What is wrong: builder verify {place}")
    return True
