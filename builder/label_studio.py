"""Label Studio: an audit's items as its tasks, and what was annotated there back. docs/audit-offline.md.

Format: "Label Studio JSON" of Label Studio 1.x, as its documentation has it: tasks with `data`, and `annotations` whose
`result` names the control that each answer was given with. JSON-MIN and CSV lack who answered, and are not read.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import orjson

from builder.audit_import import Imported, answers_of, read_json, take_all
from builder.audit_sheet import PICTURES, Picture, Told, new_folder, write_pictures
from builder.label_studio_people import people_of, who
from channels.audit_pictures import marked
from domain.audit import AuditItem
from domain.audit_clock import bounded
from domain.audit_guide import told as guide_to
from domain.errors import BadInput
from domain.text import normalize
from store.audit_sources import Accounts
from store.database import Database

CONFIG, TASKS = "config.xml", "tasks.json"
LOCAL_FILES = "/data/local-files/?d="
"""Where Label Studio serves files of its own machine, by their paths from LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT."""
WRITTEN = "as written below"
"""What is chosen where a text is written; no question has it among its choices."""
OTHERS = ("absent", "unreadable", "unsure")
ANSWER, TEXT, IMAGE = "answer", "text", "picture"
"""Names of the controls, and of what they are about."""
LABELING = f"""\
<View>
  <Header value="$question"/>
  <Header value="$guide" size="6"/>
  <Image name="{IMAGE}" value="$image" zoom="true" zoomControl="true"/>
  <Choices name="{ANSWER}" toName="{IMAGE}" value="$answers" choice="single-radio" showInline="true"
           required="true" requiredMessage="Choose an answer."/>
  <TextArea name="{TEXT}" toName="{IMAGE}" rows="1" editable="true" maxSubmissions="1"
            placeholder="The text in the red frame, as it is shown; Enter adds it to the answer"
            visibleWhen="choice-selected" whenTagName="{ANSWER}" whenChoiceValue={quoteattr(WRITTEN)}/>
</View>
"""
"""One configuration for all questions: the answers to choose from come with the task."""


def write_tasks(
    audit: str,
    items: Iterable[AuditItem],
    picture: Picture,
    folder: Path,
    *,
    prefix: str | None = None,
    told: Told = lambda *_: None,
) -> None:
    """A folder with the labeling configuration, the tasks and their pictures, each with its region framed.

    prefix: what stands before a picture's path from the folder; "": nothing; None: pictures are in the tasks themselves, as
    data URIs. Raises Refused where there is something at the folder.
    """
    listed = list(items)

    def framed(item: str) -> bytes:
        return marked(picture(item), regions[item])

    regions = {one.item: one.region for one in listed}
    with new_folder(folder) as making:
        (making / CONFIG).write_text(LABELING, encoding="utf-8", newline="\n")
        if prefix is None:
            addresses = {one.item: _inline(framed(one.item)) for one in listed}
        else:
            names = {one.item: f"{PICTURES}/{one.item}.png" for one in listed}
            write_pictures(names.items(), len(names), framed, making, told)
            addresses = {item: prefix + name for item, name in names.items()}
        tasks = [task_of(audit, one, addresses[one.item]) for one in listed]
        (making / TASKS).write_bytes(orjson.dumps(tasks, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def task_of(audit: str, item: AuditItem, image: str) -> dict[str, Any]:
    """One task. image: the picture's address."""
    answers = [*(item.choices or (WRITTEN,)), *OTHERS]
    return {
        "data": {
            "audit": audit,
            "item": item.item,
            "question": item.question,
            "guide": guide_to(item.ask),
            "image": image,
            "answers": [{"value": one} for one in answers],
        }
    }


