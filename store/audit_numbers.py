"""What items are called on a sheet: a number for each annotator, which only the store can lead back to the item.

HMAC-SHA256 of the item under the annotator's own key of the audit, cut to 128 bits. Nobody can make those of another
annotator's sheet, so a name that was changed in a file is seen: the numbers in it are not that name's.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Select, select

from domain.errors import NotFound
from store import tables
from store.annotators import Annotator
from store.database import Database

_members, _items = tables.audit_members, tables.audit_items
_LENGTH = 16
"""Bytes: 22 characters in base64, as an item's own number."""


@dataclass(frozen=True, slots=True)
class Read:
    """What numbers that came back stand for. others: of those that are not this annotator's, whose they are; old: items' own
    numbers, as sheets had them before they had an annotator's; unknown: all the rest.
    """

    items: dict[str, str]
    others: dict[str, str]
    old: frozenset[str]
    unknown: frozenset[str]


def number_of(key: str, item: str) -> str:
    """What a sheet under this key calls the item."""
    digest = hmac.digest(key.encode(), item.encode(), hashlib.sha256)[:_LENGTH]
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def numbered(database: Database, audit: str, annotator: Annotator) -> dict[str, str]:
    """All items of the audit, given to this annotator or not, by what the annotator's sheets call them.

    Raises NotFound for who has been given none.
    """
    mine = (_members.c.audit == audit) & (_members.c.annotator == annotator.name)
    with database.transaction() as connection:
        key = connection.scalar(select(_members.c.key).where(mine))
        if key is None:
            raise NotFound(f"{annotator.name} was given nothing of audit {audit} yet.")
        return {number_of(key, item): item for item in connection.scalars(_all(audit))}


def read_numbers(database: Database, audit: str, annotator: str, given: Collection[str]) -> Read:
    """What these numbers stand for. annotator: whose they are said to be."""
    with database.transaction() as connection:
        rows = connection.execute(select(_members.c.annotator, _members.c.key).where(_members.c.audit == audit)).all()
        items = connection.scalars(_all(audit)).all()
    left = set(given)
    found: dict[str, str] = {}
    others: dict[str, str] = {}
    for row in sorted(rows, key=lambda one: (one.annotator != annotator, one.annotator)):
        if not left:
            break
        theirs = {number_of(row.key, item): item for item in items}
        here = left & theirs.keys()
        if row.annotator == annotator:
            found = {number: theirs[number] for number in here}
        else:
            others |= dict.fromkeys(here, row.annotator)
        left -= here
    old = left & set(items)
    return Read(found, others, frozenset(old), frozenset(left - old))


def _all(audit: str) -> Select[str]:
    return select(_items.c.item).where(_items.c.audit == audit)
