"""drift: how texts of stored captures moved away from S0, and how fast (docs/drift.md): for `crawler drift` and for the API.

The store is gone through twice: first to count, and to find the elements that are live; then to ask what every visit says of
these. One capture is in memory at a time, beside a few counts for each and what is known of the live elements.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

import orjson
from pydantic import Field

from domain.drift import Course, TextReading, course, parse, stale_only, tallies, watched
from domain.drift_curve import Counted, Point, curve
from domain.errors import BadInput, NotFound
from domain.half_life import HalfLife, Watch, half_life, unchanged, watch
from domain.reading import Element, Snapshot
from domain.reading import parse as parse_reading
from domain.record import Record
from domain.visit import CaptureRecord, Visit
from store.blobs import Blobs
from store.captures import captures
from store.database import Database

VALUES_KEPT = 5
TEXT_KEPT = 200
"""Characters of an example value."""
MOST_LIVE = 20_000
"""Live elements whose half-lives are told; further ones count in the curves alone."""


class LiveElement(Record):
    """One element that differed from S0 at least once, over all visits that watched it.

    What it held (`served`, `values`, `returned`) is of one visit, the newest in which it changed; never of two.
    """

    site: str
    url: str
    path: str
    element_id: str | None
    frame: int
    served: str = Field(description="what it held at S0 of the newest visit in which it changed")
    values: tuple[str, ...] = Field(
        description=f"other texts it was seen to hold in that visit, each once, in order of appearance, at most {VALUES_KEPT}"
    )
    returned: bool = Field(description="it differed, and held the text of S0 again later in that visit")
    other_courses: int = Field(
        description="different courses (S0 and what followed) of the other visits in which it changed; 0: they held the same"
    )
    half_life: HalfLife


class SiteDrift(Record):
    """One site's curve."""

    site: str
    visits: int
    live: int = Field(description="elements that differed at least once")
    points: tuple[Point, ...]


class Drift(Record):
    """Everything that `crawler drift` tells."""

    captures: int = Field(description="captures with readings of texts")
    unreadable: int = Field(description="captures whose artifacts are missing, damaged or of another version")
    pruned: int = Field(default=0, description="captures whose readings were removed to save space")
    points: tuple[Point, ...] = Field(description="over all sites")
    sites: tuple[SiteDrift, ...] = Field(description="in the order of their names")
    live: int = Field(description="elements that differed at least once, over all sites")
    elements: tuple[LiveElement, ...] = Field(description="the shortest half-lives, shortest first")


Key = tuple[str, str, int, str]
"""Site, address, frame, and the id attribute after a # or else the path: by this an element is the same in another visit."""


@dataclass(slots=True)
class _Live:
    """element, values and returned are of one visit: the newest gone through in which it changed."""

    element: Element
    values: tuple[str, ...] = ()
    returned: bool = False
    courses: set[int] = field(default_factory=set)
    """What stands for each different course: of a page's clock there is one a visit."""
    watches: list[Watch] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One stored capture's readings. counted: keys that an earlier capture of its visit has watched."""

    visit: Visit
    served: Snapshot
    readings: tuple[TextReading, ...]
    counted: frozenset[int]


def drift(
    database: Database,
    blobs: Blobs,
    *,
    site: str | None = None,
    since: datetime | None = None,
    limit: int = 20,
    on_capture: Callable[[], None] = lambda: None,
) -> Drift:
    """The drift of the stored captures that match. limit: how many elements are told.

    Raises NotFound where no capture has readings of texts.
    """
    walk = _Walk(database, blobs, site, since)
    counted: list[Counted] = []
    live: dict[Key, _Live] = {}
    alive: defaultdict[str, set[Key]] = defaultdict(set)
    for seen in walk.captures():
        on_capture()
        found, courses = tallies(seen.readings, seen.served, counted=seen.counted)
        counted.append(Counted(site=seen.visit.site, visit=seen.visit.id, tallies=found))
        for moved in courses:
            key = _key(seen.visit, moved.element)
            alive[seen.visit.site].add(key)
            if key in live or len(live) < MOST_LIVE:
                live.setdefault(key, _Live(moved.element))
    if not counted:
        what = f" of {site}" if site else ""
        if walk.pruned:
            raise NotFound(f"The readings of texts of all stored captures{what} ({walk.pruned}) were pruned to save space.")
        raise NotFound(f"No stored capture{what} has readings of texts. CRAWLER_READINGS says when they are taken.")
    unreadable, pruned = walk.unreadable, walk.pruned
    if live:
        for seen in walk.captures():
            on_capture()
            _ask(seen, live)
    by_site: defaultdict[str, list[Counted]] = defaultdict(list)
    for one in counted:
        by_site[one.site].append(one)
    elements = [_told(key, one, h) for key, one in live.items() if (h := half_life(one.watches)) is not None]
    elements.sort(key=_pace)
    return Drift(
        captures=len(counted),
        unreadable=unreadable,
        pruned=pruned,
        points=curve(counted),
        sites=tuple(
            SiteDrift(site=name, visits=len({c.visit for c in those}), live=len(alive[name]), points=curve(those))
            for name, those in sorted(by_site.items())
        ),
        live=sum(len(keys) for keys in alive.values()),
        elements=tuple(elements[:limit]),
    )


