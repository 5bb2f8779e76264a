"""/releases: what was frozen, to be looked at and downloaded byte for byte.

Only what is sent from a file that was frozen is `immutable`: what is worked out in its place may change when the file comes.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response, StreamingResponse

from api import answers
from api.attached import attachment
from api.dependencies import Archive, Stored
from api.listing import Listing
from api.lists import Place, answered
from api.ranges import range_of
from api.release_tar import tar
from api.released import (
    Document,
    Name,
    Released,
    ReleaseItem,
    ReleasesAsked,
    manifest_of,
    newest,
    released,
    severity_of,
    tar_plan,
)
from api.routes.archives import RESPONSES, IfRange, Wanted, given
from api.streams import listed
from api.terms import SHOWN
from domain.probe import Digest
from domain.record import Record
from domain.release import Manifest
from domain.severity_report import SeverityReport
from store.blob_contents import content
from store.database import Database
from store.release_files import ReleaseFile, all_files, find_file, release_files
from store.releases import find_release
from store.slices import Slice

TAR = "application/x-tar"
router = APIRouter(tags=["releases"])
Within = Annotated[
    str, Path(max_length=1000, description="of the file, from the folder of the release", examples=["README.md"])
]
NONE: dict[int | str, dict[str, Any]] = {404: {"description": "No such release, or no such part of it"}}
_TAR = {"schema": {"type": "string", "format": "binary"}}
WHOLE: dict[int | str, dict[str, Any]] = {
    **NONE,
    200: {"content": {TAR: _TAR}},
    206: {"description": "The one range that was asked for", "content": {TAR: _TAR}},
    403: {"description": "A part of the release was taken down since"},
    416: {"description": "The range begins behind the end"},
}


class FilesAsked(Listing):
    """The files of a release, in the order of their paths."""


class ListedFile(Record):
    """A file of a release, as it was when the release was frozen."""

    path: str = Field(description="from the folder of the release, '/' between folders", examples=["manifest.json"])
    size: int = Field(ge=0, description="bytes")
    sha256: Digest
    media_type: str
    hidden: bool = Field(description="true: it shows what was taken down since, and is not handed out")
    link: str | None = Field(description="where it is to be had; null: hidden")


@router.get("/releases", summary="Frozen releases, the newest first", **listed(ReleaseItem))
def list_releases(request: Request, database: Stored, asked: Annotated[ReleasesAsked, Query()]) -> Response:
    """What `builder export` has frozen. A release is never changed; `hidden` says what was taken down since."""
    return answered(request, asked, ReleaseItem, partial(newest, database))


@router.get("/releases/{name}", summary="One release, with its manifest", response_model=Released, responses=NONE)
def one_release(request: Request, database: Stored, name: Name) -> Response:
    """What it holds, how it came about, on what terms, and where its parts are."""
    return answers.record(request, released(database, name))


@router.get("/releases/{name}/manifest", summary="manifest.json of a release", response_model=Manifest, responses=NONE)
def manifest(request: Request, database: Stored, archive: Archive, name: Name) -> Response:
    """The very bytes of the file. Of a release whose files are not kept here it is written anew, and not `immutable`."""
    return _sent(request, manifest_of(database, archive, name))


@router.get("/releases/{name}/severity", summary="severity.json of a release", response_model=SeverityReport, responses=NONE)
def severity(request: Request, database: Stored, archive: Archive, name: Name) -> Response:
    """How far apart both values of its conflicts are, edited beside found: the very bytes of the file.

    Of a release whose files are not kept here it is worked out from its rows, without the test: `ks` and `p` are null. That
    is not `immutable`: once the files are here, it is the file.
    """
    return _sent(request, severity_of(database, archive, name))


@router.get("/releases/{name}/files", summary="The files of a release", **listed(ListedFile))
def list_files(request: Request, database: Stored, name: Name, asked: Annotated[FilesAsked, Query()]) -> Response:
    """Each with size, hash and link, in the order of paths."""
    find_release(database, name)
    return answered(request, asked, ListedFile, partial(_files, database, name), name=f"{name}-files")


@router.get("/releases/{name}/files/{path:path}", summary="One file of a release", response_class=Response, responses=RESPONSES)
def one_file(
    request: Request,
    database: Stored,
    archive: Archive,
    *,
    name: Name,
    path: Within,
    wanted: Wanted = None,
    if_range: IfRange = None,
) -> Response:
    """The bytes, as an attachment under the file's own name: ETag, packing and ranges as of /archives."""
    find_release(database, name)
    found = find_file(database, name, path)
    return given(request, archive, found.blob, found.path.rsplit("/", 1)[-1], wanted, if_range)


@router.get("/releases/{name}/download", summary="The release as one tar", response_class=Response, responses=WHOLE)
def download(  # noqa: PLR0917 - the two headers as they came
    request: Request, database: Stored, archive: Archive, name: Name, wanted: Wanted = None, if_range: IfRange = None
) -> Response:
    """The folder as it was frozen: unpacked, `builder verify` accepts it. The same bytes each time, of known length.

    What broke off goes on where it did: `Range`, with the ETag in `If-Range`. Where a part of the release was taken down
    since, there is no whole any more, and this is refused.
    """
    made = tar_plan(database, name)
    head = {
        "ETag": f'"{made.tag}"',
        "Cache-Control": SHOWN,
        "Content-Disposition": attachment(f"{name}.tar"),
        "X-Content-Type-Options": "nosniff",
        "Accept-Ranges": "bytes",
    }
    if answers.known_already(request, head["ETag"]):
        return Response(status_code=304, headers=head)
    span = range_of(wanted, made.size) if if_range in {None, head["ETag"]} and not answers.head_only(request) else None
    start, end = span or (0, made.size)
    head["Content-Length"] = str(end - start)
    if answers.head_only(request):
        return Response(None, 200, head, TAR)
    if span is not None:
        head["Content-Range"] = f"bytes {start}-{end - 1}/{made.size}"
    pieces = tar(name, all_files(database, name), partial(content, archive), (start, end))
    return StreamingResponse(pieces, 200 if span is None else 206, head, TAR)


def _sent(request: Request, document: Document) -> Response:
    return answers.buffered(request, document.content, cache=answers.FOR_EVER if document.frozen else answers.REVALIDATE)


def _files(database: Database, name: str, after: Place, limit: int) -> Slice[ListedFile]:
    found = release_files(database, name, after=after, limit=limit)
    return Slice([_listed(name, file) for file in found.items], found.place)


def _listed(name: str, file: ReleaseFile) -> ListedFile:
    return ListedFile(
        path=file.path,
        size=file.blob.size,
        sha256=file.blob.digest,
        media_type=file.blob.media_type,
        hidden=file.hidden,
        link=None if file.hidden else f"/releases/{name}/files/{quote(file.path)}",
    )
