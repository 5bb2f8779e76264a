"""Counts for people who look around: those of many probes are kept for some seconds, so that a page need not wait for them."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request

from api.kept import Kept
from api.rounds import Rounds
from store.probe_counts import Counts, counts
from store.probe_filters import Wanted

KEPT_S = 10
MANY = 10_000
"""Probes; fewer are counted each time, which takes some milliseconds, and shows at once what was added."""
MOST = 200
"""Questions whose counts are kept."""
CountsOf = Callable[[Wanted, int], Awaitable[Counts]]


async def _counts(request: Request) -> CountsOf:
    state = request.app.state
    if not hasattr(state, "counts"):
        state.counts = Kept(MOST, lambda found: 1 if _counted(found) >= MANY else MOST + 1)
    kept: Kept[Counts] = state.counts
    rounds: Rounds[Counts] = state.counting  # who waits for a count of others holds no thread meanwhile

    async def of(wanted: Wanted, most: int) -> Counts:
        key = (wanted, most, time.monotonic() // KEPT_S)

        def counted() -> Counts:
            return kept.get(key, lambda: counts(state.database, wanted, aside=True, most=most))

        return await rounds.get(("kept", *key), counted)

    return of


def _counted(found: Counts) -> int:
    """How many were gone through, at least: with a facet's own filter aside there are more than match."""
    return max(found.total, *(sum(values.values()) for values in found.facets.values()))


Counting = Annotated[CountsOf, Depends(_counts)]
"""(which probes, values of each facet at most) -> counts with each facet's own filter aside, as old as KEPT_S at most."""
