"""Which probes a release takes: pure, and the same whatever order they are given in (docs/decisions/0016-selection.md)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from domain.identity import digest
from domain.made import is_made
from domain.probe import LIVE, Probe
from domain.release import FamilyQuota, ReleaseSpec, Short
from domain.screen import rank
from domain.text import normalize

ANY = ""
"""The kind of every probe where kinds do not matter."""

REASONS = {
    "family": "the release has no probes of this family",
    "source": "the release takes no probes of this source for the family",
    "site": "the release takes no probes of this site for the family",
    "made": "of a screen rendered for tests, and the release leaves these out",
    "kind": "the release has no probes of this kind",
    "same": "another probe with the same identity comes first",
    "question": "another probe asks the same: of one element at another visit, or of one text of a site on another screen",
    "quota-full": "as many as the release has were taken before it, in the order of the seed",
    "cap": "as many of its screen as the release may have were taken before it",
    "screen": "its screen is none of those that the release is of",
    "room": "taken, it would keep the release from reaching its quota, given the caps",
}
"""Why a probe that there is is not chosen."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A probe that may be chosen, without its content. item: the screen, named within its source; of the crawl, the capture.

    question: what `question_of` gives; of those with the same one only the first is taken. Empty: of its own.
    """

    id: str
    identity: str
    family: str
    kind: str | None
    source: str
    item: str
    site: str
    made: bool = False
    question: str = ""

    @property
    def screen(self) -> tuple[str, str]:
        """Its screen, over all sources."""
        return self.source, self.item


def question_of(*, source: str, variable: str, site: str, element: str, gold: str) -> str:
    """What a probe asks, so that no release asks it twice: which element; of texts of a corpus, which text of which site.

    A ticker has another pair at each visit, and a task's actions show one page again and again: these are no new questions.
    An element of the crawl has one name over all visits.
    """
    return digest(site, normalize(gold)) if variable == "text" and source != LIVE else element


def candidate_of(probe: Probe) -> Candidate:
    """The probe, offered to a release."""
    came = probe.provenance
    asks = question_of(source=came.source, variable=probe.variable, site=came.site, element=came.element, gold=probe.gold)
    made = is_made(came)
    return Candidate(probe.id, probe.identity, probe.family, probe.kind, came.source, came.screen, came.site, made, asks)


@dataclass(frozen=True, slots=True)
class Selection:
    """What is chosen, in the order of ids; what is lacking; by family, why others are not chosen and how many there were."""

    chosen: tuple[Candidate, ...]
    shortages: tuple[Short, ...]
    rejected: dict[str, Counter[str]] = field(default_factory=dict)
    offered: Counter[str] = field(default_factory=Counter)

    @property
    def partial(self) -> bool:
        """Whether it is less than the spec asks for."""
        return bool(self.shortages)


def select(spec: ReleaseSpec, candidates: Iterable[Candidate]) -> Selection:
    """Of each family as many as its quota says, first those whose SHA-256 of seed and identity comes first.

    No cap is ever broken; within the caps as many are taken as can be had, and what is lacking is a shortage.
    """
    by_family: dict[str, list[Candidate]] = defaultdict(list)
    rejected: dict[str, Counter[str]] = defaultdict(Counter)
    offered: Counter[str] = Counter()
    for candidate in candidates:
        offered[candidate.family] += 1
        if reason := _unfit(spec, candidate):
            rejected[candidate.family][reason] += 1
        else:
            by_family[candidate.family].append(candidate)
    chosen: list[Candidate] = []
    shortages: list[Short] = []
    for family, quota in sorted(spec.families.items()):
        ranked = _ranked(spec.seed, by_family[family], rejected[family])
        if quota.screens is None:
            taken = _by_kinds(quota, ranked, rejected[family])
        else:
            taken = _by_screens(spec.seed, quota, quota.screens, ranked, rejected[family])
        chosen += taken
        shortages += _short(family, quota, taken)
    rejected = {family: reasons for family, reasons in sorted(rejected.items()) if reasons}
    return Selection(tuple(sorted(chosen, key=lambda one: one.id)), tuple(shortages), rejected, offered)


def _unfit(spec: ReleaseSpec, candidate: Candidate) -> str | None:
    quota = spec.families.get(candidate.family)
    if quota is None:
        return "family"
    if quota.sources is not None and candidate.source not in quota.sources:
        return "source"
    if quota.sites is not None and candidate.site not in quota.sites:
        return "site"
    if candidate.made and spec.made == "leave":
        return "made"
    if quota.kinds is not None and candidate.kind not in quota.kinds:
        return "kind"
    return None


def _ranked(seed: int, candidates: Sequence[Candidate], rejected: Counter[str]) -> list[Candidate]:
    """In the order of their ranks, each identity once and each question once."""
    first: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=lambda one: one.id):
        if first.setdefault(candidate.identity, candidate) is not candidate:
            rejected["same"] += 1
    asked: dict[str, Candidate] = {}
    for candidate in sorted(first.values(), key=lambda one: rank(seed, one.identity)):
        if asked.setdefault(candidate.question or candidate.identity, candidate) is not candidate:
            rejected["question"] += 1
    return list(asked.values())


def _by_kinds(quota: FamilyQuota, ranked: Sequence[Candidate], rejected: Counter[str]) -> list[Candidate]:
    """The first in order that still let as many be taken as can be had at all, within kinds and caps.

    How many that is: a flow from kinds to screens, whose least cut is the least, over all sets of kinds, of the quotas of the
    others and what the screens can give of these.
    """
    wanted = Counter(quota.kinds or {ANY: quota.count})
    kind_of = (lambda one: one.kind) if quota.kinds else (lambda _: ANY)
    cap = quota.per_screen or len(ranked)
    sets = [frozenset(some) for size in range(len(wanted) + 1) for some in combinations(sorted(wanted), size)]
    left: Counter[tuple[frozenset[str], tuple[str, str]]] = Counter()
    for one in ranked:
        left.update((some, one.screen) for some in sets if kind_of(one) in some)
    room: dict[tuple[str, str], int] = {one.screen: cap for one in ranked}
    gives: Counter[frozenset[str]] = Counter(dict.fromkeys(sets, 0))
    for (some, _), count in left.items():
        gives[some] += min(cap, count)
    outside = {some: sum(count for kind, count in wanted.items() if kind not in some) for some in sets}
    most = min(outside[some] + gives[some] for some in sets)
    taken: list[Candidate] = []
    for one in ranked:
        kind, screen = kind_of(one), one.screen
        here = {some: min(room[screen], left[some, screen]) for some in sets}
        for some in sets:
            left[some, screen] -= kind in some
        # What could be had if this one were taken; it is if nothing is lost by it.
        after = {some: min(room[screen] - 1, left[some, screen]) for some in sets}
        cut = min(outside[some] - (kind not in some) + gives[some] - here[some] + after[some] for some in sets)
        fits = bool(wanted[kind]) and bool(room[screen]) and cut == most - 1
        if fits:
            wanted[kind] -= 1
            room[screen] -= 1
            most -= 1
            taken.append(one)
        else:
            rejected["quota-full" if not wanted[kind] else "room" if room[screen] else "cap"] += 1
            after = {some: min(room[screen], left[some, screen]) for some in sets}
        for some in sets:
            outside[some] -= fits and kind not in some
            gives[some] += after[some] - here[some]
    return taken


def _by_screens(
    seed: int, quota: FamilyQuota, screens: int, ranked: Sequence[Candidate], rejected: Counter[str]
) -> list[Candidate]:
    """Of so many screens, at least one of each and at most per_screen, so many in all; fewer where that cannot be had.

    Screens in the order of their own ranks, each taken if the rest can still be reached with it; of each its first probe, and
    then the first of all the others.
    """
    there = Counter(one.screen for one in ranked)
    gives = {screen: min(quota.per_screen or count, count) for screen, count in there.items()}
    screens = min(screens, len(there))
    wanted = min(quota.count, sum(sorted(gives.values(), reverse=True)[:screens]))
    later = Counter(gives.values())
    chosen: set[tuple[str, str]] = set()
    sure = 0
    for screen in sorted(gives, key=lambda one: rank(seed, *one)):
        later[gives[screen]] -= 1
        if len(chosen) < screens and sure + gives[screen] + _best(later, screens - len(chosen) - 1) >= wanted:
            chosen.add(screen)
            sure += gives[screen]
    firsts: dict[tuple[str, str], Candidate] = {}
    for one in ranked:
        if one.screen in chosen:
            firsts.setdefault(one.screen, one)
    taken = list(firsts.values())
    used = Counter(one.screen for one in taken)
    first_ids = {one.id for one in taken}
    for one in ranked:
        if one.id in first_ids:
            continue
        reason = "screen" if one.screen not in chosen else "cap" if used[one.screen] >= gives[one.screen] else "quota-full"
        if reason == "quota-full" and len(taken) < wanted:
            taken.append(one)
            used[one.screen] += 1
        else:
            rejected[reason] += 1
    return taken


def _best(sizes: Counter[int], count: int) -> int:
    """The sum of the largest `count` of the numbers counted; of all where there are fewer."""
    total = 0
    for size in sorted(sizes, reverse=True):
        some = min(count, sizes[size])
        total, count = total + some * size, count - some
    return total


def _short(family: str, quota: FamilyQuota, taken: Sequence[Candidate]) -> list[Short]:
    found = []
    if len(taken) < quota.count:
        found.append(Short(family=family, what="probes", wanted=quota.count, there=len(taken)))
    kinds = Counter(one.kind for one in taken)
    for kind, wanted in sorted((quota.kinds or {}).items()):
        if kinds[kind] < wanted:
            found.append(Short(family=family, what="kind", kind=kind, wanted=wanted, there=kinds[kind]))
    screens = len({one.screen for one in taken})
    if quota.screens is not None and screens < quota.screens:
        found.append(Short(family=family, what="screens", wanted=quota.screens, there=screens))
    return found
