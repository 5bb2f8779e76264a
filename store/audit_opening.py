"""An audit is opened over a release: its items get ids that tell nothing, and pictures of their own.

This and `store.audit_results` alone know what an item stands for. No page and no resource for annotators imports either.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, exists, func, insert, select, update

from domain.audit import Region, item_of
from domain.errors import BadInput, Refused
from store import tables
from store.audit_hidden import hide_items
from store.audit_results import AuditStatus, status
from store.audit_turns import lay_out
from store.blobs import StoredBlob
from store.database import Database
from store.shelf import adding
from store.takedowns import hold_list

_audits, _items, _rows = tables.audits, tables.audit_items, tables.release_probes
_NAME = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
_LONGEST = 64
_AT_ONCE = 500
"""Rows written in one go."""


@dataclass(frozen=True, slots=True)
class NewItem:
    """A probe of the release as annotators are to see it."""

    probe: str
    """Its id."""
    variable: str
    picture: bytes
    """PNG, written anew: of no bytes that anybody could know from elsewhere."""
    size: tuple[int, int]
    """Of the picture, image px."""
    region: Region


def open_audit(
    database: Database,
    name: str,
    *,
    seed: int,
    release: str,
    items: Iterable[NewItem],
    put: Callable[[bytes], StoredBlob],
    adjudicate: bool = False,
) -> AuditStatus:
    """An audit of these probes, all of it or nothing. put: puts a picture into the blobs; called while nobody removes any.

    adjudicate: everybody is given what two others disagree on. Raises BadInput for a name that is none, for no items, for a
    probe twice or one that is not in the release; Refused where the name is taken.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise BadInput(f"{name[:80]!r} is no name of an audit: lower case letters, digits, '-' and '.', {_LONGEST} at most.")
    with adding(database) as connection:
        hold_list(connection)  # what is taken down from here on finds the items; what was is found below
        if connection.scalar(select(exists().where(_audits.c.name == name))):
            raise Refused(
                f"There is an audit {name} already: take another name, or remove that one (builder audit remove {name})."
            )
        if not connection.scalar(select(exists().where(tables.releases.c.name == release))):
            raise BadInput(f"No release {release!r}: an audit is of the rows of a release. To cut one: builder export")
        values = {"name": name, "release": release, "seed": seed, "adjudicate": adjudicate, "items": 0, "blocks": 0}
        connection.execute(insert(_audits).values(**values, opened=func.clock_timestamp()))
        seen = _fill(connection, name, items, put)
        if not seen:
            raise BadInput(f"Audit {name} has no items: nothing of release {release} was chosen.")
        for part in (seen[n : n + _AT_ONCE] for n in range(0, len(seen), _AT_ONCE)):
            known = set(
                connection.scalars(select(_rows.c.probe_id).where(_rows.c.release == release, _rows.c.probe_id.in_(part)))
            )
            if strange := [probe for probe in part if probe not in known]:
                raise BadInput(f"{strange[0]} is not in release {release}: an audit is of its rows.")
        blocks = lay_out(connection, name, len(seen))
        connection.execute(update(_audits).where(_audits.c.name == name).values(items=len(seen), blocks=blocks))
        hide_items(connection, name)
    return status(database, name)


def _fill(connection: Connection, name: str, items: Iterable[NewItem], put: Callable[[bytes], StoredBlob]) -> list[str]:
    """The items are stored, under ids that tell nothing. Returns their probes."""
    seen: dict[str, None] = {}

    def rows() -> Iterator[dict[str, Any]]:
        for one in items:
            if one.probe in seen:
                raise BadInput(f"{one.probe} twice: a probe is one item of an audit.")
            seen[one.probe] = None
            item = item_of(secrets.token_urlsafe(16), one.variable, one.size, one.region)
            digest, record = put(one.picture).digest, item.model_dump(mode="json")
            yield {"item": item.item, "audit": name, "probe_id": one.probe, "picture": digest, "record": record}

    given = rows()
    while some := list(islice(given, _AT_ONCE)):
        connection.execute(insert(_items), some)
    return list(seen)
