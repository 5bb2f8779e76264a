"""Opening an audit: the rows of a frozen release become items that tell nothing of what they stand for."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from builder.audit_screens import NotShown, row_of, screens
from builder.sources import Corpus, corpus
from domain.errors import BadInput
from domain.families import NAMES
from store.audit_opening import NewItem, open_audit
from store.audit_results import AuditStatus
from store.blobs import Blobs
from store.database import Database
from store.releases import find_release, released_probes

SEED_BITS = 62
Told = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which audit is to be opened. families: only rows of these; None: all. seed: of everybody's order; None: by chance.

    most: only so many rows, drawn by the seed whatever their family; None: all.
    """

    name: str
    release: str
    families: Collection[str] | None = None
    seed: int | None = None
    adjudicate: bool = False
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The audit, and every row of its release that is no item of it, with why."""

    status: AuditStatus
    rows: int
    not_shown: tuple[NotShown, ...] = field(default=())


def begin_audit(
    database: Database,
    blobs: Blobs,
    wanted: Wanted,
    *,
    workers: int = 1,
    told: Told = lambda *_: None,
    corpora: Callable[[str], Corpus] = corpus,
) -> Opened:
    """Opens the audit, all of it or nothing.

    Raises NotFound for the release, BadInput where a family is not in it or none of its rows can be shown, Refused where the
    audit is there.
    """
    release, manifest = find_release(database, wanted.release)
    if strangers := sorted(set(wanted.families or ()) - set(manifest.counts.families)):
        known = ", ".join(name for name in NAMES if name in manifest.counts.families)
        raise BadInput(f"Release {release.name} has no {', '.join(strangers)}. It has: {known}.")
    seed = secrets.randbits(SEED_BITS) if wanted.seed is None else wanted.seed
    rows = [
        row_of(probe)
        for probe in released_probes(database, release.name)
        if wanted.families is None or probe.family in wanted.families
    ]
    if wanted.most is not None:
        rows = sorted(rows, key=lambda row: hashlib.sha256(f"{seed} {row.id}".encode()).digest())[: wanted.most]
    not_shown: list[NotShown] = []

    def items() -> Iterator[NewItem]:
        done = 0
        for found in screens(database, blobs, rows, workers=workers, corpora=corpora):
            for one in found:
                if isinstance(one, NotShown):
                    not_shown.append(one)
                else:
                    yield NewItem(one.probe, one.variable, one.png, one.size, one.region)
                done += 1
                told("making pictures", done, len(rows))

    status = open_audit(
        database,
        wanted.name,
        seed=seed,
        release=release.name,
        items=items(),
        put=lambda picture: blobs.put(picture, "image/png"),
        adjudicate=wanted.adjudicate,
    )
    return Opened(status, len(rows), tuple(sorted(not_shown, key=lambda one: (one.reason, one.probe))))
