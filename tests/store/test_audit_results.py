"""store/audit_results.py: audits are opened whole, read with what they stand for, and go without a trace; take-downs hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from domain.errors import BadInput, NotFound, Refused
from store import audit_desk, audit_results, tables
from store.audit_opening import NewItem, open_audit
from store.blobs import Blobs, StoredBlob
from store.captures import find_blob
from store.database import Database
from store.prune import planned, prune, sweep_orphans
from tests.store.audit_rows import AUDIT, TEN, TWELVE, kept, new_item, opened, picture, puts, record, released, someone
from tests.store.probe_rows import NOON

SHOP, OTHER = "https://shop.example/cart", "https://other.example/cart"


def test_opened(database: Database, blobs: Blobs) -> None:
    """An item has a random id, a picture that is in no table of blobs, and what the audit's row says of it."""
    status = opened(database, blobs, 3)
    assert (status.items, status.hidden, status.closed, status.kinds) == (3, 0, None, ())
    rows = list(audit_results.judged(database, AUDIT))
    assert [row.probe for row in rows] == ["web-text-0000", "web-text-0001", "web-text-0002"]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", row.item) for row in rows)
    assert len({row.item for row in rows}) == 3
    assert (rows[0].family, rows[0].gold, rows[0].structural, rows[0].splits) == ("web-text", "Pay 10", "Pay 12", ("headline",))
    assert (rows[0].region.x, rows[0].region.height) == (10, 40)
    assert blobs.get(rows[1].picture) == picture("web-text-0001")
    with pytest.raises(NotFound):  # nobody can ask for it by its digest
        find_blob(database, rows[1].picture)
    assert [one.name for one in audit_results.audits(database)] == [AUDIT]


def test_judged(database: Database, blobs: Blobs) -> None:
    """All that was submitted, by kind and place; what is only leased is nobody's answer."""
    opened(database, blobs, 1)
    for name, kind, label in (("ocr", "model", TEN), ("bob", "human", TEN), ("ann", "human", TWELVE), ("zoe", "model", TEN)):
        who = someone(database, name, kind)  # type: ignore[arg-type]
        item = audit_desk.next_item(database, AUDIT, who)
        assert item is not None
        if name != "zoe":
            audit_desk.submit(database, AUDIT, who, item.item, label, 3.25, now=NOON)
    [row] = audit_results.judged(database, AUDIT)
    given = [(one.kind, one.place, one.annotator, one.label, one.seconds, one.when) for one in row.judgements]
    assert given == [
        ("human", 1, "bob", TEN, 3.25, NOON),
        ("human", 2, "ann", TWELVE, 3.25, NOON),
        ("model", 1, "ocr", TEN, 3.25, NOON),
    ]
    human, model = audit_results.status(database, AUDIT).kinds
    assert (human.kind, human.annotators, human.answers, human.complete, human.disputed, human.leased) == (
        "human",
        2,
        2,
        1,
        1,
        0,
    )
    assert (model.kind, model.annotators, model.answers, model.complete, model.disputed, model.leased) == (
        "model",
        1,
        1,
        0,
        0,
        1,
    )


@pytest.mark.parametrize(
    ("items", "how", "said"),
    [
        ([], {}, "has no items"),
        ([new_item("web-text-0001"), new_item("web-text-0001")], {}, "web-text-0001 twice"),
        ([new_item("web-text-0001"), new_item("web-text-0009")], {}, "web-text-0009 is not in release v1"),
        ([new_item("web-text-0001")], {"release": "v9"}, "No release 'v9'"),
        ([new_item("web-text-0001")], {"name": "A b"}, "is no name of an audit"),
    ],
)
def test_all_or_nothing(database: Database, blobs: Blobs, items: list[NewItem], how: dict[str, str], said: str) -> None:
    """What cannot be an audit is told, and leaves nothing."""
    released(database, record(1))
    given: dict[str, Any] = {"name": AUDIT, "release": "v1", **how}
    with pytest.raises(BadInput, match=said):
        open_audit(database, seed=1, items=items, put=puts(blobs), **given)
    assert audit_results.audits(database) == []


def test_a_name_is_taken(database: Database, blobs: Blobs) -> None:
    """An audit is never opened over another."""
    opened(database, blobs, 1)
    with pytest.raises(Refused, match="take another name"):
        open_audit(database, AUDIT, seed=1, release="v1", items=[new_item("web-text-0000")], put=puts(blobs))


def test_pictures_are_put_as_they_come(database: Database, blobs: Blobs) -> None:
    """The next picture is made when the one before is in the blobs: an audit of large screens fits in memory."""
    rows = [record(number) for number in range(3)]
    released(database, *rows)
    done: list[str] = []

    def put(png: bytes) -> StoredBlob:
        stored = blobs.put(png, "image/png")
        done.append(stored.digest)
        return stored

    def items() -> Iterator[NewItem]:
        for number, row in enumerate(rows):
            assert len(done) == number
            yield new_item(row["id"])

    assert open_audit(database, AUDIT, seed=1, release="v1", items=items(), put=put).items == len(done) == 3


def test_pictures_stay_and_go(database: Database, blobs: Blobs) -> None:
    """Pruning leaves the pictures of an audit, by whatever rule; with the audit they go, but those that another has too."""
    opened(database, blobs, 3)
    shared = open_audit(database, "second", seed=2, release="v1", items=[new_item("web-text-0001")], put=puts(blobs))
    orphan = blobs.put(b"of nobody", "text/plain").digest
    pictures = {row.picture for row in audit_results.judged(database, AUDIT)}
    later = datetime.now(UTC) + timedelta(days=9)
    assert planned(database, keep_bytes=0).going == ()
    prune(database, blobs, before=later, keep_bytes=0, visits=True)
    assert sweep_orphans(database, blobs, older_than=later, dry_run=False).blobs == 1
    assert kept(blobs) == pictures
    assert orphan not in pictures
    ann = someone(database, "ann")
    item = audit_desk.next_item(database, AUDIT, ann)
    assert item is not None
    audit_desk.submit(database, AUDIT, ann, item.item, TEN)
    assert audit_results.remove(database, blobs, AUDIT) == 2
    assert [one.name for one in audit_results.audits(database)] == [shared.name]
    assert kept(blobs) == {row.picture for row in audit_results.judged(database, "second")}
    with pytest.raises(NotFound):
        audit_results.remove(database, blobs, AUDIT)
    with database.transaction() as connection:
        of_audit = tables.audit_places, tables.audit_shown
        left = [connection.scalar(select(func.count()).select_from(table)) for table in of_audit]
        turns = connection.scalar(
            select(func.count()).select_from(tables.audit_turns).where(tables.audit_turns.c.audit == AUDIT)
        )
    assert (left, turns) == ([0, 0], 0)
    assert audit_results.remove(database, blobs, "second") == 1
    assert kept(blobs) == set()
