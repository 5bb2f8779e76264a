"""Which sites match, page by page: names only. What there is to tell of each is asked for the page alone (site_pages.py).

There are sites that are scheduled, visited or not, and sites that were visited and are in no list. Each order goes through an
index; no question counts or sorts all sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, text

from store.clean import clean
from store.lookup import utc
from store.sites import ACTIVE, NOT_TAKEN_DOWN

Sort = Literal["name", "-last_visit", "next_due"]
State = Literal["listed", "paused", "gone", "visited"]
"""listed: visited in its turn. paused. gone: no longer in the list. visited: by hand or in one pass, in no list."""
Place = tuple[str, ...]
"""Where the page before ended: the part (0: sites with a time, 1: those without), the time of its last site (empty in part 1),
and its name."""
_SCHEDULED: dict[State, str] = {"listed": ACTIVE, "paused": "listed and paused is not null", "gone": "not listed"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What sites are asked for; everything given must match. outcome: of the newest visit. text: in the name or the URL."""

    host: str | None = None
    outcome: str | None = None
    state: State | None = None
    text: str | None = None


def names(
    connection: Connection, asked: Asked, sort: Sort, *, after: Sequence[str] | None, limit: int
) -> list[tuple[str, Place]]:
    """Names of the sites behind that place, at most `limit`, each with its own place. Raises ValueError where it is none."""
    part, at, name = ("0", "", "") if after is None else after
    if after is not None and (part, bool(at)) not in ({("1", False)} if sort == "name" else {("0", True), ("1", False)}):
        raise ValueError(f"no place by {sort}: {part}, {at}")
    values: dict[str, Any] = {"limit": limit, "name": clean(name), "at": utc(datetime.fromisoformat(at)) if at else None}
    values |= {"host": asked.host and asked.host.lower(), "outcome": asked.outcome, "text": _like(asked.text)}
    found: list[tuple[str, Place]] = []
    if part == "0" and sort != "name":
        question = _by_last(asked) if sort == "-last_visit" else _by_next(asked)
        timed = connection.execute(text(question.format(place=_BEHIND[sort] if at else "true")), values).all()
        found = [(row.name, ("0", row.at.isoformat(), row.name)) for row in timed]
        values["name"] = ""  # what has no time comes behind, from the first name on
    if len(found) < limit:
        rest = text(_by_name(asked, sort))
        found += [(n, ("1", "", n)) for n in connection.scalars(rest, values | {"limit": limit - len(found)})]
    return found


def _like(given: str | None) -> str | None:
    """The text as a pattern that is found anywhere, case aside."""
    if given is None:
        return None
    for sign in ("\\", "%", "_"):
        given = given.replace(sign, "\\" + sign)
    return f"%{clean(given)}%"


_BEHIND = {"-last_visit": "(v.started, v.site) < (:at, :name)", "next_due": "(next_due, name) > (:at, :name)"}


def _scheduled(asked: Asked) -> str:
    """Conditions on `sites`."""
    conditions = [NOT_TAKEN_DOWN]
    if asked.host is not None:
        conditions.append("sites.host = :host")
    if asked.state is not None:
        conditions.append(_SCHEDULED.get(asked.state, "false"))
    if asked.outcome is not None:
        conditions.append("exists (select from visited o where o.site = sites.name and o.outcome = :outcome)")
    if asked.text is not None:
        conditions.append("(sites.name ilike :text or sites.url ilike :text)")
    return " and ".join(conditions)


def _alone(asked: Asked) -> str:
    """Conditions on `visited` v, beside that the site is in no list."""
    conditions = ["true"]
    if asked.host is not None:
        conditions.append("v.host = :host")
    if asked.state not in {None, "visited"}:
        conditions.append("false")
    if asked.outcome is not None:
        conditions.append("v.outcome = :outcome")
    if asked.text is not None:
        conditions.append("(v.site ilike :text or v.host ilike :text)")
    return " and ".join(conditions)


def _by_last(asked: Asked) -> str:
    # One row after the other until there are enough: asked with `exists`, all sites would be held against the take-downs first.
    matches = f"case when sites.name is null then {_alone(asked)} else {_scheduled(asked)} end"
    return (
        "select v.site as name, v.started as at from visited v left join sites on sites.name = v.site "  # noqa: S608 - ours
        f"where {{place}} and {matches} "
        "order by v.started desc, v.site desc limit :limit"
    )


def _by_next(asked: Asked) -> str:
    return (
        f"select name, next_due as at from sites where {{place}} and {ACTIVE} and next_due is not null and {_scheduled(asked)} "  # noqa: S608 - ours
        "order by next_due, name limit :limit"
    )


def _by_name(asked: Asked, sort: Sort) -> str:
    """By name; in other orders only what has no time."""
    scheduled, alone = _scheduled(asked), f"not exists (select from sites where sites.name = v.site) and {_alone(asked)}"
    if sort == "next_due":
        scheduled += f" and not ({ACTIVE} and next_due is not null)"
    elif sort == "-last_visit":
        scheduled += " and not exists (select from visited seen where seen.site = sites.name)"
        alone = "false"
    return (
        f"select name from (("  # noqa: S608 - ours
        f"select name from sites where name > :name and {scheduled} order by name limit :limit) union all "
        f"(select v.site from visited v where v.site > :name and {alone} order by v.site limit :limit)) as pair "
        "order by name limit :limit"
    )
