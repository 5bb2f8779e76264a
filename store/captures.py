"""Visits and their captures: saved whole, found again, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field
from rapidfuzz import process
from sqlalchemy import Connection, Select, exists, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert

from domain.divergence import Finding
from domain.errors import NotFound
from domain.record import Record
from domain.visit import CaptureRecord, Visit
from store import tables, visited
from store.blobs import StoredBlob
from store.database import Database
from store.divergences import SHOWN, StoredDivergence, divergence_id, divergences, find_divergence
from store.findings import Changes, Place, insert_findings, replace_findings
from store.lookup import one_by_prefix, stream, utc
from store.takedowns import addresses_of, covering, hold_list

__all__ = [
    "Changes",
    "SiteSummary",
    "StoredDivergence",
    "captures",
    "divergence_id",
    "divergences",
    "find_blob",
    "find_capture",
    "find_divergence",
    "find_visit",
    "known_site",
    "recent_visits",
    "replace_findings",
    "save",
    "save_within",
    "summary",
]


NAMES_TOLD = 8
"""Sites named to someone who asked for one that is not there."""


class SiteSummary(Record):
    """What became of the visits to one site."""

    site: str
    visits: int
    outcomes: dict[str, int] = Field(description="outcome -> visits, most frequent first")
    captures: int
    flagged: int = Field(description="divergences the rules flagged")
    review: int = Field(description="divergences the rules could not decide")
    last: datetime = Field(description="start of the newest visit, UTC")


def save(
    database: Database,
    visit: Visit,
    findings: Mapping[str, Sequence[Finding]] | None = None,
    blobs: Sequence[StoredBlob] = (),
) -> bool:
    """The visit, its captures, its findings (by capture id) and what is known of its blobs are stored, or none of it.

    Put the blobs first: then a row never names a blob that is not there. Evidence is never overwritten: a visit whose
    id is stored already is left as it is, and the answer is False. A visit to what is taken down is hidden from the start.
    """
    with database.transaction() as connection:
        return save_within(connection, visit, findings or {}, blobs)


def save_within(
    connection: Connection, visit: Visit, findings: Mapping[str, Sequence[Finding]], blobs: Sequence[StoredBlob]
) -> bool:
    """`save` in a transaction that is open already."""
    if strangers := findings.keys() - {capture.id for capture in visit.captures}:
        raise ValueError(f"findings for captures that visit {visit.id} does not have: {sorted(strangers)}")
    # First of all: a take-down that comes meanwhile waits for this visit, or this visit for it.
    hold_list(connection)
    hidden = func.clock_timestamp() if covering(connection, addresses_of(visit)) else None
    record = visit.model_dump(exclude={"captures"})
    row = {
        "id": visit.id,
        "site": visit.site,
        "url": visit.url,
        "host": _host(visit.url),
        "outcome": visit.outcome,
        "reason": visit.reason,
        "started": utc(visit.started.wall),
        "finished": utc(visit.finished.wall),
        "record": record,
        "hidden": hidden,
    }
    new = insert(tables.visits).values(row).on_conflict_do_nothing().returning(tables.visits.c.id)
    if connection.scalar(new) is None:
        return False
    verdicts: Counter[str] = Counter()
    for capture in visit.captures:
        connection.execute(
            insert(tables.captures).values(
                id=capture.id,
                visit_id=visit.id,
                index=capture.index,
                served_digest=capture.artifacts.get("served"),
                screenshot_digest=capture.artifacts.get("screenshot"),
                record=capture.model_dump(),
            )
        )
        place = Place(capture.id, visit.id, visit.site, visit.url, capture.rules)
        verdicts += insert_findings(connection, place, findings.get(capture.id, ()))
    if hidden is None:
        visited.note(connection, row, len(visit.captures), verdicts)
    # In the order of digests: two visits with blobs in common cannot wait for each other.
    for blob in sorted(blobs, key=lambda blob: blob.digest):
        values = {name: getattr(blob, name) for name in ("digest", "media_type", "encoding", "size", "stored_size")}
        statement = insert(tables.blobs).values(hidden=hidden, **values)
        if hidden is None:  # what one visit shows is shown
            of_others = tables.blobs.c.hidden.is_not(None)
            statement = statement.on_conflict_do_update(index_elements=["digest"], set_={"hidden": None}, where=of_others)
        else:
            statement = statement.on_conflict_do_nothing()
        connection.execute(statement)
    return True


def find_visit(database: Database, id_or_prefix: str) -> Visit:
    """The visit with this id, or the only one whose id begins so. Raises NotFound."""
    with database.transaction() as connection:
        hint = "The newest is " + str(connection.scalar(_NEWEST) or "none") + "."
        found = one_by_prefix(connection, tables.visits, id_or_prefix, "visit", hint, shown=SHOWN)
    [visit] = _visits(database, select(tables.visits).where(tables.visits.c.id == found))
    return visit


def recent_visits(
    database: Database,
    *,
    limit: int = 20,
    site: str | None = None,
    host: str | None = None,
    outcome: str | None = None,
    since: datetime | None = None,
) -> list[Visit]:
    """The newest visits that match everything given, newest first."""
    table = tables.visits.c
    question = select(tables.visits).where(SHOWN).order_by(table.started.desc(), table.id).limit(limit)
    for column, wanted in ((table.site, site), (table.host, host and host.lower()), (table.outcome, outcome)):
        if wanted is not None:
            question = question.where(column == wanted)
    if since is not None:
        question = question.where(table.started >= utc(since))
    return list(_visits(database, question))


def find_capture(database: Database, id_or_prefix: str, *, hidden: bool = False) -> tuple[Visit, CaptureRecord]:
    """The capture with this id, or the only one whose id begins so, and its visit. Raises NotFound.

    hidden: those that a take-down hides, too. For whoever writes what belongs to them, never to show them.
    """
    of_shown = tables.captures.c.visit_id.in_(select(tables.visits.c.id).where(SHOWN))
    with database.transaction() as connection:
        shown = None if hidden else of_shown
        hint = "A capture's id is <visit>-<index>."
        found = one_by_prefix(connection, tables.captures, id_or_prefix, "capture", hint, shown=shown)
        visit_id = connection.scalar(select(tables.captures.c.visit_id).where(tables.captures.c.id == found))
    visits = list(_visits(database, select(tables.visits).where(tables.visits.c.id == visit_id)))
    if not visits:
        raise NotFound(f"No capture {found!r}: it was deleted this moment.")
    return visits[0], next(capture for capture in visits[0].captures if capture.id == found)


def captures(
    database: Database,
    *,
    site: str | None = None,
    visit: str | None = None,
    since: datetime | None = None,
    limit: int | None = None,
) -> Iterator[tuple[Visit, CaptureRecord]]:
    """Captures that match everything given, oldest visit first, each with its visit. Read as they are asked for."""
    counted = select(tables.captures.c.visit_id).distinct()
    question = select(tables.visits).where(tables.visits.c.id.in_(counted), SHOWN)
    question = question.order_by(tables.visits.c.started, tables.visits.c.id)
    if site is not None:
        question = question.where(tables.visits.c.site == site)
    if visit is not None:
        question = question.where(tables.visits.c.id == visit)
    if since is not None:
        question = question.where(tables.visits.c.started >= utc(since))
    pairs = ((found, capture) for found in _visits(database, question) for capture in found.captures)
    yield from islice(pairs, limit)


def summary(database: Database, *, since: datetime | None = None) -> list[SiteSummary]:
    """Visits by site and outcome, in the order of the sites' names."""
    of_visit = tables.captures.c.visit_id == tables.visits.c.id
    verdict = tables.divergences.c.verdict
    of_divergence = tables.divergences.c.visit_id == tables.visits.c.id
    count = select(func.count())
    question = select(
        tables.visits.c.site,
        tables.visits.c.outcome,
        func.count(),
        func.max(tables.visits.c.started),
        func.sum(count.select_from(tables.captures).where(of_visit).scalar_subquery()),
        func.sum(count.select_from(tables.divergences).where(of_divergence, verdict == "flagged").scalar_subquery()),
        func.sum(count.select_from(tables.divergences).where(of_divergence, verdict == "review").scalar_subquery()),
    )
    question = question.where(SHOWN).group_by(tables.visits.c.site, tables.visits.c.outcome)
    if since is not None:
        question = question.where(tables.visits.c.started >= utc(since))
    sites: dict[str, list[Any]] = {}
    with database.transaction() as connection:
        for row in connection.execute(question.order_by(func.count().desc(), tables.visits.c.outcome)):
            sites.setdefault(row[0], []).append(row)
    return [
        SiteSummary(
            site=site,
            visits=sum(row[2] for row in rows),
            outcomes={row[1]: row[2] for row in rows},
            last=max(row[3] for row in rows).astimezone(UTC),
            captures=sum(int(row[4]) for row in rows),
            flagged=sum(int(row[5]) for row in rows),
            review=sum(int(row[6]) for row in rows),
        )
        for site, rows in sorted(sites.items())
    ]


