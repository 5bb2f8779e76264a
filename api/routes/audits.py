"""The audit's desk: one item after the other, pixels only, for annotators with a token of their own.

What is told here is in domain.audit and in the few records below, whose fields a test knows by name. Nothing else of a probe
can be had: store.audit_desk does not read it, and this module may not import what does (pyproject.toml). Nothing may be kept
by anybody on the way, and no answer has a tag or a name that was made of a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import structlog
from fastapi import APIRouter, Path, Request, Response
from pydantic import Field, ValidationError

from api.annotating import Annotating
from api.answers import JSON
from api.audit_gold import warn_once
from api.bare_png import bare
from api.dependencies import Archive, Stored
from api.problems import Declined
from domain.audit import LONGEST, Answer, AuditItem, Label
from domain.audit_clock import Seconds
from domain.controls import unfit
from domain.errors import BadInput, NotFound, Refused, Unavailable
from domain.record import Record
from store import audit_desk
from store.blobs import Blobs

router = APIRouter(
    prefix="/audits", responses={403: {"description": "`refused`: the annotator is a model, and here people answer"}}
)
log = structlog.get_logger()
PRIVATE = {"Cache-Control": "no-store"}
_ITEM = "q3VbX0y7QnK1wz_5hT2e-A"
_LABEL: dict[str, Any] = {"answer": "value", "value": "Pay $30"}
_ASKED: dict[str, Any] = {
    "item": _ITEM,
    "ask": "transcribe",
    "question": "What text stands in the marked region? Write it as it is shown.",
    "choices": [],
    "width": 1280,
    "height": 800,
    "region": {"x": 412, "y": 96, "width": 118, "height": 32},
}
Audit = Annotated[str, Path(max_length=200, description="an audit's name", examples=["v1"])]
Item = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{22}$", description="the number that the item was given under", examples=[_ITEM])
]


class OpenAudit(Record):
    """An audit that can be answered."""

    audit: str
    items: int = Field(description="all that there are")


class OpenAudits(Record):
    """The audits that are open, the newest first."""

    items: tuple[OpenAudit, ...]


class GivenLabel(Record):
    """An answer, and how long it took."""

    answer: Answer
    value: str | None = Field(default=None, max_length=LONGEST, description="with the answer `value` alone")
    seconds: Seconds = Field(
        default=None, description="from the item being shown to the answer, a day at most; null: not measured"
    )


class OwnItem(Record):
    """An item of the annotator who asks, and what they said of it."""

    item: AuditItem
    label: Label | None = Field(description="null: not answered yet, or taken back")


class OwnProgress(Record):
    """How far the annotator who asks is. Nothing of others."""

    answered: int
    left: int = Field(description="to be had at present, those skipped among them")
    skipped: int = Field(description="of those left: they come again at the end")
    adjudicates: bool = Field(description="is asked what two others disagree on, when nothing else is left")


class PictureMissing(Declined):
    """The picture of an item is gone from the archive, or is none. The item can be skipped."""

    def __init__(self) -> None:
        super().__init__("picture-missing", "The picture of this item is missing. Skip it, and tell whoever runs the audit.")


class Conflict(Declined):
    """What was asked for cannot be done as things stand now: answered otherwise, full, adjudicated, closed."""

    def __init__(self, why: Refused) -> None:
        super().__init__("conflict", str(why))


def _told(example: Any, description: str) -> dict[int | str, Any]:
    return {200: {"description": description, "content": {JSON: {"example": example}}}}


_HELD: dict[int | str, Any] = {409: {"description": "`conflict`: not as things stand now; `detail` says why"}}


@contextmanager
def _in_conflict() -> Iterator[None]:
    """What the store refuses here is answered 409: it is held, answered or closed meanwhile."""
    try:
        yield
    except Refused as why:
        raise Conflict(why) from None


@router.get("", response_model=OpenAudits, responses=_told({"items": [{"audit": "v1", "items": 735}]}, "The open audits"))
def list_audits(request: Request, database: Stored, annotator: Annotating) -> Response:  # noqa: ARG001 - that there is one
    """The audits that can be answered."""
    found = tuple(OpenAudit(audit=one.name, items=one.items) for one in audit_desk.audits(database))
    if found:
        warn_once(request.app.state, [one.audit for one in found])
    return _private(OpenAudits(items=found))


@router.post(
    "/{audit}/next",
    response_model=AuditItem,
    responses=_told(_ASKED, "What is to be answered") | {204: {"description": "Nothing is left for this annotator"}} | _HELD,
)
def next_item(database: Stored, annotator: Annotating, audit: Audit) -> Response:
    """What the annotator is to answer next. It is theirs for a while; asked again, it is the same."""
    with _in_conflict():
        item = audit_desk.next_item(database, audit, annotator)
    return _private(item) if item else _nothing()


@router.get(
    "/{audit}/items/{item}",
    response_model=OwnItem,
    responses=_told({"item": _ASKED, "label": _LABEL}, "The item, and this annotator's label"),
)
def own_item(database: Stored, annotator: Annotating, audit: Audit, item: Item) -> Response:
    """An item that the annotator was given, and what they said of it."""
    asked, label = audit_desk.item_of(database, audit, annotator, item)
    return _private(OwnItem(item=asked, label=label))


@router.get(
    "/{audit}/items/{item}/picture",
    response_class=Response,
    responses={
        200: {"description": "The picture, pixels alone", "content": {"image/png": {"schema": {"format": "binary"}}}},
        404: {"description": "`not-found`: none that this annotator was given; `picture-missing`: it cannot be shown, skip it"},
    },
)
def item_picture(database: Stored, blobs: Archive, annotator: Annotating, audit: Audit, item: Item) -> Response:
    """The picture of an item that the annotator was given: PNG, made for this item, without metadata."""
    content = _picture(blobs, audit, item, audit_desk.picture_of(database, audit, annotator, item))
    return Response(content, headers=PRIVATE, media_type="image/png")


@router.put(
    "/{audit}/items/{item}/label",
    response_model=OwnItem,
    responses=_told({"item": _ASKED, "label": _LABEL}, "It is stored, now or before") | _HELD,
)
def answer_item(database: Stored, annotator: Annotating, audit: Audit, item: Item, given: GivenLabel) -> Response:
    """The annotator's answer. The same again is fine, though the audit was closed or the item taken down since; another one is
    taken only after undo.
    """
    if why := unfit(given.value):
        raise BadInput(f"value: {why}")
    try:
        label = Label(answer=given.answer, value=given.value)
    except ValidationError:
        raise BadInput("value: it goes with the answer 'value', where it is not blank, and with no other.") from None
    with _in_conflict():
        stored = audit_desk.submit(database, audit, annotator, item, label, given.seconds)
    return _private(OwnItem(item=stored.item, label=stored.judgement.label))


@router.post(
    "/{audit}/items/{item}/skip", status_code=204, responses={**_HELD, 204: {"description": "It comes again at the end"}}
)
def skip_item(database: Stored, annotator: Annotating, audit: Audit, item: Item) -> Response:
    """Not now: the item comes again at the end, and others may have it meanwhile."""
    with _in_conflict():
        audit_desk.skip(database, audit, annotator, item)
    return _nothing()


@router.post(
    "/{audit}/undo",
    response_model=AuditItem,
    responses=_told(_ASKED, "What was taken back") | {204: {"description": "There is no answer to take back"}} | _HELD,
)
def take_back(database: Stored, annotator: Annotating, audit: Audit) -> Response:
    """Take the annotator's last answer back, whatever others said of the item. It is theirs to answer again."""
    with _in_conflict():
        item = audit_desk.undo(database, audit, annotator)
    return _private(item) if item else _nothing()


