"""Probes to choose from, whatever their source: light rows first, whole records of those that are chosen."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence

from sqlalchemy import case, func, select

from domain.hosts import host_of
from domain.probe import Probe
from domain.selection import Candidate
from store import tables
from store.database import Database
from store.probes import LIVE

_probes, _corpora = tables.probes, tables.corpora
ROWS_AT_ONCE, RECORDS_AT_ONCE = 5000, 500
"""A light row has about 200 bytes, a record 2 kB."""
OWN_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


def candidates(database: Database, families: Collection[str] | None = None) -> Generator[Candidate, None, None]:
    """Every probe of these families (as probes name them; None: of all) that no take-down hides, in the order of ids.

    made: of a made corpus, or of a page on this machine. Read when asked for, so that memory stays flat.
    """
    columns = [_probes.c[name] for name in ("id", "identity", "family", "kind", "source", "site", "url")]
    capture = _probes.c.record["provenance"]["capture"].astext
    screen = case((_probes.c.source == LIVE, capture), else_=_probes.c.item).label("screen")
    question = (
        select(*columns, screen, func.coalesce(_corpora.c.made, False).label("made"))
        .outerjoin(_corpora, _corpora.c.name == _probes.c.source)
        .where(_probes.c.hidden.is_(None))
        .order_by(_probes.c.id)
    )
    if families is not None:
        question = question.where(_probes.c.family.in_(families))
    with (
        database.transaction() as connection,
        connection.execution_options(yield_per=ROWS_AT_ONCE).execute(question) as rows,
    ):
        for row in rows:
            own = row.source == LIVE and host_of(row.url) in OWN_MACHINE
            yield Candidate(
                row.id, row.identity, row.family, row.kind, row.source, row.screen or "", row.site, made=own or row.made
            )


def records(database: Database, ids: Sequence[str]) -> Iterator[Probe]:
    """The probes with these ids, in the order of ids; one that is not there is left out. Read when asked for."""
    wanted = sorted(ids)
    for start in range(0, len(wanted), RECORDS_AT_ONCE):
        part = wanted[start : start + RECORDS_AT_ONCE]
        question = select(_probes.c.record).where(_probes.c.id.in_(part)).order_by(_probes.c.id)
        with database.transaction() as connection:
            found = list(connection.scalars(question))
        yield from map(Probe.model_validate, found)
