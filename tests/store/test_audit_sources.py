"""store/audit_sources.py: one account, one model, whatever way its name is written, is one annotator of an audit."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from domain.audit_model import AnsweringModel
from domain.errors import Refused
from store import annotators, tables
from store.annotators import find_annotator
from store.audit_imports import take_answers
from store.audit_sources import Accounts, hold_to, models_of
from store.audit_turns import enter
from store.blobs import Blobs
from store.database import Database
from tests.store.audit_rows import AUDIT, opened, someone
from tests.store.probe_rows import NOON
from tests.store.test_audit_races import at_once


def taken(database: Database, name: str, *names: str, shared: bool = False, check: bool = False) -> list[str]:
    """What is wrong with a file that the account of these names made for the annotator."""
    accounts = Accounts(names, shared)
    given = take_answers(database, AUDIT, find_annotator(database, name), [], accounts=accounts, check=check, now=NOON)
    return [one.problem for one in given.faults]


def accounts(database: Database) -> list[tuple[str, str]]:
    with database.transaction() as connection:
        stored = select(tables.audit_accounts.c.account, tables.audit_accounts.c.annotator)
        return [(row.account, row.annotator) for row in connection.execute(stored.order_by("account"))]


@pytest.mark.parametrize("same", ["1", " 1 ", "a@x.org", "A@X.ORG", " a@x.org\t", "\uff41@x.org", "gus", "Gus\u00a0"])
def test_any_name_of_an_account_is_that_account(database: Database, blobs: Blobs, same: str) -> None:
    """Known by three names, it is known by each, in any case and with any blanks; the rest of a refused file is not kept."""
    opened(database, blobs, 1)
    someone(database, "gus")
    someone(database, "hal")
    assert taken(database, "gus", "1", "A@x.org", "gus", check=True) == []
    assert accounts(database) == []
    assert taken(database, "gus", "1", "A@x.org", "gus") == []
    [why] = taken(database, "hal", same, "new")
    assert "has annotated for gus in this audit, so hal is nobody else" in why
    assert accounts(database) == [("1", "gus"), ("a@x.org", "gus"), ("gus", "gus")]
    assert taken(database, "gus", same) == []
    assert taken(database, "hal", same, "new", shared=True) == []
    assert ("new", "hal") in accounts(database)


def test_an_account_of_before_is_known_as_it_was_written(database: Database, blobs: Blobs) -> None:
    """Rows of before: an e-mail in capitals is the same one, an id goes on and gets its other names, a blank is nobody's."""
    opened(database, blobs, 1)
    for name in ("gus", "hal"):
        with database.transaction() as connection:
            enter(connection, AUDIT, someone(database, name))
    rows = [{"audit": AUDIT, "account": one, "annotator": "gus"} for one in ("", "7", "A@X.org ")]
    with database.transaction() as connection:
        connection.execute(insert(tables.audit_accounts), rows)
    assert taken(database, "hal", "", " ", "\u200b") == []
    [why] = taken(database, "hal", "8", "a@x.org")
    assert why.startswith("account a@x.org has annotated for gus")
    assert taken(database, "gus", "7", "g@x.org") == []
    [why] = taken(database, "hal", "G@x.org")
    assert why.startswith("account g@x.org has annotated for gus")


def vision(name: str, host: str = "models.test") -> AnsweringModel:
    return AnsweringModel(way="vision", name=name, endpoint=host, prompt="0" * 64)


def held(database: Database, annotator: str, model: AnsweringModel) -> None:
    who = find_annotator(database, annotator)
    with database.transaction() as connection:
        enter(connection, AUDIT, who)
        hold_to(connection, AUDIT, who, model, note=True)


@pytest.mark.parametrize("kept", ["fake-1", "FAKE-1 ", "Fa\u212ae-1"])
@pytest.mark.parametrize("same", ["fake-1", "Fake-1", " fake-1", "fake-1\u200b", "\uff26ake-1"])
def test_a_model_is_one_however_its_name_is_written(database: Database, blobs: Blobs, kept: str, same: str) -> None:
    """Nobody else is it, whoever has it may go on with it, and it stays told as it was first written."""
    opened(database, blobs, 1)
    for name in ("m1", "m2"):
        annotators.add(database, name, "model")
    held(database, "m1", vision(kept))
    with pytest.raises(Refused, match="as m1 already: two labels of one model are one opinion"):
        held(database, "m2", vision(same, "elsewhere.test"))
    held(database, "m1", vision(same, "Models.Test "))
    with pytest.raises(Refused, match=r"m1 is .* and this is"):
        held(database, "m1", vision(same, "elsewhere.test"))
    assert {one: str(model.name) for one, model in models_of(database, AUDIT).items()} == {"m1": kept}
    held(database, "m2", vision("fake-2"))


def test_of_two_who_begin_at_once_one_is_it(database: Database, blobs: Blobs) -> None:
    """Two spellings of a model, two accounts that share a name: one annotator has it, and nothing is left of the other."""
    opened(database, blobs, 1)
    for name in ("m1", "m2"):
        annotators.add(database, name, "model")
    for name in ("gus", "hal"):
        someone(database, name)

    def is_it(name: str, model: str) -> bool:
        try:
            held(database, name, vision(model))
        except Refused:
            return False
        return True

    assert sorted(at_once([lambda: is_it("m1", "fake-1"), lambda: is_it("m2", "Fake-1")])) == [False, True]
    assert len(models_of(database, AUDIT)) == 1
    wrong = at_once([lambda: taken(database, "gus", "1", "a@x.org"), lambda: taken(database, "hal", "A@x.org", "2")])
    assert sorted(map(len, wrong)) == [0, 1]
    assert accounts(database) in ([("1", "gus"), ("a@x.org", "gus")], [("2", "hal"), ("a@x.org", "hal")])


def test_a_model_of_before_is_known_as_it_was_written(database: Database, blobs: Blobs) -> None:
    """A row of before has its name unfolded."""
    opened(database, blobs, 1)
    for name in ("m1", "m2"):
        annotators.add(database, name, "model")
    row = {"audit": AUDIT, "annotator": "m1", "way": "vision", "name": "Fake-1", "record": vision("Fake-1").model_dump()}
    with database.transaction() as connection:
        enter(connection, AUDIT, find_annotator(database, "m1"))
        connection.execute(insert(tables.audit_models), row)
    with pytest.raises(Refused, match="as m1 already"):
        held(database, "m2", vision("fake-1"))
    held(database, "m1", vision("fake-1"))
