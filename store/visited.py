"""The newest visit of each site, and what came of all of them, kept beside the visits: lists of sites go by it.

A site has a row where it has a visit that is shown; what a take-down hides is not in it. Steps of a caller's transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, Integer, case, cast, func, text, tuple_
from sqlalchemy.dialects.postgresql import Insert, insert

from store import tables

_table = tables.visited
_FIELDS = ("site", "host", "started", "outcome")
_LOCK = "select from visited where site = any(:sites) order by site for update"
_GONE = """
delete from visited where site = any(:sites)
and not exists (select from visits where visits.site = visited.site collate "default" and hidden is null)
"""
_COUNT = """
insert into visited (site, host, started, outcome, visit_id, outcomes, captures, flagged, review)
select newest.*, counted.* from unnest(cast(:sites as text[])) as given (name),
lateral (select site, host, started, outcome, id from visits where visits.site = given.name and hidden is null
order by started desc, id desc limit 1) as newest,
lateral (select jsonb_object_agg(outcome, visits), sum(captures), sum(flagged), sum(review) from (
select outcome, count(*) as visits, sum((select count(*) from captures c where c.visit_id = visits.id)) as captures,
sum((select count(*) from divergences d where d.visit_id = visits.id and d.verdict = 'flagged')) as flagged,
sum((select count(*) from divergences d where d.visit_id = visits.id and d.verdict = 'review')) as review
from visits where visits.site = given.name and hidden is null group by outcome) as ended) as counted
on conflict (site) do update set (host, started, outcome, visit_id, outcomes, captures, flagged, review)
= row (excluded.host, excluded.started, excluded.outcome, excluded.visit_id, excluded.outcomes, excluded.captures,
excluded.flagged, excluded.review)
"""
_CHANGE = """
update visited set flagged = flagged + :flagged, review = review + :review
where site = (select site collate "C" from visits where id = :visit and hidden is null)
"""


def _noting() -> Insert:
    """Made once: to put it together takes longer than to ask it."""
    given = insert(_table)
    new = given.excluded
    newer = tuple_(new.started, new.visit_id) > tuple_(_table.c.started, _table.c.visit_id)
    values: dict[str, Any] = {name: _table.c[name] + new[name] for name in ("captures", "flagged", "review")}
    values |= {name: case((newer, new[name]), else_=_table.c[name]) for name in ("host", "started", "outcome", "visit_id")}
    so_far = func.coalesce(cast(_table.c.outcomes.op("->>")(new.outcome), Integer), 0)
    values["outcomes"] = _table.c.outcomes.op("||")(func.jsonb_build_object(new.outcome, so_far + 1))
    return given.on_conflict_do_update(index_elements=["site"], set_=values)


_NOTE = _noting()


def note(connection: Connection, visit: Mapping[str, Any], captures: int, verdicts: Mapping[str, int]) -> None:
    """A visit that is shown was stored: a row of `visits`, with so many captures, and divergences by verdict.

    One that is older than the newest is counted, and changes nothing else.
    """
    row = {name: visit[name] for name in _FIELDS} | {"visit_id": visit["id"], "outcomes": {visit["outcome"]: 1}}
    found = {"captures": captures, "flagged": verdicts.get("flagged", 0), "review": verdicts.get("review", 0)}
    connection.execute(_NOTE, row | found)


def change(connection: Connection, visit_id: str, *, flagged: int, review: int) -> None:
    """So many more divergences of a visit, or fewer. Whoever calls holds a capture of it, so nobody hides it meanwhile."""
    if flagged or review:
        connection.execute(text(_CHANGE), {"visit": visit_id, "flagged": flagged, "review": review})


def sites_of(connection: Connection, visit_ids: Collection[str]) -> list[str]:
    """The sites of these visits."""
    asked = text("select distinct site from visits where id = any(:ids)")
    return list(connection.scalars(asked, {"ids": list(visit_ids)}))


def look_again(connection: Connection, sites: Collection[str]) -> None:
    """Visits of these sites were hidden, shown again or deleted: all is counted anew.

    The rows are held before anything is counted: a change that somebody else makes is then counted here, or added after.
    """
    for step in (_LOCK, _GONE, _COUNT):
        connection.execute(text(step), {"sites": sorted(sites)})
