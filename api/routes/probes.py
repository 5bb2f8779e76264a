"""Probes, those that were seen last first."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from api.dependencies import Stored
from api.paging import cursor_of, place_of
from domain.divergences import KINDS
from domain.errors import BadInput
from domain.families import FAMILIES
from domain.probe import Probe
from domain.record import Record
from store.probes import probes

MOST = 500
"""Items on a page. A probe has about 2 kB."""
DEFAULT = 50

router = APIRouter()


class ProbePage(Record):
    """One page of probes."""

    items: tuple[Probe, ...] = Field(description="as they are stored")
    next: str | None = Field(description="give it as `after` for the page behind this one; null: this is the last")


@router.get("/probes")
def list_probes(
    database: Stored,
    *,
    family: Annotated[str | None, Query(description="web-natural, mobile-widget, ...")] = None,
    kind: Annotated[str | None, Query(description="aria, title, stale or state")] = None,
    site: Annotated[str | None, Query(description="name of the site in the list")] = None,
    since: Annotated[datetime | None, Query(description="seen since then; UTC where it names no zone")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = DEFAULT,
    after: Annotated[str | None, Query(description="`next` of the page before")] = None,
) -> ProbePage:
    """Probes that match everything given, those seen last first."""
    _must_be_known("family", family, tuple(name.replace("_", "-") for name in FAMILIES))
    _must_be_known("kind", kind, KINDS)
    place = place_of(after) if after else None
    # One more than is shown tells whether there is another page.
    asked = probes(database, family=family, kind=kind, site=site, since=since, after=place, limit=limit + 1)
    with closing(asked) as rows:
        found = list(rows)
    shown = found[:limit]
    more = cursor_of(shown[-1].last_seen, shown[-1].probe.id) if len(found) > limit else None
    return ProbePage(items=tuple(stored.probe for stored in shown), next=more)


def _must_be_known(name: str, given: str | None, known: tuple[str, ...]) -> None:
    if given is not None and given not in known:
        raise BadInput(f"{name}: there is no {given!r}. There is {', '.join(known)}.")
