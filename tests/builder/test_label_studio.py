"""Label Studio: its tasks hold pixels and questions, and what was annotated there is taken as a sheet's answers are."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from builder.audit_sheet import pictures_of, take_items
from builder.label_studio import WRITTEN, import_tasks, write_tasks
from domain.audit import Label
from domain.errors import BadInput
from store.annotators import find_annotator
from store.audit_numbers import numbered
from store.audit_results import judged, status
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, Audited, audited


def project(given: Audited, folder: Path, prefix: str | None, name: str = "ada") -> list[dict[str, Any]]:
    who = find_annotator(given.database, name)
    items, _ = take_items(given.database, NAME, who, days=14)
    write_tasks(NAME, items, pictures_of(given.database, given.blobs, NAME, who), folder, prefix=prefix)
    tasks: list[dict[str, Any]] = json.loads((folder / "tasks.json").read_bytes())
    return tasks


def called(given: Audited, name: str = "ada") -> dict[str, str]:
    """The items by what this annotator's project calls them."""
    return numbered(given.database, NAME, find_annotator(given.database, name))


def annotated(task: dict[str, Any], number: int, chosen: str, *texts: str, by: Any = 1, **more: Any) -> dict[str, Any]:
    """The task as Label Studio 1.23 exports it, with one annotation."""
    result: list[dict[str, Any]] = [
        {"id": "a1", "type": "choices", "value": {"choices": [chosen]}, "origin": "manual", "to_name": "picture",
         "from_name": "answer"},
    ]  # fmt: skip
    if texts:
        result.append(
            {"id": "t1", "type": "textarea", "value": {"text": list(texts)}, "origin": "manual", "to_name": "picture",
             "from_name": "text"}
        )  # fmt: skip
    one = {
        "id": 100 + number, "completed_by": by, "result": result, "was_cancelled": False, "ground_truth": False,
        "created_at": "2026-11-30T12:00:00.000000Z", "updated_at": "2026-11-30T12:00:00.000000Z", "lead_time": 4.25,
        "prediction": {}, "result_count": 0, "task": number, "project": 1,
    }  # fmt: skip
    return {
        "id": number, "annotations": [{**one, **more}], "drafts": [], "predictions": [], "data": task["data"], "meta": {},
        "total_annotations": 1, "cancelled_annotations": 0, "inner_id": number, "project": 1,
    }  # fmt: skip


def exported(folder: Path, tasks: list[Any]) -> Path:
    path = folder / "project-1.json"
    path.write_text(json.dumps(tasks))
    return path


def test_what_was_annotated_there_comes_back(database: Database, blobs: Blobs, tmp_path: Path):
    """Texts, choices and the other answers; skipped tasks are left out; the same file again changes nothing."""
    given = audited(database, blobs, 8, "ada", checkboxes=True)
    tasks = project(given, tmp_path / "ls", "/data/local-files/?d=ls/")
    assert len(tasks) == 8
    done, expected = [], {}
    for number, task in enumerate(tasks, 1):
        item = called(given)[task["data"]["item"]]
        choices = [one["value"] for one in task["data"]["answers"]]
        expected[item] = given.right(item)
        if number == 3:
            expected[item] = Label(answer="unreadable")
            done.append(annotated(task, number, "unreadable"))
        elif number == 4:
            del expected[item]
            done.append(annotated(task, number, "absent", was_cancelled=True))
        elif given.rows[item].variable == "checked":
            assert choices == ["checked", "unchecked", "absent", "unreadable", "unsure"]
            done.append(annotated(task, number, given.rows[item].gold))
        else:
            assert choices == [WRITTEN, "absent", "unreadable", "unsure"]
            done.append(annotated(task, number, WRITTEN, f" {given.rows[item].gold} "))
    path = exported(tmp_path, done)
    assert import_tasks(database, path, audit=NAME, annotator="ada").new == 7
    stored = {one.item: one.judgements for one in judged(database, NAME) if one.judgements}
    assert {item: one.label for item, [one] in stored.items()} == expected
    assert {one.seconds for [one] in stored.values()} == {4.25}
    again = import_tasks(database, path, audit=NAME, annotator="ada")
    assert (again.new, again.same) == (0, 7)


