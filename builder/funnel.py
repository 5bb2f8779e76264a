"""Funnel: how much was read of a source, how much of it could be used, and what the families made of that. Counted, not told.

docs/ingest.md#the-funnel.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from builder.sources import SOURCES, live
from domain.families import NAMES
from domain.record import Record
from domain.release import SourceFunnel
from store.corpora import StoredCorpus, stored_corpora
from store.database import Database
from store.funnels import CorpusCounts, LiveCounts, corpus_counts, live_counts


class FamilyDraw(Record):
    """What one family made of the nodes of a source's usable items."""

    considered: int = Field(description="nodes: those that gave no probe and those that gave one")
    rejected: Mapping[str, int] = Field(description="nodes by reason (docs/families)")
    drawn: int = Field(description="probes")


class CorpusFunnel(Record):
    """Of one corpus, as the store has it."""

    source: str
    made: bool = Field(description="rendered for tests: no evidence about the world")
    stamp: str = Field(description="seed, recipes and reader that it is drawn with")
    whole: bool = Field(description="the last ingest came to its end")
    stale: int = Field(description="usable items whose probes are of an older stamp: the ingest was broken off")
    read: int = Field(description="items")
    usable: int
    rejected: Mapping[str, int] = Field(description="items by reason (docs/sources)")
    nodes: int = Field(description="of the usable items")
    families: Mapping[str, FamilyDraw]


class LiveFunnel(Record):
    """Of the crawl, as the store has it; without what a take-down hides."""

    source: str = live.NAME
    read: int = Field(description="visits")
    usable: int = Field(description="visits that were captured")
    rejected: Mapping[str, int] = Field(description="visits by outcome (docs/outcomes.md)")
    captures: int
    flagged: Mapping[str, int] = Field(description="divergences by kind")
    checks: Mapping[str, int] = Field(description="flagged divergences by what a reader of the pixels said")
    confirmed: Mapping[str, int] = Field(description="of the flagged ones, by kind")
    probes: Mapping[str, int] = Field(description="by kind; one divergence seen on ten visits is one probe")


Funnel = CorpusFunnel | LiveFunnel


def funnel_of(database: Database, source: str) -> Funnel | None:
    """The funnel of a source; None for a corpus that was never ingested."""
    if source == live.NAME:
        return _live(live_counts(database))
    stored = stored_corpora(database).get(source)
    return _corpus(stored, corpus_counts(database, source)) if stored else None


def funnels(database: Database) -> list[Funnel]:
    """Of every source that there is something of, in the order of the list."""
    found = [funnel_of(database, source) for source in SOURCES]
    return [one for one in found if one is not None and one.read]


def release_funnel(database: Database) -> tuple[dict[str, SourceFunnel], dict[str, dict[str, int]]]:
    """What a release tells of it: by source how items became screens; by family the nodes that gave no probe, by reason.

    Of the crawl a node is a flagged divergence, passed over unless a reader confirmed it.
    """
    sources: dict[str, SourceFunnel] = {}
    passed: dict[str, dict[str, int]] = {}
    for one in funnels(database):
        sources[one.source] = SourceFunnel(read=one.read, usable=one.usable, rejected=dict(one.rejected))
        if isinstance(one, LiveFunnel):
            passed["web-natural"] = {verdict: n for verdict, n in one.checks.items() if verdict != "confirmed"}
            continue
        for family, made in one.families.items():
            reasons = passed.setdefault(family, {})
            for reason, n in made.rejected.items():
                reasons[reason] = reasons.get(reason, 0) + n
    return sources, passed


def _corpus(stored: StoredCorpus, counts: CorpusCounts) -> CorpusFunnel:
    there = {*counts.passed_over, *counts.drawn}
    families = {}
    for family in (name for name in NAMES if name in there):
        rejected, drawn = counts.passed_over.get(family, {}), counts.drawn.get(family, 0)
        families[family] = FamilyDraw(considered=drawn + sum(rejected.values()), rejected=rejected, drawn=drawn)
    return CorpusFunnel(
        source=stored.name,
        made=stored.made,
        stamp=stored.stamp,
        whole=stored.finished is not None,
        stale=counts.stale,
        read=counts.read,
        usable=counts.usable,
        rejected=counts.rejected,
        nodes=counts.nodes,
        families=families,
    )


def _live(counts: LiveCounts) -> LiveFunnel:
    rejected = {outcome: n for outcome, n in counts.visits.items() if outcome != live.USABLE}
    return LiveFunnel(
        read=sum(counts.visits.values()),
        usable=counts.visits.get(live.USABLE, 0),
        rejected=rejected,
        captures=counts.captures,
        flagged=counts.flagged,
        checks=counts.checks,
        confirmed=counts.confirmed,
        probes=counts.probes,
    )
