"""builder audit sheet, import, label-studio, model: answers that are not given at the desk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from builder.cli_options import MOST, Json, flag
from builder.later import Later

if TYPE_CHECKING:
    from builder import commands_audit_out
else:
    commands_audit_out = Later("builder.commands_audit_out")

app = typer.Typer()
studio = typer.Typer(no_args_is_help=True, help="Label Studio: tasks for it, and its annotations back.")
app.add_typer(studio, name="label-studio")
Audit = Annotated[str, typer.Argument(metavar="AUDIT", help="The audit's name.")]
Who = Annotated[str, typer.Option("--annotator", "-a", metavar="NAME", help="Whose answers they are.")]
To = Annotated[Path | None, typer.Option("--to", metavar="FOLDER", help="A new folder. Default: AUDIT-NAME.")]
Days = Annotated[float, typer.Option(min=0.01, max=365, help="For how long the items are theirs alone.")]
Items = Annotated[
    int | None, typer.Option("--items", min=1, max=MOST, help="So many at most. Default: all that are left for them.")
]


@app.command()
def sheet(audit: Audit, *, annotator: Who, to: To = None, days: Days = 14, items: Items = None, json: Json = False) -> None:
    """Write a folder that asks one annotator in any browser, without a server and without a network.

    Send it to them; they open index.html, and send answers.json back. The items are theirs for --days. Asked for again, it has
    what they were given and have not answered, first.
    """
    commands_audit_out.sheet(audit, annotator=annotator, to=to, days=days, items=items, as_json=json)


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="answers.json, as a sheet gives it.")],
    *,
    audit: Annotated[str | None, typer.Option(help="It must be of this audit. Default: the one it names.")] = None,
    json: Json = False,
) -> None:
    """Take the answers of a sheet: all of them, or none, with everything that is wrong. The same again changes nothing."""
    commands_audit_out.import_(file, audit=audit, as_json=json)


@studio.command("export")
def studio_export(
    audit: Audit,
    *,
    annotator: Who,
    to: To = None,
    days: Days = 14,
    items: Items = None,
    pictures: Annotated[
        Literal["files", "inline"],
        typer.Option(help="files: beside the tasks, for local storage. inline: in the tasks, as data URIs; a large file."),
    ] = "files",
    prefix: Annotated[
        str | None, typer.Option(help="What stands before a picture's path. Default: /data/local-files/?d=FOLDER/")
    ] = None,
    json: Json = False,
) -> None:
    """Write a Label Studio project for one annotator: config.xml, tasks.json, pictures with the region in a red frame.

    A project for each annotator: in one project they would see each other's answers.
    """
    commands_audit_out.studio_export(
        audit, annotator=annotator, to=to, days=days, items=items, pictures=pictures, prefix=prefix, as_json=json
    )


@studio.command("import")
def studio_import(
    audit: Audit,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Label Studio's export as JSON (not JSON-MIN).")],
    *,
    annotator: Who,
    user: Annotated[
        str | None, typer.Option(help="Label Studio's id or e-mail of that person, where the file has several people's.")
    ] = None,
    shared: Annotated[
        bool,
        flag(
            "--shared-account",
            help="Take it though its account has annotated for another annotator of this audit: several people use it, or it "
            "is of another Label Studio. That two different people answered is then your word alone.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Take what was annotated in Label Studio: all of it, or none, with everything that is wrong.

    An account annotates for one annotator of an audit.
    """
    commands_audit_out.studio_import(audit, file, annotator=annotator, user=user, shared=shared, as_json=json)


@app.command()
def model(
    audit: Audit,
    *,
    annotator: Annotated[str, typer.Option("--annotator", "-a", metavar="NAME", help="An annotator of kind model.")],
    reader: Annotated[
        str | None, typer.Option(help="This reader of text answers: rapidocr or tesseract. Of what is no text it is unsure.")
    ] = None,
    vision: Annotated[
        bool, flag("--vision", help="The model at BUILDER_VISION_URL answers (chat completions, as OpenAI has them).")
    ] = False,
    items: Annotated[
        int | None, typer.Option(min=1, max=MOST, help="So many at most. Default: all that are left for it.")
    ] = None,
    json: Json = False,
) -> None:
    """Let a model answer what is left for it. It gets what people get: picture, region, question. Stopped, it goes on.

    What it gives no answer to stays open, and is listed. Models have places of their own: they never take a person's.
    """
    commands_audit_out.model(audit, annotator=annotator, reader=reader, vision=vision, items=items, as_json=json)


def register(onto: typer.Typer) -> None:
    """These commands are the other's, too."""
    onto.registered_commands += app.registered_commands
    onto.registered_groups += app.registered_groups
