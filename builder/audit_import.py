"""What comes back: answers.json of a sheet. All that is wrong with it is told at once, and nothing is half taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from builder.audit_answers import ANSWERS, SHEET, GivenAnswer, SheetAnswers
from builder.printing import some
from domain.audit import Label
from domain.controls import printable, unfit
from domain.errors import BadInput, NotFound
from store.annotators import Annotator, find_annotator
from store.audit_imports import Answered, take_answers
from store.audit_numbers import Read, read_numbers
from store.audit_results import status
from store.audit_sources import Accounts
from store.database import Database

TOLD = 20
"""Problems that a message lists; of more it says how many."""
LARGEST = 256_000_000
"""Bytes of a file."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What was taken. new: answers that were not stored before; hidden: left out, as their items were taken down since."""

    audit: str
    annotator: str
    new: int
    same: int
    hidden: int


def import_answers(database: Database, path: Path, *, audit: str | None = None) -> Imported:
    """The answers in the file, all or none. audit: which one they must be of; None: the one that the file names.

    Raises BadInput with every problem that there is, Refused for a closed audit that has not all of them already.
    """
    given = read_json(path)
    problems: list[str] = []
    head = _head(given, path)
    if audit is not None and head.audit != audit:
        problems.append(f"it is of audit {head.audit!r}, not {audit!r}")
    answers, found = answers_of(given["answers"])
    return take_all(database, path, head.audit, head.annotator, answers, [*problems, *found])


def take_all(  # noqa: PLR0917 - where they are from, whose they are, and what is wrong already
    database: Database,
    path: Path,
    audit: str,
    annotator: str,
    answers: Sequence[Answered],
    problems: Sequence[str],
    accounts: Accounts | None = None,
) -> Imported:
    """Stores one annotator's answers, all or none; their items are the annotator's own numbers of them.

    problems: of the file, found before. accounts: who completed them elsewhere. Raises BadInput with all that is wrong, Refused
    for a closed audit that has not all of them already: a file whose import was cut off may come again.
    """
    person, unknown = _known(database, audit, annotator)
    found = [*problems, *unknown]
    if person is None:
        raise BadInput(_told(path, found))
    read = read_numbers(database, audit, annotator, [one.item for one in answers])
    found += _strange(read, annotator, audit)
    own = [one._replace(item=read.items[one.item], called=one.item) for one in answers if one.item in read.items]
    taken = take_answers(database, audit, person, own, accounts=accounts, check=bool(found))
    if found := [*found, *(fault.problem for fault in taken.faults)]:
        raise BadInput(_told(path, found))
    return Imported(audit, annotator, taken.new, taken.same, taken.hidden)


def _known(database: Database, audit: str, annotator: str) -> tuple[Annotator | None, list[str]]:
    """The annotator, nobody where there is no such audit; and what is not there."""
    person, problems = None, []
    try:
        person = find_annotator(database, annotator)
    except NotFound as error:
        problems.append(str(error))
    try:
        status(database, audit)
    except NotFound as error:
        return None, [str(error), *problems]
    return person, problems


def _strange(read: Read, annotator: str, audit: str) -> Iterator[str]:
    """Items that this annotator's sheets do not have. What is another's, or of an older version, is told once for all of it."""
    for other, count in sorted(Counter(read.others.values()).items()):
        yield (
            f"{some(count, 'answer')} of it {'is' if count == 1 else 'are'} on the sheet of {other}, not of {annotator}: an "
            f"answer is of whoever got the sheet. Nobody answers under another's name; to give {annotator} a sheet: "
            f"builder audit sheet {audit} --annotator {annotator}"
        )
    if read.old:
        yield (
            f"{some(len(read.old), 'answer')} of it {'is' if len(read.old) == 1 else 'are'} on a sheet of an older version, "
            f"which does not tell whose it is. Make it anew, and have it answered: "
            f"builder audit sheet {audit} --annotator {annotator}"
        )
    for number in sorted(read.unknown):
        yield f"item {number}: audit {audit} has no such item."


def answers_of(lines: Iterable[Any]) -> tuple[list[Answered], list[str]]:
    """Every line that is an answer, and what is wrong with those that are not: two of one item, too, if they agree or not."""
    found: dict[str, Answered] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        try:
            one = GivenAnswer.model_validate(line, strict=False)
            label = Label(answer=one.answer, value=one.value)
        except ValidationError as error:
            item = line.get("item") if isinstance(line, dict) else None
            which = f"answer {number}" + (f" (item {str(item)[:40]})" if item else "")
            problems += [f"{which}: {_fault(one)}" for one in error.errors()]
            continue
        if why := unfit(one.value):  # told here alone: it goes no further
            problems.append(f"answer {number} (item {one.item}): value: {why}")
            continue
        before = found.setdefault(one.item, given := Answered(one.item, label, one.seconds))
        if before is not given:
            how = "with the same answer" if before.label == label else "with different answers"
            problems.append(f"answer {number} (item {one.item}): it is there twice, {how}: leave one")
    return list(found.values()), problems


def read_json(path: Path) -> Any:
    """The document in a file. Raises BadInput."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path} has more than {LARGEST} bytes: that is no file of answers.")
        return orjson.loads(path.read_bytes())
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from None
    except orjson.JSONDecodeError as error:
        raise BadInput(f"{path} is not JSON: {error}") from None


def _head(given: Any, path: Path) -> SheetAnswers:
    """The file without its answers. Raises BadInput where it is no file of answers at all."""
    form = given.get("format") if isinstance(given, dict) else None
    if form == SHEET:
        raise BadInput(f"{path} is the sheet, not the answers: open index.html beside it, and download answers.json there.")
    if not isinstance(given, dict) or not isinstance(given.get("answers"), list) or form != ANSWERS:
        what = f"its format is {form!r}" if form else "it has no format"
        raise BadInput(f"{path} is no answers.json of a sheet ({ANSWERS}): {what}. Of Label Studio: builder audit label-studio")
    try:
        return SheetAnswers.model_validate({**given, "answers": ()})
    except ValidationError as error:
        raise BadInput(_told(path, [_fault(one) for one in error.errors()])) from None


def _fault(one: Any) -> str:
    place = ".".join(map(str, one["loc"]))
    said = one["msg"].removeprefix("Value error, ")
    if said == "Extra inputs are not permitted":
        said = "there is no such field"
    return f"{place}: {said}" if place else said


def _told(path: Path, problems: Sequence[str]) -> str:
    more = [f"... and {len(problems) - TOLD} more"] if len(problems) > TOLD else []
    counted = f"{path}: {some(len(problems), 'problem')}, and nothing was stored:"
    return printable("\n".join([counted, *problems[:TOLD], *more]))
