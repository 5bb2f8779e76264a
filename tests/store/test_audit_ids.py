"""Items' ids tell nothing of what they stand for: random, so of nobody's making, however much of an audit one knows."""

from __future__ import annotations

import base64

from store.audit_opening import open_audit
from store.audit_results import judged, remove
from store.blobs import Blobs
from store.database import Database
from tests.store.audit_rows import AUDIT, RELEASE, hashes, new_item, opened, puts

SEED, COUNT = 5, 6


def ids(database: Database, audit: str = AUDIT) -> dict[str, str]:
    """Items by their probes."""
    return {row.probe: row.item for row in judged(database, audit)}


def test_no_id_comes_again(database: Database, blobs: Blobs) -> None:
    """The same rows, pictures, seed and name once more, and another audit beside: no id was there before, so none can be worked
    out from what stays the same.
    """
    opened(database, blobs, COUNT, seed=SEED)
    first = ids(database)
    items = [new_item(probe) for probe in first]
    seen = set(first.values())
    for name in ("beside", AUDIT):
        if name == AUDIT:
            remove(database, blobs, AUDIT)
        open_audit(database, name, seed=SEED, release=RELEASE, items=items, put=puts(blobs))
        again = ids(database, name)
        assert again.keys() == first.keys()
        assert not seen & set(again.values())
        seen |= set(again.values())
    assert len(seen) == 3 * COUNT


def test_no_id_is_a_digest(database: Database, blobs: Blobs) -> None:
    """Of a probe's id or a picture, alone or with the audit, its release or its seed: in hex or base64, whole or cut."""
    opened(database, blobs, COUNT, seed=SEED)
    known = {row.probe: row for row in judged(database, AUDIT)}
    of = [str(part) for row in known.values() for part in (row.probe, row.picture)]
    beside = [AUDIT, RELEASE, str(SEED), f"{AUDIT}{SEED}", f"{AUDIT}{RELEASE}"]
    texts = [
        *of,
        *(f"{a}{by}{b}" for one in of for more in beside for a, b in ((one, more), (more, one)) for by in ("", " ", "/", ":")),
    ]
    made = "\n".join(
        form
        for one in hashes(*texts)
        for form in (one.hex(), base64.b64encode(one).decode(), base64.urlsafe_b64encode(one).decode())
    )
    assert base64.urlsafe_b64encode(next(hashes(f"{AUDIT}{of[0]}"))).decode()[:22] in made  # the search itself
    assert [row.item for row in known.values() if row.item in made] == []
