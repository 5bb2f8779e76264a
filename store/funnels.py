"""How much was read of each source and what became of it, counted where it lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import func, select, text

from domain.probe import LIVE
from store import tables
from store.corpora import USABLE
from store.database import Database

_items, _probes = tables.corpus_items, tables.probes


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """Of one corpus. rejected: items by reason. passed_over: nodes by reason, by family. drawn: probes by family.

    stale: usable items whose probes are of another stamp than the corpus has now. nodes: of the usable items.
    """

    read: int = 0
    usable: int = 0
    nodes: int = 0
    stale: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    passed_over: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    drawn: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LiveCounts:
    """Of the crawl, without what a take-down hides.

    visits: by outcome. flagged: divergences, and confirmed: those of them that a reader confirmed, by kind; checks: what
    readers said of the flagged ones, the newest of those that could tell. probes: by kind.
    """

    visits: Mapping[str, int]
    captures: int
    flagged: Mapping[str, int]
    checks: Mapping[str, int]
    confirmed: Mapping[str, int]
    probes: Mapping[str, int]


_PASSED_OVER = """
select family.key as family, reason.key as reason, sum(reason.value::bigint) as nodes
from corpus_items, jsonb_each(rejected) as family, jsonb_each_text(family.value) as reason
where source = :source group by 1, 2 order by 1, 2
"""


def corpus_counts(database: Database, source: str) -> CorpusCounts:
    """Of what is stored of the corpus; all zero where nothing is. Reasons in the order of their names."""
    now = select(tables.corpora.c.stamp).where(tables.corpora.c.name == source).scalar_subquery()
    outcomes = (
        select(
            _items.c.outcome,
            func.count().label("items"),
            func.sum(_items.c.nodes).label("nodes"),
            func.count().filter(_items.c.stamp != now).label("stale"),
        )
        .where(_items.c.source == source)
        .group_by(_items.c.outcome)
        .order_by(_items.c.outcome)
    )
    of_probes = select(_probes.c.family, func.count()).where(_probes.c.source == source).group_by(_probes.c.family)
    passed: dict[str, dict[str, int]] = defaultdict(dict)
    with database.transaction() as connection:
        rows = connection.execute(outcomes).all()
        for row in connection.execute(text(_PASSED_OVER), {"source": source}):
            passed[row.family][row.reason] = int(row.nodes)
        drawn = {family: int(n) for family, n in connection.execute(of_probes.order_by(_probes.c.family))}
    items = {row.outcome: row.items for row in rows}
    return CorpusCounts(
        read=sum(items.values()),
        usable=items.pop(USABLE, 0),
        nodes=sum(int(row.nodes) for row in rows),
        stale=sum(row.stale for row in rows if row.outcome == USABLE),
        rejected=items,
        passed_over=dict(passed),
        drawn=drawn,
    )


# A probe's check is the newest of those that could tell, as store/divergences.py has it.
_CHECKS = """
select d.kind, coalesce(checked.verdict, 'unchecked') as verdict, count(*) as n
from divergences d join visits v on v.id = d.visit_id
left join lateral (
    select verdict from checks where divergence_id = d.id order by verdict = 'unreadable', checked_at desc, reader limit 1
) as checked on true
where d.verdict = 'flagged' and v.hidden is null group by 1, 2 order by 1, 2
"""


def live_counts(database: Database) -> LiveCounts:
    """Of all that the crawl has stored."""
    flagged: dict[str, int] = defaultdict(int)
    checks: dict[str, int] = defaultdict(int)
    confirmed: dict[str, int] = {}
    visits = tables.visits
    shown = visits.c.hidden.is_(None)
    outcomes = select(visits.c.outcome, func.count()).where(shown).group_by(visits.c.outcome).order_by(visits.c.outcome)
    of_captures = select(func.count()).select_from(tables.captures.join(visits)).where(shown)
    of_probes = select(_probes.c.kind, func.count()).where(_probes.c.source == LIVE, _probes.c.hidden.is_(None))
    with database.transaction() as connection:
        by_outcome = {outcome: int(n) for outcome, n in connection.execute(outcomes)}
        captures = int(connection.scalar(of_captures) or 0)
        for row in connection.execute(text(_CHECKS)):
            flagged[row.kind] += row.n
            checks[row.verdict] += row.n
            if row.verdict == "confirmed":
                confirmed[row.kind] = row.n
        grouped = of_probes.group_by(_probes.c.kind).order_by(_probes.c.kind)
        drawn = {kind or "": int(n) for kind, n in connection.execute(grouped)}
    return LiveCounts(by_outcome, captures, dict(flagged), dict(sorted(checks.items())), confirmed, drawn)
