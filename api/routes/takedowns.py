"""The take-down list: what is not visited any more, and hidden. The same as `crawler takedown`, and for the token only:
who asked for it is nobody else's business."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from api import answers
from api.dependencies import Stored
from api.listing import Listing
from api.lists import Place, answered
from api.streams import listed
from domain.errors import NotFound
from domain.record import Record
from domain.takedown import read_covered
from store import takedowns
from store.hiding import Hidden
from store.lookup import utc
from store.slices import Slice, cut
from store.takedowns import Takedown

router = APIRouter()
CREATED, OK = 201, 200
Id = Annotated[str, Path(pattern=r"^[0-9a-f]{8}$", description="of the entry", examples=["3f9ac2d4"])]
DryRun = Annotated[bool, Query(description="say what would change, change nothing")]


class TakedownsAsked(Listing):
    """Which entries: those in force, oldest first."""

    every: bool = Field(default=False, description="those that were lifted, too")


class NewTakedown(BaseModel):
    """What is to be taken down, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    what: str = Field(
        min_length=1,
        max_length=2000,
        description="shop.example, with its subdomains; or https://shop.example/u/jane, all that begins so. A port that is "
        "given counts: http://shop.example:8080/ is that port only; without one every port is meant",
        examples=["shop.example"],
    )
    why: str = Field(
        min_length=1,
        max_length=2000,
        pattern=r"\S",
        description="who asked for it, and when: kept with the entry",
        examples=["letter of the owner, 2 March"],
    )
    by: str = Field(default="api", min_length=1, max_length=200, pattern=r"\S", description="who enters it")
    purge: bool = Field(default=False, strict=True, description="delete what is stored instead of hiding it. Not to be undone")


class Changed(Record):
    """What was done, or would be."""

    entry: Takedown
    changed: Hidden
    dry_run: bool
    releases: Mapping[str, int] = Field(
        default_factory=dict,
        description="frozen releases that hold probes which are hidden or deleted then, and how many: docs/conduct.md",
    )


@router.get("/takedowns", **listed(Takedown))
def list_takedowns(request: Request, database: Stored, asked: Annotated[TakedownsAsked, Query()]) -> Response:
    """What is taken down, oldest entry first."""
    found = takedowns.takedowns(database, lifted=asked.every)

    def read(after: Place, limit: int) -> Slice[Takedown]:
        behind = None if after is None else _place_at(after)
        return cut([one for one in found if behind is None or (one.since, one.id) > behind], limit, _place)

    return answered(request, asked, Takedown, read)


@router.post("/takedowns", status_code=CREATED, response_model=Changed, responses={OK: {"model": Changed}})
def add_takedown(database: Stored, new: NewTakedown, response: Response, *, dry_run: DryRun = False) -> Changed:
    """Stop visits to a host, or to all addresses that begin as this one does, and hide what is stored of them.

    201: entered now. 200: it is in force already, or this is a dry run.
    """
    covered = read_covered(new.what)
    entry, done, releases, is_new = takedowns.add(
        database, covered, why=new.why, by_whom=new.by, dry_run=dry_run, purged=new.purge
    )
    if dry_run or not is_new:
        response.status_code = OK
    else:
        response.headers["Location"] = f"/takedowns/{entry.id}"
    return Changed(entry=entry, changed=done, dry_run=dry_run, releases=releases)


@router.get("/takedowns/{id}", response_model=Takedown)
def takedown(request: Request, database: Stored, id: Id) -> Response:  # noqa: A002 - as the path has it
    """One entry, in force or lifted."""
    return answers.record(request, _entry(database, id, lifted=True))


@router.delete("/takedowns/{id}", response_model=Changed)
def lift_takedown(database: Stored, id: Id, *, dry_run: DryRun = False) -> Changed:  # noqa: A002 - as the path has it
    """Take an entry off the list: it may be visited again, and what was hidden by it is shown again."""
    [entry], done, releases = takedowns.lift(database, _entry(database, id, lifted=False).id, dry_run=dry_run)
    return Changed(entry=entry, changed=done, dry_run=dry_run, releases=releases)


def _entry(database: Stored, named: str, *, lifted: bool) -> Takedown:
    for one in takedowns.takedowns(database, lifted=lifted):
        if one.id == named:
            return one
    raise NotFound(f"There is no take-down {named!r}{'' if lifted else ' in force'}. What there is: /takedowns?every=true")


def _place(one: Takedown) -> tuple[str, str]:
    return one.since.isoformat(timespec="microseconds"), one.id


def _place_at(after: tuple[str, ...]) -> tuple[datetime, str]:
    since, name = after
    return utc(datetime.fromisoformat(since)), name
