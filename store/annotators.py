"""Who may answer audits. Of a token only its SHA-256 is stored: it is told once, to whoever adds the annotator."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from datetime import UTC, datetime
from typing import get_args

from pydantic import Field
from sqlalchemy import Row, func, select, update
from sqlalchemy.dialects.postgresql import insert

from domain.audit import AnnotatorKind, AnnotatorName
from domain.errors import BadInput, NotFound, Refused
from domain.record import Record
from store import tables
from store.clean import clean
from store.database import Database

_annotators, _members, _places = tables.annotators, tables.audit_members, tables.audit_places
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NUMBERED = re.compile(rf"({'|'.join(get_args(AnnotatorKind))})-[0-9]+")
"""What releases call annotators, whose names they do not have."""
_LONGEST = 64
_NOBODY = "0" * 64
"""No token has this digest."""


class Annotator(Record):
    """Who answers, as known from name and token."""

    name: AnnotatorName
    kind: AnnotatorKind
    adjudicates: bool = Field(default=False, description="is given what two others disagree on, when nothing else is left")


class AnnotatorLine(Annotator):
    """An annotator with what is known of it."""

    added: datetime = Field(description="UTC")
    gone: datetime | None = Field(description="UTC; null: its token counts")
    answers: int = Field(description="submitted, in all audits")


def add(database: Database, name: str, kind: AnnotatorKind, adjudicates: bool = False) -> str:
    """A new annotator, and its token: whoever has both may answer. One that was removed comes back, with a new token.

    Raises BadInput for a name that is none, Refused where the name is taken, or was by another kind.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise BadInput(f"{name[:80]!r} is no name of an annotator: lower case letters, digits and '-', {_LONGEST} at most.")
    if _NUMBERED.fullmatch(name):
        raise BadInput(f"{name} is what a release calls an annotator whose name it does not have: take another name.")
    if kind not in get_args(AnnotatorKind):
        raise BadInput(f"{kind!r} is no kind of annotator: {', '.join(get_args(AnnotatorKind))}.")
    token = secrets.token_urlsafe()
    values = {"token_sha256": _digest(token), "adjudicates": adjudicates, "gone": None}
    new = insert(_annotators).values(name=name, kind=kind, added=func.clock_timestamp(), **values)
    again = _annotators.c.gone.is_not(None) & (_annotators.c.kind == kind)
    with database.transaction() as connection:
        added = new.on_conflict_do_update(index_elements=["name"], set_=values, where=again).returning(_annotators.c.name)
        if connection.scalar(added) is None:
            was = connection.scalar(select(_annotators.c.kind).where(_annotators.c.name == name))
            raise Refused(
                f"There is an annotator {name} already, a {was}. Answers are kept under its name: take another name, "
                f"or remove it first for a new token of the same kind."
            )
    return token


def annotator_of(database: Database, name: str, token: str) -> Annotator:
    """Who has this name and token. Raises Refused, the same whichever of both is wrong, and takes as long."""
    with database.transaction() as connection:
        row = connection.execute(select(_annotators).where(_annotators.c.name == name)).one_or_none()
    stored = row.token_sha256 if row is not None else None
    same = hmac.compare_digest(stored or _NOBODY, _digest(token))
    if row is None or stored is None or not same:
        raise Refused("No annotator has this name and token. Tokens are told once: ask for a new one where it is lost.")
    return _annotator(row)


def find_annotator(database: Database, name: str) -> Annotator:
    """The annotator with this name, for whoever needs no token: the commands. Raises NotFound, also for one that is gone."""
    with database.transaction() as connection:
        row = connection.execute(select(_annotators).where(_annotators.c.name == clean(name))).one_or_none()
        there = _annotators.c.gone.is_(None)
        known = connection.scalars(select(_annotators.c.name).where(there).order_by(_annotators.c.name)).all()
    if row is None:
        raise NotFound(
            f"No annotator {name!r}. Known: {', '.join(known) or 'none'}. To add one: builder audit annotator add NAME"
        )
    if row.gone is not None:
        how = f"--kind {row.kind}" + (" --adjudicates" if row.adjudicates else "")
        raise NotFound(
            f"Annotator {name} was removed on {row.gone.astimezone(UTC):%Y-%m-%d at %H:%M} UTC: what is still out with {name} "
            f"is not taken. To have {name} back: builder audit annotator add {name} {how}"
        )
    return _annotator(row)


def annotators(database: Database) -> list[AnnotatorLine]:
    """All of them by name, those that are gone too."""
    answers = select(_places.c.annotator, func.count(_places.c.submitted).label("n")).group_by(_places.c.annotator).subquery()
    question = (
        select(_annotators, func.coalesce(answers.c.n, 0).label("answers"))
        .outerjoin(answers, answers.c.annotator == _annotators.c.name)
        .order_by(_annotators.c.name)
    )
    with database.transaction() as connection:
        return [
            AnnotatorLine(
                **_annotator(row).model_dump(),
                added=row.added.astimezone(UTC),
                gone=row.gone and row.gone.astimezone(UTC),
                answers=row.answers,
            )
            for row in connection.execute(question)
        ]


def remove(database: Database, name: str) -> None:
    """Its token counts no more; what it answered stays, what it holds comes free. Raises NotFound."""
    there = (_annotators.c.name == name) & _annotators.c.gone.is_(None)
    with database.transaction() as connection:
        gone = update(_annotators).where(there).values(gone=func.clock_timestamp(), token_sha256=None)
        if not connection.execute(gone).rowcount:
            raise NotFound(f"No annotator {name!r}: see builder audit annotator list")
        # Nothing of this annotator's is under way meanwhile.
        connection.execute(select(_members.c.joined).where(_members.c.annotator == name).with_for_update(key_share=True))
        held = (_places.c.annotator == name) & _places.c.submitted.is_(None)
        # Not deleted here: whoever asks next finds them over, in the order in which places are locked.
        connection.execute(update(_places).where(held).values(leased_until=func.clock_timestamp()))


def _annotator(row: Row[tuple[object, ...]]) -> Annotator:
    return Annotator(name=row.name, kind=row.kind, adjudicates=row.adjudicates)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