class _Walk:
    """Goes through the stored captures that have readings of texts, one at a time."""

    def __init__(self, database: Database, blobs: Blobs, site: str | None, since: datetime | None) -> None:
        self._database, self._blobs, self._site, self._since = database, blobs, site, since
        self.unreadable = self.pruned = 0

    def captures(self) -> Iterator[_Seen]:
        """Each that can be read. Those that cannot are counted."""
        self.unreadable = self.pruned = 0
        visit_id, counted = "", frozenset[int]()
        for visit, capture in captures(self._database, site=self._site, since=self._since):
            if {"drift", "served"} & capture.pruned.keys():
                self.pruned += "drift" in {**capture.artifacts, **capture.pruned}
                continue
            if "drift" not in capture.artifacts:
                continue
            if visit.id != visit_id:
                visit_id, counted = visit.id, frozenset()
            try:
                seen = _read(self._blobs, visit, capture, counted)
            except (NotFound, BadInput, KeyError, TypeError, ValueError):
                self.unreadable += 1
                continue
            counted |= {e.key for e in watched(seen.served)}
            yield seen


def _read(blobs: Blobs, visit: Visit, capture: CaptureRecord, counted: frozenset[int]) -> _Seen:
    """Raises NotFound and BadInput, and what parsing something else raises, where the artifacts cannot be read."""
    served = parse_reading(orjson.loads(blobs.get(capture.artifacts["served"])))
    return _Seen(visit, served, parse(orjson.loads(blobs.get(capture.artifacts["drift"]))), counted)


def _key(visit: Visit, element: Element) -> Key:
    return visit.site, visit.url, element.frame, f"#{element.element_id}" if element.element_id else element.path


def _note(one: _Live, moved: Course) -> None:
    one.element = moved.element
    one.values = tuple(dict.fromkeys(value[:TEXT_KEPT] for value in moved.values))[:VALUES_KEPT]
    one.returned = moved.returned
    one.courses.add(hash((moved.element.text, moved.values, moved.returned)))


def _ask(seen: _Seen, live: dict[Key, _Live]) -> None:
    """What this capture says of the live elements, whether they changed in it or not."""
    kept, _ = stale_only(seen.readings, seen.served)
    if not kept:
        return
    asked: set[Key] = set()
    for element in watched(seen.served):
        key = _key(seen.visit, element)
        one = live.get(key)
        if one is None or element.key in seen.counted or key in asked:
            continue
        asked.add(key)  # an id that a page uses twice is one element, the first
        its = course(element, kept)
        if its.moments:
            changed = its.first_differ_ms is not None
            one.watches.append(watch(its) if changed else unchanged(its.moments[-1]))
            if changed:
                _note(one, its)


def _told(key: Key, one: _Live, lives: HalfLife) -> LiveElement:
    return LiveElement(
        site=key[0],
        url=key[1],
        path=one.element.path,
        element_id=one.element.element_id,
        frame=one.element.frame,
        served=one.element.text[:TEXT_KEPT],
        values=one.values,
        returned=one.returned,
        other_courses=len(one.courses) - 1,
        half_life=lives,
    )


def _pace(one: LiveElement) -> tuple[float, float, str, str]:
    """Shortest half-life first; what is only known to be longer than something last."""
    high = one.half_life.high_ms
    return (float("inf") if high is None else high, one.half_life.low_ms, one.site, one.path)