def import_tasks(
    database: Database, path: Path, *, audit: str, annotator: str, user: str | None = None, shared: bool = False
) -> Imported:
    """What one person annotated, all or nothing. user: a name of that person in Label Studio; None: there is one only.

    shared: the account may have annotated for another annotator of the audit. Annotations that were skipped there are left out.
    Raises BadInput with every problem that there is.
    """
    tasks = read_json(path)
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise BadInput(f"{path} is no export of Label Studio: a list of tasks was expected.")
    if tasks and not any("annotations" in task for task in tasks):
        raise BadInput(f"{path} has no annotations: export as JSON, not JSON-MIN, and not the file of tasks.")
    problems: list[str] = []
    every = [one for task in tasks for one in _annotations(task)]
    counted = [one for one in every if not _skipped(one)]
    known = people_of(every)  # a skipped one tells names too
    people = sorted(one.called for one in known if any(map(one.made, counted)))
    if user is None and len(people) > 1:
        problems.append(f"it has annotations of {len(people)} people ({', '.join(people)}): say whose with --user")
    wanted = known if user is None else [one for one in known if normalize(user) in one.names]
    if user is not None and not wanted:
        problems.append(f"it has no annotation of {user}; it has some of: {', '.join(people) or 'nobody'}")
    if user is not None and len(wanted) > 1:
        called = ", ".join(sorted(one.called for one in wanted))
        problems.append(f"{user} is a name of {len(wanted)} people in it ({called}): say whose by id or e-mail")

    def is_mine(annotation: Mapping[str, Any]) -> bool:
        return user is None or any(one.made(annotation) for one in wanted)

    answers, found = answers_of(list(_lines(tasks, audit, is_mine, problems)))
    mine = [one for one in counted if is_mine(one)]
    if not shared and (nobody := sum(not who(one).names for one in mine)):
        problems.append(
            f"{nobody} of its annotations do not say who made them (completed_by), so nobody can tell that they are not "
            "another annotator's. Export as JSON; where that is no matter: --shared-account"
        )
    accounts = Accounts([name for one in wanted if any(map(one.made, mine)) for name in one.names], shared)
    return take_all(database, path, audit, annotator, answers, [*problems, *found], accounts)


def _lines(
    tasks: Iterable[Mapping[str, Any]], audit: str, is_mine: Callable[[Mapping[str, Any]], bool], problems: list[str]
) -> Iterator[dict[str, Any]]:
    """Each annotation as a line of answers.json."""
    for task in tasks:
        data = task.get("data")
        item = data.get("item") if isinstance(data, dict) else None
        name = f"task {task.get('id', '?')}"
        if not isinstance(data, dict) or not isinstance(item, str) or data.get("audit") != audit:
            problems.append(f"{name}: it is of no item of audit {audit}")
            continue
        for one in _annotations(task):
            if _skipped(one) or not is_mine(one):
                continue
            try:
                yield {"item": item, **answer_of(one.get("result")), "seconds": _seconds(one.get("lead_time"))}
            except ValueError as wrong:
                problems.append(f"{name} (item {item}): {wrong}")


def answer_of(result: Any) -> dict[str, str | None]:
    """answer and value, from the `result` of an annotation. Raises ValueError with what is wrong."""
    chosen, written = (_given(result, *which) for which in ((ANSWER, "choices"), (TEXT, "text")))
    if len(chosen) != 1:
        raise ValueError(f"{len(chosen)} answers chosen, where one is wanted")
    if chosen[0] in OTHERS:
        return {"answer": chosen[0], "value": None}
    if chosen[0] != WRITTEN:
        return {"answer": "value", "value": chosen[0]}
    if len(written) != 1:
        raise ValueError(f"{len(written)} texts written, where one is wanted")
    return {"answer": "value", "value": written[0].strip()}


def _given(result: Any, control: str, kind: str) -> list[str]:
    """All that was given with one control. A text comes as a list, or, from older versions, as itself."""
    found: list[str] = []
    for one in result if isinstance(result, list) else ():
        if isinstance(one, dict) and one.get("from_name") == control and isinstance(one.get("value"), dict):
            given = one["value"].get(kind)
            found += [text for text in (given if isinstance(given, list) else [given]) if isinstance(text, str)]
    return found


def _annotations(task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    given = task.get("annotations")
    return [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []


def _skipped(annotation: Mapping[str, Any]) -> bool:
    return bool(annotation.get("was_cancelled"))


def _seconds(lead_time: Any) -> float | None:
    """lead_time where it is one: it counts on while a browser tab lies open."""
    return bounded(float(lead_time)) if isinstance(lead_time, int | float) else None


def _inline(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
