"""Where answers come from: one model a model annotator, one account an annotator. Two of an audit are never the same.

Held by unique keys, so that two who begin at once cannot both be it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, exists, select
from sqlalchemy.dialects.postgresql import insert

from domain.audit_model import AnsweringModel
from domain.errors import Refused
from domain.text import normalize
from store import tables
from store.annotators import Annotator
from store.database import Database

_models, _accounts, _places = tables.audit_models, tables.audit_accounts, tables.audit_places
_ANOTHER = "Add another annotator for it: builder audit annotator add NAME --kind model"


@dataclass(frozen=True, slots=True)
class Accounts:
    """Whoever completed answers elsewhere, by all names known of one account. shared: it may stand for several annotators."""

    names: Collection[str] = ()
    shared: bool = False


def models_of(database: Database, audit: str) -> dict[str, AnsweringModel]:
    """What answers, by the annotator's name; those whose first answer was stored."""
    question = select(_models.c.annotator, _models.c.record).where(_models.c.audit == audit).order_by(_models.c.annotator)
    with database.transaction() as connection:
        return {row.annotator: AnsweringModel.model_validate(row.record) for row in connection.execute(question)}


def hold_to(connection: Connection, audit: str, annotator: Annotator, model: AnsweringModel, *, note: bool) -> None:
    """The annotator is this model in this audit, and no other annotator is. note: from now on, as an answer is stored.

    Case and blanks of a name make no other model. The annotator must have entered. Raises Refused.
    """
    if annotator.kind != "model":
        raise Refused(
            f"{annotator.name} is an annotator of kind {annotator.kind}: a model's answers are never stored under a person's "
            "name. Add one: builder audit annotator add NAME --kind model"
        )
    mine = (_models.c.audit == audit) & (_models.c.annotator == annotator.name)
    if (known := connection.scalar(select(_models.c.record).where(mine))) is not None:
        there = AnsweringModel.model_validate(known)
        if _folded(there) != _folded(model):
            raise Refused(f"{annotator.name} is {there} in audit {audit}, and this is {model}. {_ANOTHER}")
        return
    other = _who_is(connection, audit, model)
    if other is None:
        answered = exists().where(
            _places.c.audit == audit, _places.c.annotator == annotator.name, _places.c.submitted.is_not(None)
        )
        if connection.scalar(select(answered)):
            raise Refused(
                f"{annotator.name} has answers in audit {audit} of which nobody noted what gave them, so {model} cannot go on "
                f"with them. {_ANOTHER}"
            )
        if not note:
            return
        # Folded, so that two spellings have one unique key; the record has the name as it was written.
        values = {"audit": audit, "annotator": annotator.name, "way": model.way, "name": _label(model.name)}
        new = insert(_models).values(**values, record=model.model_dump(mode="json")).on_conflict_do_nothing()
        # Not by rowcount: of an insert it is -1, whatever became of it.
        if connection.scalar(new.returning(_models.c.annotator)) is not None:
            return
        other = _who_is(connection, audit, model)
    raise Refused(
        f"{model.name} answers audit {audit} as {other} already: two labels of one model are one opinion. "
        f"Let {annotator.name} be another model."
    )


def _who_is(connection: Connection, audit: str, model: AnsweringModel) -> str | None:
    """The annotator that is a model of this way and name. Read whole: rows of before are as they were written."""
    question = select(_models.c.annotator, _models.c.name).where(_models.c.audit == audit, _models.c.way == model.way)
    name = _label(model.name)
    return next((row.annotator for row in connection.execute(question) if _label(row.name) == name), None)


def _folded(model: AnsweringModel) -> AnsweringModel:
    host = model.endpoint and normalize(model.endpoint)
    return model.model_copy(update={"name": normalize(model.name), "endpoint": host})


def wrong_accounts(
    connection: Connection, audit: str, annotator: Annotator, accounts: Accounts, *, note: bool
) -> tuple[str, ...]:
    """Whose the account is instead, as sentences: of any annotator for whom one of its names has answered in the audit.

    None where it is shared. Case and blanks make no other name, and a blank is none. note: and its names are this annotator's
    from now on, those that are nobody's yet; where something is wrong, nothing is noted.
    """
    names = sorted({_label(name) for name in accounts.names} - {""})
    wrong = () if accounts.shared else tuple(_others(connection, audit, annotator, names))
    if wrong or not (note and names):
        return wrong
    rows = [{"audit": audit, "account": name, "annotator": annotator.name} for name in names]
    with connection.begin_nested() as noted:
        connection.execute(insert(_accounts).values(rows).on_conflict_do_nothing())
        if not accounts.shared and (wrong := tuple(_others(connection, audit, annotator, names))):
            noted.rollback()  # somebody else's import came between
    return wrong


def _others(connection: Connection, audit: str, annotator: Annotator, names: Collection[str]) -> Iterator[str]:
    question = select(_accounts).where(_accounts.c.audit == audit).order_by(_accounts.c.annotator, _accounts.c.account)
    theirs: dict[str, list[str]] = {}
    for row in connection.execute(question):
        known = _label(row.account)  # rows of before were kept as written
        if row.annotator != annotator.name and known in names:
            theirs.setdefault(row.annotator, []).append(known)
    for other, used in theirs.items():
        yield (
            f"account {', '.join(used)} has annotated for {other} in this audit, so {annotator.name} is nobody else: two "
            f"different people are wanted. Where several people use the account, or it is of another Label Studio: "
            f"--shared-account"
        )


def _label(name: str) -> str:
    """A name as it is compared, cut as the table cuts it."""
    return normalize(name)[: tables.LABEL_LENGTH].rstrip()
