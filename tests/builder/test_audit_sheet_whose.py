"""A sheet is one annotator's: a name that is changed in a file makes nobody else of whoever answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.audit_import import import_answers
from builder.audit_sheet import take_items
from domain.errors import BadInput, Refused
from store import annotators
from store.annotators import find_annotator
from store.audit_imports import take_answers
from store.audit_results import judged, status
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, audited
from tests.builder.sheets import answers, asked, sheet_for


def test_answers_are_of_whoever_got_the_sheet(database: Database, blobs: Blobs, tmp_path: Path):
    """Items have other numbers for everybody: the file of one is refused under another's name, and it is said whose it is."""
    given = audited(database, blobs, 3, "ada", "bo")
    of_ada, of_bo = (asked(sheet_for(given, name, tmp_path / name)) for name in ("ada", "bo"))
    lines = [{"item": one["item"], "answer": "unsure"} for one in of_ada]
    assert {one["item"] for one in of_ada}.isdisjoint(one["item"] for one in of_bo)
    assert import_answers(database, answers(tmp_path / "ada", *lines)).new == 3
    with pytest.raises(BadInput, match=r"3 answers of it are on the sheet of ada, not of bo.* --annotator bo") as told:
        import_answers(database, answers(tmp_path / "ada", *lines, name="bo"))
    assert "1 problem, and nothing was stored" in str(told.value)
    mixed = [{"item": of_bo[0]["item"], "answer": "absent"}, lines[0]]
    with pytest.raises(BadInput, match="1 answer of it is on the sheet of ada"):
        import_answers(database, answers(tmp_path / "ada", *mixed, name="bo"))
    assert [one.answers for one in status(database, NAME).kinds] == [3]
    assert import_answers(database, answers(tmp_path / "ada", mixed[0], name="bo")).new == 1


def test_a_sheet_made_again_is_the_same_and_an_old_one_is_made_anew(database: Database, blobs: Blobs, tmp_path: Path):
    """What is out with an annotator stays good; items' own numbers, as sheets once had them, tell nothing of whose they are."""
    given = audited(database, blobs, 2, "ada")
    first, again = (asked(sheet_for(given, "ada", tmp_path / name)) for name in ("first", "again"))
    assert {one["item"] for one in first} == {one["item"] for one in again}
    assert given.rows.keys().isdisjoint(one["item"] for one in first)
    old = [{"item": item, "answer": "unsure"} for item in given.rows]
    with pytest.raises(BadInput, match=r"2 answers of it are on a sheet of an older version.*builder audit sheet second-look"):
        import_answers(database, answers(tmp_path / "first", *old))
    assert all(not one.judgements for one in judged(database, NAME))


def test_no_sheet_is_a_models(database: Database, blobs: Blobs):
    """Nobody could tell which model answered; it is asked here."""
    audited(database, blobs, 1)
    annotators.add(database, "seer", "model")
    who = find_annotator(database, "seer")
    with pytest.raises(Refused, match="sheets and projects are for people: builder audit model"):
        take_items(database, NAME, who, days=1)
    with pytest.raises(Refused, match="builder audit model asks it here"):
        take_answers(database, NAME, who, [])