@router.get(
    "/{audit}/progress",
    response_model=OwnProgress,
    responses=_told({"answered": 112, "left": 620, "skipped": 3, "adjudicates": False}, "The annotator's own numbers"),
)
def own_progress(database: Stored, annotator: Annotating, audit: Audit) -> Response:
    """How far the annotator is."""
    found = audit_desk.progress(database, audit, annotator)
    return _private(OwnProgress.model_validate(found.model_dump()))


def _picture(blobs: Blobs, audit: str, item: str, digest: str) -> bytes:
    """The log has what is wrong for whoever runs the audit; the annotator learns neither the file's name nor where it was."""
    try:
        stored = blobs.get(digest)
    except (NotFound, BadInput) as why:
        log.warning("audit.picture-missing", audit=audit, item=item, why=str(why))
        raise PictureMissing from None
    except Unavailable as why:
        log.warning("audit.pictures-away", audit=audit, item=item, why=str(why))
        raise Unavailable("The pictures cannot be had now. What was answered is stored; ask again in a while.") from None
    try:
        return bare(stored)
    except Unavailable as why:
        log.warning("audit.picture-missing", audit=audit, item=item, digest=digest, why=str(why))
        raise PictureMissing from None


def _nothing() -> Response:
    return Response(status_code=204, headers=PRIVATE)


def _private(found: Record) -> Response:
    return Response(found.model_dump_json(), headers=PRIVATE, media_type=JSON)
