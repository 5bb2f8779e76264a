"""Where answers come from: one model a model annotator, one account an annotator. Two of an audit are never the same.

Held by unique keys, so that two who begin at once cannot both be it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, exists, select
from sqlalchemy.dialects.postgresql import insert

from domain.audit_model import AnsweringModel
from domain.errors import Refused
from store import tables
from store.annotators import Annotator
from store.database import Database

_models, _accounts, _places = tables.audit_models, tables.audit_accounts, tables.audit_places
_ANOTHER = "Add another annotator for it: builder audit annotator add NAME --kind model"


@dataclass(frozen=True, slots=True)
class Accounts:
    """Who completed answers elsewhere, by that program's own ids. shared: one may stand for several annotators."""

    names: Collection[str] = ()
    shared: bool = False


def models_of(database: Database, audit: str) -> dict[str, AnsweringModel]:
    """What answers, by the annotator's name; those whose first answer was stored."""
    question = select(_models.c.annotator, _models.c.record).where(_models.c.audit == audit).order_by(_models.c.annotator)
    with database.transaction() as connection:
        return {row.annotator: AnsweringModel.model_validate(row.record) for row in connection.execute(question)}


def hold_to(connection: Connection, audit: str, annotator: Annotator, model: AnsweringModel, *, note: bool) -> None:
    """The annotator is this model in this audit, and no other annotator is. note: from now on, as an answer is stored.

    The annotator must have entered. Raises Refused.
    """
    if annotator.kind != "model":
        raise Refused(
            f"{annotator.name} is an annotator of kind {annotator.kind}: a model's answers are never stored under a person's "
            "name. Add one: builder audit annotator add NAME --kind model"
        )
    mine = (_models.c.audit == audit) & (_models.c.annotator == annotator.name)
    if (known := connection.scalar(select(_models.c.record).where(mine))) is not None:
        there = AnsweringModel.model_validate(known)
        if there != model:
            raise Refused(f"{annotator.name} is {there} in audit {audit}, and this is {model}. {_ANOTHER}")
        return
    same = (_models.c.audit == audit) & (_models.c.way == model.way) & (_models.c.name == model.name)
    other = connection.scalar(select(_models.c.annotator).where(same))
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
        values = {"audit": audit, "annotator": annotator.name, "way": model.way, "name": model.name}
        new = insert(_models).values(**values, record=model.model_dump(mode="json")).on_conflict_do_nothing()
        if connection.execute(new).rowcount:
            return
        other = connection.scalar(select(_models.c.annotator).where(same))
    raise Refused(
        f"{model.name} answers audit {audit} as {other} already: two labels of one model are one opinion. "
        f"Let {annotator.name} be another model."
    )


def wrong_accounts(
    connection: Connection, audit: str, annotator: Annotator, accounts: Accounts, *, note: bool
) -> tuple[str, ...]:
    """Which accounts have answered for another annotator of the audit, as sentences; none where they are shared.

    note: and those that are new are this annotator's from now on.
    """
    names = sorted(set(accounts.names))
    if note and names:
        rows = [{"audit": audit, "account": name, "annotator": annotator.name} for name in names]
        connection.execute(insert(_accounts).values(rows).on_conflict_do_nothing())
    if accounts.shared:
        return ()
    question = select(_accounts).where(_accounts.c.audit == audit, _accounts.c.account.in_(names)).order_by(_accounts.c.account)
    return tuple(
        f"account {row.account} has annotated for {row.annotator} in this audit, so {annotator.name} is nobody else: two "
        f"different people are wanted. Where several people use the account, or it is of another Label Studio: --shared-account"
        for row in connection.execute(question)
        if row.annotator != annotator.name
    )
