"""Regions of audits that were opened when they had fractions: whoever reads them has whole px, and what is stored stays."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from sqlalchemy import select, update

from domain.audit import Region
from domain.geometry import Box
from store import audit_desk, audit_results, tables
from store.blobs import Blobs
from store.database import Database
from tests.store.audit_rows import AUDIT, TEN, opened, someone

OLD = {"x": 10.4, "y": 20.0, "width": 82.72000000000003, "height": 19.999999999999996}
WHOLE = Region(x=10, y=20, width=84, height=20)  # to 93.12, and to 40


def test_an_audit_of_before_has_whole_px_wherever_it_is_read(database: Database, blobs: Blobs) -> None:
    """What is next, given, answered, taken back and judged."""
    opened(database, blobs, 1)
    items = tables.audit_items
    with database.transaction() as connection:
        [record] = connection.scalars(select(items.c.record))
        connection.execute(update(items).values(record={**record, "region": OLD}))
    ann = someone(database, "ann")
    for _ in range(2):  # taken, and held
        asked = audit_desk.next_item(database, AUDIT, ann)
        assert asked is not None
        assert asked.region == WHOLE
    assert '"region":{"x":10,"y":20,"width":84,"height":20}' in asked.model_dump_json()
    assert audit_desk.item_of(database, AUDIT, ann, asked.item)[0].region == WHOLE
    assert audit_desk.submit(database, AUDIT, ann, asked.item, TEN).item.region == WHOLE
    assert [row.region for row in audit_results.judged(database, AUDIT)] == [WHOLE]
    assert audit_desk.undo(database, AUDIT, ann) == asked
    with database.transaction() as connection:
        assert [one["region"] for one in connection.scalars(select(items.c.record))] == [OLD]


@pytest.mark.parametrize(
    ("box", "whole"),
    [
        ((1, 2, 3, 4), (1, 2, 3, 4)),
        ((0.9, 0.1, 0.2, 0.1), (0, 0, 2, 1)),  # 0.9 to 1.1
        ((1.0000000000001, 2.9999999999999, 3, 4), (1, 3, 3, 4)),
        ((557.28, 0, 82.72000000000003, 1), (557, 0, 83, 1)),  # to the edge of a picture of 640 px, not beyond
        ((5, 5, 1e-9, 4), (5, 5, 1, 4)),
        ((5, 5, 0, 4), None),
        ((5, 5, 0.5, 0.0), None),
        ((-0.5, 5, 3, 4), None),
        ((float("nan"), 5, 3, 4), None),
        ((5, 5, float("inf"), 4), None),
    ],
)
def test_a_region_is_whole_px(box: tuple[float, ...], whole: tuple[int, ...] | None) -> None:
    """Outwards, without what binary fractions add; what is no region is refused as such."""
    if whole is None:
        with pytest.raises(ValidationError):
            Region.around(Box(*box))
    else:
        found = Region.around(Box(*box))
        assert (found.x, found.y, found.width, found.height) == whole
        assert {type(one) for one in found.model_dump().values()} == {int}
