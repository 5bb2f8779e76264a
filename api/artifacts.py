"""What a capture is made of: when each channel was read, and the blobs it left, as links for whoever looks at it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from datetime import datetime

from pydantic import Field

from domain.record import Record
from domain.visit import Moment, Timeline
from store.blobs import StoredBlob
from store.database import Database
from store.seen import known_blobs

ARTIFACTS = ("screenshot", "dom", "structure", "frames", "mhtml", "served", "before", "after", "names", "drift", "page")
"""In the order in which a person looks for them."""
NOT_HANDED_OUT = (
    "The terms of its corpus forbid handing it out, or are not known. Whoever keeps this store sees it: with API_TOKEN, or on "
    "the machine of the API itself. Others have it from the publisher, and by `builder rebuild`."
)


class TimelineMoment(Record):
    """One instant of the capture."""

    name: str = Field(description="served (S0), during, frozen, before, screenshot_sent, screenshot_received, after")
    ms: float = Field(description="since S0, by the machine's monotonic clock")
    wall: datetime = Field(description="UTC")


class ArchiveLink(Record):
    """One blob of the evidence."""

    name: str = Field(
        description="dom, served, before, after, screenshot, names, drift, frames, page, mhtml; structure, reading"
    )
    digest: str
    media_type: str = ""
    size: int | None = Field(default=None, description="bytes of the content; null: not in this store")
    link: str | None = Field(default=None, description="/archives/<digest>; null: not to be had")
    problem: str = Field(default="", description="why it is not to be had: pruned, or never stored here")


def moments_of(times: Timeline) -> tuple[TimelineMoment, ...]:
    """The instants that were recorded, in the order of time, in ms since S0; since the first of them where S0 is missing."""
    named = [*_named(times)]
    if not named:
        return ()
    start = times.served or named[0][1]
    return tuple(
        TimelineMoment(name=name, ms=round((m.monotonic_ns - start.monotonic_ns) / 1e6, 3), wall=m.wall)
        for name, m in sorted(named, key=lambda pair: pair[1].monotonic_ns)
    )


def archives_of(database: Database, named: Mapping[str, str], pruned: Mapping[str, str]) -> tuple[ArchiveLink, ...]:
    """Links to blobs by name; for those that are pruned, hidden or not stored here why there is none."""
    return links_of(named, known_blobs(database, named.values()), pruned)


def links_of(
    named: Mapping[str, str], known: Mapping[str, StoredBlob], pruned: Mapping[str, str], withheld: Container[str] = ()
) -> tuple[ArchiveLink, ...]:
    """Links to blobs of which it is known what they are. withheld: digests that may not be handed out."""
    ordered = sorted(named, key=lambda name: (ARTIFACTS.index(name) if name in ARTIFACTS else len(ARTIFACTS), name))
    links = []
    for name in ordered:
        digest = named[name]
        if (blob := known.get(digest)) is None:
            links.append(ArchiveLink(name=name, digest=digest, problem="It is not in this store."))
            continue
        if digest in withheld:
            links.append(ArchiveLink(name=name, digest=digest, problem=NOT_HANDED_OUT))
            continue
        link = f"/archives/{digest}"
        links.append(ArchiveLink(name=name, digest=digest, media_type=blob.media_type, size=blob.size, link=link))
    gone = "It was removed to save space (crawler prune)."
    links += [ArchiveLink(name=name, digest=digest, problem=gone) for name, digest in pruned.items() if name not in named]
    return tuple(links)


def _named(times: Timeline) -> Iterator[tuple[str, Moment]]:
    if times.served:
        yield "served", times.served
    for moment in times.during:
        yield "during", moment
    for name in ("frozen", "before", "screenshot_sent", "screenshot_received", "after"):
        if (found := getattr(times, name)) is not None:
            yield name, found
