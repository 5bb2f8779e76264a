"""What the commands for answers given elsewhere do: sheets, Label Studio, models."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from builder import printing
from builder.audit_import import Imported, import_answers
from builder.audit_model import Labelled, Model, ReadText, label_items
from builder.audit_sheet import MOST, PAGE, pictures_of, sheet_of, take_items, write_sheet
from builder.label_studio import CONFIG, LOCAL_FILES, TASKS, import_tasks, write_tasks
from builder.printing import some
from builder.settings import BuilderSettings, builder_settings
from builder.vision import Endpoint, Vision
from channels.readers import open_reader
from domain.errors import BadInput, ParallaxError
from store.annotators import find_annotator
from store.blobs import Blobs
from store.database import open_database
from store.settings import store_settings

TOLD = 10
"""Items without an answer that are named; JSON has them all."""


class Unanswered(ParallaxError):
    """The model gave no answer to some items; they stay open."""


def sheet(audit: str, *, annotator: str, to: Path | None, days: float, items: int | None, as_json: bool) -> None:
    """builder audit sheet."""
    settings, folder = store_settings(), to or Path(f"{audit}-{annotator}")
    with open_database(settings) as database, printing.progress(quiet=as_json) as told:
        who = find_annotator(database, annotator)
        taken, until = take_items(database, audit, who, days=days, most=items or MOST)
        picture = pictures_of(database, Blobs(settings.blobs), audit, who)
        write_sheet(sheet_of(audit, who.name, until, taken), picture, folder, told)
    if as_json:
        printing.json_line({"path": str(folder), "items": len(taken), "until": until})
        return
    printing.say(str(folder / PAGE))
    printing.talk(f"{some(len(taken), 'item')}, {annotator}'s until {until:%Y-%m-%d %H:%M} UTC. Send the whole folder.")
    printing.talk("What comes back: builder audit import answers.json")


def import_(file: Path, *, audit: str | None, as_json: bool) -> None:
    """builder audit import."""
    with open_database() as database:
        done = import_answers(database, file, audit=audit)
    _print_imported(done, as_json=as_json)


def studio_export(
    audit: str,
    *,
    annotator: str,
    to: Path | None,
    days: float,
    items: int | None,
    pictures: str,
    prefix: str | None,
    as_json: bool,
) -> None:
    """builder audit label-studio export."""
    settings, folder = store_settings(), to or Path(f"{audit}-{annotator}")
    if pictures == "inline" and prefix is not None:
        raise BadInput("--prefix is for --pictures files: inline pictures have no address.")
    before = None if pictures == "inline" else f"{LOCAL_FILES}{folder.name}/" if prefix is None else prefix
    with open_database(settings) as database, printing.progress(quiet=as_json) as told:
        who = find_annotator(database, annotator)
        taken, until = take_items(database, audit, who, days=days, most=items or MOST)
        write_tasks(audit, taken, pictures_of(database, Blobs(settings.blobs), audit, who), folder, prefix=before, told=told)
    if as_json:
        printing.json_line({"path": str(folder), "items": len(taken), "until": until})
        return
    printing.say(str(folder))
    printing.talk(
        f"{some(len(taken), 'task')} for {annotator} until {until:%Y-%m-%d %H:%M} UTC. In a project of its own: the labeling"
    )
    printing.talk(f"the labeling configuration is {CONFIG}, what is to be imported {TASKS} (docs/audit-offline.md).")


def studio_import(audit: str, file: Path, *, annotator: str, user: str | None, shared: bool, as_json: bool) -> None:
    """builder audit label-studio import."""
    with open_database() as database:
        done = import_tasks(database, file, audit=audit, annotator=annotator, user=user, shared=shared)
    _print_imported(done, as_json=as_json)


def model(audit: str, *, annotator: str, reader: str | None, vision: bool, items: int | None, as_json: bool) -> None:
    """builder audit model. Raises Unanswered where items stay open."""
    if vision == (reader is not None):
        raise BadInput("Say which model answers: --reader rapidocr, or --vision for the one at BUILDER_VISION_URL.")
    settings, knobs = store_settings(), builder_settings()
    with open_database(settings) as database, printing.progress(quiet=as_json) as told:
        who = find_annotator(database, annotator)
        with _model(reader, knobs) as answering:
            parallel = knobs.vision_parallel if vision else 2  # a picture is prepared while another is read
            done = label_items(database, Blobs(settings.blobs), audit, who, answering, parallel=parallel, most=items, told=told)
    _print_labelled(done, as_json=as_json)
    if done.no_answer:
        raise Unanswered(
            f"No answer of {annotator}: {some(len(done.no_answer), 'item')}. The same command asks for them again."
        )


@contextmanager
def _model(reader: str | None, knobs: BuilderSettings) -> Iterator[Model]:
    if reader is not None:
        yield ReadText(open_reader(reader))
        return
    if not knobs.vision_url or not knobs.vision_model:
        raise BadInput("Set BUILDER_VISION_URL and BUILDER_VISION_MODEL: where a model is, and which (docs/audit-offline.md).")
    endpoint = Endpoint(knobs.vision_url, knobs.vision_model, knobs.vision_key, knobs.vision_timeout_s, knobs.vision_retries)
    with closing(Vision(endpoint)) as asked:
        yield asked


def _print_imported(done: Imported, *, as_json: bool) -> None:
    if as_json:
        printing.json_line({name: getattr(done, name) for name in ("audit", "annotator", "new", "same", "hidden")})
        return
    printing.say(f"Stored: {some(done.new, 'answer')} of {done.annotator} to audit {done.audit}.")
    if done.same:
        printing.talk(f"There already, the same: {done.same}.")
    if done.hidden:
        printing.talk(f"Left out, as what they are about was taken down since: {done.hidden}.")


def _print_labelled(done: Labelled, *, as_json: bool) -> None:
    if as_json:
        left = [{"item": item, "why": why} for item, why in done.no_answer]
        printing.json_line({"answers": done.answers, "no_answer": left, "left": done.left})
        return
    told = ", ".join(f"{count} {answer}" for answer, count in done.answers.items()) or "none"
    printing.say(f"{some(sum(done.answers.values()), 'answer')} ({told}); left: {some(done.left, 'item')}.")
    for item, why in done.no_answer[:TOLD]:
        printing.talk(f"{item}: {why}")
