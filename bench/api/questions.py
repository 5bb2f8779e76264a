"""What is asked, of each contestant in its own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from sqlalchemy import event, text

from api.lists import question_of
from api.paging import cursor_of
from api.probes_asked import ProbesAsked
from store.database import Database
from store.probe_counts import counts
from store.probe_filters import FACETS, Wanted
from store.probe_search import slice_of
from store.probe_seen import probe_seen
from store.questions import Question as Asked

PAGE = 100
DEEP = 5000
"""Pages before the deep one."""
Statement = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Question:
    """One question in the words of each. sql: what the API sends to the database for it. datasette: None: it has no answer."""

    name: str
    paths: list[str]
    datasette: list[str] | None
    sql: list[list[Statement]]


def questions(database: Database, blob: str) -> list[Question]:
    """A filtered page, the same page 5,000 pages on, two filters, a word, the counts, one probe, an archive."""
    deep = _place(database, "web-natural", DEEP * PAGE)
    after = cursor_of(deep, question_of("/probes", ProbesAsked(family="web-natural")))
    sites = [f"site{n:04}" for n in range(0, 400, 20)]
    ids = _ids(database, 200)
    rows = {"_size": PAGE, "_sort_desc": "first_seen", "_nocount": 1, "_nofacet": 1, "_nosuggest": 1, "_shape": "array"}
    facets = [*(("_facet", name) for name in FACETS), ("_size", 0), ("_facet_size", 100), ("_nosuggest", 1)]

    def table(**given: object) -> str:
        return f"/million/probes.json?{urlencode({**given, **rows})}"

    def sliced(wanted: Wanted, after: tuple[str, ...] | None = None) -> list[Statement]:
        return _sent(database, lambda: slice_of(database, wanted, after=after, limit=PAGE))

    natural = Wanted(family="web-natural")
    return [
        Question(
            "page of 100, by family", [f"/probes?family=web-natural&limit={PAGE}"], [table(family="web-natural")],
            [sliced(natural)],
        ),
        Question(
            "the same, page 5,000", [f"/probes?family=web-natural&limit={PAGE}&after={after}"],
            [table(family="web-natural", _next=f"{_as_sqlite(deep[0])},{deep[1]}")], [sliced(natural, deep)],
        ),
        Question(
            "page of 100, by site", [f"/probes?site={site}&limit={PAGE}" for site in sites],
            [table(site=site) for site in sites],
            [sliced(Wanted(site=site)) for site in sites],
        ),
        Question(
            "page of 100, by kind and verdict", [f"/probes?kind=title&verdict=contradicted&limit={PAGE}"],
            [table(kind="title", verdict="contradicted")], [sliced(Wanted(kind="title", verdict="contradicted"))],
        ),
        Question("page of 100, by a word", [f"/probes?text=zoom&limit={PAGE}"], None, [sliced(Wanted(text="zoom"))]),
        Question(
            "all facets, by family", ["/stats?family=web-natural"],
            [f"/million/probes.json?family=web-natural&{urlencode(facets)}"],
            [_sent(database, lambda: counts(database, natural, most=100))],
        ),
        Question(
            "one probe", [f"/probes/{one}" for one in ids], [f"/million/probes/{quote(one)}.json?_shape=array" for one in ids],
            [_sent(database, lambda one=one: probe_seen(database, one)) for one in ids],  # type: ignore[misc]
        ),
        Question("archive of 2 MB", [f"/archives/{blob}"], None, []),
    ]  # fmt: skip


def _sent(database: Database, asks: Callable[[], object]) -> list[Statement]:
    """The statements that the store sends to the database meanwhile."""
    sent: list[Statement] = []
    ask = database.ask

    def note(_connection: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> None:
        if not statement.startswith("set "):
            sent.append((statement, {name: _plain(value) for name, value in dict(given or {}).items()}))

    def asking(question: Asked, given: Mapping[str, Any]) -> list[Any]:
        note(None, None, question.sql, question.given(given))
        return ask(question, given)

    event.listen(database.engine, "before_cursor_execute", note)
    database.ask = asking  # type: ignore[method-assign]
    try:
        asks()
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
        del database.ask  # type: ignore[misc]
    return sent


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def _place(database: Database, family: str, offset: int) -> tuple[str, ...]:
    question = text(
        "select first_seen, id from probes where family = :family and hidden is null order by first_seen desc, id desc "
        "offset :offset limit 1"
    )
    with database.transaction() as connection:
        seen, probe_id = connection.execute(question, {"family": family, "offset": offset}).one()
    return seen.isoformat(), probe_id


def _ids(database: Database, count: int) -> list[str]:
    with database.transaction() as connection:
        return list(connection.scalars(text("select id from probes order by identity limit :count"), {"count": count}))


def _as_sqlite(moment: str) -> str:
    """As Postgres writes it, and so the copy has it: 2026-12-01 08:00:00.5+00."""
    date, _, clock = moment.partition("T")
    return f"{date} {clock.removesuffix(':00')}"
