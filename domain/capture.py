"""Capture, Pair: the two channels of one page beside each other, element by element.

A capture is three readings around one screenshot; everything the rules look at comes from it, so they can be asked again
of a stored one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from domain.geometry import Box
from domain.lists import mark_records, mark_shifts
from domain.pair import AccessibleName, Pair
from domain.reading import Element, Snapshot
from domain.text import normalize

__all__ = ["LINE_LIMIT", "AccessibleName", "Capture", "Ink", "Pair", "pairs"]

BOX_TOLERANCE_PX = 0.51
"""Layout is in 1/64 px and readings are rounded to 1/100; half a pixel is no move that a screenshot shows."""
LINE_LIMIT = 80
"""Characters: a longer run of pieces is a text of its own, not one value set in several elements."""

Ink = Callable[[Box], float | None]
"""Share of a region's pixels that are not its ground, 0 to 1; None where the region is not on the picture."""


@dataclass(frozen=True, slots=True)
class Capture:
    """served: as the structure was given. before, after: around the pixels. ink: asks the screenshot.

    names: key of an element -> its accessible name, while the page was stopped; only of elements that may be compared.
    """

    served: Snapshot
    before: Snapshot
    after: Snapshot
    ink: Ink | None = None
    names: Mapping[int, AccessibleName] = field(default_factory=dict)


def pairs(capture: Capture) -> tuple[Pair, ...]:
    """Every element of both readings once, parents before children; the gone ones last."""
    served = capture.served
    same_field = _same_fields(served, capture.before)
    found: list[Pair] = []
    by_index: dict[int, Pair] = {}
    taken: set[int] = set()
    for i, shown in enumerate(capture.before.elements):
        j = served.by_key.get(shown.key)
        replaced = j is None
        if j is None:
            j = same_field.get(i)
        if j is not None:
            taken.add(j)
        pair = Pair(
            served.elements[j] if j is not None else None,
            shown,
            _settled(shown, capture.after),
            replaced and j is not None,
            accessible=capture.names.get(shown.key),
        )
        found.append(pair)
        by_index[i] = pair
        if shown.parent in by_index:
            by_index[shown.parent].inner.append(pair)
    mark_shifts(found)
    mark_records(found)
    found += [_absent(element) for j, element in enumerate(served.elements) if j not in taken]
    return tuple(found)


NOT_READ_AGAIN = frozenset({"not-rendered", "off-viewport", "hidden"})
"""Why an element of S0 may be missing at S1 though it is still there: the readings around the pixels leave out what is not
drawn and what is a screen or more away."""


def _absent(served: Element) -> Pair:
    """An element of S0 that the readings around the pixels do not have: gone, or as unseen as it was."""
    return Pair(served, served, settled=True) if served.why_unseen in NOT_READ_AGAIN else Pair(served, None)


def _same_fields(served: Snapshot, shown: Snapshot) -> dict[int, int]:
    """Index in `shown` -> index in `served` for new nodes that stand for nodes that are gone: the same field, re-rendered.

    By id attribute, else by place (same path and tag), else by its text where that is the text of exactly one.
    """
    gone = [i for i, e in enumerate(served.elements) if e.key not in shown.by_key]
    new = [i for i, e in enumerate(shown.elements) if e.key not in served.by_key]
    matched: dict[int, int] = {}
    for key in (_by_id, _by_place, _by_text):
        places: dict[object, list[int]] = defaultdict(list)
        for j in gone:
            if (name := key(served.elements[j])) is not None:
                places[name].append(j)
        taken = set(matched.values())
        rivals = Counter(key(shown.elements[i]) for i in new if i not in matched)
        for i in new:
            name = key(shown.elements[i])
            candidates = [j for j in places.get(name, ()) if j not in taken]
            if i not in matched and name is not None and len(candidates) == 1 and rivals[name] == 1:
                matched[i] = candidates[0]
    return matched


def _by_id(e: Element) -> tuple[object, ...] | None:
    return (e.frame, e.tag, e.element_id) if e.element_id else None


def _by_place(e: Element) -> tuple[object, ...] | None:
    return (e.frame, e.tag, e.path, e.element_id)


def _by_text(e: Element) -> tuple[object, ...] | None:
    return (e.frame, normalize(e.text)) if e.text and "own" in e.flags else None


def _settled(shown: Element, after: Snapshot) -> bool:
    i = after.by_key.get(shown.key)
    if i is None:
        return False
    again = after.elements[i]
    if (
        again.text != shown.text
        or again.why_unseen != shown.why_unseen
        or (again.state and again.state.live) != (shown.state and shown.state.live)
    ):
        return False
    if shown.box is None or again.box is None:
        return shown.box is again.box
    return shown.box.near(again.box, BOX_TOLERANCE_PX)
