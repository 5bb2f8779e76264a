"""What is answered of a frozen release, for programs and on pages alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

import orjson
from fastapi import Path
from pydantic import Field

from api.kept import Kept
from api.listing import Listing
from api.lists import Place
from api.release_tar import Plan, plan
from domain.errors import NotFound, Refused
from domain.release import Manifest
from domain.severity_report import NATURAL, SYNTHETIC, report
from store.blobs import Blobs
from store.database import Database
from store.release_files import all_files, count_files, count_withheld, find_file, no_files
from store.release_hidden import hidden_by_release, hidden_of
from store.releases import FrozenRelease, find_release, newest_releases, released_pairs
from store.slices import Slice

MANIFEST, SEVERITY = "manifest.json", "severity.json"
Name = Annotated[str, Path(max_length=64, description="of the release", examples=["v1"])]
_LOOKS = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
"""As builder/formats/manifest.py writes its documents, to the byte."""


class ReleasesAsked(Listing):
    """Frozen releases, the newest first."""


class ReleaseItem(FrozenRelease):
    """A release in a list."""

    hidden: int = Field(
        ge=0, examples=[0], description="how many of its probes were taken down since; what shows them is not handed out"
    )


class Released(ReleaseItem):
    """A frozen release, with what it holds."""

    hidden_by_family: Mapping[str, int] = Field(description="the probes taken down since, by family")
    files: int = Field(ge=0, description="files of its folder; 0: it was frozen before files were kept")
    bytes: int = Field(ge=0, description="of those files")
    manifest: Manifest = Field(description="as frozen; its very bytes are at `links.manifest`")
    links: Mapping[str, str] = Field(description="manifest, files, severity, download, probes, page")


class Document(NamedTuple):
    """A document of a release."""

    content: bytes
    frozen: bool
    """The very bytes of the file, which stay for good. Else it is written anew: once the file is there, it may differ."""


def newest(database: Database, after: Place, limit: int) -> Slice[ReleaseItem]:
    """Releases behind that place, the newest first, with what was taken down of each."""
    found = newest_releases(database, after=after, limit=limit)
    hidden = hidden_by_release(database, [one.name for one in found.items])
    items = [ReleaseItem(**one.model_dump(), hidden=sum(hidden.get(one.name, {}).values())) for one in found.items]
    return Slice(items, found.place)


def released(database: Database, name: str) -> Released:
    """The release with this name. Raises NotFound with those that there are."""
    found, manifest = find_release(database, name)
    hidden = hidden_of(database, name)
    files, size = count_files(database, name)
    links = {part: f"/releases/{name}/{part}" for part in ("manifest", "files", "severity", "download")}
    links |= {"probes": f"/probes?release={name}", "page": f"/pages/releases/{name}"}
    return Released(
        **found.model_dump(),
        hidden=sum(hidden.values()),
        hidden_by_family=hidden,
        files=files,
        bytes=size,
        manifest=manifest,
        links=links,
    )


def is_whole(database: Database, found: Released) -> bool:
    """Whether the release is handed out as one tar."""
    return bool(found.files) and not found.hidden and not count_withheld(database, found.name)


def manifest_of(database: Database, blobs: Blobs, name: str) -> Document:
    """manifest.json as it was frozen, else what the store has of it. Raises NotFound."""
    content = _file(database, blobs, name, MANIFEST)
    if content is not None:
        return Document(content, frozen=True)
    manifest = find_release(database, name)[1].model_dump(mode="json")
    return Document(orjson.dumps(manifest, option=_LOOKS), frozen=False)


def severity_of(database: Database, blobs: Blobs, name: str) -> Document:
    """severity.json as it was frozen, else worked out from the rows, without the test.

    Raises NotFound where there is nothing to compare.
    """
    found, manifest = find_release(database, name)
    if not any(manifest.counts.families.get(family) for family in (SYNTHETIC, NATURAL)):
        raise NotFound(f"Release {name} has no severity: there are no probes of {SYNTHETIC} or {NATURAL} in it.")
    content = _file(database, blobs, name, SEVERITY)
    if content is not None:
        return Document(content, frozen=True)

    def worked_out() -> bytes:
        both = (released_pairs(database, name, family) for family in (SYNTHETIC, NATURAL))
        return orjson.dumps(report(*both).model_dump(mode="json"), option=_LOOKS)

    return Document(_reports.get(found.digest, worked_out), frozen=False)


def tar_plan(database: Database, name: str) -> Plan:
    """What the tar of a release will be. Raises NotFound; Refused where a part of the release was taken down."""
    found, _ = find_release(database, name)
    hidden = sum(hidden_of(database, name).values())
    if hidden:
        raise Refused(
            f"{hidden} of the {found.probes} probes of release {name} were taken down since it was frozen, so it is not handed "
            f"out as a whole. What does not show them is at /releases/{name}/files. "
            "A release without them: builder export, under another name."
        )
    if not count_files(database, name)[0]:
        raise NotFound(no_files(name))
    if withheld := count_withheld(database, name):
        raise Refused(
            f"{withheld} of the files of release {name} were taken down since it was frozen, so it is not handed out as a "
            f"whole. The others are at /releases/{name}/files."
        )
    return _plans.get(f"{name}\n{found.digest}\n{found.frozen_at}", lambda: plan(name, all_files(database, name)))


_reports: Kept[bytes] = Kept(64, lambda _: 1)
_plans: Kept[Plan] = Kept(64, lambda _: 1)


def _file(database: Database, blobs: Blobs, name: str, path: str) -> bytes | None:
    """A small document of the folder; None where the release has none on file."""
    try:
        return blobs.get(find_file(database, name, path).blob.digest)
    except NotFound:
        return None
