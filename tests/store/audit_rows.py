"""Audits to try: a release of rows made by hand, and annotators with plain names."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import insert

from domain.audit import AnnotatorKind, Label, Region
from store import annotators, tables
from store.annotators import Annotator
from store.audit_opening import NewItem, open_audit
from store.audit_results import AuditStatus
from store.blobs import Blobs, StoredBlob
from store.database import Database
from tests.store.probe_rows import NOON

AUDIT, RELEASE = "paper", "v1"
TEN, TWELVE = Label(answer="value", value="Pay 10"), Label(answer="value", value="Pay 12")
UNREADABLE = Label(answer="unreadable")


def picture(probe: str) -> bytes:
    """What begins so is stored as it is; another for each probe."""
    return b"\x89PNG\r\n\x1a\n" + probe.encode()


def new_item(probe: str, variable: str = "text") -> NewItem:
    return NewItem(probe, variable, picture(probe), (300, 200), Region(x=10, y=20, width=30, height=40))


def released(database: Database, *records: dict[str, Any]) -> None:
    """A release of these rows."""
    frozen = {"name": RELEASE, "digest": "f" * 64, "spec": {}, "manifest": {}, "frozen_at": NOON}
    rows = [{"release": RELEASE, "probe_id": record["id"], "record": record} for record in records]
    with database.transaction() as connection:
        connection.execute(insert(tables.releases), frozen)
        connection.execute(insert(tables.release_probes), rows)


def record(number: int, **given: Any) -> dict[str, Any]:
    """What audits read of a released probe."""
    values = {"family": "web-text", "kind": None, "variable": "text", "gold": "Pay 10", "structural": "Pay 12"}
    return {"id": f"web-text-{number:04}", **values, "splits": ["headline"], "provenance": {"source": "mind2web"}, **given}


def opened(database: Database, blobs: Blobs, count: int, *, seed: int = 5, **how: bool) -> AuditStatus:
    """An audit of so many probes, with their release."""
    rows = [record(number) for number in range(count)]
    released(database, *rows)
    items = [new_item(row["id"]) for row in rows]
    return open_audit(
        database, AUDIT, seed=seed, release=RELEASE, items=items, put=lambda png: blobs.put(png, "image/png"), **how
    )


def someone(database: Database, name: str, kind: AnnotatorKind = "human", *, adjudicates: bool = False) -> Annotator:
    annotators.add(database, name, kind, adjudicates)
    return annotators.find_annotator(database, name)


def puts(blobs: Blobs) -> Callable[[bytes], StoredBlob]:
    """What puts pictures into these blobs."""
    return lambda png: blobs.put(png, "image/png")


def hashes(*texts: str) -> Iterator[bytes]:
    """Digests of each of these by whatever an id, a tag or a name might be made with."""
    for one in texts:
        yield from (
            hashlib.new(name, one.encode()).digest() for name in ("sha256", "sha1", "md5", "sha512", "blake2b", "blake2s")
        )
        yield hashlib.blake2b(one.encode(), digest_size=16).digest()


def kept(blobs: Blobs) -> set[str]:
    """Digests of all that lie there."""
    return {entry.digest for entry in blobs.list()}
