"""What comes back of a sheet is taken whole or not at all, and everything that is wrong with it is told."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from builder.audit_import import import_answers
from domain.audit import Label
from domain.errors import BadInput, Refused
from store import annotators
from store.annotators import find_annotator
from store.audit_answers import skip, submit
from store.audit_desk import next_items
from store.audit_results import close, status
from store.blobs import Blobs
from store.database import Database
from tests.api.audited import NAME, audited
from tests.builder.sheets import answers, asked, items_of, sheet_for


def test_everything_that_is_wrong_is_told_at_once_and_nothing_is_stored(database: Database, blobs: Blobs, tmp_path: Path):
    """Foreign items, answers that are none, doubles, choices that are not there: one message, no answer taken."""
    given = audited(database, blobs, 8, "ada", "ben", checkboxes=True)
    folder = sheet_for(given, "ada", tmp_path / "sheet", most=4)
    items = asked(folder)
    mine = [one["item"] for one in items]
    box = next((one["item"] for one in items if one["choices"]), mine[0])
    texts = [item for item in mine if item != box]
    foreign = next(number for number in items_of(given) if number not in mine)
    path = answers(
        folder,
        {"item": texts[0], "answer": "value", "value": "fine"},
        {"item": texts[1], "answer": "value"},
        {"item": texts[2], "answer": "perhaps"},
        {"item": foreign, "answer": "absent"},
        {"item": "B" * 22, "answer": "absent"},
        {"item": "short", "answer": "absent"},
        {"item": texts[0], "answer": "absent"},
        {"item": box, "answer": "absent", "gold": "x"},
        "no answer",
        {"item": texts[0], "answer": "value", "value": "fine", "seconds": 3},
    )
    with pytest.raises(BadInput, match="9 problems, and nothing was stored") as told:
        import_answers(database, path)
    for said in (
        "twice, with different answers", "answer 10 (item", "twice, with the same answer",
        "answer 2", "a value goes with the answer", "answer 3", foreign, "never given to ada", "has no such item",
        "answer 6 (item short)", "answer 7", "there twice", "there is no such field", "answer 9",
    ):  # fmt: skip
        assert said in str(told.value), said
    assert status(database, NAME).kinds[0].answers == 0
    [fault] = [one for one in items if one["item"] == box and one["choices"]] or [None]
    if fault:
        with pytest.raises(BadInput, match="is not to choose from: checked, unchecked"):
            import_answers(database, answers(folder, {"item": box, "answer": "value", "value": "ticked"}))


def test_a_file_of_something_else_is_told_for_what_it_is(database: Database, blobs: Blobs, tmp_path: Path):
    """The sheet itself, another audit, an unknown annotator, no JSON, a newer format."""
    given = audited(database, blobs, 2, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    for path, said in (
        (folder / "items.json", "is the sheet, not the answers"),
        (folder / "index.html", "is not JSON"),
        (folder / "nowhere.json", "cannot be read"),
        (answers(folder, format="parallax-audit-answers/9"), "is no answers.json"),
    ):
        with pytest.raises(BadInput, match=said):
            import_answers(database, path)
    with pytest.raises(BadInput, match="not 'other'"):
        import_answers(database, answers(folder), audit="other")
    with pytest.raises(BadInput, match="3 problems") as told:
        import_answers(database, answers(folder, "no answer", name="eve", audit="gone"))
    for said in ("No audit 'gone'", "No annotator 'eve'", "answer 1"):
        assert said in str(told.value), said
    close(database, NAME)
    with pytest.raises(Refused, match="was closed"):
        import_answers(database, answers(folder, {"item": asked(folder)[0]["item"], "answer": "unsure"}))


def test_late_answers_count_while_there_is_a_place(database: Database, blobs: Blobs, tmp_path: Path):
    """A lease that is over: taken still, unless two others have answered meanwhile."""
    given = audited(database, blobs, 2, "ada", "ben", "cyd")
    folder = sheet_for(given, "ada", tmp_path / "sheet", days=1)
    numbers, called = [one["item"] for one in asked(folder)], items_of(given)
    first, second = (called[number] for number in numbers)
    later = status(database, NAME).opened + timedelta(days=2)
    for name in ("ben", "cyd"):
        who = find_annotator(database, name)
        assert {one.item for one in next_items(database, NAME, who, count=2, now=later)} == {first, second}
        submit(database, NAME, who, first, Label(answer="unsure"), now=later)
        if name == "cyd":
            skip(database, NAME, who, second, now=later)
    both = [{"item": item, "answer": "value", "value": "Pay"} for item in numbers]
    with pytest.raises(BadInput, match="1 problem, and") as told:
        import_answers(database, answers(folder, *both))
    assert f"item {numbers[0]}: the time ada had for it is over" in str(told.value)
    assert import_answers(database, answers(folder, both[1])).new == 1


def test_a_changed_mind_is_told_and_not_stored(database: Database, blobs: Blobs, tmp_path: Path):
    """What is stored stays; with one such answer in it, the whole file waits."""
    given = audited(database, blobs, 2, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    first, second = (one["item"] for one in asked(folder))
    import_answers(database, answers(folder, {"item": first, "answer": "value", "value": "Pay"}))
    path = answers(folder, {"item": first, "answer": "absent"}, {"item": second, "answer": "absent"})
    with pytest.raises(BadInput, match="has another answer of ada already"):
        import_answers(database, path)
    assert status(database, NAME).kinds[0].answers == 1


@pytest.mark.parametrize("control", ["\0", "\x07", "\x1b[2J", "\x7f", "\x9b", "\r"])
def test_control_characters_are_refused_and_never_reach_a_terminal(
    database: Database, blobs: Blobs, tmp_path: Path, control: str
):
    """In a value, or wherever else the file has them: told by number, printed as U+FFFD. Tab and line feed are text."""
    given = audited(database, blobs, 2, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    first, second = (one["item"] for one in asked(folder))
    wrong = {"item": first, "answer": "value", "value": f"Pay{control} 12"}
    path = answers(folder, wrong, {"item": control, "answer": "absent", control: 1})
    with pytest.raises(BadInput, match=rf"value: it holds the control character U\+{ord(control[0]):04X}") as told:
        import_answers(database, path)
    assert control[0] not in str(told.value)
    assert str(told.value).count("holds the control character") == 1, "told once"
    assert import_answers(database, answers(folder, {"item": second, "answer": "value", "value": "Pay\t1\n2"})).new == 1


def test_what_is_out_with_somebody_who_was_removed_is_not_taken(database: Database, blobs: Blobs, tmp_path: Path):
    """It is said that they were removed, when, and how they come back; then it is taken."""
    given = audited(database, blobs, 1, "ada")
    folder = sheet_for(given, "ada", tmp_path / "sheet")
    path = answers(folder, {"item": asked(folder)[0]["item"], "answer": "unsure"})
    annotators.remove(database, "ada")
    [gone] = [one.gone for one in annotators.annotators(database)]
    assert gone
    with pytest.raises(BadInput, match=f"Annotator ada was removed on {gone:%Y-%m-%d at %H:%M} UTC") as told:
        import_answers(database, path)
    assert "builder audit annotator add ada --kind human" in str(told.value)
    annotators.add(database, "ada", "human")
    assert import_answers(database, path).new == 1
