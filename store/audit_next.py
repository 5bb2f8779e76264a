"""What an annotator is to be asked next, held so that nobody else is asked it meanwhile. For the store alone.

The items of an audit lie in blocks of a few hundred, by chance. Everybody has an order of the blocks (SHA-256 of seed,
annotator and block) and of the items in each (SHA-256 of seed, annotator and item), so nothing is stored for an order, and one
block is read for one item: however many items there are, and however many annotators.

The least served come first, wherever they lie: blocks without such an item are passed over by a look into the index each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, TextClause, text

from store.annotators import Annotator
from store.audit_turns import DISPUTED, WANTED

_PASSED = 32
"""Blocks that are looked into at once: nearly always the first has an item."""
_MORE = 32
"""Items that are tried for besides, in a block: others may hold the first ones."""
_OWN_PLACE = "exists (select from audit_places p where p.item = t.item and p.annotator = :annotator)"
_SKIPPED = "exists (select from audit_shown s where s.item = t.item and s.annotator = :annotator and s.skipped is not null)"
# Places at stage 1 are known by their holder, too: whoever has many such items reads none of them. Whoever has adjudicated one
# holds it when one of the first two takes their answer back.
_FREE = {
    stage: f"t.audit = :audit and t.kind = :kind and t.stage = {stage} and not {_SKIPPED} and not {_OWN_PLACE}"
    for stage in (0, WANTED, DISPUTED)
}


def turn(what: str) -> str:
    """SQL: as domain.identity.digest(seed, annotator, what) has it, as bytes. `:head` is of `Asking.given`."""
    # A JSON list, with nothing in it that JSON would escape.
    return f"""sha256(convert_to(:head || {what} || '"]', 'UTF8'))"""


# A limit at each: so the index is looked into for one entry, never read through. An annotator's own places lie between.
_BLOCKS = {
    stage: text(f"""
select b.block from unnest(cast(:some_blocks as int[])) with ordinality b (block, n)
cross join lateral (
    (select 1 from audit_turns t where {free} and t.block = b.block and t.holder < :annotator limit 1)
    union all
    (select 1 from audit_turns t where {free} and t.block = b.block and t.holder > :annotator limit 1)
    limit 1
) one
order by b.n
""")  # noqa: S608 - our own words
    for stage, free in _FREE.items()
}
_IN_BLOCK = {
    (stage, wait): text(f"""
with next as materialized (
    select t.item, {turn("t.item")} as turn from audit_turns t
    where {free} and t.block = :block and t.holder <> :annotator order by turn limit :some + {_MORE}
)
select i.item, i.record from next join audit_items i on i.item = next.item
order by next.turn limit :some for no key update of i {"" if wait else "skip locked"}
""")  # noqa: S608 - our own words
    for stage, free in _FREE.items()
    for wait in (False, True)
}
_SKIPPED_ONES = {
    (stage, wait): text(f"""
select i.item, i.record from audit_shown s join audit_turns t on t.item = s.item and t.kind = :kind
join audit_items i on i.item = s.item
where s.audit = :audit and s.annotator = :annotator and s.skipped is not null and t.stage {wanted} and not {_OWN_PLACE}
order by s.skipped, t.stage, {turn("t.block")}, {turn("t.item")}
limit :some for no key update of i {"" if wait else "skip locked"}
""")  # noqa: S608 - our own words
    for stage, wanted in ((WANTED, f"<= {WANTED}"), (DISPUTED, f"= {DISPUTED}"))
    for wait in (False, True)
}
_STILL = text(f"""
select t.item, t.stage from audit_turns t
where t.item = any(:items) and t.kind = :kind and t.stage is not null and not {_OWN_PLACE}
""")  # noqa: S608 - our own words


@dataclass(frozen=True, slots=True)
class Asking:
    """An annotator at an audit of this seed, whose items lie in so many blocks."""

    audit: str
    annotator: Annotator
    seed: int
    blocks: int

    @property
    def given(self) -> dict[str, Any]:
        """What the statements here and `turn` take."""
        name = self.annotator.name
        return {"audit": self.audit, "annotator": name, "kind": self.annotator.kind, "head": f'["{self.seed}", "{name}", "'}


class Held(NamedTuple):
    """An item, and its whole AuditItem."""

    item: str
    record: dict[str, Any]


def hold_next(connection: Connection, asking: Asking, stage: int, some: int, *, wait: bool) -> list[Held]:
    """So many items at most at which this annotator may have a place, in the annotator's order; what was skipped last.

    stage: WANTED, those with a place free, the least served first; or DISPUTED. wait: for whoever holds the item now; else
    those that nobody holds.
    """
    found: list[Held] = []
    for part in (0, WANTED) if stage == WANTED else (DISPUTED,):
        for block in _blocks(connection, asking, part):
            asked = {**asking.given, "block": block, "some": some - len(found)}
            found += _held(connection, _IN_BLOCK[part, wait], asked)
            if len(found) >= some:
                return found
    return [*found, *_held(connection, _SKIPPED_ONES[stage, wait], {**asking.given, "some": some - len(found)})]


def _blocks(connection: Connection, asking: Asking, stage: int) -> Iterator[int]:
    """Those with an item at this stage for this annotator, in the annotator's order."""
    order = _order(asking.seed, asking.annotator.name, asking.blocks)
    for start in range(0, len(order), _PASSED):
        yield from connection.scalars(_BLOCKS[stage], {**asking.given, "some_blocks": order[start : start + _PASSED]}).all()


@lru_cache(maxsize=256)
def _order(seed: int, annotator: str, blocks: int) -> list[int]:
    # As `turn` has it; domain.identity, which has it too, knows divergences, and the desk must not.
    return sorted(
        range(1, blocks + 1), key=lambda block: hashlib.sha256(f'["{seed}", "{annotator}", "{block}"]'.encode()).digest()
    )


def still_free(connection: Connection, asking: Asking, stage: int, held: Sequence[Held]) -> list[Held]:
    """Those of these items that are free for this annotator now that they are held."""
    rows = connection.execute(_STILL, {**asking.given, "items": [one.item for one in held]}).all() if held else ()
    free = {row.item for row in rows if (row.stage == DISPUTED) == (stage == DISPUTED)}
    return [one for one in held if one.item in free]


def _held(connection: Connection, question: TextClause, asked: dict[str, Any]) -> list[Held]:
    return [Held(*row) for row in connection.execute(question, asked)]
