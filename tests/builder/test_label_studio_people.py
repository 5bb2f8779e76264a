"""Who annotated in Label Studio: whatever names an export tells, an account is one person, and annotates for one annotator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from builder.label_studio import import_tasks
from builder.label_studio_people import people_of, who
from domain.errors import BadInput
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, audited
from tests.builder.test_label_studio import annotated, exported, project

BOTH = {"id": 1, "email": "A@x.org", "username": "gus"}


@pytest.mark.parametrize(
    ("by", "own", "names"),
    [
        (BOTH, ("1", "a@x.org"), ("1", "a@x.org", "gus")),
        (1, ("1",), ("1",)),
        ("1 ", ("1",), ("1",)),
        (" A@X.org", ("a@x.org",), ("a@x.org",)),
        ({"email": "\uff21@x.org"}, ("a@x.org",), ("a@x.org",)),
        ({"username": "Gus", "email": ""}, ("gus",), ("gus",)),
        *((nobody, (), ()) for nobody in (None, "", "  ", "\u200b", {}, {"id": None, "email": " "}, False, [], {"id": {}})),
    ],
)
def test_what_an_annotation_tells_of_its_maker(by: Any, own: tuple[str, ...], names: tuple[str, ...]):
    """Folded in case and blanks; a blank, and what is no name, is nobody."""
    assert who({"completed_by": by}) == (own, names)


@pytest.mark.parametrize(
    ("made_by", "people"),
    [
        ([1, {"id": "1"}], [{"1"}]),
        ([1, "a@x.org"], [{"1"}, {"a@x.org"}]),
        ([1, "a@x.org", BOTH], [{"1", "a@x.org", "gus"}]),
        ([{"id": 1, "username": "gus"}, {"id": 2, "username": "gus"}], [{"1", "gus"}, {"2", "gus"}]),
        (["", None], []),
    ],
)
def test_who_shares_an_id_or_an_e_mail_is_one(made_by: list[Any], people: list[set[str]]):
    """Also where a third annotation tells it; a username may be two people's."""
    assert sorted((one.names for one in people_of([{"completed_by": by} for by in made_by])), key=min) == people


def test_an_account_is_held_by_all_its_names(database: Database, blobs: Blobs, tmp_path: Path):
    """What was imported for gus by id, e-mail and username is refused for hal by any of them, and taken for gus."""
    given = audited(database, blobs, 2, "gus", "hal")
    [first, second], [third, _] = (project(given, tmp_path / name, "", name) for name in ("gus", "hal"))
    assert import_tasks(database, exported(tmp_path, [annotated(first, 1, "absent", by=BOTH)]), audit=NAME, annotator="gus").new
    for by in (1, "1", {"email": "a@x.org"}, {"email": " A@X.ORG"}, {"id": 5, "email": "a@x.org"}, {"username": "Gus"}, "gus"):
        path = exported(tmp_path, [annotated(third, 1, "absent", by=by)])
        with pytest.raises(BadInput, match=r"has annotated for gus .* hal is nobody else.*--shared-account"):
            import_tasks(database, path, audit=NAME, annotator="hal")
    for by in ("", " ", {"id": None, "email": ""}, {"email": "\u200b"}):
        path = exported(tmp_path, [annotated(third, 1, "absent", by=by)])
        with pytest.raises(BadInput, match="1 of its annotations do not say who made them"):
            import_tasks(database, path, audit=NAME, annotator="hal")
    path = exported(tmp_path, [annotated(third, 1, "absent", by={"id": 5, "email": "h@x.org"})])
    assert import_tasks(database, path, audit=NAME, annotator="hal").new == 1
    path = exported(tmp_path, [annotated(second, 2, "absent", by="a@X.org")])
    assert import_tasks(database, path, audit=NAME, annotator="gus").new == 1


def test_what_somebody_skipped_is_nobodys_work(database: Database, blobs: Blobs, tmp_path: Path):
    """It stands in nobody's way: neither as a second person, nor as one who does not say who they are."""
    given = audited(database, blobs, 3, "ada")
    tasks = project(given, tmp_path / "ls", "")
    skipped = [annotated(tasks[1], 2, "absent", by=by, was_cancelled=True) for by in (2, None)]
    path = exported(tmp_path, [annotated(tasks[0], 1, "absent", by=1), *skipped])
    assert import_tasks(database, path, audit=NAME, annotator="ada").new == 1
    path = exported(tmp_path, [annotated(tasks[0], 1, "absent", by=1), annotated(tasks[2], 3, "absent", by=2)])
    with pytest.raises(BadInput, match=r"annotations of 2 people \(1, 2\)"):
        import_tasks(database, path, audit=NAME, annotator="ada")
    assert import_tasks(database, exported(tmp_path, skipped), audit=NAME, annotator="ada", user="2").new == 0


def test_a_person_is_meant_by_any_of_their_names(database: Database, blobs: Blobs, tmp_path: Path):
    """--user takes all that this person made, by whichever name it is known; a name that two people have says nobody's."""
    given = audited(database, blobs, 3, "ada")
    tasks = project(given, tmp_path / "ls", "")
    makers = (BOTH, 1, {"id": 2, "username": "gus"})
    done = [annotated(task, n, "absent", by=by) for n, (task, by) in enumerate(zip(tasks, makers, strict=True), 1)]
    path = exported(tmp_path, done)
    with pytest.raises(BadInput, match=r"gus is a name of 2 people in it \(1, 2\)"):
        import_tasks(database, path, audit=NAME, annotator="ada", user="gus")
    for nobody in ("", "3"):
        with pytest.raises(BadInput, match="it has no annotation of"):
            import_tasks(database, path, audit=NAME, annotator="ada", user=nobody)
    assert import_tasks(database, path, audit=NAME, annotator="ada", user=" a@X.org").new == 2
