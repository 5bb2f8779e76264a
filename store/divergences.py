"""Divergences as they are stored: findings that rules flagged or could not decide, each with what the pixels said last."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import Field
from sqlalchemy import Row, Select, select, true

from domain.divergence import Finding, Verdict
from domain.pixel_check import Check, CheckVerdict
from domain.record import Record
from store import tables
from store.clean import clean
from store.database import Database
from store.lookup import one_by_prefix, stream, utc

STORED_VERDICTS = ("flagged", "review")
FIELDS = (
    "path", "element_id", "kind", "verdict", "reason", "structural", "rendered", "grade", "box", "lines", "sub_kind", "role",
    "name", "name_source", "row",
)  # fmt: skip
"""Columns that are fields of Finding: all of them, a test says."""
Checked = CheckVerdict | Literal["unchecked"]


class StoredDivergence(Record):
    """A finding that has a row, and where it was found."""

    id: str = Field(description="12 hex digits, in the rarest of cases 64; the same whenever the rules are run again")
    visit_id: str
    capture_id: str
    site: str
    url: str = Field(description="as asked for")
    finding: Finding
    when: datetime = Field(description="start of the visit, UTC")
    rules: str = Field(description="version of the rules that said so last")
    element: str | None = Field(
        default=None, description="names the element over time; null until `crawler detect` has seen a row from before 0003"
    )
    check: Check | None = Field(default=None, description="newest look at its pixels that could tell; null: none")


def divergence_id(capture_id: str, kind: str, path: str) -> str:
    """The id of what `kind` says of the element at `path` in a capture: 12 hex digits."""
    return key_of(capture_id, kind, path)[:12]


def key_of(capture_id: str, kind: str, path: str) -> str:
    """All 64 digits of it."""
    # Cleaned first, as the row is: whoever reads the path back gets the same id.
    return hashlib.sha256(clean(f"{capture_id}\n{kind}\n{path}").encode()).hexdigest()


def divergences(
    database: Database,
    *,
    site: str | None = None,
    kind: str | None = None,
    verdict: Verdict | None = None,
    check: Checked | None = None,
    visit: str | None = None,
    capture: str | None = None,
    since: datetime | None = None,
    limit: int | None = None,
) -> Iterator[StoredDivergence]:
    """Those that match everything given, newest visit first; in a capture by kind and id. Read when asked for.

    check: what the newest look at the pixels that could tell came to; "unchecked" for those nobody has looked at.
    """
    table = tables.divergences.c
    question = SELECT.where(SHOWN).order_by(
        tables.visits.c.started.desc(), tables.visits.c.id, tables.captures.c.index, table.kind, table.id
    )
    for column, wanted in (
        (tables.visits.c.site, site), (table.kind, kind), (table.verdict, verdict), (table.visit_id, visit),
        (table.capture_id, capture), (NEWEST.c.verdict, None if check == "unchecked" else check),
    ):  # fmt: skip
        if wanted is not None:
            question = question.where(column == wanted)
    if check == "unchecked":
        question = question.where(NEWEST.c.verdict.is_(None))
    if since is not None:
        question = question.where(tables.visits.c.started >= utc(since))
    yield from map(stored, stream(database, question.limit(limit)))


_WHERE = "Their ids stand at /divergences, and in what `crawler report` writes."


def find_divergence(database: Database, id_or_prefix: str) -> StoredDivergence:
    """The one with this id, or the only one whose id begins so. Raises NotFound."""
    with database.transaction() as connection:
        shown = tables.divergences.c.visit_id.in_(select(tables.visits.c.id).where(SHOWN))
        found = one_by_prefix(connection, tables.divergences, id_or_prefix, "divergence", _WHERE, shown=shown)
        return stored(connection.execute(SELECT.where(tables.divergences.c.id == found)).one())


SHOWN = tables.visits.c.hidden.is_(None)
"""That no take-down hides the visit. Every question whose answer is shown to anyone has it; a test asks them all."""

NEWEST = (
    select(tables.checks)
    .where(tables.checks.c.divergence_id == tables.divergences.c.id)
    .order_by(tables.checks.c.verdict == "unreadable", tables.checks.c.checked_at.desc(), tables.checks.c.reader)
    .limit(1)
    .lateral("newest")
)
"""The check of a divergence that counts: the newest of those that could tell. A reader that could not takes nothing back."""

SELECT: Select[Any] = select(
    tables.divergences,
    tables.visits.c.site,
    tables.visits.c.url,
    tables.visits.c.started,
    *(NEWEST.c[name].label(f"check_{name}") for name in Check.model_fields),
).select_from(
    tables.divergences.join(tables.captures)
    .join(tables.visits, tables.visits.c.id == tables.captures.c.visit_id)
    .outerjoin(NEWEST, true())
)
"""What `stored` makes a StoredDivergence of. Whoever shows them adds SHOWN; whoever writes to a capture takes all."""


def stored(row: Row[Any]) -> StoredDivergence:
    """The divergence that a row of SELECT holds."""
    finding = {name: getattr(row, name) for name in FIELDS}
    check = {name: getattr(row, f"check_{name}") for name in Check.model_fields}
    return StoredDivergence(
        id=row.id,
        visit_id=row.visit_id,
        capture_id=row.capture_id,
        site=row.site,
        url=row.url,
        finding=Finding.model_validate(finding | {"lines": finding["lines"] or ()}),
        when=row.started.astimezone(UTC),
        rules=row.rules,
        element=row.element,
        check=None if row.check_reader is None else Check.model_validate(check),
    )
