"""What a gallery shows of each probe and each divergence."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson

from api.pages.made import made_how
from channels.pictures import size_around
from channels.values import Value, flat, pair
from domain.geometry import Box
from domain.made import own_machine
from domain.probe import LIVE
from store.database import Database
from store.divergence_counts import Screen, screens
from store.divergences import StoredDivergence
from store.probe_seen import times_of
from store.seen import known_blobs

ALT = 120
"""Characters of each value in the words that stand for a picture."""
TIMED = {"first_seen": "found", "last_seen": "last seen"}
"""Orders by a time, and how the time is called."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A picture of the place, as an <img> needs it."""

    address: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where on a screen a thing is, for a drawing that stands for a picture that is not there. In px of the screen."""

    width: float
    height: float
    box: Box


@dataclass(frozen=True, slots=True)
class Card:
    """One of a gallery's."""

    id: str
    page: str
    family: str
    kind: str | None
    variable: str | None
    site: str
    grade: str | None
    verdict: str | None
    when: datetime | None
    timed: str
    """What `when` is, where it is the time that the order goes by; else empty: it was photographed then."""
    structural: Value
    rendered: Value
    crop: Crop | None
    place: Place | None
    problem: str
    """Why there is no picture; empty where there is one."""
    made: str
    """How it was made, where it is no evidence about the world; else empty."""


def of_probes(
    database: Database,
    found: Sequence[bytes],
    withheld: Callable[[Database, Iterable[str]], frozenset[str]],
    order: str = "",
) -> list[Card]:
    """Cards of these probes: JSON of a Probe or a ReleasedProbe each, as the store has it.

    withheld: which of these blobs are not to be shown, by the terms of their corpora. order: of the list; where it goes by a
    time, that time is on the cards, and no other: beside it they would look out of order.

    They were checked when they were stored. To check them again for every page would take as long as all the rest of it.
    """
    records = [orjson.loads(one) for one in found]
    stored = known_blobs(database, {record["screenshot"] for record in records})
    corpora = {record["screenshot"] for record in records if record["provenance"]["source"] != LIVE}
    shown = stored.keys() - withheld(database, corpora & stored.keys())
    cards = [_of_probe(record, there=record["screenshot"] in shown) for record in records]
    name = order.removeprefix("-")
    if name not in TIMED:
        return cards
    times = times_of(database, (card.id for card in cards))
    return [replace(card, when=times[card.id][name], timed=TIMED[name]) if card.id in times else card for card in cards]


def _of_probe(record: Mapping[str, Any], *, there: bool) -> Card:
    where, gold, said = record["provenance"], record["gold"], record["structural"]
    live, region = where["source"] == LIVE, Box(**record["region"])
    screen = where["viewport" if live else "picture"]
    made = made_how(live=live) if (own_machine(where["url"]) if live else where["made"]) else ""
    width, height = screen["width"], screen["height"]
    crop = crop_of(f"/probes/{record['id']}/crop", region, (width, height), said, gold) if there else None
    structural, rendered = pair(said, gold)
    return Card(
        id=record["id"],
        page=f"/pages/probes/{record['id']}",
        family=record["family"],
        kind=record["kind"],
        variable=record["variable"],
        site=where["site"],
        grade=where.get("grade"),
        verdict=(where["check"] or {}).get("verdict"),
        when=datetime.fromisoformat(where["when"]) if live else None,
        timed="",
        structural=structural,
        rendered=rendered,
        crop=crop,
        place=None if crop else Place(width, height, region),
        problem="" if crop else _not_kept(where["source"], live=live, made=bool(made)),
        made=made,
    )


def _not_kept(source: str, *, live: bool, made: bool) -> str:
    if live:
        return "picture removed to save space"
    return f"picture is not kept here: it lies with the corpus {source}" if made else f"picture is the publisher's: {source}"


def of_divergences(database: Database, found: Sequence[StoredDivergence]) -> list[Card]:
    """Cards of these divergences."""
    shown = screens(database, (one.capture_id for one in found))
    stored = known_blobs(database, {screen.screenshot for screen in shown.values() if screen.screenshot})
    return [_of_divergence(one, shown.get(one.capture_id), stored) for one in found]


def _of_divergence(divergence: StoredDivergence, screen: Screen | None, stored: Container[str]) -> Card:
    finding = divergence.finding
    place = Place(screen.width, screen.height, Box(*finding.box)) if screen and finding.box else None
    there = screen is not None and screen.screenshot in stored
    address, values = f"/divergences/{divergence.id}/crop", (finding.structural, finding.rendered)
    crop = crop_of(address, place.box, (place.width, place.height), *values) if there and place else None
    structural, rendered = pair(finding.structural, finding.rendered)
    return Card(
        id=divergence.id,
        page=f"/pages/divergences/{divergence.id}",
        family="",
        kind=finding.kind,
        variable=None,
        site=divergence.site,
        grade=finding.grade,
        verdict=divergence.check.verdict if divergence.check else None,
        when=divergence.when,
        timed="",
        structural=structural,
        rendered=rendered,
        crop=crop,
        place=None if crop else place,
        problem="" if crop else "it has no place on the picture" if there else "picture removed to save space",
        made=made_how(live=True) if own_machine(divergence.url) else "",
    )


def crop_of(address: str, box: Box, screen: tuple[float, float], structural: str | None, rendered: str | None) -> Crop | None:
    """The picture at this address, of a box on a screen of this width and height; None where the box is not on it."""
    size = size_around(box, Box(0, 0, *screen))
    if size is None:
        return None
    said, shown = (flat(value or "")[:ALT] or "nothing" for value in (structural, rendered))
    return Crop(address, *size, f"The place on the screenshot. Structure says: {said}. The screen shows: {shown}.")
