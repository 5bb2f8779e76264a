"""drift curve: the share of watched elements that are stale against the delay, over many captures (docs/drift.md).

Captures are read at times of their own. Readings of nearly one time are one moment, and a moment counts the captures that have
a reading there and no others: nothing is carried from one moment to the next.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, median

from pydantic import Field

from domain.drift import Tally
from domain.record import Record
from domain.share import Share, wilson

STEPS = (1, 2, 3, 5)
"""Moments are these times a power of ten: 0.5, 1, 2, 3, 5, 10 s. What is read from one up to the next belongs to it."""
_LEAST_CLUSTERS = 2


class Point(Record):
    """One moment of a curve. Elements have equal weight, but in `by_site`."""

    after_ms: float = Field(description="median of the readings' times since S0, ms")
    captures: int = Field(description="captures with a reading at this moment; only these count")
    sites: int
    watched: int = Field(description="elements seen at S0 with a text or value, of these captures")
    stale: Share = Field(description="of the watched: hold another text now than at S0")
    ever: Share = Field(description="of the watched: held another at this reading or an earlier one")
    by_site: float = Field(description="mean over sites of their own stale share")
    moved: float = Field(description="share of the watched: hold another text because their list moved; not stale")
    gone: float = Field(description="share of the watched: no longer in the document")


@dataclass(frozen=True, slots=True)
class Counted:
    """One capture's tallies, and whose they are."""

    site: str
    visit: str
    tallies: tuple[Tally, ...]


def clustered(counts: Sequence[tuple[int, int]]) -> Share:
    """The share of all, with Wilson's interval for as many trials as the clusters are worth.

    counts: (how many, of how many) of each cluster. Elements of one page change together, so a thousand of them are not a
    thousand trials. The variance of the share between clusters (that of a ratio, k / (k - 1) sum of (x - p n)^2 / N^2) says how
    many independent ones they are worth: p (1 - p) / variance, at most N. With one cluster, or none or all, N.
    """
    total = sum(n for _, n in counts)
    if not total:
        return wilson(0.0, 0)
    p = sum(x for x, _ in counts) / total
    k = sum(n > 0 for _, n in counts)
    worth = float(total)
    if k >= _LEAST_CLUSTERS and 0 < p < 1:
        variance = k / (k - 1) * sum((x - p * n) ** 2 for x, n in counts) / total**2
        worth = min(worth, p * (1 - p) / variance) if variance > 0 else worth
    return wilson(p, worth)


def curve(captures: Iterable[Counted]) -> tuple[Point, ...]:
    """The curve of these captures. Clusters are sites, or visits where all are of one site.

    A moment at which nothing was watched has no point: of nothing there is no share.
    """
    found = tuple(captures)
    moments: defaultdict[float, dict[int, Tally]] = defaultdict(dict)
    found = tuple(captures)
    for i, one in enumerate(found):
        for tally in sorted(one.tallies, key=lambda t: t.after_ms):
            moments[moment(tally.after_ms)][i] = tally  # of two readings of one capture the later one counts
    watched = (there for _, there in sorted(moments.items()) if any(tally.watched for tally in there.values()))
    return tuple(_point([(found[i], tally) for i, tally in there.items()]) for there in watched)


def moment(after_ms: float) -> float:
    """The moment that a reading belongs to, ms: the last one not after it. Readings come late, never early."""
    if after_ms <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(after_ms))
    return max(step * power for step in STEPS if step * power <= after_ms or step == 1)


def _point(there: Sequence[tuple[Counted, Tally]]) -> Point:
    sites = {c.site for c, _ in there}
    by_visit = len(sites) < _LEAST_CLUSTERS
    ordered = sorted(((c.visit if by_visit else c.site, t) for c, t in there), key=lambda pair: pair[0])
    clusters = [[t for _, t in group] for _, group in groupby(ordered, key=lambda pair: pair[0])]
    watched = sum(t.watched for _, t in there)
    return Point(
        after_ms=median(t.after_ms for _, t in there),
        captures=len(there),
        sites=len(sites),
        watched=watched,
        stale=clustered([(sum(t.stale for t in c), sum(t.watched for t in c)) for c in clusters]),
        ever=clustered([(sum(t.ever for t in c), sum(t.watched for t in c)) for c in clusters]),
        by_site=_by_site(there),
        moved=sum(t.moved for _, t in there) / watched,
        gone=sum(t.gone for _, t in there) / watched,
    )


def _by_site(there: Sequence[tuple[Counted, Tally]]) -> float:
    counts: dict[str, tuple[int, int]] = {}
    for c, t in there:
        x, n = counts.get(c.site, (0, 0))
        counts[c.site] = x + t.stale, n + t.watched
    return fmean(x / n for x, n in counts.values() if n)
