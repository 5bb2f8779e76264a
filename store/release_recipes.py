"""What the store holds for recipes alone: pictures and structures that the terms of their corpora forbid to hand out."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import func, select, text, true

from store import tables
from store.database import Database

_held, _captures, _visits = tables.release_blobs, tables.captures, tables.visits


def recipes_alone(database: Database, digests: Iterable[str]) -> frozenset[str]:
    """Those of these blobs that releases name for recipes only.

    What a row in full has too, of any release, or a visit that is shown, is none of them: there the same bytes are handed out.
    """
    asked = sorted(set(digests))
    if not asked:
        return frozenset()
    question = select(_held.c.digest).where(_held.c.digest.in_(asked)).group_by(_held.c.digest)
    with database.transaction() as connection:
        found = set(connection.scalars(question.having(func.bool_and(_held.c.recipe))))
        if found:
            named = func.jsonb_each_text(_captures.c.record["artifacts"]).table_valued("key", "value").lateral("named")
            # By the index on all digests of a capture: the archive is not read through.
            naming = select(_captures.c.id).where(text(f"{tables.ARTIFACTS} ?| cast(:found as text[])"))
            shown = (
                select(named.c.value)
                .select_from(_captures.join(named, true()).join(_visits, _visits.c.id == _captures.c.visit_id))
                .where(_visits.c.hidden.is_(None), _captures.c.id.in_(naming.correlate(None).params(found=sorted(found))))
            )
            found -= set(connection.scalars(shown))
    return frozenset(found)
