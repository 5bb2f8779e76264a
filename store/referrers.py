"""Who refers to captures and blobs from outside of a visit: what they refer to is never pruned.

A later table (judgements, releases) joins in by one line in REFERRERS. A test names every column that looks like a reference
and stands in neither list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

Target = Literal["captures", "visits", "divergences", "probes", "blobs"]


class Referrer(NamedTuple):
    """A column that refers to rows of another table by their id, or to blobs by their digest."""

    table: str
    column: str
    of: Target


# What each of these names is kept: of a capture all artifacts and its row; of a visit, divergence or probe, the captures it
# is or was seen in; of a blob, that blob.
REFERRERS: tuple[Referrer, ...] = (
    Referrer("sightings", "capture_id", "captures"),  # a probe was seen in it
    Referrer("release_probes", "probe_id", "probes"),  # what is released can be traced to its pixels
    Referrer("release_blobs", "digest", "blobs"),  # of its probes, and of its documents
    Referrer("audit_items", "picture", "blobs"),  # what annotators see, as long as the audit is there
)

# What belongs to a capture and goes with it, or follows from a referrer above. It keeps nothing.
FOLLOWERS: frozenset[tuple[str, str]] = frozenset(
    {
        ("captures", "visit_id"),
        ("captures", "served_digest"),
        ("captures", "screenshot_digest"),
        ("divergences", "capture_id"),
        ("divergences", "visit_id"),
        ("checks", "divergence_id"),
        ("sightings", "divergence_id"),
        ("sightings", "probe_id"),
        ("blobs", "digest"),
        ("discarded", "digest"),
        ("visited", "captures"),  # how many
        ("sites", "last_visit"),  # visits' rows stay
        ("visited", "visit_id"),  # likewise, and looked for again where one is deleted
        ("releases", "digest"),  # of the release, no blob's
        ("audit_items", "probe_id"),  # of a release: that keeps it
        ("release_files", "digest"),  # each is in release_blobs: a foreign key sees to it
    }
)

_CAPTURES_OF: dict[Target, str] = {
    "captures": "r.{column} = captures.id",
    "visits": "r.{column} = captures.visit_id",
    "divergences": "r.{column} in (select d.id from divergences d where d.capture_id = captures.id)",
    "probes": "r.{column} in (select s.probe_id from sightings s where s.capture_id = captures.id)",
}


def capture_referred(referrers: tuple[Referrer, ...] = REFERRERS) -> str:
    """SQL: whether the row of `captures` at hand is referred to."""
    return _any(
        f"exists (select 1 from {r.table} r where {_CAPTURES_OF[r.of].format(column=r.column)})"  # noqa: S608 - our own words
        for r in referrers
        if r.of != "blobs"
    )


def blob_referred(digest: str, referrers: tuple[Referrer, ...] = REFERRERS) -> str:
    """SQL: whether the blob with the digest that this expression gives is referred to by anything but captures."""
    return _any(
        f"exists (select 1 from {r.table} r where r.{r.column} = {digest})"  # noqa: S608 - our own words
        for r in referrers
        if r.of == "blobs"
    )


def _any(conditions: Iterable[str]) -> str:
    return "(" + " or ".join([*conditions] or ["false"]) + ")"
