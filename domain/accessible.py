"""Whose accessible names are worth asking the browser for: each costs it 1.4 to 3 ms (crawler/names.py).

Pure: the same two readings give the same list.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.reading import Element, Snapshot
from domain.roles import FROM_CONTENT, PLAIN, role_in
from domain.text import normalize, visible_characters

LIMIT = 200
"""Elements."""
LIMIT_LIVE = 40
"""Elements among them that only changed: their name explains a finding and decides nothing; a board of prices has hundreds."""
LIVE = 2
"""Rank of those."""


def wanted(served: Snapshot, before: Snapshot, limit: int = LIMIT) -> list[int]:
    """Keys of elements whose name or role may decide or explain a finding, most needed first.

    First those that aria-labelledby names, which only the browser can tell; then those whose label or title is not their text;
    then those whose text or state changed, which may be stale. Only of elements that are seen.
    """
    ranked = [
        (rank, i) for i, element in enumerate(before.elements) if (rank := _rank(element, _before(served, element))) is not None
    ]
    needed = sorted(r for r in ranked if r[0] < LIVE) + sorted(r for r in ranked if r[0] == LIVE)[:LIMIT_LIVE]
    return [before.elements[i].key for _, i in needed[:limit]]


def _before(served: Snapshot, element: Element) -> Element | None:
    i = served.by_key.get(element.key)
    return served.elements[i] if i is not None else None


def _rank(element: Element, served: Element | None) -> int | None:
    """How much a name is wanted, 0 most; None for not at all."""
    if element.why_unseen or not (visible_characters(element.text) or element.flags.get("icons")):
        return None
    if any(_given(element)) and role_in(element, None) in FROM_CONTENT | PLAIN:
        if visible_characters(element.attributes.get("aria-labelledby", "")):
            return 0
        shown = normalize(element.text)
        if any(name and normalize(name) != shown for name in _given(element)):
            return 1
    if served is None:
        return None
    state = served.state and element.state and served.state.live != element.state.live
    drifted = element.state and element.state.served is not None and element.state.served != element.state.live
    return LIVE if served.text != element.text or state or drifted else None


def _given(element: Element) -> Iterator[str]:
    return (visible_characters(element.attributes.get(a, "")) for a in ("aria-labelledby", "aria-label", "title"))
