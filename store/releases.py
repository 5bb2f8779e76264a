"""Releases: what may be chosen for one, and those that are frozen. A frozen one is never changed, by nobody."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from pydantic import Field
from sqlalchemy import func, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from domain.errors import NotFound, Refused
from domain.made import own_machine
from domain.probe import Probe
from domain.record import Record
from domain.release import Manifest
from domain.released import ReleasedProbe
from domain.selection import Candidate, question_of
from domain.severity_report import Pair
from store import tables
from store.database import Database
from store.lookup import stream, utc
from store.release_files import Kept, has_files, keep
from store.shelf import adding
from store.slices import Slice, cut

_probes, _releases, _rows = tables.probes, tables.releases, tables.release_probes
_AT_ONCE = 500
"""Rows written or read in one go."""


class FrozenRelease(Record):
    """A release as the store has it."""

    name: str
    title: str
    digest: str
    probes: int
    partial: bool
    made: int = Field(description="how many of the probes are of screens rendered for tests")
    frozen_at: datetime = Field(description="UTC")


def candidates(database: Database, families: Collection[str] | None = None) -> Iterator[Candidate]:
    """Every probe that is shown, without its content; in no order. families: only of these."""
    where = _probes.c.record["provenance"]
    columns = [_probes.c[name] for name in ("id", "identity", "family", "kind", "source", "item", "site", "url", "element")]
    # Of the crawl, the screen is the capture.
    made, capture = where["made"].astext.label("made"), where["capture"].astext.label("capture")
    variable, gold = (_probes.c.record[name].astext.label(name) for name in ("variable", "gold"))
    question = select(*columns, made, capture, variable, gold).where(_probes.c.hidden.is_(None))
    if families is not None:
        question = question.where(_probes.c.family.in_(families))
    for row in stream(database, question):
        is_made = row.made == "true" if row.made is not None else own_machine(row.url)
        item = row.item or row.capture or ""
        asks = question_of(source=row.source, variable=row.variable, site=row.site, element=row.element, gold=row.gold)
        yield Candidate(row.id, row.identity, row.family, row.kind, row.source, item, row.site, is_made, asks)


def probes_by_id(database: Database, ids: Collection[str]) -> list[Probe]:
    """The probes with these ids, in the order of ids. Raises NotFound where one is gone, or hidden by a take-down."""
    question = select(_probes.c.record).where(_probes.c.id.in_(ids), _probes.c.hidden.is_(None)).order_by(_probes.c.id)
    with database.transaction() as connection:
        found = [Probe.model_validate(record) for record in connection.scalars(question)]
    if gone := sorted(set(ids) - {probe.id for probe in found}):
        raise NotFound(f"{gone[0]} was withdrawn meanwhile (and {len(gone) - 1} more). Begin again: others will be chosen.")
    return found


def frozen_digest(database: Database, name: str) -> str | None:
    """Digest of the frozen release with this name; None where the name is free."""
    with database.transaction() as connection:
        return connection.scalar(select(_releases.c.digest).where(_releases.c.name == name))


def freeze(database: Database, manifest: Manifest, rows: Iterable[ReleasedProbe], put: Callable[[], Iterable[Kept]]) -> bool:
    """The release is stored for good: rows, manifest and files, in one transaction. False where it was, with the same content.

    put: puts the blobs that the rows name and the files of the folder, and says which; called only where there is something to
    freeze, while nobody removes blobs. Raises Refused where the name is taken by other content.
    """
    with adding(database) as connection:
        values = {
            "name": manifest.name,
            "digest": manifest.digest,
            "spec": manifest.spec.model_dump(mode="json"),
            "manifest": manifest.model_dump(mode="json"),
            "frozen_at": func.clock_timestamp(),
        }
        new = insert(_releases).values(values).on_conflict_do_nothing().returning(_releases.c.name)
        if connection.scalar(new) is None:
            there = connection.scalar(select(_releases.c.digest).where(_releases.c.name == manifest.name))
            refuse_other(manifest.name, manifest.digest, str(there), "the store")
            return False
        keep(connection, manifest.name, put())
        given = iter(rows)
        while some := list(islice(given, _AT_ONCE)):
            records = [{"release": manifest.name, "probe_id": row.id, "record": row.model_dump(mode="json")} for row in some]
            connection.execute(insert(_rows), records)
    return True


def fill_in(database: Database, name: str, put: Callable[[], Iterable[Kept]]) -> bool:
    """The files of a release that was frozen before files were kept are kept from now on. False where they were.

    put: as of `freeze`; called only where there is something to keep. What is kept is never changed: the first files stay.
    """
    with adding(database) as connection:
        # Two at once: the second waits for the first, and finds its files.
        connection.execute(select(_releases.c.name).where(_releases.c.name == name).with_for_update()).one()
        if has_files(connection, name):
            return False
        keep(connection, name, put())
    return True


def refuse_other(name: str, digest: str, there: str, where: str) -> None:
    """Raises Refused where the digests differ: a release is never changed."""
    if there != digest:
        raise Refused(
            f"Release {name} is in {where} with digest {there}; this one would have {digest}. "
            "A release is never changed: cut this one under another name (--name)."
        )


def releases(database: Database) -> list[FrozenRelease]:
    """All frozen releases, the oldest first."""
    question = select(_releases).order_by(_releases.c.frozen_at, _releases.c.name)
    with database.transaction() as connection:
        return [_frozen(row) for row in connection.execute(question)]


def newest_releases(database: Database, *, after: Sequence[str] | None = None, limit: int) -> Slice[FrozenRelease]:
    """At most `limit` frozen releases behind the place `after`, the newest first. Raises ValueError where it is no place."""
    question = select(_releases).order_by(_releases.c.frozen_at.desc(), _releases.c.name.desc()).limit(limit + 1)
    if after is not None:
        frozen_at, name = after
        question = question.where(
            tuple_(_releases.c.frozen_at, _releases.c.name) < (utc(datetime.fromisoformat(frozen_at)), name)
        )
    with database.transaction() as connection:
        found = [_frozen(row) for row in connection.execute(question)]
    return cut(found, limit, lambda release: (release.frozen_at.isoformat(), release.name))


def find_release(database: Database, name: str) -> tuple[FrozenRelease, Manifest]:
    """The frozen release with this name. Raises NotFound with those that there are."""
    with database.transaction() as connection:
        row = connection.execute(select(_releases).where(_releases.c.name == name)).one_or_none()
        known = ", ".join(connection.scalars(select(_releases.c.name).order_by(_releases.c.name)))
    if row is None:
        there = f"Known releases: {known}." if known else "None is frozen yet. To cut one: builder export --release v1"
        raise NotFound(f"No release {name!r}. {there}")
    return _frozen(row), Manifest.model_validate(row.manifest)


def released_probes(database: Database, name: str) -> Iterator[ReleasedProbe]:
    """The rows of a frozen release, in the order of ids. Read when asked for."""
    question = select(_rows.c.record).where(_rows.c.release == name).order_by(_rows.c.probe_id)
    for row in stream(database, question):
        yield ReleasedProbe.model_validate(row.record)


def released_pairs(database: Database, name: str, family: str) -> Iterator[Pair]:
    """Both values of each row of a family, in the order of ids. Read when asked for."""
    record = _rows.c.record
    columns = [record[field].astext.label(field) for field in ("gold", "structural", "kind")]
    question = select(*columns).where(_rows.c.release == name, record["family"].astext == family).order_by(_rows.c.probe_id)
    for row in stream(database, question):
        yield Pair(row.gold, row.structural, row.kind)


def _frozen(row: Any) -> FrozenRelease:
    manifest = row.manifest
    return FrozenRelease(
        name=row.name,
        title=manifest["title"],
        digest=row.digest,
        probes=manifest["counts"]["total"],
        partial=manifest["partial"],
        made=manifest["made"],
        frozen_at=row.frozen_at.astimezone(UTC),
    )
