"""What pruning would remove, worked out in one look at the database, before anything is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field
from sqlalchemy import Connection, text

from domain.record import Record
from store.database import Database
from store.lookup import utc
from store.referrers import blob_referred, capture_referred

# What is needed least goes first: MHTML says again what the DOM says; the screenshot is what a person looks at.
RANKS = (("mhtml",), ("dom", "served", "before", "after", "names", "drift", "frames", "page"), ("screenshot",))
EVERYTHING = tuple(name for rank in RANKS for name in rank)


class Going(Record):
    """One sort of artifact."""

    artifact: str
    captures: int = Field(description="that would lose it")
    blobs: int = Field(description="that would be removed; one that another capture names stays")
    bytes: int = Field(description="stored bytes of those")


class Plan(Record):
    """What would go, in the order in which it would."""

    going: tuple[Going, ...]
    captures: int = Field(description="captures that would lose something")
    kept: int = Field(description="captures left as they are though old enough, since a probe, audit or release refers to them")
    rows: int = Field(default=0, description="rows of captures that would be removed, with --visits")
    bytes_now: int = Field(description="stored bytes of all blobs that rows name")
    bytes_after: int


def planned(
    database: Database,
    *,
    before: datetime | None = None,
    keep_bytes: int | None = None,
    only: Sequence[str] = EVERYTHING,
    visits: bool = False,
) -> Plan:
    """What would be removed: artifacts of captures of visits begun before then, and more, sort by sort and oldest first, until
    all blobs together have no more than so many stored bytes.

    only: sorts of artifacts that may go. visits: see `prune`.
    """
    with database.transaction() as connection:
        now = ordered(connection, before, keep_bytes, only)
        rows = connection.execute(
            text(
                "select name, count(distinct capture) as captures, count(*) filter (where freed) as blobs, "
                "coalesce(sum(size) filter (where freed), 0) as bytes from going group by name order by min(place)"
            )
        ).all()
        captures = int(connection.scalar(text("select count(distinct capture) from going")) or 0)
        spared = {"before": before and utc(before), "all": before is None}
        old = "select count(*) from captures join visits on visits.id = visit_id where (:all or started < :before) and "
        kept = int(connection.scalar(text(old + capture_referred()), spared) or 0)
        whole = int(connection.scalar(text(f"{old} not {capture_referred()}"), spared) or 0) if visits and before else 0
        going = tuple(Going(artifact=r.name, captures=r.captures, blobs=r.blobs, bytes=int(r.bytes)) for r in rows)
        freed = sum(one.bytes for one in going)
        return Plan(going=going, captures=captures, kept=kept, rows=whole, bytes_now=now, bytes_after=now - freed)


def ordered(connection: Connection, before: datetime | None, keep_bytes: int | None, only: Sequence[str]) -> int:
    """Makes the temporary table `going`: (capture, name, rank, place, freed, size), gone at the end of the transaction.

    place: the order. freed: with this row the last capture that names the blob lets it go. Returns the stored bytes now.
    """
    now = int(connection.scalar(text("select coalesce(sum(stored_size), 0) from blobs")) or 0)
    excess = max(0, now - keep_bytes) if keep_bytes is not None else 0
    connection.execute(
        text(_GOING),
        {
            "before": before and utc(before),
            "excess": excess,
            "only": list(only),
            "first": list(RANKS[0]),
            "last": list(RANKS[-1]),
        },
    )
    return now


# Old ones come first, then by what is needed least, then by age. A blob goes with the last that names it, and stays if that
# one stays. What is over the size is a beginning of that order too; so how much each row frees can be summed along it.
_GOING = f"""
create temporary table going on commit drop as
with
named as (
    select captures.id as capture, a.key as name, a.value as digest, visits.started,
        coalesce(visits.started < :before, false) as old,
        case when a.key = any(:first) then 0 when a.key = any(:last) then 2 else 1 end as rank,
        not (a.key = any(:only)) or {capture_referred()} as stays
    from captures join visits on visits.id = captures.visit_id
    cross join lateral jsonb_each_text(captures.record -> 'artifacts') as a
),
placed as (
    select *, row_number() over (partition by stays order by old desc, rank, started, capture, name) as place from named
),
weighed as (
    select capture, name, rank, placed.digest, place, old, stays,
        place = max(place) over same and not bool_or(stays) over same and not {blob_referred("placed.digest")} as freed,
        coalesce(blobs.stored_size, 0) as size
    from placed left join blobs on blobs.digest = placed.digest
    window same as (partition by placed.digest)
),
summed as (
    select *, coalesce(sum(size) filter (where freed) over (
        order by place rows between unbounded preceding and 1 preceding), 0) as freed_before
    from weighed where not stays
)
select capture, name, rank, place, freed, size from summed where old or freed_before < :excess
"""  # noqa: S608 - our own words
