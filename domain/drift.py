"""drift: when the texts of a page first differed from S0, told from several readings within one visit (docs/drift.md).

A reading tells which of the texts seen at S0 are held otherwise now. It says nothing of what happened between two readings:
a change is known to lie after the last one that had the text of S0 and not after the first one that had another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import regex

from domain.errors import BadInput
from domain.lists import mark_shifts
from domain.pair import Pair
from domain.reading import Element, Snapshot

VERSION = 1
LEAST_MOVED = 2
"""Texts that must differ before a list can be said to have moved."""
_PLACES = regex.compile(r":nth-child\(\d+\)")


@dataclass(frozen=True, slots=True)
class TextReading:
    """Which texts differ from S0 at one moment. after_ms: since S0, by the page's clock.

    watched: elements that were seen at S0 and held a text of their own or a value. gone: those of them that are no longer in
    the document; what their nodes still hold is compared all the same. changed: element key -> what it holds now, blanks as
    one, at most 500 characters. more: how many differ beyond those listed.
    """

    after_ms: float
    frozen: bool
    watched: int
    gone: int
    changed: Mapping[int, str]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """What one element held from S0 on: a text at each moment, None for that of S0. S0 itself, at 0 ms, is not listed."""

    element: Element
    moments: tuple[float, ...]
    texts: tuple[str | None, ...]

    @property
    def first_differ_ms(self) -> float | None:
        """The first reading at which it differed; None where it never did."""
        return next((ms for ms, text in zip(self.moments, self.texts, strict=True) if text is not None), None)

    @property
    def last_same_ms(self) -> float:
        """The last reading before that at which it did not: the change lies in (last_same_ms, first_differ_ms]. 0 for S0."""
        same = 0.0
        for ms, text in zip(self.moments, self.texts, strict=True):
            if text is not None:
                break
            same = ms
        return same

    @property
    def values(self) -> tuple[str, ...]:
        """The different texts it was seen to hold beside that of S0, in order of appearance."""
        return tuple(dict.fromkeys(text for text in self.texts if text is not None))

    @property
    def returned(self) -> bool:
        """It differed, and held the text of S0 again later."""
        first = next((i for i, text in enumerate(self.texts) if text is not None), len(self.texts))
        return None in self.texts[first:]

    @property
    def steps(self) -> tuple[tuple[float, float, bool], ...]:
        """(from, to, whether the text at the end is another than at the beginning) between each reading and the next, ms."""
        begins, before = (0.0, *self.moments[:-1]), (None, *self.texts[:-1])
        return tuple((a, b, x != y) for a, b, x, y in zip(begins, self.moments, before, self.texts, strict=True))


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of the watched elements differ from S0 after so many ms.

    stale: hold another text now. ever: did at this reading or an earlier one. moved: hold another because their list moved,
    and are not counted as stale. gone: no longer in the document.
    """

    after_ms: float
    watched: int
    stale: int
    ever: int
    moved: int
    gone: int


def parse(raw: Mapping[str, Any]) -> tuple[TextReading, ...]:
    """The readings of an artifact `drift`, by time. Raises BadInput on one of another version."""
    if raw.get("version") != VERSION:
        raise BadInput(f"These readings of texts are of version {raw.get('version')!r}; known: {VERSION}.")
    readings = (
        TextReading(
            after_ms=float(r["after_ms"]),
            frozen=bool(r["frozen"]),
            watched=int(r["watched"]),
            gone=int(r["gone"]),
            changed={int(key): str(text) for key, text in r["changed"]},
            more=int(r.get("changedMore", 0)),
        )
        for r in raw["readings"]
    )
    return tuple(sorted(readings, key=lambda r: r.after_ms))


def watched(served: Snapshot) -> tuple[Element, ...]:
    """The elements whose texts are read again: those seen at S0 with a text of their own, or a value; no passwords."""
    return tuple(e for e in served.elements if not e.why_unseen and ("own" in e.flags or _has_value(e)))


def _has_value(element: Element) -> bool:
    state = element.state
    return state is not None and state.what in {"value", "selected"} and not state.secret


def stale_only(readings: Sequence[TextReading], served: Snapshot) -> tuple[tuple[TextReading, ...], tuple[int, ...]]:
    """(the readings without texts that differ only because their list moved, how many those were at each).

    In a list whose rows moved, the texts are old ones in new places: no field is stale (domain/lists.py).
    """
    by_shape: defaultdict[tuple[int, str], list[Element]] = defaultdict(list)
    if any(len(reading.changed) >= LEAST_MOVED for reading in readings):
        for element in watched(served):
            by_shape[element.frame, _PLACES.sub("", element.path)].append(element)
    kept, counts = [], []
    for reading in readings:
        moved = _moved(reading, by_shape.values()) if len(reading.changed) >= LEAST_MOVED else set()
        kept.append(replace(reading, changed={k: text for k, text in reading.changed.items() if k not in moved}))
        counts.append(len(moved))
    return tuple(kept), tuple(counts)


def _moved(reading: TextReading, alike: Iterable[Sequence[Element]]) -> set[int]:
    """Keys of those that hold what another member of their list showed. alike: elements whose paths differ in places alone.

    Members of a list are alike in this way; so where nothing changed, nothing needs to be looked at.
    """
    found = [
        Pair(e, replace(e, text=reading.changed[e.key]) if e.key in reading.changed else e)
        for elements in alike
        if any(e.key in reading.changed for e in elements)
        for e in elements
    ]
    mark_shifts(found)
    return {pair.element.key for pair in found if pair.shifted}


def tallies(
    readings: Sequence[TextReading], served: Snapshot, *, counted: Collection[int] = ()
) -> tuple[tuple[Tally, ...], tuple[Course, ...]]:
    """(what is stale at each reading, the courses of all elements that ever differed, in document order).

    counted: keys of elements that another capture of this visit has counted already (a header that is at every scroll
    position); they are left out.
    """
    kept, moved = stale_only(readings, served)
    twice = sum(e.key in counted for e in watched(served))
    ever: set[int] = set()
    most = 0
    found = []
    for reading, shifted in zip(kept, moved, strict=True):
        now = reading.changed.keys() - set(counted)
        ever |= now
        most = max(most, len(ever) + reading.more)
        found.append(
            Tally(
                after_ms=reading.after_ms,
                watched=reading.watched - twice,
                stale=len(now) + reading.more,
                ever=most,
                moved=shifted,
                gone=reading.gone,
            )
        )
    live = [e for e in served.elements if e.key in ever]
    return tuple(found), tuple(course(element, kept) for element in live)


def course(element: Element, readings: Sequence[TextReading]) -> Course:
    """What one element held. A reading that lists not all that differ says nothing of an element that it does not list."""
    told = [r for r in readings if element.key in r.changed or not r.more]
    return Course(element, tuple(r.after_ms for r in told), tuple(r.changed.get(element.key) for r in told))