def known_site(database: Database, site: str) -> str:
    """The name, where a visit is filed under it. Raises NotFound with names that are."""
    with database.transaction() as connection:
        names = tables.visits.c.site
        if connection.scalar(select(names).where(names == site, SHOWN).limit(1)) is not None:
            return site
        listed = list(connection.scalars(select(names).where(SHOWN).distinct().order_by(names)))
    if not listed:
        begin = "Visit pages first: crawler visit URL, or crawler run --list FILE"
        raise NotFound(f"No visit to {site!r}: nothing is stored yet. {begin}")
    more = ", ..." if len(listed) > NAMES_TOLD else ""
    near = [name for name, _, _ in process.extract(site, listed, limit=3, score_cutoff=60)]
    hint = f"Did you mean {', '.join(near)}? " if near else ""
    raise NotFound(f"No visit to {site!r} is stored. {hint}There are: {', '.join(listed[:NAMES_TOLD])}{more}")


def find_blob(database: Database, digest: str) -> StoredBlob:
    """What is known of a blob: its media type, encoding and sizes. Raises NotFound, also where all that has it is hidden."""
    with database.transaction() as connection:
        row = connection.execute(_BLOB.where(tables.blobs.c.digest == digest)).one_or_none()
    if row is None:
        raise NotFound(f"No blob {digest!r} belongs to a stored visit.")
    return StoredBlob(row.digest, row.media_type, row.encoding, row.size, row.stored_size)


# What is a document of a release is asked for there: it may show what was taken down since, and only there that is known.
_DOCUMENT = tables.release_files.c.digest == tables.blobs.c.digest, tables.release_files.c.path.not_like("blobs/%")
_BLOB: Select[Any] = select(tables.blobs).where(tables.blobs.c.hidden.is_(None), ~exists().where(*_DOCUMENT))
_NEWEST: Select[Any] = select(tables.visits.c.id).where(SHOWN).order_by(tables.visits.c.started.desc()).limit(1)


def _visits(database: Database, question: Select[Any]) -> Iterator[Visit]:
    """The visits of a question on `visits`, each with its captures, in the question's order, read when asked for."""
    records = (
        select(func.jsonb_agg(aggregate_order_by(tables.captures.c.record, tables.captures.c.index)))
        .where(tables.captures.c.visit_id == tables.visits.c.id)
        .scalar_subquery()
    )
    for row in stream(database, question.with_only_columns(tables.visits.c.record, records.label("captures"))):
        yield Visit.model_validate({**row.record, "captures": row.captures or ()})


def _host(url: str) -> str:
    """The host of a URL, lower case; empty where it has none."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:  # e.g. a bracket that does not close; such a visit has an outcome too
        return ""