def test_a_project_tells_nothing_of_what_an_item_stands_for(database: Database, blobs: Blobs, tmp_path: Path):
    """Neither as files beside nor inside the tasks; the configuration names only what tasks have."""
    given = audited(database, blobs, 4, "ada")
    tasks = project(given, tmp_path / "files", "x/")
    inline = project(given, tmp_path / "inline", None)
    for path in (*tmp_path.glob("files/**/*"), *tmp_path.glob("inline/*")):
        for item in given.rows if path.is_file() else ():
            for secret in given.secrets(item, typed=False):
                assert secret not in path.name
                assert secret.encode() not in path.read_bytes(), (path, secret)
    for one, other in zip(tasks, inline, strict=True):
        name = one["data"]["image"].removeprefix("x/")
        written = (tmp_path / "files" / name).read_bytes()
        assert other["data"]["image"] == "data:image/png;base64," + base64.b64encode(written).decode()
        assert set(one) == {"data"}
        assert set(one["data"]) == {"audit", "item", "question", "guide", "image", "answers"}
    config = ET.fromstring((tmp_path / "files" / "config.xml").read_text())  # noqa: S314 - our own
    assert {tag.attrib["value"] for tag in config.iter() if "value" in tag.attrib} == {
        "$question",
        "$guide",
        "$image",
        "$answers",
    }
    assert [tag.tag for tag in config] == ["Header", "Header", "Image", "Choices", "TextArea"]


def test_all_that_is_wrong_is_told_and_nothing_is_stored(database: Database, blobs: Blobs, tmp_path: Path):
    """Two people in one file, tasks of another audit, no answer, no text, a choice that is not there."""
    given = audited(database, blobs, 5, "ada")
    tasks = project(given, tmp_path / "ls", "")
    strange = {"data": {**tasks[4]["data"], "audit": "other"}}
    path = exported(
        tmp_path,
        [
            annotated(tasks[0], 1, WRITTEN, "Pay", by={"id": 7, "email": "a@example.org"}),
            annotated(tasks[1], 2, WRITTEN),
            annotated(tasks[2], 3, "checked"),
            {**annotated(tasks[3], 4, "absent"), "annotations": [{"completed_by": 1, "result": []}]},
            annotated(strange, 5, "absent"),
        ],
    )
    with pytest.raises(BadInput, match="and nothing was stored") as told:
        import_tasks(database, path, audit=NAME, annotator="ada")
    for said in ("2 people (1, 7)", "task 2", "0 texts written", "task 4", "0 answers chosen", f"no item of audit {NAME}"):
        assert said in str(told.value), said
    assert not status(database, NAME).kinds or status(database, NAME).kinds[0].answers == 0
    assert import_tasks(database, exported(tmp_path, [annotated(tasks[0], 1, WRITTEN, "Pay", by={"id": 7, "email": "a@x"}),
        annotated(tasks[1], 2, "absent", by=1)]), audit=NAME, annotator="ada", user="a@x").new == 1  # fmt: skip
    for wrong, said in ((tasks, "not JSON-MIN"), ({}, "a list of tasks"), ([1], "a list of tasks")):
        with pytest.raises(BadInput, match=said):
            import_tasks(database, exported(tmp_path, wrong), audit=NAME, annotator="ada")  # type: ignore[arg-type]
    again = exported(tmp_path, [annotated(tasks[0], 1, "absent")])
    with pytest.raises(BadInput, match="no annotation of 99"):
        import_tasks(database, again, audit=NAME, annotator="ada", user="99")


def test_an_account_annotates_for_one(database: Database, blobs: Blobs, tmp_path: Path):
    """One export is nobody else's; what one account made in two projects is one person's, and taken where that is said."""
    given = audited(database, blobs, 2, "ada", "bo")
    [first, second], [third, _] = (project(given, tmp_path / name, "", name) for name in ("ada", "bo"))
    assert {first["data"]["item"], second["data"]["item"]}.isdisjoint(called(given, "bo"))
    of_ada = exported(tmp_path, [annotated(first, 1, "absent", by=7)])
    with pytest.raises(BadInput, match="1 answer of it is on the sheet of ada, not of bo"):
        import_tasks(database, of_ada, audit=NAME, annotator="bo")
    assert import_tasks(database, of_ada, audit=NAME, annotator="ada").new == 1
    of_bo = exported(tmp_path, [annotated(third, 1, "absent", by={"id": 7, "email": "b@x"})])
    with pytest.raises(BadInput, match=r"account 7 has annotated for ada .* bo is nobody else.*--shared-account"):
        import_tasks(database, of_bo, audit=NAME, annotator="bo")
    assert import_tasks(database, of_bo, audit=NAME, annotator="bo", shared=True).new == 1
    more = exported(tmp_path, [annotated(first, 1, "absent", by=7), annotated(second, 2, "absent", by=None)])
    with pytest.raises(BadInput, match=r"1 of its annotations do not say who made them \(completed_by\)"):
        import_tasks(database, more, audit=NAME, annotator="ada")
    last = exported(tmp_path, [annotated(second, 2, "absent", by=7)])
    assert import_tasks(database, last, audit=NAME, annotator="ada").new == 1
